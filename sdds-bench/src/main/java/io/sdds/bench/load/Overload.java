package io.sdds.bench.load;

import io.sdds.bench.load.OverloadResult.Step;
import io.sdds.client.Callback;
import io.sdds.client.ClientSettings;
import io.sdds.client.ClientStatistics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Measures how a cluster behaves under overload. The clients fail fast, so that refused operations do not wait in them.
 * It first finds the load that saturates the cluster. Then it offers multiples of that load, first in closed loops
 * (more connections and more operations outstanding), then as a rate of operations a second. The experiment is figure 5
 * of Gribble et al. 2000 (graceful degradation).
 */
public final class Overload {
    /**
     * Target of a run of raw load. This target is never called, because {@link RawLoop} writes frames to the bricks.
     */
    private static final LoadTarget NOBODY = new LoadTarget() {
        @Override
        public void get(byte[] key, Callback<Object> callback) {
            throw new UnsupportedOperationException("raw load is frames");
        }

        @Override
        public void put(byte[] key, byte[] value, Callback<Object> callback) {
            throw new UnsupportedOperationException("raw load is frames");
        }
    };

    private static final int PIPELINE_FIRST = 25;
    private static final double NEARLY = 0.95;
    private static final Duration SEARCH_WARMUP = Duration.ofSeconds(1);
    private static final Duration SEARCH = Duration.ofSeconds(2);

    private final LoadCluster cluster;
    private final ClientSettings clientSettings;
    private final String table;
    private final OverloadSettings settings;
    private final Dataset data;
    private final List<String> brickAddresses;
    private final boolean isRaw;

    private Overload(LoadCluster cluster, String table, OverloadSettings settings, boolean isRaw) {
        this.cluster = cluster;
        this.clientSettings = cluster.settings().toBuilder().failFast(true).build();
        this.table = table;
        this.settings = settings;
        this.isRaw = isRaw;
        this.brickAddresses = cluster.client().status(false).bricks().stream()
                .map(brick -> brick.address())
                .toList();
        this.data = new Dataset(
                settings.keys(), settings.valueBytes(), LoadSettings.defaults().seed());
    }

    /**
     * Measures all steps.
     *
     * @param table name of an existing table
     * @param isRaw whether {@link RawLoop} writes frames straight to the bricks, to a hash table. Raw load costs a
     *     fraction of what the client library costs, and lacks most of what the library does against overload. It reads
     *     or writes
     */
    public static OverloadResult run(LoadCluster cluster, String table, OverloadSettings settings, boolean isRaw)
            throws InterruptedException {
        if (isRaw && settings.mode() == LoadMode.MIXED) {
            throw new IllegalArgumentException("raw load reads or writes: --mode read or write");
        }
        return new Overload(cluster, table, settings, isRaw).run();
    }

    private OverloadResult run() throws InterruptedException {
        Machine machine = Machine.here();
        preload();
        List<Step> search = new ArrayList<>();
        int knee = settings.outstanding();
        if (knee == 0) {
            search.addAll(search());
            knee = knee(search);
        }
        List<Step> closed = new ArrayList<>();
        for (double factor : settings.factors()) {
            closed.add(closed(factor, knee));
        }
        double peak = best(closed);
        List<Step> open = new ArrayList<>();
        for (double factor : settings.factors()) {
            open.add(open(factor, Math.round(factor * peak)));
        }
        return new OverloadResult(settings, machine, search, knee, peak, kneeP99(search, closed), closed, open);
    }

    private void preload() throws InterruptedException {
        try (Connections connections = Connections.open(cluster.addresses(), clientSettings, table, 1)) {
            Preload.run(newRun(connections), settings.keys(), cluster.listener());
        }
    }

    /** Doubles the operations outstanding with each step, until two steps in a row have not raised the goodput. */
    private List<Step> search() throws InterruptedException {
        List<Step> steps = new ArrayList<>();
        double best = 0;
        int inVain = 0;
        for (int pipeline = PIPELINE_FIRST;
                inVain < 2 && pipeline * settings.connections() <= outstandingMax();
                pipeline *= 2) {
            Step step = closed(0, settings.connections(), pipeline, SEARCH_WARMUP, SEARCH);
            steps.add(step);
            inVain = step.goodputPerSecond() * NEARLY > best ? 0 : inVain + 1;
            best = Math.max(best, step.goodputPerSecond());
        }
        return steps;
    }

    /** Largest number of operations outstanding whose largest multiple is still a valid load. */
    private int outstandingMax() {
        double largest = settings.factors().stream().max(Double::compare).orElse(1.0);
        return (int) (LoadSettings.OUTSTANDING_MAX / Math.max(1, largest));
    }

    private static int knee(List<Step> search) {
        double best = best(search);
        return search.stream()
                .filter(step -> step.goodputPerSecond() >= NEARLY * best)
                .mapToInt(Step::outstanding)
                .min()
                .orElseThrow();
    }

    private static double best(List<Step> steps) {
        return steps.stream().mapToDouble(Step::goodputPerSecond).max().orElseThrow();
    }

    /** The p99 latency of the step whose load is nearest to the saturating load. */
    private static double kneeP99(List<Step> search, List<Step> closed) {
        return closed.stream()
                .min(Comparator.comparingDouble(step -> Math.abs(step.factor() - 1)))
                .orElseGet(() -> search.get(search.size() - 1))
                .latency()
                .p99Micros();
    }

    private Step closed(double factor, int knee) throws InterruptedException {
        int connections = Math.max(1, (int) Math.round(factor * settings.connections()));
        int outstanding = Math.max(1, (int) Math.round(factor * knee));
        return closed(
                factor, connections, Math.max(1, outstanding / connections), settings.warmup(), settings.duration());
    }

    private Step closed(double factor, int connections, int pipeline, Duration warmup, Duration duration)
            throws InterruptedException {
        LoadSettings load = settings.load(connections, pipeline, warmup, duration);
        return isRaw ? raw(factor, load) : byClients(factor, load);
    }

    private Step open(double factor, long rate) throws InterruptedException {
        int connections = Math.max(1, (int) Math.round(factor * settings.connections()));
        LoadSettings load = settings.load(connections, 1, settings.warmup(), settings.duration())
                .withRate(rate);
        return isRaw ? raw(factor, load) : byClients(factor, load);
    }

    private Run newRun(LoadTarget target) {
        return new Run(target, data, Run.Mix.of(settings.mode(), settings.keys()), null);
    }

    private Step byClients(double factor, LoadSettings load) throws InterruptedException {
        try (Connections clients = Connections.open(cluster.addresses(), clientSettings, table, load.services())) {
            Run run = newRun(clients);
            PacedLoop paced = load.ratePerSecond() == 0
                    ? null
                    : PacedLoop.shedding(run, clients, load.ratePerSecond(), load.seed());
            ClientStatistics before = clients.statistics();
            BrickFigures.Watch watch = BrickFigures.watch(brickAddresses);
            LoadResult result = new Measurement(run, load, cluster.listener())
                    .of(paced == null ? new ClosedLoop(load, run) : paced);
            BrickFigures bricks = watch.figures();
            long busy = clients.statistics().busy() - before.busy();
            long notBegun = paced == null ? 0 : paced.notBegun();
            Refusals refusals =
                    new Refusals(result.refused() + notBegun, busy, notBegun, paced == null ? 0 : paced.late());
            return step(factor, load, result, refusals, 0, result.firstTrouble(), bricks);
        }
    }

    private Step raw(double factor, LoadSettings load) throws InterruptedException {
        Run run = newRun(NOBODY);
        try (RawLoop loop = new RawLoop(run, RawTable.of(cluster.client().status(true), table), load)) {
            BrickFigures.Watch watch = BrickFigures.watch(brickAddresses);
            LoadResult result = new Measurement(run, load, cluster.listener()).of(loop);
            BrickFigures bricks = watch.figures();
            Refusals refusals = new Refusals(loop.refused() + loop.notBegun(), loop.refused(), loop.notBegun(), 0);
            return step(factor, load, result, refusals, loop.broken(), loop.trouble(), bricks);
        }
    }

    /** Numbers of the operations that were refused in a whole step, warm-up included, by reason. */
    private record Refusals(long all, long busy, long notBegun, long late) {}

    private static Step step(
            double factor,
            LoadSettings load,
            LoadResult result,
            Refusals refusals,
            long broken,
            @Nullable String trouble,
            BrickFigures bricks) {
        double seconds = (load.warmup().toNanos() + load.duration().toNanos()) / 1e9;
        boolean isOpen = load.ratePerSecond() > 0;
        return new Step(
                factor,
                load.services(),
                isOpen ? 0 : load.outstanding(),
                isOpen ? load.ratePerSecond() : result.operationsPerSecond() + refusals.all() / seconds,
                result.operationsPerSecond(),
                refusals.all() / seconds,
                refusals.busy() / seconds,
                refusals.notBegun(),
                refusals.late(),
                result.timedOut() + result.failed() + result.wrong() + result.unanswered() + broken,
                trouble,
                result.latency(),
                result.perSecond(),
                result.clientCores(),
                bricks);
    }
}
