package io.sdds.bench.load;

import io.sdds.client.Codec;
import io.sdds.client.HashTable;
import io.sdds.client.SddsClient;
import io.sdds.client.TableOptions;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/**
 * One client that gets records of a table of its own at a steady rate, whatever else goes on. The latency of a get
 * counts from the time at which the get was due. A get that fails counts with the latency of its failure.
 */
public final class PacedProbe implements AutoCloseable {
    private static final int RECORDS = 1_000;
    private static final int DIGITS = 3;

    private final SddsClient client;
    private final String name;
    private final HashTable<byte[], byte[]> table;
    private final Dataset data;
    private final long intervalNanos;
    private final Recorder latencies = new Recorder(DIGITS);
    private final Thread thread;
    private volatile boolean closed;

    private PacedProbe(SddsClient client, String name, int ratePerSecond) {
        this.client = client;
        this.name = name;
        this.data = new Dataset(RECORDS, 150, LoadSettings.defaults().seed());
        this.table = client.createHashTable(name, TableOptions.defaults(), Codec.bytes(), Codec.bytes());
        for (int k = 0; k < RECORDS; k++) {
            table.put(data.key(k), data.value(k));
        }
        this.intervalNanos = 1_000_000_000L / ratePerSecond;
        this.thread = Thread.ofPlatform().name("probe").daemon().unstarted(this::run);
    }

    /**
     * Creates the table and begins to get its records.
     *
     * @param client closed with the probe
     * @param name of the table, which is dropped at the end
     */
    public static PacedProbe start(SddsClient client, String name, int ratePerSecond) {
        PacedProbe probe = new PacedProbe(client, name, ratePerSecond);
        probe.thread.start();
        return probe;
    }

    private void run() {
        long due = System.nanoTime();
        for (int k = 0; !closed; k = (k + 1) % RECORDS) {
            due += intervalNanos;
            while (System.nanoTime() - due < 0) {
                LockSupport.parkNanos(due - System.nanoTime());
            }
            long begun = due;
            table.getAsync(
                    data.key(k), (value, failure) -> latencies.recordValue(Math.max(0, System.nanoTime() - begun)));
        }
    }

    /** The latencies since the last call. */
    Latency take() {
        Histogram histogram = latencies.getIntervalHistogram();
        return Latency.of(histogram);
    }

    @Override
    public void close() throws InterruptedException {
        closed = true;
        thread.join();
        client.dropTable(name);
        client.close();
    }
}
