package io.sdds.testkit.check;

import io.sdds.client.internal.routing.KeyBounds;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One whole scan of a table, as its client saw it.
 *
 * @param records all that it gave, in the order they came
 * @param complete whether it came to its end; else what it did not give means nothing
 * @param wanted the keys that its filter passes
 * @param bounds of a range query: what was asked for; null: everything
 * @param ordered of a range query: whether the records should have come in its order
 */
public record Scan(
        int client,
        List<Entry> records,
        boolean complete,
        long startNanos,
        long endNanos,
        Predicate<String> wanted,
        @Nullable KeyBounds bounds,
        boolean ordered) {

    /** A record scanned; no value when only keys were asked for. */
    public record Entry(String key, @Nullable String value) {}

    public Scan {
        records = List.copyOf(records);
    }

    /** One of all keys, in no order. */
    public Scan(int client, List<Entry> records, boolean complete, long startNanos, long endNanos) {
        this(client, records, complete, startNanos, endNanos, key -> true);
    }

    /** One with a filter, in no order. */
    public Scan(
            int client,
            List<Entry> records,
            boolean complete,
            long startNanos,
            long endNanos,
            Predicate<String> wanted) {
        this(client, records, complete, startNanos, endNanos, wanted, null, false);
    }

    /** The same of a range of keys, in their order or not. */
    public Scan of(KeyBounds range, boolean inOrder) {
        return new Scan(client, records, complete, startNanos, endNanos, wanted, range, inOrder);
    }

    /** Whether a key is in the range that was asked for. */
    boolean asksFor(String key) {
        return bounds == null || bounds.holds(key.getBytes(StandardCharsets.UTF_8));
    }

    /** Whether it says of a key that it does not give that there is no record. */
    boolean isAbout(String key) {
        return complete && asksFor(key) && wanted.test(key);
    }

    @Override
    public String toString() {
        return "[" + startNanos + ", " + endNanos + "] client " + client + ": scan of " + records.size() + " records"
                + (bounds == null ? "" : " in " + bounds);
    }
}
