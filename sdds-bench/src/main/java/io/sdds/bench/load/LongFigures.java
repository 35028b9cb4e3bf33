package io.sdds.bench.load;

import org.jspecify.annotations.Nullable;

/**
 * The puts of long values beside a load.
 *
 * @param puts puts that ended well
 * @param bytes bytes of their values
 * @param latency latency of these puts, from when a put was due
 * @param refused puts that certainly had no effect
 * @param timedOut puts without an answer by their deadline
 * @param failed puts that failed for another reason, or had no answer at all
 * @param firstTrouble description of the first failure; null if there was none
 */
public record LongFigures(
        long puts,
        long bytes,
        Latency latency,
        long refused,
        long timedOut,
        long failed,
        @Nullable String firstTrouble) {
    /** Whether each put ended well. */
    public boolean areSound() {
        return refused + timedOut + failed == 0;
    }
}
