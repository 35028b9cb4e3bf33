package io.sdds.client.internal.query;

import io.sdds.client.Cursor;
import io.sdds.client.SddsException;
import io.sdds.client.UnavailableException;
import io.sdds.client.internal.ClientRuntime;
import io.sdds.client.internal.Failures;
import io.sdds.client.internal.routing.CursorToken;
import io.sdds.client.internal.routing.Failure;
import io.sdds.client.internal.routing.Sweep;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A cursor over the blocks of a sweep. The loop adds blocks, and one thread of the application takes them. */
final class BlockCursor<K, V> implements Cursor<K, V> {
    private final QueryPlan<K, V> plan;
    private final ClientRuntime runtime;
    private final Sweep sweep;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition change = lock.newCondition();

    // The blocks and the end that the loop has added; guarded by the lock.
    private final ArrayDeque<Block> blocks = new ArrayDeque<>();
    private boolean done;
    private @Nullable SddsException failure;

    // Only the application's thread uses these fields.
    private final @Nullable CursorToken from;
    private @Nullable Records<K, V> current;
    private byte @Nullable [] lastKey;
    private boolean atEnd;
    private boolean closed;
    private long left;

    private record Block(Sweep.Part part, byte[] records) {}

    BlockCursor(QueryPlan<K, V> plan) {
        this.plan = plan;
        this.runtime = plan.runtime();
        this.from = null;
        this.left = plan.spec().limit();
        this.sweep = plan.sweep(sink());
    }

    /** A cursor that has a token, and begins at the position of another cursor. The limit counts from there. */
    BlockCursor(QueryPlan<K, V> plan, CursorToken from) {
        this.plan = plan;
        this.runtime = plan.runtime();
        this.from = from;
        this.left = from.atEnd() ? 0 : plan.spec().limit();
        this.atEnd = from.atEnd();
        this.lastKey = from.key();
        this.sweep = plan.sweep(sink(), from);
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
                onEnd(Failures.incomplete(why, missing));
            }
        };
    }

    void start() {
        if (left > 0) {
            runtime.startSweep(sweep, plan.spec().timeoutNanos());
        }
    }

    @Override
    public String token() {
        if (from == null) {
            throw new IllegalStateException("only a cursor opened as resumable has a token");
        }
        keepLastKey();
        return new CursorToken(from.table(), from.scan(), atEnd, lastKey).text();
    }

    /** Keeps the key of the record that was given last. */
    private void keepLastKey() {
        if (from != null && current != null && current.hasGiven()) {
            lastKey = current.lastKey();
        }
    }

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
            byte[] records = from == null ? block.records() : plan.arranged(block.records(), lastKey);
            current = plan.spec().records(records);
            runtime.execute(() -> sweep.resume(block.part()));
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
        runtime.executeIfOpen(sweep::stop);
    }

    /** The next block; null at the end. */
    private @Nullable Block take() {
        runtime.checkMayBlock();
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
