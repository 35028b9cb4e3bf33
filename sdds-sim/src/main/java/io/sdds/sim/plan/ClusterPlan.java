package io.sdds.sim.plan;

import io.sdds.brick.group.Groups;
import io.sdds.core.model.BrickWeight;
import io.sdds.core.model.Routing;
import io.sdds.core.model.SplitPolicy;
import io.sdds.core.stage.StageLimits;
import io.sdds.sim.world.NetworkModel;
import io.sdds.sim.world.ServiceTimes;
import io.sdds.sim.world.Trace;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * The plan of a run, drawn before the run starts.
 *
 * @param coordinators number of coordinators: one with its own log, or several with a leader
 * @param stages number of stages of each brick
 * @param memoryBytes memory of each brick; sometimes little, so that bricks become full
 * @param brickDelayNanos additional delay between bricks, so that many events happen during a split
 * @param work charges for the work of nodes
 * @param limits limits of the queues of a stage; sometimes low, so that requests are refused
 * @param logBytesMax room of the log of a group; sometimes little, so that many values are longer
 * @param commitNanos duration of a commit of the coordinator; 0 for none
 * @param sessionLeaseNanos session lease; sometimes short, so that sessions end while clients use them
 * @param mergeAfterNanos time of low load before a merge
 * @param rebalanceAfterNanos time with the same set of bricks before a rebalancing
 * @param faultsNanos duration of the faults
 * @param tables tables that the clients use at the same time: one, or several that compete
 */
public record ClusterPlan(
        long seed,
        int coordinators,
        int bricks,
        int stages,
        int clients,
        long memoryBytes,
        NetworkModel network,
        long brickDelayNanos,
        ServiceTimes work,
        StageLimits limits,
        int logBytesMax,
        long commitNanos,
        long sessionLeaseNanos,
        long mergeAfterNanos,
        long rebalanceAfterNanos,
        FaultPlan faults,
        long faultsNanos,
        List<TablePlan> tables) {
    private static final long MILLI = 1_000_000L;
    static final long AMPLE_MEMORY_BYTES = 64L << 20;
    private static final int REPLICAS_DRAW = 79;
    private static final int DRAINS = 80;
    private static final int APART = 81;
    private static final int SWEEPS = 82;
    private static final int INDEX = 83;
    private static final int QUORUM_GROUPS = 85;
    private static final int MIN_COPIES = 88;
    private static final int SETTINGS = 89;
    private static final int LOSSES = 92;
    private static final int HEADLESS = 91;
    private static final int SEEDS_A_HEADLESS_ONE = 3;
    private static final int IMPATIENT = 97;
    public static final int IMPATIENT_PERCENT = 40;
    private static final int FILLING = 82; // no plan draws both values
    private static final int WEIGHTS = 103;
    private static final int WEIGHT_MAX = 400;
    private static final int MEMORIES = 104;
    private static final int MEMORY_PERCENT_MIN = 40;
    private static final int LONG_VALUES = 110;
    private static final int LOG_BYTES_MIN = 16 << 10;
    private static final int LOG_SIZES = 4;
    private static final int VALUES_A_BRICK = 64;

    /** Number of the longest values for which a brick that fills has memory, where a write needs several copies. */
    private static final long FILLING_VALUES_A_BRICK = 8;

    /** Severity of faults. */
    public enum Severity {
        /** No faults: a healthy cluster. */
        CALM,
        /** Slow and lost connections, and pauses. */
        ROUGH,
        /** Also crashes of the coordinator, which restarts. */
        COORDINATOR_CRASHES,
        /** Also the crash of a brick, whose only copies are lost. */
        BRICK_CRASHES,
        /**
         * All faults except crashes of bricks: also network partitions, half-open connections, wrong clocks, little
         * memory, crashing clients.
         */
        HARSH,
        /** All faults, including crashes of bricks. */
        ALL;

        private static final List<Severity> DRAWN =
                List.of(CALM, ROUGH, ROUGH, COORDINATOR_CRASHES, BRICK_CRASHES, HARSH, HARSH, HARSH, ALL, ALL);

        boolean crashesBricks() {
            return this == BRICK_CRASHES || this == ALL;
        }

        boolean isHarsh() {
            return this == HARSH || this == ALL;
        }

        /** The own severity of a seed. */
        public static Severity of(long seed) {
            return DRAWN.get((int) Math.floorMod(Trace.mix(seed, 77), (long) DRAWN.size()));
        }
    }

    public ClusterPlan {
        tables = List.copyOf(tables);
    }

    /** The plan of a seed, in which the table grows. */
    public static ClusterPlan draw(long seed, Severity most, int operations) {
        return BasePlan.draw(seed, most, operations, 1, false);
    }

    /** The plan of a seed with three coordinators, whose leader changes. */
    public static ClusterPlan drawQuorum(long seed, Severity most, int operations) {
        return BasePlan.draw(seed, most, operations, 3, false);
    }

    /** The plan of a seed in which the table grows, shrinks and grows again. */
    public static ClusterPlan drawShrinking(long seed, Severity most, int operations) {
        return BasePlan.draw(seed, most, operations, 1, true);
    }

    /**
     * The plan of a seed in which partitions are replica groups; bricks crash as long as no group would be lost with
     * them.
     */
    public static ClusterPlan drawReplicated(long seed, Severity most, int operations) {
        return ofGroups(BasePlan.draw(seed, most, operations, 1, false), most);
    }

    /** The same, in which the table grows, shrinks and grows again; in every other seed it is cleared now and then. */
    public static ClusterPlan drawReplicatedShrinking(long seed, Severity most, int operations) {
        return ofGroups(BasePlan.draw(seed, most, operations, 1, true), most).thatSweepsInEveryOtherSeed();
    }

    private ClusterPlan thatSweepsInEveryOtherSeed() {
        return (Trace.mix(seed, SWEEPS) & 1) == 0 ? thatSweeps() : this;
    }

    private ClusterPlan thatSweeps() {
        return with(table().withWorkload(table().workload().thatSweeps()));
    }

    /** The same whose clients also ship programs. */
    ClusterPlan thatQueries() {
        return with(table().withWorkload(table().workload().thatQueries()));
    }

    /** The same with a table that has a schema, which changes, and with bricks of several weights. */
    public ClusterPlan thatQueriesRows() {
        return with(table().withWorkload(table().workload().thatQueriesRows()));
    }

    private static ClusterPlan ofGroups(ClusterPlan ofOneCopy, Severity most) {
        SplittableRandom random = new SplittableRandom(Trace.mix(ofOneCopy.seed, REPLICAS_DRAW));
        ClusterPlan plan = ofOneCopy.with(ofOneCopy.table().withSplit(SplitPolicy.DEFAULT));
        List<Fault> faults = new ArrayList<>();
        for (Fault fault : plan.faults.faults()) {
            if (!(fault instanceof Fault.Squeeze)) {
                faults.add(fault);
            }
        }
        if (most.crashesBricks()) {
            List<String> bricks = names("b", plan.bricks);
            for (int k = random.nextInt(4); k > 0; k--) {
                String victim = bricks.get(random.nextInt(bricks.size()));
                faults.add(new Fault.Crash(
                        random.nextLong(plan.faultsNanos), victim, random.nextLong(5 * MILLI, 3_000 * MILLI)));
            }
        }
        faults.sort(Comparator.comparingLong(Fault::atNanos));
        int replicas = Math.min(plan.bricks, random.nextInt(4) == 0 ? random.nextInt(2, 6) : random.nextInt(2, 4));
        int first = random.nextInt(1, plan.table().workload().shrinks() ? 3 : 7); // a table never has fewer
        TablePlan table = plan.table().withReplicas(replicas).withPartitions(first);
        return plan.with(draft -> {
            draft.memoryBytes = AMPLE_MEMORY_BYTES;
            draft.faults = new FaultPlan(faults);
            draft.tables = List.of(table);
        });
    }

    /** The same, in which bricks are drained as well, and copies move soon. */
    public static ClusterPlan drawDrained(long seed, Severity most, int operations) {
        return drawReplicated(seed, most, operations).thatIsDrained(most);
    }

    /** Of a plan with replica groups: the same, in which bricks are drained as well, and copies move soon. */
    private ClusterPlan thatIsDrained(Severity most) {
        SplittableRandom random = new SplittableRandom(Trace.mix(seed, DRAINS));
        return withDrains(most, random)
                .withRebalanceAfter(random.nextLong(10, 2_000) * MILLI)
                .with(table().withReplicas(Math.min(table().replicas(), bricks - 1)));
    }

    /**
     * The plan of a seed with replica groups under three coordinators, whose leader changes. In two of three seeds
     * bricks are drained, in every other one the table grows, shrinks and grows again, and in every other one it is a
     * range table.
     */
    public static ClusterPlan drawQuorumGroups(long seed, Severity most, int operations) {
        SplittableRandom random = new SplittableRandom(Trace.mix(seed, QUORUM_GROUPS));
        ClusterPlan plan = ofGroups(BasePlan.draw(seed, most, operations, 3, random.nextBoolean()), most);
        plan = random.nextInt(3) > 0 ? plan.thatIsDrained(most) : plan;
        plan = random.nextBoolean() ? plan.ofRangeTable() : plan;
        SplittableRandom headless = new SplittableRandom(Trace.mix(seed, HEADLESS));
        return most.crashesBricks() && headless.nextInt(SEEDS_A_HEADLESS_ONE) == 0
                ? plan.thatIsHeadless(headless)
                : plan;
    }

    private ClusterPlan thatIsHeadless(SplittableRandom random) {
        FaultPlan more = faults.andAHeadlessCrash(random, names("b", bricks), faultsNanos);
        return with(more);
    }

    /**
     * The plan of a seed in which partitions have one copy and move: bricks are drained, and partitions go soon to
     * where there is more room. A quarter each are of hash tables and range tables that grow, and that shrink, too.
     */
    public static ClusterPlan drawMoving(long seed, Severity most, int operations) {
        SplittableRandom random = new SplittableRandom(Trace.mix(seed, DRAINS));
        ClusterPlan plan = BasePlan.draw(seed, most, operations, 1, random.nextBoolean());
        boolean ranges = random.nextBoolean();
        plan = plan.withDrains(most, random);
        int partitions = ranges || plan.table().workload().shrinks() ? 1 : random.nextInt(1, 7);
        ClusterPlan moving = plan.withRebalanceAfter(random.nextLong(10, 2_000) * MILLI)
                .with(plan.table().withPartitions(partitions));
        return ranges ? moving.ofRangeTable() : moving;
    }

    /**
     * The plan of a seed in which partitions are replica groups, and two bricks can't reach each other, whatever else
     * goes wrong or not.
     */
    public static ClusterPlan drawApart(long seed, Severity most, int operations) {
        ClusterPlan plan = drawReplicated(seed, most, operations);
        SplittableRandom random = new SplittableRandom(Trace.mix(seed, APART));
        FaultPlan faults = plan.faults.andBricksApart(random, names("b", plan.bricks), plan.faultsNanos);
        return plan.with(faults);
    }

    /**
     * The plan of a seed in which partitions are replica groups on bricks that have little memory, and less for a time.
     */
    public static ClusterPlan drawFilling(long seed, Severity most, int operations) {
        ClusterPlan plan = drawReplicated(seed, most, operations);
        SplittableRandom random = new SplittableRandom(Trace.mix(seed, FILLING));
        plan = plan.withSqueezes(most, random);
        long drawn = random.nextLong(192L << 10, 2L << 20);
        // Copies without which no write is taken must find room beside others that hold the longest values.
        long memory = plan.minCopies() > 1 ? Math.max(drawn, FILLING_VALUES_A_BRICK * plan.longestValue()) : drawn;
        return plan.with(draft -> draft.memoryBytes = memory);
    }

    /** The plan of a seed in which the table grows and shrinks, and is cleared now and then. */
    public static ClusterPlan drawClearing(long seed, Severity most, int operations) {
        return drawShrinking(seed, most, operations).thatSweeps();
    }

    /**
     * The plan of a seed in which a range table grows, shrinks and grows again; in every other seed it is cleared now
     * and then.
     */
    public static ClusterPlan drawShrinkingRange(long seed, Severity most, int operations) {
        return drawShrinking(seed, most, operations).ofRangeTable().thatSweepsInEveryOtherSeed();
    }

    /** The same with a range table. */
    ClusterPlan ofRangeTable() {
        return with(table().ofRanges());
    }

    /**
     * The plan of a seed in which the partitions of a range table are replica groups; of one in four bricks are drained
     * as well.
     */
    public static ClusterPlan drawReplicatedRange(long seed, Severity most, int operations) {
        boolean drained = (Trace.mix(seed, DRAINS) & 3) == 0;
        ClusterPlan plan = drained ? drawDrained(seed, most, operations) : drawReplicated(seed, most, operations);
        return plan.ofRangeTable();
    }

    /**
     * The same with less to do, and less that goes wrong.
     *
     * @param operations on the first table; fewer on the others in proportion
     */
    public ClusterPlan reduced(int fewerClients, int operations, FaultPlan fewerFaults) {
        int all = table().workload().operations();
        List<TablePlan> smaller = tables.stream()
                .map(table ->
                        table.withOperations((int) ((long) table.workload().operations() * operations / all)))
                .toList();
        return with(draft -> {
            draft.clients = fewerClients;
            draft.faults = fewerFaults;
            draft.tables = smaller;
        });
    }

    /** This plan with another single table. */
    public ClusterPlan with(TablePlan table) {
        return with(List.of(table));
    }

    /** This plan with other tables. */
    ClusterPlan with(List<TablePlan> others) {
        return with(draft -> draft.tables = others);
    }

    /** This plan with other faults. */
    public ClusterPlan with(FaultPlan otherFaults) {
        return with(draft -> draft.faults = otherFaults);
    }

    /** This plan with other bricks and another network. */
    ClusterPlan with(int newBricks, long newMemoryBytes, NetworkModel newNetwork) {
        return with(draft -> {
            draft.bricks = newBricks;
            draft.memoryBytes = newMemoryBytes;
            draft.network = newNetwork;
        });
    }

    /**
     * This plan with logs of little room, and with values several times as long as that, as far as the memory of a
     * brick holds many of them. Stages have their usual limits and clients their usual patience, so that each write
     * must find room.
     */
    ClusterPlan withLongValues() {
        SplittableRandom random = new SplittableRandom(Trace.mix(seed, LONG_VALUES));
        int logBytes = LOG_BYTES_MIN << random.nextInt(LOG_SIZES);
        int valueBytes = (int) Math.min((long) logBytes << random.nextInt(1, LOG_SIZES), memoryBytes / VALUES_A_BRICK);
        return with(draft -> {
            draft.limits = StageLimits.DEFAULT;
            draft.logBytesMax = logBytes;
            draft.tables = tables.stream()
                    .map(table -> table.withWorkload(
                            table.workload().withLargeValues(valueBytes).withTimeoutNanos(WorkloadPlan.PATIENCE_NANOS)))
                    .toList();
        });
    }

    /** Whether many values are longer than the log of a group. */
    public boolean hasLongValues() {
        return logBytesMax < Groups.LOG_BYTES_MAX;
    }

    /** Whether clients begin very many operations at once. */
    public boolean hasBursts() {
        return tables.stream().anyMatch(table -> table.workload().isBurst());
    }

    /** Whether nothing ever goes wrong, so that each operation of a patient client must succeed. */
    public boolean isHealthy() {
        return faults.faults().isEmpty()
                && network.equals(NetworkModel.CALM)
                && !mayFill()
                && (!mayRefuse() || hasBursts());
    }

    /** This plan with another time after which bricks are balanced. */
    ClusterPlan withRebalanceAfter(long nanos) {
        return with(draft -> draft.rebalanceAfterNanos = nanos);
    }

    /** This plan with another session lease. */
    ClusterPlan withSessionLease(long nanos) {
        return with(draft -> draft.sessionLeaseNanos = nanos);
    }

    /** This plan in which some bricks are drained, unless nothing goes wrong. */
    ClusterPlan withDrains(Severity most, SplittableRandom random) {
        return most == Severity.CALM ? this : with(faults.andDrains(random, names("b", bricks), faultsNanos));
    }

    /** This plan in which the memory of bricks is short for a time, unless nothing goes wrong. */
    ClusterPlan withSqueezes(Severity most, SplittableRandom random) {
        return most == Severity.CALM ? this : with(faults.andSqueezes(random, names("b", bricks), faultsNanos));
    }

    /** This plan in which the number of parities changes up to a largest one, unless nothing goes wrong. */
    ClusterPlan withAlterations(Severity most, SplittableRandom random, int parities) {
        return most == Severity.CALM ? this : with(faults.andAlterations(random, parities, faultsNanos));
    }

    /** This plan in which parity groups lose too many members, if bricks crash. */
    ClusterPlan withLostGroups(Severity most, SplittableRandom random) {
        return most.crashesBricks() ? with(faults.andLostGroups(random, faultsNanos)) : this;
    }

    /** This plan with changes. */
    ClusterPlan with(Consumer<Draft> changes) {
        Draft draft = new Draft(this);
        changes.accept(draft);
        return draft.plan();
    }

    /** The components of a plan, to be changed. */
    static final class Draft {
        private final long seed;
        int coordinators;
        int bricks;
        int stages;
        int clients;
        long memoryBytes;
        NetworkModel network;
        long brickDelayNanos;
        ServiceTimes work;
        StageLimits limits;
        int logBytesMax;
        long commitNanos;
        long sessionLeaseNanos;
        long mergeAfterNanos;
        long rebalanceAfterNanos;
        FaultPlan faults;
        long faultsNanos;
        List<TablePlan> tables;

        private Draft(ClusterPlan plan) {
            this.seed = plan.seed;
            this.coordinators = plan.coordinators;
            this.bricks = plan.bricks;
            this.stages = plan.stages;
            this.clients = plan.clients;
            this.memoryBytes = plan.memoryBytes;
            this.network = plan.network;
            this.brickDelayNanos = plan.brickDelayNanos;
            this.work = plan.work;
            this.limits = plan.limits;
            this.logBytesMax = plan.logBytesMax;
            this.commitNanos = plan.commitNanos;
            this.sessionLeaseNanos = plan.sessionLeaseNanos;
            this.mergeAfterNanos = plan.mergeAfterNanos;
            this.rebalanceAfterNanos = plan.rebalanceAfterNanos;
            this.faults = plan.faults;
            this.faultsNanos = plan.faultsNanos;
            this.tables = plan.tables;
        }

        private ClusterPlan plan() {
            return new ClusterPlan(
                    seed,
                    coordinators,
                    bricks,
                    stages,
                    clients,
                    memoryBytes,
                    network,
                    brickDelayNanos,
                    work,
                    limits,
                    logBytesMax,
                    commitNanos,
                    sessionLeaseNanos,
                    mergeAfterNanos,
                    rebalanceAfterNanos,
                    faults,
                    faultsNanos,
                    tables);
        }
    }

    /** The only table, or the first of several. */
    public TablePlan table() {
        return tables.getFirst();
    }

    /** Whether bricks may be full, so that writes are refused and splits wait for memory. */
    public boolean mayFill() {
        return memoryBytes < AMPLE_MEMORY_BYTES;
    }

    /** The memory of a brick: where bricks may be full, bricks of tables with parity have different memories. */
    public long memoryBytes(String brick) {
        if (!mayFill() || !hasParity()) {
            return memoryBytes;
        }
        long draw = Math.floorMod(Trace.mix(Trace.mix(seed, MEMORIES), Trace.hashOf(brick)), 101L - MEMORY_PERCENT_MIN);
        return memoryBytes * (MEMORY_PERCENT_MIN + draw) / 100;
    }

    /** Routing of the clients of range tables, unless a client has its own routing. In every other seed, the index. */
    public Routing routing() {
        return hasRanges() && (Trace.mix(seed, INDEX) & 1) == 0 ? Routing.INDEX : Routing.IMAGE;
    }

    /** Routing of the clients of a table. */
    public Routing routing(TablePlan table) {
        return table.isRange() ? routing() : Routing.IMAGE;
    }

    /** Whether three coordinators have different settings: in one of four seeds. */
    public boolean settingsDiffer() {
        return coordinators > 1 && (Trace.mix(seed, SETTINGS) & 3) == 0;
    }

    /**
     * Time after which a coordinator considers a brick silent, by its own settings.
     *
     * @param usual time of coordinators with the same settings
     */
    public long silenceNanos(String coordinator, long usual) {
        if (!settingsDiffer()) {
            return isImpatient() ? usual * IMPATIENT_PERCENT / 100 : usual;
        }
        return switch (coordinator) {
            case "c2" -> usual * 2 / 3;
            case "c3" -> usual * 3 / 2;
            default -> usual;
        };
    }

    /**
     * Whether coordinators consider a brick silent sooner than usual, so that parity groups are recovered while the
     * clients write: in every other seed with parity groups and crashes of bricks.
     */
    public boolean isImpatient() {
        return hasParity() && faults.losesMemory() && !settingsDiffer() && (Trace.mix(seed, IMPATIENT) & 1) == 0;
    }

    /** Whether there is a range table. */
    public boolean hasRanges() {
        return tables.stream().anyMatch(TablePlan::isRange);
    }

    /** Whether there is a table of replica groups. */
    public boolean hasGroups() {
        return tables.stream().anyMatch(TablePlan::isReplicated);
    }

    /** Whether there is a table with parity groups. */
    public boolean hasParity() {
        return tables.stream().anyMatch(TablePlan::hasParity);
    }

    /** Whether some group has no more than two replicas. */
    public boolean groupsAreSmall() {
        return tables.stream().anyMatch(table -> table.replicas() == 2);
    }

    /** Copies without which a partition of a replica group takes no writes: two in one of four seeds. */
    public int minCopies() {
        return hasGroups() && (Trace.mix(seed, MIN_COPIES) & 3) == 0 ? 2 : 1;
    }

    private int longestValue() {
        return tables.stream()
                .mapToInt(table -> table.workload().valueBytesMax())
                .max()
                .orElse(0);
    }

    /** Whether there is a table with a schema. */
    boolean hasRows() {
        return tables.stream().anyMatch(table -> table.workload().hasRows());
    }

    /** The capacity weight of a brick in hundredths: drawn in every other seed of tables with a schema. */
    public int weight(String brick) {
        long draw = Trace.mix(seed, WEIGHTS);
        return hasRows() && (draw & 1) == 0
                ? 50 + (int) Math.floorMod(Trace.mix(draw, Trace.hashOf(brick)), WEIGHT_MAX - 49L)
                : BrickWeight.DEFAULT_HUNDREDTHS;
    }

    /** Whether there is IP multicast: in every other seed. */
    public boolean multicasts() {
        return hasRanges() && (Trace.mix(seed, INDEX) & 2) == 0;
    }

    /** Capacity of a partition of the index; low, so that the index splits too. */
    public long indexCapacityRecords() {
        return 3 + Math.floorMod(Trace.mix(seed, INDEX) >> 2, 12L);
    }

    /** Whether partitions of a table may be lost for good. */
    public boolean losesMemory(TablePlan table) {
        return table.hasParity() ? faults.losesGroups() : !table.isReplicated() && faults.losesMemory();
    }

    /** Whether an operator accepts each loss: in every other seed with possible losses, and of each parity group. */
    public boolean acceptsLosses() {
        return losesGroups() || tables.stream().anyMatch(this::losesMemory) && (Trace.mix(seed, LOSSES) & 1) == 0;
    }

    /** Whether parity groups may lose more members than they can lack. */
    public boolean losesGroups() {
        return hasParity() && faults.losesGroups();
    }

    /**
     * Whether the operator comes only when all faults have ended, so that the table is used beside its lost partitions:
     * in every other seed in which parity groups are lost. A conversion waits until losses are accepted.
     */
    public boolean acceptsLossesLate() {
        return losesGroups() && tables.stream().noneMatch(TablePlan::converts) && (Trace.mix(seed, LOSSES) & 1) != 0;
    }

    /** Whether stages may refuse requests without any fault. */
    public boolean mayRefuse() {
        return !limits.equals(StageLimits.DEFAULT);
    }

    public static boolean isCoordinator(String node) {
        return node.startsWith("c") && !isClient(node);
    }

    public static boolean isBrick(String node) {
        return node.startsWith("b");
    }

    public static boolean isClient(String node) {
        return node.startsWith("client");
    }

    public static List<String> names(String prefix, int count) {
        List<String> names = new ArrayList<>();
        for (int k = 1; k <= count; k++) {
            names.add(prefix + k);
        }
        return names;
    }

    private String memories() {
        return mayFill() && hasParity()
                ? names("b", bricks).stream()
                        .map(brick -> Long.toString(memoryBytes(brick) >> 10))
                        .collect(Collectors.joining(", "))
                : Long.toString(memoryBytes >> 10);
    }

    @Override
    public String toString() {
        return "seed " + seed + ": "
                + (hasRanges() ? "range tables by " + routing() + (multicasts() ? ", IP multicast, " : ", ") : "")
                + (coordinators > 1
                        ? coordinators + " coordinators" + (settingsDiffer() ? " with settings of their own, " : ", ")
                        : "")
                + bricks
                + " bricks of " + stages + " stages, " + clients + " clients, "
                + (memoryBytes >> 10) + " KB a brick, commit in " + commitNanos / 1000
                + " us, sessions of " + sessionLeaseNanos / MILLI + " ms, merges after " + mergeAfterNanos / MILLI
                + " ms\n    " + network + "\n    " + work
                + tables.stream().map(table -> "\n    " + table).collect(Collectors.joining())
                + (hasGroups() ? "\n    at least " + minCopies() + " replicas for writes" : "")
                + (acceptsLosses() ? "\n    losses are accepted" + (acceptsLossesLate() ? " at the end" : "") : "")
                + (hasRows()
                        ? "\n    weights in hundredths: "
                                + names("b", bricks).stream()
                                        .map(brick -> Integer.toString(weight(brick)))
                                        .collect(Collectors.joining(", "))
                        : "")
                + (hasLongValues() ? "\n    logs of " + logBytesMax + " bytes" : "")
                + (mayRefuse() ? "\n    " + limits : "") + "\n" + faults;
    }
}
