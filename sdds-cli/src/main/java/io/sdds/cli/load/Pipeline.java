package io.sdds.cli.load;

import io.sdds.cli.format.RecordReader.Entry;
import io.sdds.cli.format.RecordReader.Refused;
import io.sdds.client.MemoryFullException;
import io.sdds.client.OverloadedException;
import io.sdds.client.RecordTooLargeException;
import io.sdds.client.SddsException;
import io.sdds.client.Table;
import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Puts of many records under way at a time, of one key only one after the other: the last line with a key counts. What
 * a record itself is to blame for, and what memory is too small for, is a refused line; what busy bricks refuse is put
 * again; any other failure ends the load. For one thread, beside the client's.
 */
public final class Pipeline {
    private static final int OUTSTANDING_MAX = 4096;
    private static final long PAUSE_MILLIS = 20;

    private final Table<byte[], byte[]> table;
    private final Semaphore room = new Semaphore(OUTSTANDING_MAX);
    private final Set<ByteBuffer> keysUnderWay = ConcurrentHashMap.newKeySet(2 * OUTSTANDING_MAX);
    private final Queue<Refused> refusals = new ConcurrentLinkedQueue<>();
    private final Queue<Entry> again = new ConcurrentLinkedQueue<>();
    private final AtomicLong loaded = new AtomicLong();
    private volatile @Nullable Broken broken;

    /** What ended the load, and the first line that it is known of. */
    public record Broken(long line, SddsException failure) {}

    public Pipeline(Table<byte[], byte[]> table) {
        this.table = table;
    }

    /** Begins to put a record, when there is room. */
    public void put(Entry entry) {
        if (!again.isEmpty()) {
            putAgain();
        }
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

    /** On the client's thread. */
    private void ended(Entry entry, ByteBuffer key, @Nullable SddsException failure) {
        if (failure instanceof OverloadedException) {
            again.add(entry); // its key stays under way
        } else {
            keysUnderWay.remove(key);
            if (failure == null) {
                loaded.incrementAndGet();
            } else if (failure instanceof RecordTooLargeException || failure instanceof MemoryFullException) {
                refusals.add(new Refused(entry.line(), String.valueOf(failure.getMessage())));
            } else {
                onBroken(entry.line(), failure);
            }
        }
        room.release();
    }

    private void onBroken(long line, SddsException failure) {
        Broken before = broken;
        if (before == null || line < before.line()) {
            broken = new Broken(line, failure);
        }
    }

    /** Puts again what was refused, after a pause in which the bricks can breathe. */
    private void putAgain() {
        try {
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        for (int k = again.size(); k > 0 && !isBroken(); k--) {
            Entry entry = again.remove();
            begin(entry, ByteBuffer.wrap(entry.key()));
        }
    }

    /** Waits until none is under way. */
    public void awaitAll() {
        do {
            if (!again.isEmpty()) {
                putAgain();
            }
            room.acquireUninterruptibly(OUTSTANDING_MAX);
            room.release(OUTSTANDING_MAX);
        } while (!again.isEmpty() && !isBroken());
    }

    /** Puts that took effect. */
    public long loaded() {
        return loaded.get();
    }

    /** The next line that was refused; null when there is none yet. */
    public @Nullable Refused nextRefusal() {
        return refusals.poll();
    }

    /** Whether to go on makes no sense. */
    public boolean isBroken() {
        return broken != null;
    }

    /** What ended the load; null when nothing did. */
    public @Nullable Broken broken() {
        return broken;
    }
}
