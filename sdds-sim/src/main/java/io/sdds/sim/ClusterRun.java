package io.sdds.sim;

import io.sdds.client.internal.routing.Window;
import io.sdds.sim.check.RestChecker;
import io.sdds.sim.cluster.SimBrick;
import io.sdds.sim.cluster.SimLog;
import io.sdds.sim.fault.FaultyCluster;
import io.sdds.sim.load.SimClient;
import io.sdds.sim.load.Workload;
import io.sdds.sim.load.WorkloadLoops;
import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.plan.Fault;
import io.sdds.sim.plan.TablePlan;
import io.sdds.sim.watch.AcknowledgedWrites;
import io.sdds.sim.watch.AnsweredShare;
import io.sdds.sim.watch.CoordinatorReplyCheck;
import io.sdds.sim.watch.Forwarding;
import io.sdds.sim.watch.HandOvers;
import io.sdds.sim.watch.IndexCheck;
import io.sdds.sim.watch.ParityPaths;
import io.sdds.sim.watch.Paths;
import io.sdds.sim.watch.ReplyCheck;
import io.sdds.sim.world.Coverage;
import io.sdds.sim.world.RareEvent;
import io.sdds.sim.world.SimNetwork;
import io.sdds.sim.world.Simulation;
import io.sdds.sim.world.SimulationFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * One run of a simulated cluster from its start to its end, with all checks. The run has three phases. In the first
 * phase there are faults and load. In the second phase there are no faults: every request must be answered and every
 * split must end. In the third phase all records and copies are checked.
 */
public final class ClusterRun {
    private static final long SECOND = 1_000_000_000L;
    private static final long MILLI = 1_000_000L;
    /** Limit of the wait for merges, including the merges of the index, which follow the merges of the table. */
    private static final long INDEX_NANOS = 5 * SECOND;

    /** In which who dialed in vain dials again, and hears what has become of its session. */
    private static final long REST_NANOS = 3 * SECOND;

    /** Silence in which an end of a connection gives it up, by the slowest clock, and a little. */
    private static final long VIGIL_NANOS = 30 * SECOND;

    /** Time in which a table with parity can lose K bricks again, once enough bricks are up. */
    private static final long TOLERANCE_NANOS = 30 * SECOND;

    private static final int PROBES = 60;
    private static final int BUFFERS_SHOWN_MAX = 20;
    private static final int STAGE_BUFFERS_MAX = 3;
    private static final int QUIET_TIMES = 2;
    private static final int LAST_SCANS = 2;

    private final ClusterPlan plan;
    private final FaultyCluster cluster;
    private final Simulation simulation;
    private final List<TableRun> tables;
    private final List<SimClient> clients = new ArrayList<>();
    private final ReplyCheck replies;
    private final HandOvers handOvers;
    private final AnsweredShare answered;
    private int clientNext = 1;

    /**
     * Outcome of a run.
     *
     * @param traceHash hash of all deliveries, equal for the same seed
     * @param firstFailure the first failed operation with its reason; empty if no operation failed
     * @param merges number of committed merges
     * @param splitsAtOnce highest number of running splits at a hand-over
     * @param coverage counts of rare events
     */
    public record Outcome(
            long traceHash,
            long events,
            long virtualNanos,
            int operations,
            long failures,
            String firstFailure,
            int scans,
            int partitions,
            int merges,
            int splitsAtOnce,
            long connectionsLost,
            Coverage coverage) {
        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "%d operations (%d failed), %d scans, %d partitions after %d merges, %d splits at once, %d"
                            + " connections lost, %.1f s, %d events, hash %016x",
                    operations,
                    failures,
                    scans,
                    partitions,
                    merges,
                    splitsAtOnce,
                    connectionsLost,
                    virtualNanos / 1e9,
                    events,
                    traceHash);
        }
    }

    private ClusterRun(ClusterPlan plan) {
        this.plan = plan;
        this.cluster = new FaultyCluster(plan);
        this.simulation = cluster.simulation();
        this.answered = new AnsweredShare(simulation, plan);
        this.replies = new ReplyCheck(simulation.coverage(), plan.stages());
        this.tables = plan.tables().stream()
                .map(table -> new TableRun(cluster, table))
                .toList();
        this.handOvers = new HandOvers(cluster::truth, simulation.coverage());
    }

    /**
     * Runs a plan.
     *
     * @throws SimulationFailure if a check fails
     */
    public static Outcome of(ClusterPlan plan) {
        return of(plan, planted -> {});
    }

    /**
     * Runs a plan on a cluster with a planted bug.
     *
     * @param planted is called with the cluster before the start
     */
    public static Outcome of(ClusterPlan plan, Consumer<? super FaultyCluster> planted) {
        ClusterRun run = new ClusterRun(plan);
        try (FaultyCluster closing = run.cluster) {
            planted.accept(closing);
            return run.run();
        }
    }

    private Outcome run() {
        simulation.network().watch(new Forwarding());
        simulation.network().watch(replies);
        simulation.network().watch(handOvers);
        simulation.network().watch(new Paths(cluster));
        if (plan.hasParity()) {
            simulation.network().watch(new ParityPaths(cluster));
            simulation.network().watch(new AcknowledgedWrites(cluster));
            simulation.network().watch(cluster.recoveries().splits());
        }
        if (plan.hasBursts() && plan.isHealthy()) {
            simulation.network().watch(answered);
        }
        SimLog quorum = cluster.quorum();
        if (quorum != null) {
            simulation.network().watch(new CoordinatorReplyCheck(quorum.truth()));
        }
        cluster.onClientCrash(this::crashClient);
        cluster.losses().onLoss(loss -> {
            replies.onLoss();
            table(loss.table())
                    .workload()
                    .history()
                    .lose(
                            loss.keys(),
                            loss.nanos(),
                            simulation.network().datagrams().lateWrites());
        });
        cluster.start();
        startClients();
        long faultsEndNanos = simulation.nowNanos() + plan.faultsNanos();
        cluster.letFaultsHappen();
        clients.forEach(client -> client.loops().forEach(WorkloadLoops::startLanes));
        long patience = plan.faultsNanos() + 60 * SECOND;
        for (TablePlan table : plan.tables()) {
            patience += table.workload().operations() * table.workload().timeoutNanos();
        }
        await("the clients to be done", this::isIdle, patience);
        fail(each(table -> table.failuresOf(plan)));
        fail(answered.ends());
        simulation.runFor(Math.max(0, faultsEndNanos - simulation.nowNanos()));
        comeToRest();
        probe();
        awaitRest();
        awaitExpiryAndRest();
        awaitIndex();
        simulation.runUntil(() -> requestsMiscounted().isEmpty(), SECOND / 4); // the last may be between two stages
        cluster.bricks().forEach(cluster.recoveries()::ends);
        checkState();
        fail(each(TableRun::checkHistory));
        Outcome outcome = outcome();
        tearDown();
        return outcome;
    }

    private void startClients() {
        for (String name : ClusterPlan.names("client", plan.clients())) {
            SimClient client = client(name);
            clients.add(client);
            for (int k = 0; k < tables.size(); k++) {
                tables.get(k).workload().add(client.loops().get(k));
            }
        }
        clients.forEach(client -> client.setUp(true, ready -> {}));
        await("the tables to be there", () -> clients.stream().allMatch(SimClient::isReady), 60 * SECOND);
        tables.forEach(TableRun::opened);
    }

    private SimClient client(String name) {
        List<Workload> workloads = tables.stream().map(TableRun::workload).toList();
        return new SimClient(cluster, workloads, clientNext++, name);
    }

    private TableRun table(String name) {
        return tables.stream()
                .filter(table -> table.plan().name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private List<String> each(Function<TableRun, List<String>> check) {
        return tables.stream().flatMap(table -> check.apply(table).stream()).toList();
    }

    /** A client process crashes. A new process takes its place after a time, and does the rest of its work. */
    private void crashClient(Fault.Crash crash) {
        for (SimClient client : List.copyOf(clients)) {
            if (client.name().equals(crash.node()) && !client.env().isStopped()) {
                client.crash();
                simulation.after(crash.backAfterNanos(), () -> {
                    SimClient successor = client(crash.node());
                    clients.set(clients.indexOf(client), successor);
                    for (int k = 0; k < tables.size(); k++) {
                        Workload workload = tables.get(k).workload();
                        workload.replace(
                                client.loops().get(k), successor.loops().get(k));
                    }
                    successor.setUp(false, WorkloadLoops::startLanes);
                });
            }
        }
    }

    private boolean isIdle() {
        tables.forEach(TableRun::look);
        return areAnswered();
    }

    private boolean areAnswered() {
        return tables.stream().allMatch(table -> table.workload().isIdle());
    }

    private void comeToRest() {
        cluster.heal();
        await("the coordinator to be back", cluster::coordinatorIsUp, 10 * SECOND);
        await("old processes of bricks to end", () -> cluster.oldProcesses().isEmpty(), 20 * SECOND);
        await("all clients to be back", () -> clients.stream().allMatch(SimClient::isReady), 20 * SECOND);
        simulation.runFor(REST_NANOS);
        awaitLosses();
        awaitTolerance();
        awaitRest();
        awaitVigils();
    }

    /**
     * When all bricks are up, each parity group soon tolerates the loss of k bricks again, as docs/operations.md
     * promises. What is left to copy then takes less than a second at the bricks' pace.
     */
    private void awaitTolerance() {
        if (plan.hasParity() && !plan.mayFill()) {
            await("the bricks to be back", () -> !cluster.anyBrickIsDown(), 20 * SECOND);
            if (tables.stream().anyMatch(TableRun::sharesBricks)) {
                simulation.coverage().hit(RareEvent.COLUMNS_SHARED_A_BRICK);
            }
            await(
                    "the parity groups to tolerate what they should",
                    () -> tables.stream().allMatch(TableRun::toleratesLosses),
                    TOLERANCE_NANOS);
        }
    }

    /** Waits until no partition is lost, if an operator accepts losses. */
    private void awaitLosses() {
        if (plan.acceptsLossesLate()) {
            await(
                    "the table to go on beside its lost partitions",
                    () -> tables.stream().allMatch(TableRun::goesOnBesideLosses),
                    60 * SECOND);
            tables.forEach(table -> table.probeBesideLosses(PROBES));
            await("the probes beside lost partitions to be answered", this::areAnswered, 60 * SECOND);
            cluster.losses().begin();
        }
        if (plan.acceptsLosses()) {
            await(
                    "all losses to be accepted",
                    () -> tables.stream()
                            .allMatch(table -> cluster.quiescence().isSettled(table.id()) && !table.hasLosses()),
                    60 * SECOND);
            cluster.losses().end();
        }
    }

    /** Waits until no split is running, and no report in flight asks for a split. */
    private void awaitRest() {
        if (plan.mayFill()) {
            await("no split or move to be under way", this::isSettled, 60 * SECOND);
            return;
        }
        tables.forEach(TableRun::look);
        long partitions = tables.stream().mapToInt(TableRun::partitions).sum(); // each may merge after the one before
        for (int quiet = 0; quiet < QUIET_TIMES; quiet++) {
            await("all splits to be done", this::isQuiet, 60 * SECOND + partitions * plan.mergeAfterNanos());
            simulation.runFor(SECOND / 4);
            quiet = isQuiet() ? quiet : -1;
        }
    }

    private boolean isQuiet() {
        return tables.stream().allMatch(TableRun::isQuiet);
    }

    /** Whether nothing is under way at the bricks, though splits and copies may wait for memory. */
    private boolean isSettled() {
        return tables.stream().allMatch(TableRun::isSettled)
                && (!plan.hasGroups() && !plan.hasParity() || heldAtRest().isEmpty());
    }

    /** Without faults, every operation must succeed, except operations on lost partitions. */
    private void probe() {
        tables.forEach(table -> table.probe(PROBES));
        await("the probes to be answered", this::areAnswered, 60 * SECOND);
        awaitRest();
        tables.forEach(TableRun::beginLastScans); // a table may merge while it is scanned: records expire
        for (int scans = 0; scans < LAST_SCANS; scans++) {
            int[] ended = new int[1];
            List<WorkloadLoops> all =
                    clients.stream().flatMap(client -> client.loops().stream()).toList();
            all.forEach(loops -> loops.scan(() -> ended[0]++));
            await("the last scans to end", () -> ended[0] == all.size(), 60 * SECOND);
        }
        simulation.runUntil(() -> windowsTaken().isEmpty(), 10 * SECOND); // the rest of what was abandoned comes back
    }

    /**
     * Waits until all records with a time to live have expired and their memory is free, without any request, and no
     * split is running. While a partition changes its brick, neither brick has it for a moment, so its records may be
     * found only when it has arrived. Splits that waited for memory continue when it is free.
     */
    private void awaitExpiryAndRest() {
        long patienceNanos = plan.tables().stream()
                                .mapToLong(table -> table.workload().ttlMillisMax())
                                .max()
                                .orElse(0)
                        * MILLI
                + SECOND;
        do {
            await("all that can expire to be gone", () -> !holdsExpiring(), patienceNanos);
            awaitRest();
        } while (holdsExpiring());
    }

    private boolean holdsExpiring() {
        return cluster.bricks().stream().anyMatch(SimBrick::holdsExpiring);
    }

    /** The index follows the map soon; unless there is no memory for it. */
    private void awaitIndex() {
        if (!plan.mayFill() && !simulation.runUntil(this::indexIsRight, INDEX_NANOS)) {
            throw new SimulationFailure("the index does not say what the map says:\n"
                    + String.join("\n", IndexCheck.check(cluster)) + state());
        }
        clients.stream()
                .filter(client -> client.node().counters().lookups > 0)
                .forEach(client -> simulation.coverage().hit(RareEvent.LOOKED_UP));
        if (clients.stream().anyMatch(client -> client.node().counters().datagramsUnanswered > 0)) {
            simulation.coverage().hit(RareEvent.DATAGRAM_UNANSWERED);
        }
        if (cluster.bricks().stream()
                .flatMap(brick -> brick.nodes().stream())
                .anyMatch(node -> node.datagramsTaken() > 0)) {
            simulation.coverage().hit(RareEvent.DATAGRAM_TAKEN);
        }
        if (IndexCheck.partitions(cluster) > 1) {
            simulation.coverage().hit(RareEvent.INDEX_DIVIDED);
        }
    }

    /**
     * Nobody holds for long what is only half open, or goes on with a connection over which flipped bits came: a hello
     * may be waited for in vain. A client that waited so for the coordinator learns only afterwards that its session
     * has ended.
     */
    private void awaitVigils() {
        SimNetwork network = simulation.network();
        if (network.stale().isEmpty()) {
            return;
        }
        if (!simulation.runUntil(() -> network.stale().isEmpty(), VIGIL_NANOS)) {
            throw new SimulationFailure(String.join("\n", network.stale()) + state());
        }
        simulation.runFor(REST_NANOS);
    }

    private boolean indexIsRight() {
        return cluster.coordinator().state().splits().isEmpty()
                && IndexCheck.check(cluster).isEmpty();
    }

    private void await(String what, BooleanSupplier condition, long patienceNanos) {
        if (!simulation.runUntil(condition, patienceNanos)) {
            throw new SimulationFailure("waited " + patienceNanos / SECOND + " s in vain for " + what + state());
        }
    }

    private String state() {
        if (!cluster.coordinatorIsUp()) {
            return "; the coordinator is down";
        }
        StringBuilder text = new StringBuilder("; the coordinator is at map version ");
        text.append(cluster.coordinator().state().version()).append(", splits under way ");
        text.append(cluster.coordinator().state().splits()).append(", tables ");
        text.append(cluster.coordinator().state().tables());
        each(TableRun::groups).forEach(line -> text.append("\n    ").append(line));
        for (SimBrick brick : cluster.bricks()) {
            text.append("\n    ").append(brick.name()).append(" at");
            brick.nodes().forEach(node -> {
                text.append(" version ").append(node.map().version()).append(':');
                node.tables()
                        .forEach(p -> text.append(tables.size() == 1 ? " p" : " t" + p.table() + "p")
                                .append(p.number())
                                .append(" j=")
                                .append(p.level())
                                .append(" (")
                                .append(p.records())
                                .append(')'));
            });
        }
        return text.toString();
    }

    // ---- checks

    private void checkState() {
        List<String> wrong = new ArrayList<>(each(TableRun::checkState));
        wrong.addAll(requestsMiscounted());
        for (SimBrick brick : cluster.bricks()) {
            wrong.addAll(brick.queuesBeyondBounds());
            wrong.addAll(brick.wrongOfCrashed());
        }
        wrong.addAll(replies.missing(simulation.network()::isWhole));
        wrong.addAll(windowsTaken());
        wrong.addAll(heldAtRest());
        wrong.addAll(cluster.coordinatorsThatDiffer());
        wrong.addAll(cluster.recoveries().wrong());
        fail(wrong);
    }

    private List<String> requestsMiscounted() {
        return RestChecker.requestsMiscounted(
                cluster.bricks().stream().map(SimBrick::requests).toList());
    }

    /**
     * A stage may keep a working buffer of scans and one of programs, and a node may be sending. Other buffers are
     * leaks.
     */
    private List<String> heldAtRest() {
        int most = plan.bricks() * plan.stages() * STAGE_BUFFERS_MAX;
        List<String> wrong =
                new ArrayList<>(RestChecker.buffersHeld(simulation.buffers().held(simulation.envs()), most));
        wrong.addAll(RestChecker.leftUnread(cluster.bricks().stream()
                .map(brick -> new RestChecker.Unread(
                        brick.name(), brick.budget().unread().heldBytes()))
                .toList()));
        cluster.bricks()
                .forEach(brick -> brick.nodes().stream()
                        .filter(node -> node.decodingBytes() != 0)
                        .forEach(node -> wrong.add(brick.name() + " counts " + node.decodingBytes()
                                + " bytes for decodings, and none is under way")));
        return wrong;
    }

    /** At rest, the windows of clients must be empty. */
    private List<String> windowsTaken() {
        return RestChecker.windowsTaken(clients.stream()
                .map(client -> {
                    Window window = client.node().window();
                    return new RestChecker.WindowUse(client.name(), window.requests(), window.bytes());
                })
                .toList());
    }

    private static void fail(List<String> wrong) {
        if (!wrong.isEmpty()) {
            throw new SimulationFailure(String.join("\n", wrong));
        }
    }

    private Outcome outcome() {
        int operations = 0;
        long failures = 0;
        int scans = 0;
        for (TableRun table : tables) {
            Workload workload = table.workload();
            operations += workload.history().operations().size();
            failures += workload.failures();
            scans += workload.history().scans().size() + workload.sizes().size();
        }
        return new Outcome(
                simulation.trace().hash(),
                simulation.fired(),
                simulation.nowNanos(),
                operations,
                failures,
                tables.stream()
                        .map(table -> table.workload().firstFailure())
                        .filter(failure -> !failure.isEmpty())
                        .findFirst()
                        .orElse(""),
                scans,
                tables.stream().mapToInt(TableRun::partitions).sum(),
                tables.stream().mapToInt(TableRun::merges).sum(),
                handOvers.atOnceMost(),
                simulation.network().lost(),
                simulation.coverage());
    }

    /** The memory of dropped tables must be free, and no buffer may be left when all nodes have ended. */
    private void tearDown() {
        int[] dropped = new int[1];
        clients.getFirst().loops().forEach(loops -> loops.dropTable(() -> dropped[0]++));
        await("the tables to be dropped", () -> dropped[0] == tables.size(), 20 * SECOND);
        simulation.runFor(5 * SECOND);
        for (SimBrick brick : cluster.bricks()) {
            if (brick.budget().usedBytes() != 0) {
                throw new SimulationFailure(brick.name() + " holds "
                        + brick.budget().usedBytes() + " bytes though there is no table any more");
            }
        }
        clients.forEach(SimClient::close);
        simulation.runFor(SECOND);
        cluster.shutDown();
        simulation.runFor(2 * SECOND);
        List<String> held = simulation.buffers().held(simulation.envs());
        if (!held.isEmpty()) {
            throw new SimulationFailure(held.size() + " buffers are held when all has ended:\n"
                    + String.join("\n", held.subList(0, Math.min(BUFFERS_SHOWN_MAX, held.size()))));
        }
    }
}
