package io.sdds.client;

import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;

/**
 * The results of a query, which one thread takes one by one. A few blocks of records are fetched ahead; bricks hold
 * nothing for a cursor.
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
     * Whether there is another record. Waits until that is known.
     *
     * @throws IncompleteRangeException when the next block did not come within the client's timeout
     * @throws IllegalStateException when it would wait on the client's event loop
     */
    @Override
    boolean hasNext();

    /**
     * The next record. Waits for it as {@link #hasNext} does, and fails as that does.
     *
     * @throws CodecException when the codec cannot decode the record
     * @throws NoSuchElementException when there is none
     */
    @Override
    Map.Entry<K, V> next();

    /**
     * Where the cursor stands, as text: behind the record given last. {@link Query#open(String)} of the same query goes
     * on from there, in this client or another, also after this cursor was closed or has failed. The token is a few
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
