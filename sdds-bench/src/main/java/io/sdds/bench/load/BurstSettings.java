package io.sdds.bench.load;

/**
 * Settings of a measurement of bursts.
 *
 * @param operations operations of each burst
 * @param valueBytes length of a value
 * @param virtualThreads number of virtual threads that do the operations one by one with blocking calls; 0: one thread
 *     begins all operations, without waiting for any
 * @param besideRate gets a second that another client does meanwhile; 0: none
 */
public record BurstSettings(int operations, int valueBytes, int virtualThreads, int besideRate) {
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
