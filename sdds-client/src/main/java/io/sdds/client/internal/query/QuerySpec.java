package io.sdds.client.internal.query;

import io.sdds.client.Codec;
import io.sdds.client.internal.ClientRuntime;
import io.sdds.client.internal.TableContext;
import io.sdds.client.internal.routing.RoutedTable;
import io.sdds.core.protocol.RequestFrame;
import org.jspecify.annotations.Nullable;

/**
 * What a query asks for: the records of a table, or their keys, that pass a filter.
 *
 * @param values codec of the values; null: only keys are asked for
 * @param filter encoded; empty: every record passes
 * @param limit the largest number of records to give
 */
public record QuerySpec<K, V>(
        TableContext<K, ?> context, @Nullable Codec<V> values, byte[] filter, long limit) {
    private static final byte[] NO_FILTER = new byte[0];

    public QuerySpec {
        if (limit < 0) {
            throw new IllegalArgumentException("limit " + limit);
        }
    }

    /** A query of all records of a table. */
    public static <K, V> QuerySpec<K, V> all(TableContext<K, V> context) {
        return new QuerySpec<>(context, context.values(), NO_FILTER, Long.MAX_VALUE);
    }

    /** The same query with another filter, which is encoded. */
    public QuerySpec<K, V> withFilter(byte[] encoded) {
        return new QuerySpec<>(context, values, encoded, limit);
    }

    public QuerySpec<K, V> withLimit(long records) {
        return new QuerySpec<>(context, values, filter, records);
    }

    public QuerySpec<K, Void> keysOnly() {
        return new QuerySpec<>(context, null, filter, limit);
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

    /** The part of each record that is asked for, as requests encode it. */
    byte what() {
        return values == null ? RequestFrame.SCAN_KEYS : RequestFrame.SCAN_RECORDS;
    }

    Records<K, V> records(byte[] block) {
        return new Records<>(block, context.keys(), values);
    }
}
