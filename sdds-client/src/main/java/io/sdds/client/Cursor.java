package io.sdds.client;

import io.sdds.client.routing.Failure;
import io.sdds.client.routing.Sweep;
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
    private final Scan<K, V> scan;
    private final Sweep sweep;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition change = lock.newCondition();

    // Under the lock: what the loop has brought.
    private final ArrayDeque<Block> blocks = new ArrayDeque<>();
    private boolean done;
    private @Nullable SddsException failure;

    // The caller's.
    private @Nullable Records<K, V> current;
    private long left;

    private record Block(Sweep.Part part, byte[] records) {}

    Cursor(Scan<K, V> scan) {
        this.scan = scan;
        this.left = scan.limit();
        this.sweep = scan.sweep(new Sweep.Sink() {
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
        });
    }

    void start() {
        scan.shell().startSweep(sweep);
    }

    /** Whether there is another record; waits until that is known. */
    @Override
    public boolean hasNext() {
        while (left > 0) {
            if (current != null && current.hasNext()) {
                return true;
            }
            Block block = take();
            if (block == null) {
                return false;
            }
            current = scan.records(block.records());
            scan.shell().execute(() -> sweep.resume(block.part()));
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
        left = 0;
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
        scan.shell().executeIfOpen(sweep::stop);
    }

    /** The next block; null at the end. */
    private @Nullable Block take() {
        scan.shell().checkMayBlock();
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
