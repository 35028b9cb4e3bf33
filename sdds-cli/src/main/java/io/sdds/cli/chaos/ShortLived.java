package io.sdds.cli.chaos;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An acknowledged record with a time to live, whose key is written once.
 *
 * @param beganNanos before its write was sent
 */
record ShortLived(String key, long beganNanos, Duration timeToLive) {
    static final String PREFIX = "t.";

    /** The longest time to live of all. */
    static final Duration LONGEST = Duration.ofSeconds(3);

    /** What is wrong when a read that ended at an instant did not find the record; null: nothing. */
    @Nullable
    String faultOfAbsence(long readEndedNanos) {
        long livedNanos = readEndedNanos - beganNanos;
        return livedNanos >= timeToLive.toNanos()
                ? null
                : key + " was gone " + livedNanos / 1_000_000 + " ms after its write began, before its time to live of "
                        + timeToLive.toMillis() + " ms had passed";
    }
}
