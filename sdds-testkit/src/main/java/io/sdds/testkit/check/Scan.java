package io.sdds.testkit.check;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One whole scan of a table, as its client saw it.
 *
 * @param records all that it gave, in the order they came
 * @param complete whether it came to its end; else what it did not give means nothing
 */
public record Scan(int client, List<Entry> records, boolean complete, long startNanos, long endNanos) {

    /** A record scanned; no value when only keys were asked for. */
    public record Entry(String key, @Nullable String value) {}

    public Scan {
        records = List.copyOf(records);
    }

    @Override
    public String toString() {
        return "[" + startNanos + ", " + endNanos + "] client " + client + ": scan of " + records.size() + " records";
    }
}
