package io.sdds.testkit.sim;

import io.sdds.client.internal.routing.Window;
import io.sdds.coordinator.state.ClusterState;
import io.sdds.core.model.KeySpan;
import io.sdds.core.model.TableKind;
import io.sdds.core.model.TableMap;
import io.sdds.testkit.check.LinearizabilityChecker;
import io.sdds.testkit.check.Operation;
import io.sdds.testkit.check.PlacementChecker;
import io.sdds.testkit.check.RangePlacementChecker;
import io.sdds.testkit.check.RestChecker;
import io.sdds.testkit.check.ScanChecker;
import io.sdds.testkit.check.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * One run of a simulated cluster from its start to its end, with every check there is: faults and load first, where
 * nothing may be wrong; then peace, in which everything must be answered and every split must finish; then a look at
 * all that is there.
 */
public final class ClusterRun {
    private static final long SECOND = 1_000_000_000L;
    private static final long MILLI = 1_000_000L;
    /** With merges of the index before, which follow those of the table. */
    private static final long INDEX_NANOS = 5 * SECOND;

    /** In which who dialed in vain dials again, and hears what has become of its session. */
    private static final long REST_NANOS = 3 * SECOND;

    /** Silence in which an end of a connection gives it up, by the slowest clock, and a little. */
    private static final long VIGIL_NANOS = 30 * SECOND;

    private static final int PROBES = 60;
    private static final int BUFFERS_SHOWN_MAX = 20;
    private static final int STAGE_BUFFERS_MAX = 2;
    private static final int QUIET_TIMES = 2;
    private static final int LAST_SCANS = 2;

    private final ClusterPlan plan;
    private final SimCluster cluster;
    private final Simulation simulation;
    private final Workload workload;
    private final Answers answers;
    private final HandOvers handOvers;
    private int clientNext = 1;
    private int tableId;
    private int partitions;
    private int merges;

    /**
     * What became of a run.
     *
     * @param traceHash of all deliveries: the same for the same seed
     * @param firstFailure the first operation that failed, and why; empty: none did
     * @param merges that were committed
     * @param splitsAtOnce the most splits under way when one handed over
     * @param coverage what happened of all that seldom does
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
        this.cluster = new SimCluster(plan);
        this.simulation = cluster.simulation();
        this.answers = new Answers(simulation.coverage(), plan.stages());
        this.workload = new Workload(plan.workload());
        this.handOvers = new HandOvers(cluster::truth);
    }

    /**
     * Runs a plan.
     *
     * @throws SimulationFailure when something is wrong
     */
    public static Outcome of(ClusterPlan plan) {
        return of(plan, planted -> {});
    }

    /**
     * Runs a plan on a cluster with something planted in it.
     *
     * @param planted is handed the cluster before it starts
     */
    public static Outcome of(ClusterPlan plan, Consumer<SimCluster> planted) {
        ClusterRun run = new ClusterRun(plan);
        try (SimCluster closing = run.cluster) {
            planted.accept(closing);
            return run.run();
        }
    }

    private Outcome run() {
        simulation.network().watch(new Forwarding());
        simulation.network().watch(answers);
        simulation.network().watch(handOvers);
        simulation.network().watch(new Paths(cluster));
        SimLog quorum = cluster.quorum();
        if (quorum != null) {
            simulation.network().watch(new Told(quorum.truth()));
        }
        cluster.onClientCrash(this::crashClient);
        cluster.losses().onLoss(loss -> {
            answers.onLoss();
            workload.history().lose(loss.keys(), loss.nanos());
        });
        cluster.start();
        startClients();
        long faultsEndNanos = simulation.nowNanos() + plan.faultsNanos();
        cluster.letFaultsHappen();
        workload.clients().forEach(SimClient::startLanes);
        long patience = plan.faultsNanos()
                + 60 * SECOND
                + plan.workload().operations() * plan.workload().timeoutNanos();
        await("the clients to be done", this::isIdle, patience);
        simulation.runFor(Math.max(0, faultsEndNanos - simulation.nowNanos()));
        comeToRest();
        probe();
        awaitRest();
        awaitExpiry();
        awaitRest(); // splits that waited for room have it now
        awaitIndex();
        simulation.runUntil(() -> requestsMiscounted().isEmpty(), SECOND / 4); // the last may be between two stages
        checkState();
        checkHistory();
        Outcome outcome = outcome();
        tearDown();
        return outcome;
    }

    private void startClients() {
        for (String name : ClusterPlan.names("client", plan.clients())) {
            workload.add(client(name));
        }
        workload.clients().forEach(client -> client.setUp(true));
        await("the table to be there", () -> workload.clients().stream().allMatch(SimClient::isReady), 60 * SECOND);
        tableId = workload.clients().get(0).table().id();
    }

    private SimClient client(String name) {
        return new SimClient(cluster, workload, clientNext++, name);
    }

    /** A client's process dies; another one takes its place after a time, and does the rest of its work. */
    private void crashClient(Fault.Crash crash) {
        for (SimClient client : List.copyOf(workload.clients())) {
            if (client.name().equals(crash.node()) && !client.env().isStopped()) {
                client.crash();
                simulation.after(crash.backAfterNanos(), () -> {
                    SimClient successor = client(crash.node());
                    workload.replace(client, successor);
                    successor.setUp(false, successor::startLanes);
                });
            }
        }
    }

    private boolean isIdle() {
        TableMap map = cluster.coordinatorIsUp() ? cluster.coordinator().state().table(tableId) : null;
        if (map != null) {
            merges += Math.max(0, partitions - map.partitions());
            partitions = map.partitions();
        }
        return workload.isIdle();
    }

    private void comeToRest() {
        cluster.heal();
        await("the coordinator to be back", cluster::coordinatorIsUp, 10 * SECOND);
        await("old processes of bricks to end", () -> cluster.oldProcesses().isEmpty(), 20 * SECOND);
        await("all clients to be back", () -> workload.clients().stream().allMatch(SimClient::isReady), 20 * SECOND);
        simulation.runFor(REST_NANOS);
        awaitLosses();
        awaitRest();
        awaitVigils();
    }

    /** No partition stays lost where somebody accepts that. */
    private void awaitLosses() {
        if (plan.acceptsLosses()) {
            await(
                    "all losses to be accepted",
                    () -> cluster.isSettled(tableId)
                            && cluster.coordinator().state().lostPartitions(tableId) == 0,
                    60 * SECOND);
            cluster.losses().end();
        }
    }

    /** Until no split is under way, nor wanted by a report that is still on its way. */
    private void awaitRest() {
        if (plan.mayFill()) {
            await("no split or move to be under way", this::isSettled, 60 * SECOND);
            return;
        }
        for (int quiet = 0; quiet < QUIET_TIMES; quiet++) {
            await("all splits to be done", () -> cluster.isQuiet(tableId), 60 * SECOND);
            simulation.runFor(SECOND / 4);
            quiet = cluster.isQuiet(tableId) ? quiet : -1;
        }
    }

    /** Whether nothing is under way at the bricks, though splits and copies may wait for memory. */
    private boolean isSettled() {
        if (!cluster.isSettled(tableId)) {
            return false;
        }
        TableMap map = cluster.coordinator().state().table(tableId);
        boolean groups = plan.replicas() > 1;
        return map != null
                && (!groups || Replicas.areSettled(cluster, map) && heldAtRest().isEmpty());
    }

    /** Now that nothing is wrong, everything must succeed, but for what needs lost partitions. */
    private void probe() {
        workload.expectSuccess(plan.losesMemory() && !plan.acceptsLosses(), plan.mayRefuse(), plan.mayFill());
        workload.more(PROBES);
        await("the probes to be answered", workload::isIdle, 60 * SECOND);
        awaitRest();
        TableMap map = cluster.coordinator().state().table(tableId);
        partitions = map == null ? 0 : map.partitions(); // it may merge while it is scanned: records expire
        for (int scans = 0; scans < LAST_SCANS; scans++) {
            int[] ended = new int[1];
            workload.clients().forEach(client -> client.scan(() -> ended[0]++));
            await("the last scans to end", () -> ended[0] == workload.clients().size(), 60 * SECOND);
        }
        simulation.runUntil(() -> windowsTaken().isEmpty(), 10 * SECOND); // the rest of what was abandoned comes back
    }

    /**
     * Each of the last scans has met all partitions of its client's image: what was merged away it can't believe in any
     * longer.
     */
    private List<String> imagesAhead(int partitionsScanned) {
        List<RestChecker.Image> images = workload.clients().stream()
                .map(client ->
                        new RestChecker.Image(client.name(), client.table().imagePartitions()))
                .toList();
        return RestChecker.imagesAhead(images, Math.max(partitionsScanned, partitions));
    }

    /** What can expire does, and its memory comes back, though nobody asks for it. */
    private void awaitExpiry() {
        long patienceNanos = plan.workload().ttlMillisMax() * MILLI + SECOND;
        await(
                "all that can expire to be gone",
                () -> cluster.bricks().stream().noneMatch(SimBrick::holdsExpiring),
                patienceNanos);
    }

    /** The index follows the map soon; unless there is no memory for it. */
    private void awaitIndex() {
        if (!plan.mayFill() && !simulation.runUntil(this::indexIsRight, INDEX_NANOS)) {
            throw new SimulationFailure("the index does not say what the map says:\n"
                    + String.join("\n", IndexCheck.check(cluster)) + state());
        }
        workload.clients().stream()
                .filter(client -> client.node().counters().lookups > 0)
                .forEach(client -> simulation.coverage().hit(Rare.LOOKED_UP));
        if (workload.clients().stream().anyMatch(client -> client.node().counters().datagramsUnanswered > 0)) {
            simulation.coverage().hit(Rare.DATAGRAM_UNANSWERED);
        }
        if (cluster.bricks().stream()
                .flatMap(brick -> brick.nodes().stream())
                .anyMatch(node -> node.datagramsTaken() > 0)) {
            simulation.coverage().hit(Rare.DATAGRAM_TAKEN);
        }
        if (IndexCheck.partitions(cluster) > 1) {
            simulation.coverage().hit(Rare.INDEX_DIVIDED);
        }
    }

    /**
     * Nobody holds for long what is only half open, or goes on with a connection over which flipped bits came: a hello
     * may be waited for in vain.
     */
    private void awaitVigils() {
        SimNetwork network = simulation.network();
        if (!simulation.runUntil(() -> network.stale().isEmpty(), VIGIL_NANOS)) {
            throw new SimulationFailure(String.join("\n", network.stale()) + state());
        }
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
        TableMap map = cluster.coordinator().state().table(tableId);
        if (map != null && plan.replicas() > 1) {
            text.append("\n    ").append(String.join("\n    ", Replicas.check(cluster, map)));
        }
        for (SimBrick brick : cluster.bricks()) {
            text.append("\n    ").append(brick.name()).append(" at");
            brick.nodes().forEach(node -> {
                text.append(" version ").append(node.map().version()).append(':');
                node.tables()
                        .forEach(p -> text.append(" p")
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
        TableMap map = cluster.coordinator().state().table(tableId);
        if (map == null) {
            throw new SimulationFailure("the table is gone");
        }
        int partitionsScanned = partitions;
        partitions = map.partitions();
        List<String> wrong = new ArrayList<>(plan.kind() == TableKind.RANGE ? misplacedRanges() : misplaced());
        wrong.addAll(requestsMiscounted());
        for (SimBrick brick : cluster.bricks()) {
            wrong.addAll(brick.queuesBeyondBounds());
            wrong.addAll(brick.wrongOfCrashed());
        }
        if (plan.replicas() > 1) {
            wrong.addAll(Replicas.check(cluster, map));
        }
        wrong.addAll(answers.missing(simulation.network()::isWhole));
        wrong.addAll(windowsTaken());
        wrong.addAll(heldAtRest());
        if (plan.kind() == TableKind.HASH && !plan.mayFill() && !plan.losesMemory()) {
            wrong.addAll(imagesAhead(partitionsScanned));
        }
        wrong.addAll(workload.complaints());
        wrong.addAll(cluster.coordinatorsThatDiffer());
        fail(wrong);
    }

    private List<String> requestsMiscounted() {
        return RestChecker.requestsMiscounted(
                cluster.bricks().stream().map(SimBrick::requests).toList());
    }

    private List<String> misplaced() {
        List<PlacementChecker.Held> held = new ArrayList<>();
        cluster.bricks().forEach(brick -> held.addAll(brick.held(tableId)));
        return PlacementChecker.check(partitions, lost(), held);
    }

    private List<String> misplacedRanges() {
        List<RangePlacementChecker.Held> held = new ArrayList<>();
        cluster.bricks().forEach(brick -> held.addAll(brick.heldRanges(tableId)));
        Map<Integer, KeySpan> spans = new TreeMap<>();
        ClusterState state = cluster.coordinator().state();
        for (int number = 0; number < partitions; number++) {
            if (state.exists(tableId, number)) {
                spans.put(number, state.span(tableId, number));
            }
        }
        return RangePlacementChecker.check(spans, lost(), held);
    }

    /** A stage may keep a buffer to work in; whatever else is held while nothing is under way has been forgotten. */
    private List<String> heldAtRest() {
        int most = plan.bricks() * plan.stages() * STAGE_BUFFERS_MAX;
        List<String> wrong =
                new ArrayList<>(RestChecker.buffersHeld(simulation.buffers().held(simulation.envs()), most));
        wrong.addAll(RestChecker.leftUnread(cluster.bricks().stream()
                .map(brick -> new RestChecker.Unread(
                        brick.name(), brick.budget().unread().heldBytes()))
                .toList()));
        return wrong;
    }

    /** Nothing is under way, so nothing of a client's window may be taken. */
    private List<String> windowsTaken() {
        return RestChecker.windowsTaken(workload.clients().stream()
                .map(client -> {
                    Window window = client.node().window();
                    return new RestChecker.WindowUse(client.name(), window.requests(), window.bytes());
                })
                .toList());
    }

    private Set<Integer> lost() {
        Set<Integer> lost = new TreeSet<>();
        for (int a = 0; a < partitions; a++) {
            if (cluster.coordinator().state().place(tableId, a).lost()) {
                lost.add(a);
            }
        }
        return lost;
    }

    private void checkHistory() {
        List<String> wrong = new ArrayList<>();
        List<Operation> operations = workload.history().operations();
        ScanChecker scans = new ScanChecker(operations);
        scans.check(workload.history().scans()).forEach(violation -> wrong.add(violation.toString()));
        for (Workload.Size size : workload.sizes()) {
            Violation violation = scans.checkSize(size.counted(), size.startNanos(), size.endNanos());
            if (violation != null) {
                wrong.add(violation.toString());
            }
        }
        LinearizabilityChecker.check(operations).forEach(violation -> wrong.add(violation.toString()));
        if (wrong.isEmpty()) {
            LinearizabilityChecker.check(workload.history().withScansAsReads())
                    .forEach(violation -> wrong.add("with scans as reads: " + violation));
        }
        fail(wrong);
    }

    private static void fail(List<String> wrong) {
        if (!wrong.isEmpty()) {
            throw new SimulationFailure(String.join("\n", wrong));
        }
    }

    private Outcome outcome() {
        return new Outcome(
                simulation.trace().hash(),
                simulation.fired(),
                simulation.nowNanos(),
                workload.history().operations().size(),
                workload.failures(),
                workload.firstFailure(),
                workload.history().scans().size() + workload.sizes().size(),
                partitions,
                merges,
                handOvers.atOnceMost(),
                simulation.network().lost(),
                simulation.coverage());
    }

    /** A dropped table's memory is free again, and nothing is left over when everybody has ended. */
    private void tearDown() {
        boolean[] dropped = new boolean[1];
        workload.clients().get(0).dropTable(() -> dropped[0] = true);
        await("the table to be dropped", () -> dropped[0], 20 * SECOND);
        simulation.runFor(5 * SECOND);
        for (SimBrick brick : cluster.bricks()) {
            if (brick.budget().usedBytes() != 0) {
                throw new SimulationFailure(brick.name() + " holds "
                        + brick.budget().usedBytes() + " bytes though there is no table any more");
            }
        }
        workload.clients().forEach(SimClient::close);
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
