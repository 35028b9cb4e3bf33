package io.sdds.bench.load;

import io.sdds.bench.load.GrowthResult.Pair;
import io.sdds.client.Codec;
import io.sdds.client.TableOptions;
import io.sdds.core.model.TableKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures the stalls that splits cause: compares paced load on growing tables with the same load on the same tables at
 * rest. Half of the operations are gets, half are puts. So many puts insert new records that the table has its final
 * size at the end of the run.
 */
public final class GrowthStalls {
    private static final int SERVICES = 2;
    private static final int PIPELINE = 100;
    private static final double READ_SHARE = 0.5;
    private static final long SEED = 42;
    private static final Duration RUN_WARMUP = Duration.ofSeconds(1);

    private final LoadCluster cluster;
    private final GrowthSettings settings;
    private final Dataset data;
    private long ratePerSecond;

    private GrowthStalls(LoadCluster cluster, GrowthSettings settings) {
        this.cluster = cluster;
        this.settings = settings;
        this.ratePerSecond = settings.ratePerSecond();
        this.data = new Dataset(settings.keys() * settings.growth(), settings.valueBytes(), SEED);
    }

    /** Measures all pairs. */
    public static GrowthResult run(LoadCluster cluster, GrowthSettings settings) throws InterruptedException {
        return new GrowthStalls(cluster, settings).run();
    }

    private GrowthResult run() throws InterruptedException {
        Machine machine = Machine.here();
        List<Pair> pairs = new ArrayList<>();
        warmUp();
        pair(settings.table() + "-0"); // warm-up of the code of splits, whose result is not counted
        for (int k = 1; k <= settings.pairs(); k++) {
            pairs.add(pair(settings.table() + "-" + k));
        }
        return GrowthResult.of(settings, machine, ratePerSecond, pairs);
    }

    /** Warms up, and measures half of the saturation rate if no rate is set. */
    private void warmUp() throws InterruptedException {
        String name = settings.table() + "-0";
        create(name);
        try (Connections target = open(name)) {
            Run run = new Run(target, data, mix(0), null);
            Preload.run(run, settings.keys(), cluster.listener());
            Duration half = settings.warmup().dividedBy(2);
            LoadSettings closed = load(0).withTimes(half, half.plusMillis(1));
            LoadResult saturated = new Measurement(run, closed, cluster.listener()).of(new ClosedLoop(closed, run));
            if (ratePerSecond == 0) {
                ratePerSecond = Math.max(1, Math.round(saturated.operationsPerSecond() / 2));
            }
        } finally {
            cluster.client().dropTable(name);
        }
    }

    private Pair pair(String name) throws InterruptedException {
        create(name);
        try (Connections target = open(name)) {
            Preload.run(new Run(target, data, mix(0), null), settings.keys(), cluster.listener());
            int before = SettledTable.partitions(cluster.client(), name);
            LoadResult quiet = paced(target, mix(0));
            Run.Mix growing = mix(insertShare());
            LoadResult grown = paced(target, growing);
            int after = SettledTable.partitionsNow(cluster.client(), name);
            return new Pair(quiet, grown, after - before, growing.inserts().taken());
        } finally {
            cluster.client().dropTable(name);
        }
    }

    private LoadResult paced(Connections target, Run.Mix mix) throws InterruptedException {
        LoadSettings load = load(ratePerSecond).withTimes(RUN_WARMUP, settings.duration());
        Run run = new Run(target, data, mix, null);
        return new Measurement(run, load, cluster.listener())
                .of(PacedLoop.whole(run, target, load.ratePerSecond(), load.seed()));
    }

    private LoadSettings load(long rate) {
        return LoadSettings.defaults()
                .withMode(LoadMode.MIXED)
                .withServices(SERVICES, PIPELINE)
                .withRecords(settings.keys(), settings.valueBytes())
                .withRate(rate);
    }

    private Run.Mix mix(double insertShare) {
        return new Run.Mix(READ_SHARE, insertShare, new Inserts(settings.keys(), data.size()));
    }

    /** Share of inserts in all operations, chosen so that the last key is inserted at the end of the run. */
    private double insertShare() {
        double operations =
                ratePerSecond * (settings.duration().plus(RUN_WARMUP).toMillis() / 1e3);
        return Math.min(1 - READ_SHARE, (data.size() - settings.keys()) / operations);
    }

    /**
     * Opens one client. Operations start on its event loop, because another thread would take processor time of the
     * cluster.
     */
    private Connections open(String name) {
        return Connections.open(cluster.addresses(), cluster.settings(), settings.kind(), name, 1);
    }

    private void create(String name) {
        TableOptions options = TableOptions.capacity(settings.capacityRecords())
                .withSplit(settings.split())
                .withReplicas(settings.replicas());
        if (settings.kind() == TableKind.RANGE) {
            cluster.client().createRangeTable(name, options, Codec.bytes(), Codec.bytes());
        } else {
            cluster.client().createHashTable(name, options, Codec.bytes(), Codec.bytes());
        }
    }
}
