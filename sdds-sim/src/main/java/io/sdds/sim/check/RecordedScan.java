package io.sdds.sim.check;

import io.sdds.client.internal.routing.KeyBounds;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One scan of a table, as its client saw it.
 *
 * @param records all returned records, in their order
 * @param complete whether the scan has ended; otherwise missing records mean nothing
 * @param wanted keys that the filter passes
 * @param rows which values of keys the filter passes; null: the filter does not look at values
 * @param bounds bounds of a range query; null for all keys
 * @param ordered whether the records of a range query had to be in order
 */
public record RecordedScan(
        int client,
        List<Entry> records,
        boolean complete,
        long startNanos,
        long endNanos,
        Predicate<String> wanted,
        @Nullable BiPredicate<String, String> rows,
        @Nullable KeyBounds bounds,
        boolean ordered) {

    /** A returned record; without a value if the scan asked only for keys. */
    public record Entry(String key, @Nullable String value) {}

    public RecordedScan {
        records = List.copyOf(records);
    }

    /** A scan of all keys, in any order. */
    public RecordedScan(int client, List<Entry> records, boolean complete, long startNanos, long endNanos) {
        this(client, records, complete, startNanos, endNanos, key -> true);
    }

    /** A scan with a filter, in any order. */
    public RecordedScan(
            int client,
            List<Entry> records,
            boolean complete,
            long startNanos,
            long endNanos,
            Predicate<String> wanted) {
        this(client, records, complete, startNanos, endNanos, wanted, null, null, false);
    }

    /** A scan of all keys with a filter that looks at values, in any order. */
    public static RecordedScan ofRows(
            int client, List<Entry> records, BiPredicate<String, String> rows, long startNanos, long endNanos) {
        return new RecordedScan(client, records, true, startNanos, endNanos, key -> true, rows, null, false);
    }

    /** This scan as a query of a range of keys, in order or not. */
    public RecordedScan of(KeyBounds range, boolean inOrder) {
        return new RecordedScan(client, records, complete, startNanos, endNanos, wanted, rows, range, inOrder);
    }

    /** Whether a key is in the bounds of the query. */
    boolean asksFor(String key) {
        return bounds == null || bounds.holds(key.getBytes(StandardCharsets.UTF_8));
    }

    /** Whether the filter looks at values. */
    boolean looksAtValues() {
        return rows != null;
    }

    /** Whether the filter passes a value of a key; a filter that looks at values passes no value that is not told. */
    boolean passes(String key, @Nullable String value) {
        return rows == null || value != null && rows.test(key, value);
    }

    /** Whether the absence of a key in the answer means that there was no record, or none that passes. */
    boolean isAbout(String key) {
        return complete && asksFor(key) && wanted.test(key);
    }

    @Override
    public String toString() {
        return "[" + startNanos + ", " + endNanos + "] client " + client + ": scan of " + records.size() + " records"
                + (bounds == null ? "" : " in " + bounds);
    }
}
