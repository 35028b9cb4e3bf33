package io.sdds.bench.load;

/** Settings of a measurement of bursts. */
public record BurstSettings(
        @Setting("--operations N: Set the number of operations of each burst.")
        int operations,

        @Setting("--value BYTES: Set the length of a value.")
        int valueBytes,

        @Setting("--threads N: Set the number of virtual threads with calls that block. Default: one thread that does"
                + " not wait.")
        int virtualThreads,

        @Setting("--beside N: Set the gets a second of another client of this process, whose latency is measured."
                + " Default: no client.")
        int besideRate) {
    private static final BurstSettings DEFAULTS = new BurstSettings(200_000, 150, 0, 0);

    public BurstSettings {
        if (operations < 1 || valueBytes < 0 || virtualThreads < 0 || besideRate < 0) {
            throw new IllegalArgumentException("a burst has at least one operation, and nothing below 0");
        }
    }

    public static BurstSettings defaults() {
        return DEFAULTS;
    }
}
