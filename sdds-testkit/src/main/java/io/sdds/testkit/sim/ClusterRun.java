package io.sdds.testkit.sim;

import io.sdds.core.model.TableMap;
import io.sdds.testkit.check.LinearizabilityChecker;
import io.sdds.testkit.check.Operation;
import io.sdds.testkit.check.PlacementChecker;
import io.sdds.testkit.check.ScanChecker;
import io.sdds.testkit.check.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * One run of a simulated cluster from its start to its end, with every check there is: faults and load first, where nothing may be wrong; then
 * peace, in which everything must be answered and every split must finish; then a look at all that is there.
 */
public final class ClusterRun {
    private static final long SECOND = 1_000_000_000L;
    private static final int PROBES = 60;
    private static final int BUFFERS_SHOWN_MAX = 20;
    private static final int STAGE_BUFFERS_MAX = 2;
    private static final int QUIET_TIMES = 2;

    private final ClusterPlan plan;
    private final SimCluster cluster;
    private final Simulation simulation;
    private final Workload workload;
    private final Answers answers = new Answers();
    private final HandOvers handOvers;
    private int tableId;
    private int partitions;

    /**
     * What became of a run.
     *
     * @param traceHash of all deliveries: the same for the same seed
     * @param splitsAtOnce the most splits under way when one handed over
     */
    public record Outcome(
            long traceHash,
            long events,
            long virtualNanos,
            int operations,
            long failures,
            int scans,
            int partitions,
            int splitsAtOnce,
            long connectionsLost) {
        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "%d operations (%d failed), %d scans, %d partitions, %d splits at once, %d connections lost, %.1f"
                            + " s, %d events, hash %016x",
                    operations,
                    failures,
                    scans,
                    partitions,
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
        this.workload = new Workload(plan.workload());
        this.handOvers = new HandOvers(() -> cluster.coordinatorIsUp() ? cluster.coordinator() : null);
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
        simulation.network().watch(new Forwarding(simulation, plan.workload().timeoutNanos()));
        simulation.network().watch(answers);
        simulation.network().watch(handOvers);
        cluster.start();
        startClients();
        long faultsEndNanos = simulation.nowNanos() + plan.faultsNanos();
        cluster.letFaultsHappen();
        workload.clients().forEach(SimClient::startLanes);
        long patience = plan.faultsNanos()
                + 60 * SECOND
                + plan.workload().operations() * plan.workload().timeoutNanos();
        await("the clients to be done", workload::isIdle, patience);
        simulation.runFor(Math.max(0, faultsEndNanos - simulation.nowNanos()));
        comeToRest();
        probe();
        awaitRest();
        checkState();
        checkHistory();
        Outcome outcome = outcome();
        tearDown();
        return outcome;
    }

    private void startClients() {
        int number = 1;
        for (String name : ClusterPlan.names("client", plan.clients())) {
            workload.add(new SimClient(cluster, workload, number++, name));
        }
        workload.clients().forEach(client -> client.setUp(true));
        await("the table to be there", () -> workload.clients().stream().allMatch(SimClient::isReady), 60 * SECOND);
        tableId = workload.clients().get(0).table().id();
    }

    private void comeToRest() {
        cluster.heal();
        await("the coordinator to be back", cluster::coordinatorIsUp, 10 * SECOND);
        simulation.runFor(2 * SECOND);
        awaitRest();
    }

    /** Until no split is under way, nor wanted by a report that is still on its way. */
    private void awaitRest() {
        if (plan.mayFill()) {
            await("no split to be under way", () -> cluster.isSettled(tableId), 60 * SECOND);
            return;
        }
        for (int quiet = 0; quiet < QUIET_TIMES; quiet++) {
            await("all splits to be done", () -> cluster.isQuiet(tableId), 60 * SECOND);
            simulation.runFor(SECOND / 4);
            quiet = cluster.isQuiet(tableId) ? quiet : -1;
        }
    }

    /** Now that nothing is wrong, everything must succeed, but for what needs lost partitions. */
    private void probe() {
        workload.expectSuccess(plan.faults().losesMemory(), plan.mayRefuse(), plan.mayFill());
        workload.more(PROBES);
        await("the probes to be answered", workload::isIdle, 60 * SECOND);
        awaitRest();
        int[] ended = new int[1];
        workload.clients().forEach(client -> client.scan(() -> ended[0]++));
        await("the last scans to end", () -> ended[0] == workload.clients().size(), 60 * SECOND);
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
                                .append(p.bucket().records())
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
        partitions = map.partitions();
        List<PlacementChecker.Held> held = new ArrayList<>();
        cluster.bricks().forEach(brick -> held.addAll(brick.held(tableId)));
        List<String> wrong = new ArrayList<>(PlacementChecker.check(partitions, lost(), held));
        for (SimBrick brick : cluster.bricks()) {
            if (brick.offered() != brick.acceptedOrRefused()) {
                wrong.add(brick.name() + " was offered " + brick.offered() + " requests and accepted or refused "
                        + brick.acceptedOrRefused());
            }
            wrong.addAll(brick.queuesOverBounds());
        }
        wrong.addAll(answers.missing(simulation.network()));
        wrong.addAll(heldAtRest());
        wrong.addAll(workload.complaints());
        fail(wrong);
    }

    /** A stage may keep a buffer to work in; whatever else is held while nothing is under way has been forgotten. */
    private List<String> heldAtRest() {
        List<String> held = simulation.buffers().held(simulation.envs());
        int most = plan.bricks() * plan.stages() * STAGE_BUFFERS_MAX;
        return held.size() <= most ? List.of() : held;
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
                workload.history().scans().size() + workload.sizes().size(),
                partitions,
                handOvers.atOnceMost(),
                simulation.network().lost());
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
