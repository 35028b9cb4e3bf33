package io.sdds.cli.load;

import io.sdds.cli.format.RecordReader.Entry;
import io.sdds.cli.format.RecordReader.Refused;
import io.sdds.client.MemoryFullException;
import io.sdds.client.RecordTooLargeException;
import io.sdds.client.SddsException;
import io.sdds.client.Table;
import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Puts many records at a time. Puts records of the same key one after the other, so that the last line with a key wins.
 * An invalid record, or a record without memory, counts as a refused line. Any other failure ends the load. For one
 * thread, besides the thread of the client.
 */
public final class Pipeline {
    /** Most puts that are begun and not ended. */
    public static final int OUTSTANDING_MAX = 4096;

    private final Table<byte[], byte[]> table;
    private final Semaphore room = new Semaphore(OUTSTANDING_MAX);
    private final Set<ByteBuffer> keysUnderWay = ConcurrentHashMap.newKeySet(2 * OUTSTANDING_MAX);
    private final Queue<Refused> refusals = new ConcurrentLinkedQueue<>();
    private final AtomicLong loaded = new AtomicLong();
    private volatile @Nullable Broken broken;

    /** The failure that ended the load, with the lowest line number of all such failures. */
    public record Broken(long line, SddsException failure) {}

    public Pipeline(Table<byte[], byte[]> table) {
        this.table = table;
    }

    /** Starts to put a record. Waits while too many puts are outstanding. */
    public void put(Entry entry) {
        ByteBuffer key = ByteBuffer.wrap(entry.key());
        if (!keysUnderWay.add(key)) {
            awaitAll();
            keysUnderWay.add(key);
        }
        begin(entry, key);
    }

    private void begin(Entry entry, ByteBuffer key) {
        room.acquireUninterruptibly();
        try {
            table.putAsync(entry.key(), entry.value(), (nothing, failure) -> ended(entry, key, failure));
        } catch (IllegalArgumentException | RecordTooLargeException e) {
            keysUnderWay.remove(key);
            room.release();
            refusals.add(new Refused(entry.line(), String.valueOf(e.getMessage())));
        }
    }

    /** Called on the thread of the client. */
    private void ended(Entry entry, ByteBuffer key, @Nullable SddsException failure) {
        keysUnderWay.remove(key);
        if (failure == null) {
            loaded.incrementAndGet();
        } else if (failure instanceof RecordTooLargeException || failure instanceof MemoryFullException) {
            refusals.add(new Refused(entry.line(), String.valueOf(failure.getMessage())));
        } else {
            onBroken(entry.line(), failure);
        }
        room.release();
    }

    private void onBroken(long line, SddsException failure) {
        Broken before = broken;
        if (before == null || line < before.line()) {
            broken = new Broken(line, failure);
        }
    }

    /** Waits until no put is outstanding. */
    public void awaitAll() {
        room.acquireUninterruptibly(OUTSTANDING_MAX);
        room.release(OUTSTANDING_MAX);
    }

    /** Number of successful puts. */
    public long loaded() {
        return loaded.get();
    }

    /** The next refused line; null if there is none yet. */
    public @Nullable Refused nextRefusal() {
        return refusals.poll();
    }

    /** Whether a failure has ended the load. */
    public boolean isBroken() {
        return broken != null;
    }

    /** The failure that ended the load; null if there is none. */
    public @Nullable Broken broken() {
        return broken;
    }
}
