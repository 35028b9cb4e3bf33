package io.sdds.client.internal.query;

import io.sdds.client.Versioned;
import io.sdds.client.internal.ClientRuntime;
import io.sdds.client.internal.TableContext;
import io.sdds.client.internal.routing.RoutedTable;
import io.sdds.core.protocol.RequestFrame;

/**
 * What a query asks for: the records of a table, their keys, or the records with their versions, that pass a filter.
 *
 * @param what the part of each record that is asked for, as requests encode it
 * @param reader makes the values of entries
 * @param filter encoded; empty: every record passes
 * @param limit the largest number of records to give
 */
public record QuerySpec<K, V>(TableContext<K, ?> context, byte what, ValueReader<V> reader, byte[] filter, long limit) {
    private static final byte[] NO_FILTER = new byte[0];

    public QuerySpec {
        if (limit < 0) {
            throw new IllegalArgumentException("limit " + limit);
        }
    }

    /** A query of all records of a table. */
    public static <K, V> QuerySpec<K, V> all(TableContext<K, V> context) {
        return new QuerySpec<>(
                context, RequestFrame.SCAN_RECORDS, ValueReader.of(context.values()), NO_FILTER, Long.MAX_VALUE);
    }

    /** The same query with another filter, which is encoded. */
    public QuerySpec<K, V> withFilter(byte[] encoded) {
        return new QuerySpec<>(context, what, reader, encoded, limit);
    }

    public QuerySpec<K, V> withLimit(long records) {
        return new QuerySpec<>(context, what, reader, filter, records);
    }

    @SuppressWarnings("NullAway") // the entries of a query for keys have null values of type Void
    public QuerySpec<K, Void> keysOnly() {
        return new QuerySpec<>(context, RequestFrame.SCAN_KEYS, (value, version, left) -> null, filter, limit);
    }

    /**
     * The same query for records with their versions.
     *
     * @throws IllegalStateException unless the query asks for records without versions
     */
    public QuerySpec<K, Versioned<V>> versioned() {
        if (what != RequestFrame.SCAN_RECORDS) {
            throw new IllegalStateException(
                    what == RequestFrame.SCAN_KEYS
                            ? "a query for keys alone has no versions"
                            : "the query already asks for versions");
        }
        return new QuerySpec<>(context, RequestFrame.SCAN_VERSIONED, reader.versioned(), filter, limit);
    }

    ClientRuntime runtime() {
        return context.runtime();
    }

    RoutedTable table() {
        return context.table();
    }

    long timeoutNanos() {
        return context.timeoutNanos();
    }

    Records<K, V> records(byte[] block) {
        return new Records<>(block, what, context.keys(), reader);
    }
}
