package io.sdds.bench.load;

import io.sdds.client.HashTable;
import io.sdds.client.SddsException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Puts of long values beside a load, at a number of bytes a second. Lengths are between a kibibyte and a maximum, each
 * order of length as frequent as the others. A put starts when it is due, independent of outstanding puts.
 */
public final class LongPuts {
    private static final int BYTES_MIN = 1 << 10;
    private static final int KEYS = 16;
    private static final Duration DRAIN = Duration.ofSeconds(10);

    private final HashTable<byte[], byte[]> table;
    private final int bytesMax;
    private final long bytesPerSecond;
    private final SplittableRandom random;
    private final FailureCounters failures = new FailureCounters();
    private final Meter meter = new Meter();
    private final LongAdder bytes = new LongAdder();
    private final Phaser underWay = new Phaser(1);
    private final Thread pacer = Thread.ofPlatform().daemon().name("long-puts").unstarted(this::pace);
    private volatile boolean ends;

    private LongPuts(HashTable<byte[], byte[]> table, int bytesMax, long bytesPerSecond, long seed) {
        this.table = table;
        this.bytesMax = Math.max(BYTES_MIN, bytesMax);
        this.bytesPerSecond = bytesPerSecond;
        this.random = new SplittableRandom(seed);
    }

    /**
     * Begins the puts.
     *
     * @param bytesMax longest value
     * @param bytesPerSecond bytes of all values in a second
     */
    public static LongPuts start(HashTable<byte[], byte[]> table, int bytesMax, long bytesPerSecond, long seed) {
        LongPuts puts = new LongPuts(table, bytesMax, bytesPerSecond, seed);
        puts.pacer.start();
        return puts;
    }

    /** Begins no more puts, waits for those under way, and returns the figures. */
    public LongFigures end() throws InterruptedException {
        ends = true;
        pacer.join();
        long unanswered = 0;
        try {
            underWay.awaitAdvanceInterruptibly(underWay.arrive(), DRAIN.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            unanswered = underWay.getUnarrivedParties();
        }
        synchronized (meter) {
            FailureCounters.Counts counts = failures.counts();
            return new LongFigures(
                    meter.latencyNanos.getTotalCount(),
                    bytes.sum(),
                    Latency.of(meter.latencyNanos),
                    counts.refused(),
                    counts.timedOut(),
                    counts.failed() + unanswered,
                    counts.first());
        }
    }

    private void pace() {
        long due = System.nanoTime();
        while (!ends) {
            long early = due - System.nanoTime();
            if (early > 0) {
                LockSupport.parkNanos(Math.min(early, TimeUnit.MILLISECONDS.toNanos(50)));
            } else {
                byte[] value = new byte[length()];
                put(value, due);
                due += (long) (value.length * 1e9 / bytesPerSecond);
            }
        }
    }

    private int length() {
        double orders = Math.log((double) bytesMax / BYTES_MIN);
        return (int) Math.min(bytesMax, Math.round(BYTES_MIN * Math.exp(random.nextDouble() * orders)));
    }

    private void put(byte[] value, long dueNanos) {
        byte[] key = ("long-" + random.nextInt(KEYS)).getBytes(StandardCharsets.UTF_8);
        underWay.register();
        try {
            table.putAsync(key, value, (result, failure) -> ended(value.length, failure, dueNanos));
        } catch (SddsException | IllegalStateException e) {
            failures.add(e);
            underWay.arriveAndDeregister();
        }
    }

    private void ended(int length, @Nullable SddsException failure, long dueNanos) {
        if (failure == null) {
            bytes.add(length);
            synchronized (meter) {
                meter.record(System.nanoTime() - dueNanos);
            }
        } else {
            failures.add(failure);
        }
        underWay.arriveAndDeregister();
    }
}
