package io.sdds.sim.world;

import java.util.Locale;
import java.util.random.RandomGenerator;

/**
 * How the network of a simulation behaves when nothing is wrong with it.
 *
 * @param delayNanosMin least time from one end to the other
 * @param delayNanosMean mean of what is added to it, exponentially distributed
 * @param bytesPerSecond of a connection, one way
 * @param windowBytes sent and not yet read by the other end, at most; more is pending
 * @param cutPercent of sends and reads that end at some random byte, so that frames are cut anywhere
 * @param pendingScale by which pending bytes are exaggerated, so that little data makes a connection full
 */
public record NetworkModel(
        long delayNanosMin,
        long delayNanosMean,
        long bytesPerSecond,
        int windowBytes,
        int cutPercent,
        int pendingScale) {

    private static final int NARROW_WINDOW_BYTES = 4 << 10;
    private static final int PENDING_SCALE_MAX = 1 << 8;

    /** A quick local network that delivers flushes whole. */
    public static final NetworkModel CALM = new NetworkModel(20_000, 10_000, 1_000_000_000L, 1 << 20, 0, 1);

    /** One of many networks, most of them with rare paths made common. */
    public static NetworkModel draw(RandomGenerator random) {
        return new NetworkModel(
                random.nextLong(1_000, 200_000),
                random.nextBoolean() ? random.nextLong(1_000, 100_000) : random.nextLong(100_000, 2_000_000),
                random.nextInt(3) == 0 ? random.nextLong(2_000_000, 20_000_000) : 1_000_000_000L,
                random.nextInt(3) == 0 ? random.nextInt(1 << 10, 64 << 10) : 1 << 20,
                random.nextInt(3) == 0 ? 0 : random.nextInt(1, 40),
                random.nextInt(3) == 0 ? 1 << random.nextInt(4, 9) : 1);
    }

    /** The same, in which a connection is soon full whose other end does not read. */
    public NetworkModel narrow() {
        return new NetworkModel(
                delayNanosMin, delayNanosMean, bytesPerSecond, NARROW_WINDOW_BYTES, cutPercent, PENDING_SCALE_MAX);
    }

    /** The same with pending bytes exaggerated no more than by a factor. */
    public NetworkModel withPendingScaleAtMost(int most) {
        return new NetworkModel(
                delayNanosMin, delayNanosMean, bytesPerSecond, windowBytes, cutPercent, Math.min(pendingScale, most));
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "network: delay %d us + %d us, %d KB/s, window %d KB, cut %d %%, pending x%d",
                delayNanosMin / 1000,
                delayNanosMean / 1000,
                bytesPerSecond / 1000,
                windowBytes >> 10,
                cutPercent,
                pendingScale);
    }
}
