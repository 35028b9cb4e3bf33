package io.sdds.client;

import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;

/**
 * The results of a query. One thread takes them one by one. The client fetches a few blocks of records ahead; bricks
 * hold nothing for a cursor.
 *
 * <pre>{@code
 * String token;
 * try (Cursor<String, String> page = table.range().limit(100).open()) {
 *     page.forEachRemaining(entry -> show(entry.getKey(), entry.getValue()));
 *     token = page.token();
 * }
 * try (Cursor<String, String> next = table.range().limit(100).open(token)) { // the next 100, in this client or another
 *     next.forEachRemaining(entry -> show(entry.getKey(), entry.getValue()));
 * }
 * }</pre>
 */
public interface Cursor<K, V> extends Iterator<Map.Entry<K, V>>, AutoCloseable {
    /**
     * Whether there is another record. Waits until the client knows.
     *
     * @throws IncompleteRangeException when the next block did not come within the client's timeout
     * @throws IllegalStateException when the call would wait on the client's event loop
     */
    @Override
    boolean hasNext();

    /**
     * The next record. Waits and fails as {@link #hasNext} does.
     *
     * @throws CodecException when the codec cannot decode the record
     * @throws NoSuchElementException when there is none
     */
    @Override
    Map.Entry<K, V> next();

    /**
     * The position of the cursor as text: behind the record given last. {@link Query#open(String)} of the same query
     * continues there, in this client or another, also after this cursor was closed or has failed. The token is a few
     * bytes longer than the key of that record.
     *
     * @throws IllegalStateException if the cursor is of a scan and was not opened by {@link Scan#openResumable} or with
     *     a token
     */
    String token();

    /** Asks for nothing more. Does not wait. Closing again does nothing. */
    @Override
    void close();
}
