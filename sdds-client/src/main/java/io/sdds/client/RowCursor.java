package io.sdds.client;

import java.util.Iterator;
import java.util.NoSuchElementException;

/**
 * The rows of a query. One thread takes them one by one. The client fetches a few blocks of rows ahead; bricks hold
 * nothing for a cursor. {@link RowQuery} tells the exceptions of queries, which {@link #hasNext} and {@link #next}
 * throw.
 *
 * @param <T> what a row is given as
 */
public interface RowCursor<T> extends Iterator<T>, AutoCloseable {
    /**
     * Whether there is another row. Waits until the client knows.
     *
     * @throws IllegalStateException when the call would wait on the client's event loop
     */
    @Override
    boolean hasNext();

    /**
     * The next row. Waits and fails as {@link #hasNext} does.
     *
     * @throws NoSuchElementException when there is none
     */
    @Override
    T next();

    /**
     * Asks for nothing more. Does not wait. Closing again does nothing. Any thread may close a cursor: one that waits
     * for rows then finds that there are no more.
     */
    @Override
    void close();
}
