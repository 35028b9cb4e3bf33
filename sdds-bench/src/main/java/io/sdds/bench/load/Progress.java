package io.sdds.bench.load;

/**
 * How far a run has come, told about once a second.
 *
 * @param step what it is at
 * @param done of the step, from 0 to 1
 * @param operationsPerSecond since the last time
 */
public record Progress(Step step, double done, double operationsPerSecond) {
    /** What a run goes through. */
    public enum Step {
        PRELOAD,
        WARMUP,
        MEASURE
    }

    /** Hears of progress, on the thread that runs the load. */
    @FunctionalInterface
    public interface Listener {
        void progressed(Progress progress);

        /** Hears nothing. */
        static Listener none() {
            return progress -> {};
        }
    }
}
