package io.sdds.sim;

import io.sdds.coordinator.state.ClusterState;
import io.sdds.coordinator.state.ParityGroup;
import io.sdds.core.model.Place;
import io.sdds.core.model.TableMap;
import io.sdds.sim.check.PlacementChecker;
import io.sdds.sim.check.RestChecker;
import io.sdds.sim.check.ScanChecker;
import io.sdds.sim.cluster.Parities;
import io.sdds.sim.cluster.Replicas;
import io.sdds.sim.cluster.SimCluster;
import io.sdds.sim.load.Workload;
import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.plan.TablePlan;
import io.sdds.testkit.check.LinearizabilityChecker;
import io.sdds.testkit.check.Operation;
import io.sdds.testkit.check.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One table of a run: its load, and every check of its partitions and its history. */
final class TableRun {
    private final SimCluster cluster;
    private final TablePlan plan;
    private final Workload workload;
    private int id;
    private int partitions;
    private int partitionsScanned;
    private int merges;

    TableRun(SimCluster cluster, TablePlan plan) {
        this.cluster = cluster;
        this.plan = plan;
        this.workload = new Workload(plan.workload());
    }

    TablePlan plan() {
        return plan;
    }

    Workload workload() {
        return workload;
    }

    /** The table exists now. */
    void opened() {
        id = workload.clients().get(0).table().id();
    }

    int id() {
        return id;
    }

    /** Number of partitions at the last check. */
    int partitions() {
        return partitions;
    }

    /** Number of observed merges. */
    int merges() {
        return merges;
    }

    /** The committed map of the table; null if the table does not exist, or the state is unknown. */
    @Nullable
    TableMap map() {
        return cluster.coordinatorIsUp() ? cluster.coordinator().state().table(id) : null;
    }

    /** Checks the number of partitions and counts merges. */
    void look() {
        TableMap map = map();
        if (map != null) {
            merges += Math.max(0, partitions - map.partitions());
            partitions = map.partitions();
        }
    }

    /** The last scans of the clients begin. The table may merge later, while the clients do nothing. */
    void beginLastScans() {
        look();
        partitionsScanned = partitions;
    }

    /** Whether a partition is lost, or the coordinators are about to see that. */
    boolean hasLosses() {
        return cluster.coordinator().state().lostPartitions(id) > 0
                || parityGroups().anyMatch(group -> group.toDecode(this::isReplaced) > group.tolerated());
    }

    /** Whether each parity group lacks nothing, or has lost columns and goes on with the others. */
    boolean goesOnBesideLosses() {
        return cluster.quiescence().isSettled(id)
                && parityGroups()
                        .allMatch(group -> group.isWhole(this::isReplaced)
                                || group.columns().stream().anyMatch(Place::lost)
                                        && group.processes().stream().noneMatch(this::isReplaced)
                                        && group.columns().stream()
                                                .allMatch(column -> column.lost() || group.isComplete(column)));
    }

    /**
     * Whether each parity group tolerates the loss of any k bricks: it lacks no member, and the members are on
     * different bricks. A table that is being converted has its own pace.
     */
    boolean toleratesLosses() {
        TableMap map = map();
        return map != null
                && (map.definition().isConverting()
                        || parityGroups()
                                .allMatch(group ->
                                        group.lacking(this::isReplaced) == 0 && group.columnsToSeparate() == 0));
    }

    /** Whether two columns of a parity group are on one brick. */
    boolean sharesBricks() {
        return parityGroups().anyMatch(group -> group.columnsToSeparate() > 0);
    }

    private boolean isReplaced(Place.Member process) {
        return !cluster.coordinator().state().isCurrent(process.brick(), process.incarnation());
    }

    private Stream<ParityGroup> parityGroups() {
        ClusterState state = cluster.coordinator().state();
        return IntStream.range(0, plan.hasParity() ? state.groups(id) : 0)
                .mapToObj(number -> state.parityGroup(id, number));
    }

    /** Whether nothing is under way at the bricks, though splits and copies may wait for memory. */
    boolean isSettled() {
        TableMap map = map();
        return cluster.quiescence().isSettled(id)
                && map != null
                && (!plan.isReplicated() && !plan.hasParity() || Replicas.areSettled(cluster, map))
                && (!map.definition().hasParity() || Parities.areSettled(cluster, map));
    }

    boolean isQuiet() {
        return cluster.quiescence().isQuiet(id);
    }

    /** Without any fault no operation may fail, however long its value is, and however many begin at once. */
    List<String> failuresOf(ClusterPlan all) {
        boolean mustSucceed = (all.hasLongValues() || all.hasBursts()) && all.isHealthy() && workload.failures() > 0;
        return mustSucceed
                ? List.of(workload.failures() + " operations failed though nothing was ever wrong: "
                        + workload.firstFailure())
                : List.of();
    }

    /** Now that nothing is wrong, everything must succeed, but for what needs lost partitions. */
    void probe(int operations) {
        ClusterPlan all = cluster.plan();
        workload.expectSuccess(all.losesMemory(plan) && !all.acceptsLosses(), all.mayRefuse(), all.mayFill());
        workload.more(operations);
    }

    /** Everything must succeed, but for what needs partitions whose loss nobody has accepted yet. */
    void probeBesideLosses(int operations) {
        workload.expectSuccess(true, cluster.plan().mayRefuse(), cluster.plan().mayFill());
        workload.more(operations);
    }

    /** Describes all faults of the groups of the table, one line each. */
    List<String> groups() {
        TableMap map = map();
        if (map == null || !plan.isReplicated() && !plan.hasParity()) {
            return List.of();
        }
        List<String> wrong = new ArrayList<>(Replicas.check(cluster, map));
        if (map.definition().hasParity()) {
            wrong.addAll(Parities.check(cluster, map));
        }
        return wrong;
    }

    // ---- checks of the final state

    List<String> checkState() {
        TableMap map = map();
        if (map == null) {
            return List.of("table " + plan.name() + " is gone");
        }
        partitions = map.partitions();
        List<String> wrong = new ArrayList<>(plan.isRange() ? cluster.misplacedKeys(map, lost()) : misplaced());
        wrong.addAll(groups());
        if (!plan.isRange() && !cluster.plan().mayFill() && !cluster.plan().losesMemory(plan)) {
            wrong.addAll(imagesAhead());
        }
        wrong.addAll(workload.complaints());
        return wrong;
    }

    private List<String> misplaced() {
        List<PlacementChecker.Held> held = new ArrayList<>();
        cluster.bricks().forEach(brick -> held.addAll(brick.held(id)));
        return PlacementChecker.check(partitions, lost(), held);
    }

    private Set<Integer> lost() {
        Set<Integer> lost = new TreeSet<>();
        for (int number = 0; number < partitions; number++) {
            if (cluster.coordinator().state().place(id, number).lost()) {
                lost.add(number);
            }
        }
        return lost;
    }

    /**
     * Each of the last scans has met all partitions of its client's image: what was merged away it can't believe in any
     * longer.
     */
    private List<String> imagesAhead() {
        List<RestChecker.Image> images = workload.clients().stream()
                .map(client ->
                        new RestChecker.Image(client.name(), client.table().imagePartitions()))
                .toList();
        return RestChecker.imagesAhead(images, Math.max(partitionsScanned, partitions));
    }

    // ---- checks of the answers of clients

    List<String> checkHistory() {
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
        return wrong;
    }
}
