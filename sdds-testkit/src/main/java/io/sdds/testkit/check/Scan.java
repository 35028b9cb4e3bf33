package io.sdds.testkit.check;

import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * One whole scan of a table, as its client saw it.
 *
 * @param records all that it gave, in the order they came
 * @param complete whether it came to its end; else what it did not give means nothing
 * @param wanted the keys that its filter passes
 */
public record Scan(
        int client, List<Entry> records, boolean complete, long startNanos, long endNanos, Predicate<String> wanted) {

    /** A record scanned; no value when only keys were asked for. */
    public record Entry(String key, @Nullable String value) {}

    public Scan {
        records = List.copyOf(records);
    }

    /** One of all keys. */
    public Scan(int client, List<Entry> records, boolean complete, long startNanos, long endNanos) {
        this(client, records, complete, startNanos, endNanos, key -> true);
    }

    /** Whether it says of a key that it does not give that there is no record. */
    boolean isAbout(String key) {
        return complete && wanted.test(key);
    }

    @Override
    public String toString() {
        return "[" + startNanos + ", " + endNanos + "] client " + client + ": scan of " + records.size() + " records";
    }
}
