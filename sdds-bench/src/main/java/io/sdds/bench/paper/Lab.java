package io.sdds.bench.paper;

import io.sdds.bench.load.Build;
import io.sdds.bench.load.BuildResult;
import io.sdds.bench.load.BuildSettings;
import io.sdds.bench.load.ClosedLoop;
import io.sdds.bench.load.LoadException;
import io.sdds.bench.load.LoadResult;
import io.sdds.bench.load.LoadSettings;
import io.sdds.bench.load.LoadTarget;
import io.sdds.bench.load.Machine;
import io.sdds.bench.load.Overload;
import io.sdds.bench.load.OverloadResult;
import io.sdds.bench.load.OverloadSettings;
import io.sdds.bench.load.Progress;
import io.sdds.client.ClientSettings;
import io.sdds.client.Codec;
import io.sdds.client.SddsClient;
import io.sdds.client.TableOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What experiments have in common: a cluster, clients, tables, a sense of progress. Use by one thread. */
public final class Lab implements AutoCloseable {
    static final int VALUE_BYTES = 150;

    private static final int WARMUP_CLIENTS = 4;
    private static final int WARMUP_STEPS = 4;
    private static final int WINDOW_SPARE = 1024;
    private static final int RECORD_BYTES_SPARE = 1024;
    /** Longer than an atomic split of a whole partition, record by record. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Site site;
    private final Scale scale;
    private final int bricks;
    private final int replicas;
    private final Machine machine = Machine.here();
    private final List<SddsClient> clients = new ArrayList<>();
    private final Map<Integer, BuildResult> builds = new TreeMap<>();
    private List<String> addresses = List.of();
    private Listener listener = (done, operationsPerSecond) -> {};
    private int tables;
    private int steps = 1;
    private int stepsDone;

    /** Hears how far an experiment has come, on the thread that runs it. */
    @FunctionalInterface
    public interface Listener {
        /**
         * It goes on.
         *
         * @param done of the experiment, from 0 to 1
         */
        void at(double done, double operationsPerSecond);
    }

    /**
     * A lab, which closes the site with itself.
     *
     * @param bricks of a cluster that the site starts, where the experiment doesn't say
     * @param replicas of each partition, where an experiment is about both; 1: one copy
     */
    public Lab(Site site, Scale scale, int bricks, int replicas) {
        this.site = site;
        this.scale = scale;
        this.bricks = bricks;
        this.replicas = replicas;
    }

    /** Runs an experiment. */
    public Findings run(Experiment experiment, Listener hears) throws InterruptedException {
        listener = hears;
        steps = experiment.steps(scale);
        stepsDone = 0;
        Findings findings = experiment.run(this);
        while (stepsDone < steps) {
            stepDone(); // it had less to do than it might
        }
        return findings;
    }

    Scale scale() {
        return scale;
    }

    int replicas() {
        return replicas;
    }

    Machine machine() {
        return machine;
    }

    /** What the figures depend on besides the code. */
    String setting(String load) {
        return load + "; " + site.description() + "; " + scale.name() + " scale";
    }

    // ---- building tables

    /**
     * The table that most figures of LH*LH are about, built by so many clients; once, however often it is asked for.
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

    /** How that table is made: concurrent splitting, bulk shipping, dynamic control. */
    TableOptions example() {
        return TableOptions.capacity(Math.max(1, scale.records() / scale.partitions()));
    }

    /** A table built by clients that have one insert outstanding each. */
    BuildResult build(TableOptions options, int builders, int records) throws InterruptedException {
        connect(bricks);
        BuildResult result = build(options, builders, records, this::tell);
        stepDone();
        return result;
    }

    private BuildResult build(TableOptions options, int builders, int records, Progress.Listener hears)
            throws InterruptedException {
        BuildSettings settings = new BuildSettings(tableName(), options, builders, 1, records, VALUE_BYTES);
        return Build.run(clients.get(0), clients.subList(1, clients.size()), settings, hears);
    }

    /** Connects to a cluster of so many bricks, with code that is warm. */
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
        build(example(), Math.min(WARMUP_CLIENTS, scale.clientsMost()), scale.records(), Progress.Listener.none());
    }

    // ---- steady load

    /** What a closed loop does to a table that is made for it, on a cluster of so many bricks. */
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

    /** What a closed loop does to anything. */
    LoadResult closedLoop(LoadTarget target, LoadSettings load) throws InterruptedException {
        LoadResult result = ClosedLoop.run(load, target, this::tell);
        stepDone();
        return result;
    }

    /**
     * What multiples of the saturating load do to a table that is made for it, on a cluster of so many bricks. The load
     * is raw: it shares the machine with the bricks, and whole clients would be busy before these are.
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
                OverloadResult result = Overload.runRaw(client, where, settings, name, load, this::tellThatItGoesOn);
                stepDone();
                return result;
            } finally {
                client.dropTable(name);
            }
        }
    }

    /** Else the load that saturates would be found while the code is slow. */
    private static void warmUp(LoadTarget target, OverloadSettings load) throws InterruptedException {
        LoadSettings settings = LoadSettings.defaults()
                .withMode(load.mode())
                .withRecords(load.keys(), load.valueBytes())
                .withTimes(Duration.ZERO, load.warmup().multipliedBy(WARMUP_STEPS));
        ClosedLoop.run(settings, target, Progress.Listener.none());
    }

    /**
     * The result itself.
     *
     * @throws LoadException when it is of a run in which operations failed
     */
    static LoadResult sound(LoadResult result) {
        if (!result.isSound()) {
            throw new LoadException("the load failed: " + result.firstTrouble());
        }
        return result;
    }

    // ---- bricks

    /** Where the bricks are, which an experiment may kill. */
    Site site() {
        return site;
    }

    /** An experiment that goes on for long tells so. */
    void tell(double ofStep, double operationsPerSecond) {
        listener.at((stepsDone + ofStep) / steps, operationsPerSecond);
    }

    // ---- progress

    private void tell(Progress progress) {
        double ofStep = progress.step() == Progress.Step.MEASURE ? progress.done() : 0;
        listener.at((stepsDone + ofStep) / steps, progress.operationsPerSecond());
    }

    /** Of steps within a step, whose number nobody knows beforehand. */
    private void tellThatItGoesOn(Progress progress) {
        listener.at((double) stepsDone / steps, progress.operationsPerSecond());
    }

    void stepDone() {
        stepsDone++;
        listener.at((double) stepsDone / steps, 0);
    }

    /** A cluster of so many bricks, to which nothing else of the lab is connected. */
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
