package io.sdds.cli.chaos;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An acknowledged record with a time to live. Its key is written once.
 *
 * @param beganNanos an instant before the write was sent
 */
record ShortLived(String key, long beganNanos, Duration timeToLive) {
    static final String PREFIX = "t.";

    /** Upper limit of all times to live. */
    static final Duration LONGEST = Duration.ofSeconds(3);

    /** Describes the fault if a read that ended at an instant found no record; null if the record may have expired. */
    @Nullable
    String faultOfAbsence(long readEndedNanos) {
        long livedNanos = readEndedNanos - beganNanos;
        return livedNanos >= timeToLive.toNanos()
                ? null
                : key + " was gone " + livedNanos / 1_000_000 + " ms after its write began, before its time to live of "
                        + timeToLive.toMillis() + " ms had passed";
    }
}
