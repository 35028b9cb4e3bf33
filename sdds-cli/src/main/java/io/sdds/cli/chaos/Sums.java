package io.sdds.cli.chaos;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Bounds for the values of counters. A counter holds all acknowledged additions, and may hold additions of unknown
 * outcome. Additions are positive.
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

    /** All counters with additions, each with the sum of its acknowledged additions. */
    Map<String, Long> acknowledged() {
        return Map.copyOf(acknowledged);
    }

    /** Describes the fault in the final value of a counter; null if the value is within its bounds. */
    @Nullable
    String fault(String counter, long value) {
        long least = acknowledged.getOrDefault(counter, 0L);
        long most = least + unknown.getOrDefault(counter, 0L);
        return value >= least && value <= most
                ? null
                : "counter " + counter + " is " + value + ", not between " + least + " and " + most;
    }
}
