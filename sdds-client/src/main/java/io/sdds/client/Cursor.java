package io.sdds.client;

import io.sdds.client.internal.routing.CursorToken;
import io.sdds.client.internal.routing.Failure;
import io.sdds.client.internal.routing.Sweep;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The results of a scan, taken one by one by one thread, with a few blocks fetched ahead. Waits for blocks; each comes within the client's timeout or fails
 * it with {@link IncompleteRangeException}. Bricks hold nothing for it.
 */
public final class Cursor<K, V> implements Iterator<Map.Entry<K, V>>, AutoCloseable {
    private final Query<K, V> scan;
    private final Sweep sweep;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition change = lock.newCondition();

    // Under the lock: what the loop has brought.
    private final ArrayDeque<Block> blocks = new ArrayDeque<>();
    private boolean done;
    private @Nullable SddsException failure;

    // The caller's.
    private final @Nullable CursorToken from;
    private @Nullable Records<K, V> current;
    private byte @Nullable [] lastKey;
    private boolean atEnd;
    private boolean closed;
    private long left;

    private record Block(Sweep.Part part, byte[] records) {}

    Cursor(Query<K, V> scan) {
        this.scan = scan;
        this.from = null;
        this.left = scan.limit;
        this.sweep = scan.sweep(sink());
    }

    /** One that can say where it stands, and begins where another stood. */
    Cursor(Query<K, V> scan, CursorToken from) {
        this.scan = scan;
        this.from = from;
        this.left = from.atEnd() ? 0 : from.left();
        this.atEnd = from.atEnd();
        this.lastKey = from.key();
        this.sweep = scan.sweep(sink(), from);
    }

    private Sweep.Sink sink() {
        return new Sweep.Sink() {
            @Override
            public void covered(Sweep.Part part, long count, byte[] records) {
                onCovered(part, records);
            }

            @Override
            public void done() {
                onEnd(null);
            }

            @Override
            public void failed(Failure why, List<String> missing) {
                onEnd(IncompleteRangeException.of(why, missing));
            }
        };
    }

    void start() {
        if (left > 0) {
            scan.shell.startSweep(sweep, scan.timeoutNanos);
        }
    }

    /**
     * Where it stands: behind the record given last. {@link Query#open(String)} of the same query goes on from there, in this client or another; also after
     * this cursor was closed or has failed. A few bytes more than that record's key.
     *
     * @throws IllegalStateException when it is of a scan and was not opened by {@link Scan#openResumable} or with a token
     */
    public String token() {
        if (from == null) {
            throw new IllegalStateException("only a cursor opened as resumable has a token");
        }
        keepLastKey();
        return new CursorToken(from.table(), from.scan(), left, atEnd, lastKey).text();
    }

    /** What the block being given has given last. */
    private void keepLastKey() {
        if (from != null && current != null && current.hasGiven()) {
            lastKey = current.lastKey();
        }
    }

    /** Whether there is another record; waits until that is known. */
    @Override
    public boolean hasNext() {
        while (left > 0 && !closed) {
            if (current != null && current.hasNext()) {
                return true;
            }
            keepLastKey();
            Block block = take();
            if (block == null) {
                atEnd = true;
                return false;
            }
            byte[] records = from == null ? block.records() : scan.arranged(block.records(), lastKey);
            current = scan.records(records);
            scan.shell.execute(() -> sweep.resume(block.part()));
        }
        close();
        return false;
    }

    @Override
    public Map.Entry<K, V> next() {
        if (!hasNext() || current == null) {
            throw new NoSuchElementException();
        }
        left--;
        return current.next();
    }

    /** Asks for nothing more. */
    @Override
    public void close() {
        closed = true;
        keepLastKey();
        current = null;
        lock.lock();
        try {
            if (done) {
                return;
            }
            done = true;
            blocks.clear();
        } finally {
            lock.unlock();
        }
        scan.shell.executeIfOpen(sweep::stop);
    }

    /** The next block; null at the end. */
    private @Nullable Block take() {
        scan.shell.checkMayBlock();
        lock.lock();
        try {
            while (blocks.isEmpty() && !done) {
                change.await();
            }
            if (!blocks.isEmpty()) {
                return blocks.remove();
            }
            if (failure != null) {
                throw failure;
            }
            return null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UnavailableException("interrupted while waiting for a block of a scan", false);
        } finally {
            lock.unlock();
        }
    }

    private void onCovered(Sweep.Part part, byte[] records) {
        if (records.length == 0) {
            sweep.resume(part);
            return;
        }
        lock.lock();
        try {
            if (!done) {
                blocks.add(new Block(part, records));
                change.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    private void onEnd(@Nullable SddsException why) {
        lock.lock();
        try {
            done = true;
            failure = why;
            change.signal();
        } finally {
            lock.unlock();
        }
    }
}
