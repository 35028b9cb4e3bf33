package io.sdds.bench.load;

/** The result of a benchmark. */
public interface BenchResult {
    /** The result for people. */
    String text(String command);

    /** Whether the measurement succeeded: no operation failed, where an operation must not fail. */
    default boolean isSound() {
        return true;
    }
}
