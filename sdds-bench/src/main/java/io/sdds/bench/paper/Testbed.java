package io.sdds.bench.paper;

import io.sdds.bench.load.Build;
import io.sdds.bench.load.BuildResult;
import io.sdds.bench.load.BuildSettings;
import io.sdds.bench.load.ClosedLoop;
import io.sdds.bench.load.LoadCluster;
import io.sdds.bench.load.LoadException;
import io.sdds.bench.load.LoadProgress;
import io.sdds.bench.load.LoadResult;
import io.sdds.bench.load.LoadSettings;
import io.sdds.bench.load.LoadTarget;
import io.sdds.bench.load.Machine;
import io.sdds.bench.load.Median;
import io.sdds.bench.load.Overload;
import io.sdds.bench.load.OverloadResult;
import io.sdds.bench.load.OverloadSettings;
import io.sdds.client.ClientSettings;
import io.sdds.client.Codec;
import io.sdds.client.SddsClient;
import io.sdds.client.TableOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What experiments share: a cluster, its clients, the tables that experiments build, and a report of progress. One
 * thread uses a testbed.
 */
public final class Testbed implements AutoCloseable {
    static final int VALUE_BYTES = 150;

    private static final int WARMUP_CLIENTS = 4;
    private static final int WARMUP_STEPS = 4;
    private static final int WINDOW_SPARE = 1024;
    private static final int RECORD_BYTES_SPARE = 1024;
    /** Time-out of the clients: longer than an atomic split that ships a whole partition record by record. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Site site;
    private final Scale scale;
    private final int bricks;
    private final int replicas;
    private final Duration overloaded;
    private final Machine machine = Machine.here();
    private final List<SddsClient> clients = new ArrayList<>();
    private final Map<Integer, BuildResult> builds = new TreeMap<>();
    private List<String> addresses = List.of();
    private Listener listener = (done, operationsPerSecond) -> {};
    private int tables;
    private int steps = 1;
    private int stepsDone;

    /** Is called with the progress of an experiment, on the thread that runs the experiment. */
    @FunctionalInterface
    public interface Listener {
        /**
         * The experiment has made progress.
         *
         * @param done part of the experiment that is done, from 0 to 1
         * @param operationsPerSecond rate of the running step; 0 when a step has ended
         */
        void at(double done, double operationsPerSecond);
    }

    /**
     * Creates a testbed that closes the site when it is closed.
     *
     * @param bricks number of bricks in the cluster of an experiment that does not choose a number
     * @param replicas copies of each partition in experiments that run with one copy and with several
     */
    public Testbed(Site site, Scale scale, int bricks, int replicas) {
        this(site, scale, bricks, replicas, scale.overloaded());
    }

    /** @param overloaded duration of each step of load up to saturation and beyond */
    public Testbed(Site site, Scale scale, int bricks, int replicas, Duration overloaded) {
        if (!overloaded.isPositive()) {
            throw new IllegalArgumentException("duration of " + overloaded + " is not positive");
        }
        this.site = site;
        this.scale = scale;
        this.bricks = bricks;
        this.replicas = replicas;
        this.overloaded = overloaded;
    }

    /** Runs an experiment. */
    public Findings run(Experiment experiment, Listener hears) throws InterruptedException {
        listener = hears;
        steps = experiment.steps(scale);
        stepsDone = 0;
        Findings findings = experiment.run(this);
        while (stepsDone < steps) {
            stepDone(); // the experiment had fewer steps than its upper limit
        }
        return findings;
    }

    Scale scale() {
        return scale;
    }

    int replicas() {
        return replicas;
    }

    Duration overloaded() {
        return overloaded;
    }

    Machine machine() {
        return machine;
    }

    /** The load, site and scale that the figures were measured with. */
    String setting(String load) {
        return load + "; " + site.description() + "; " + scale.name() + " scale";
    }

    // ---- building tables

    /**
     * Builds the example table, which most figures of LH*LH measure. A table is built once for each number of builders.
     */
    BuildResult example(int builders) throws InterruptedException {
        BuildResult known = builds.get(builders);
        if (known == null) {
            known = build(example(), builders, scale.records());
            builds.put(builders, known);
        } else {
            stepDone();
        }
        return known;
    }

    /** Options of the example table: concurrent splitting, bulk shipping, dynamic control. */
    TableOptions example() {
        return TableOptions.capacity(Math.max(1, scale.records() / scale.partitions()));
    }

    /** Builds a table with clients that have one insert outstanding each. */
    BuildResult build(TableOptions options, int builders, int records) throws InterruptedException {
        connect(bricks);
        BuildResult result = build(options, builders, 1, records, this::tell);
        stepDone();
        return result;
    }

    /**
     * Builds a table on a cluster of {@code wanted} bricks with one client.
     *
     * @param outstanding inserts that the client has outstanding
     */
    BuildResult build(int wanted, TableOptions options, int outstanding, int records) throws InterruptedException {
        connect(wanted);
        BuildResult result = build(options, 1, outstanding, records, this::tell);
        stepDone();
        return result;
    }

    private BuildResult build(
            TableOptions options, int builders, int outstanding, int records, LoadProgress.Listener hears)
            throws InterruptedException {
        BuildSettings settings = new BuildSettings(tableName(), options, builders, outstanding, records, VALUE_BYTES);
        return Build.run(clients.get(0), clients.subList(1, clients.size()), settings, hears);
    }

    /** Connects to a cluster of {@code wanted} bricks, and builds one table to warm the code up. */
    private void connect(int wanted) throws InterruptedException {
        List<String> now = site.cluster(wanted);
        if (now.equals(addresses)) {
            return;
        }
        disconnect();
        ClientSettings settings =
                ClientSettings.builder().name("paper").timeout(PATIENCE).build();
        for (int k = 0; k <= scale.clientsMost(); k++) {
            clients.add(SddsClient.connect(now, settings));
        }
        addresses = now;
        build(
                example(),
                Math.min(WARMUP_CLIENTS, scale.clientsMost()),
                1,
                scale.records(),
                LoadProgress.Listener.none());
    }

    // ---- steady load

    /** Runs a closed loop on a new table of a cluster of {@code wanted} bricks, and drops the table. */
    LoadResult closedLoop(int wanted, TableOptions options, LoadSettings load) throws InterruptedException {
        disconnect();
        int requests = Math.max(ClientSettings.defaults().windowRequests(), load.outstanding() + WINDOW_SPARE);
        long bytes = (long) requests * (load.valueBytes() + RECORD_BYTES_SPARE);
        ClientSettings settings = ClientSettings.builder()
                .name("paper")
                .window(requests, Math.max(ClientSettings.defaults().windowBytes(), bytes))
                .build();
        try (SddsClient client = SddsClient.connect(site.cluster(wanted), settings)) {
            String name = tableName();
            LoadTarget target = LoadTarget.of(client.createHashTable(name, options, Codec.bytes(), Codec.bytes()));
            try {
                return closedLoop(target, load);
            } finally {
                client.dropTable(name);
            }
        }
    }

    /** Runs a closed loop on a target. */
    LoadResult closedLoop(LoadTarget target, LoadSettings load) throws InterruptedException {
        LoadResult result = ClosedLoop.run(load, target, this::tell);
        stepDone();
        return result;
    }

    /**
     * Offers multiples of the saturating load to a new table of a cluster of {@code wanted} bricks, and drops the
     * table. The load is raw, because the load shares the machine with the bricks: whole clients would saturate before
     * the bricks do.
     */
    OverloadResult overload(int wanted, TableOptions options, OverloadSettings load) throws InterruptedException {
        disconnect();
        List<String> where = site.cluster(wanted);
        ClientSettings settings = ClientSettings.builder().name("paper").build();
        try (SddsClient client = SddsClient.connect(where, settings)) {
            String name = tableName();
            LoadTarget target = LoadTarget.of(client.createHashTable(name, options, Codec.bytes(), Codec.bytes()));
            try {
                warmUp(target, load);
                OverloadResult result = Overload.run(
                        new LoadCluster(client, where, settings, site.description(), this::tellRate), name, load, true);
                stepDone();
                return result;
            } finally {
                client.dropTable(name);
            }
        }
    }

    /** Warms the code up. Otherwise the search would find the load that saturates cold code. */
    private static void warmUp(LoadTarget target, OverloadSettings load) throws InterruptedException {
        LoadSettings settings = LoadSettings.defaults()
                .withMode(load.mode())
                .withRecords(load.keys(), load.valueBytes())
                .withTimes(Duration.ZERO, load.warmup().multipliedBy(WARMUP_STEPS));
        ClosedLoop.run(settings, target, LoadProgress.Listener.none());
    }

    /**
     * Returns the result of a run in which no operation failed.
     *
     * @throws LoadException if operations of the run failed
     */
    static LoadResult sound(LoadResult result) {
        if (!result.isSound()) {
            throw new LoadException("the load failed: " + result.firstTrouble());
        }
        return result;
    }

    // ---- repetitions

    /** Measures something of one kind. */
    interface Work<K, R> {
        R of(K kind) throws InterruptedException;
    }

    /** Measures all kinds in turn, as often as the scale repeats measurements. */
    <K, R> Map<K, List<R>> inTurn(Collection<K> kinds, Work<K, R> work) throws InterruptedException {
        Map<K, List<R>> all = new LinkedHashMap<>();
        for (int k = 0; k < scale.repeats(); k++) {
            for (K kind : kinds) {
                all.computeIfAbsent(kind, any -> new ArrayList<>()).add(work.of(kind));
            }
        }
        return all;
    }

    /** The median of each kind, measured in turn. */
    <K> Map<K, Double> medians(Collection<K> kinds, Work<K, Double> work) throws InterruptedException {
        Map<K, Double> medians = new LinkedHashMap<>();
        inTurn(kinds, work).forEach((kind, all) -> medians.put(kind, Median.of(all, each -> each)));
        return medians;
    }

    // ---- bricks

    /** The site of the bricks. An experiment may kill the bricks there. */
    Site site() {
        return site;
    }

    /**
     * Reports the progress of a long step.
     *
     * @param ofStep part of the step that is done, from 0 to 1
     */
    void tell(double ofStep, double operationsPerSecond) {
        listener.at((stepsDone + ofStep) / steps, operationsPerSecond);
    }

    // ---- progress

    private void tell(LoadProgress progress) {
        double ofStep = progress.step() == LoadProgress.Step.MEASURE ? progress.done() : 0;
        listener.at((stepsDone + ofStep) / steps, progress.operationsPerSecond());
    }

    /** Reports the rate of a step that consists of parts, whose number is not known beforehand. */
    private void tellRate(LoadProgress progress) {
        listener.at((double) stepsDone / steps, progress.operationsPerSecond());
    }

    void stepDone() {
        stepsDone++;
        listener.at((double) stepsDone / steps, 0);
    }

    /** Addresses of a cluster of bricks of these capacity weights, after the testbed has closed its own clients. */
    List<String> cluster(List<Double> weights) throws InterruptedException {
        disconnect();
        return site.cluster(weights);
    }

    /** Addresses of a cluster of {@code wanted} bricks, after the testbed has closed its own clients. */
    List<String> cluster(int wanted) throws InterruptedException {
        disconnect();
        return site.cluster(wanted);
    }

    String tableName() {
        tables++;
        return "paper-" + ProcessHandle.current().pid() + "-" + tables;
    }

    private void disconnect() {
        clients.forEach(SddsClient::close);
        clients.clear();
        addresses = List.of();
    }

    @Override
    public void close() {
        disconnect();
        site.close();
    }
}
