package io.sdds.client.internal.query;

import io.sdds.client.SddsException;
import io.sdds.client.UnavailableException;
import java.util.ArrayDeque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The blocks of a cursor, which the loop adds and one thread of the application takes. */
final class BlockQueue<B> {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition change = lock.newCondition();

    // Guarded by the lock.
    private final ArrayDeque<B> blocks = new ArrayDeque<>();
    private boolean ended;
    private @Nullable SddsException failure;

    /** Adds a block, unless the queue was closed. */
    void add(B block) {
        lock.lock();
        try {
            if (!ended) {
                blocks.add(block);
                change.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Nothing more comes. The blocks that have come are taken first. */
    void end(@Nullable SddsException why) {
        lock.lock();
        try {
            ended = true;
            failure = why;
            change.signal();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits for the next block; null at the end.
     *
     * @throws SddsException the failure that ended the query
     */
    @Nullable
    B take() {
        lock.lock();
        try {
            while (blocks.isEmpty() && !ended) {
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

    /** Drops all blocks and takes no more; a thread that waits goes on. Returns whether more could have come. */
    boolean close() {
        lock.lock();
        try {
            boolean wasOpen = !ended;
            ended = true;
            blocks.clear();
            change.signal();
            return wasOpen;
        } finally {
            lock.unlock();
        }
    }
}
