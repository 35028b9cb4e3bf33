package io.sdds.bench.load;

/**
 * Progress of a run, reported about once a second.
 *
 * @param step current step of the run
 * @param done share of the step that is done, from 0 to 1
 * @param operationsPerSecond throughput since the last report
 */
public record LoadProgress(Step step, double done, double operationsPerSecond) {
    /** Steps of a run. */
    public enum Step {
        PRELOAD,
        WARMUP,
        MEASURE
    }

    /** Is called with the progress, on the thread that runs the load. */
    @FunctionalInterface
    public interface Listener {
        void progressed(LoadProgress progress);

        /** A listener that does nothing. */
        static Listener none() {
            return progress -> {};
        }
    }
}
