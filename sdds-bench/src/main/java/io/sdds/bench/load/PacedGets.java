package io.sdds.bench.load;

import io.sdds.client.Codec;
import io.sdds.client.TableOptions;
import java.time.Duration;

/** Gets of a hash table of their own, at half of the rate that saturates the cluster. For what is done beside them. */
public final class PacedGets implements AutoCloseable {
    private static final int SERVICES = 2;
    private static final int PIPELINE = 100;
    private static final int PARTITIONS = 4;
    private static final int VALUE_BYTES = 150;
    private static final Duration WARMUP = Duration.ofSeconds(1);

    private final LoadCluster cluster;
    private final String table;
    private final Connections target;
    private final Dataset data;

    private PacedGets(LoadCluster cluster, String table, Connections target, int keys) {
        this.cluster = cluster;
        this.table = table;
        this.target = target;
        this.data = new Dataset(keys, VALUE_BYTES, LoadSettings.defaults().seed());
    }

    /**
     * Creates the table and writes its records.
     *
     * @param table name of the table, which must not exist
     * @param keys number of records
     * @throws LoadException if the records cannot be written
     */
    public static PacedGets open(LoadCluster cluster, String table, int keys) throws InterruptedException {
        cluster.client()
                .createHashTable(
                        table, TableOptions.defaults().withPartitions(PARTITIONS), Codec.bytes(), Codec.bytes());
        Connections target = Connections.open(cluster.addresses(), cluster.settings(), table, 1);
        PacedGets gets = new PacedGets(cluster, table, target, keys);
        try {
            Preload.run(gets.run(), keys, cluster.listener());
            return gets;
        } catch (RuntimeException | InterruptedException e) {
            gets.close();
            throw e;
        }
    }

    private Run run() {
        return new Run(target, data, Run.Mix.of(LoadMode.READ, data.size()), null);
    }

    private LoadSettings settings(Duration warmup, Duration duration) {
        return LoadSettings.defaults()
                .withServices(SERVICES, PIPELINE)
                .withRecords(data.size(), VALUE_BYTES)
                .withTimes(warmup, duration);
    }

    /** The throughput of a closed loop of 2 × 100 gets, in gets a second. */
    public double saturation(Duration warmup, Duration duration) throws InterruptedException {
        LoadSettings load = settings(warmup, duration);
        Run run = run();
        return new Measurement(run, load, cluster.listener())
                .of(new ClosedLoop(load, run))
                .operationsPerSecond();
    }

    /** Gets that begin at a rate, after a warm-up of a second at most; latency counts from when a get was due. */
    public LoadResult paced(long ratePerSecond, Duration duration) throws InterruptedException {
        Duration warmup = duration.compareTo(WARMUP) < 0 ? duration : WARMUP;
        LoadSettings load = settings(warmup, duration).withRate(ratePerSecond);
        Run run = run();
        return new Measurement(run, load, cluster.listener())
                .of(PacedLoop.whole(run, target, ratePerSecond, load.seed()));
    }

    @Override
    public void close() {
        target.close();
        cluster.client().dropTable(table);
    }
}
