package io.sdds.bench.load;

/** Is called for each operation that succeeded, from any thread. */
interface CompletionListener {
    /**
     * An operation has succeeded.
     *
     * @param nowNanos time of {@link System#nanoTime} at which the operation ended
     * @param nanos duration of the operation
     */
    void add(long nowNanos, long nanos);
}
