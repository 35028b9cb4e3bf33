package io.sdds.brick.parity.join;

/**
 * How fast the parity members that join copy their columns, all of a stage together. A rebuild leaves most of the stage
 * and of the network to the clients.
 */
final class JoinPace {
    /** Bytes for each tick of 100 ms: 16 MiB a second. */
    static final int BYTES_A_TICK = (16 << 20) / 10;

    private long left = BYTES_A_TICK;

    /** Each 100 ms. Bytes that were not spent are not made up for. */
    void tick() {
        left = Math.min(BYTES_A_TICK, left + BYTES_A_TICK);
    }

    /** Whether another slice may be asked for. */
    boolean isFree() {
        return left > 0;
    }

    /** A slice of so many bytes has come. */
    void spend(int bytes) {
        left -= bytes;
    }
}
