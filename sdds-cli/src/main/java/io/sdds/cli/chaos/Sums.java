package io.sdds.cli.chaos;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What clients added to counters: a counter holds what was acknowledged, and may hold what had an unknown outcome.
 * Additions are positive.
 */
final class Sums {
    private final Map<String, Long> acknowledged = new TreeMap<>();
    private final Map<String, Long> unknown = new HashMap<>();

    void acknowledge(String counter, long delta) {
        acknowledged.merge(counter, delta, Long::sum);
    }

    void unknown(String counter, long delta) {
        acknowledged.merge(counter, 0L, Long::sum);
        unknown.merge(counter, delta, Long::sum);
    }

    /** All that something was added to, with what is known to have been added. */
    Map<String, Long> acknowledged() {
        return Map.copyOf(acknowledged);
    }

    /** What is wrong with a counter's value at the end; null: nothing. */
    @Nullable
    String fault(String counter, long value) {
        long least = acknowledged.getOrDefault(counter, 0L);
        long most = least + unknown.getOrDefault(counter, 0L);
        return value >= least && value <= most
                ? null
                : "counter " + counter + " is " + value + ", not between " + least + " and " + most;
    }
}
