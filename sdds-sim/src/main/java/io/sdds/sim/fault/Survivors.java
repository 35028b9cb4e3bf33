package io.sdds.sim.fault;

import io.netty.buffer.ByteBuf;
import io.sdds.coordinator.state.ClusterState;
import io.sdds.coordinator.state.ParityGroup;
import io.sdds.core.control.ControlFrame;
import io.sdds.core.control.ControlMessage.Heartbeat;
import io.sdds.core.control.ControlMessage.MapUpdate;
import io.sdds.core.model.BrickInfo;
import io.sdds.core.model.Conversion;
import io.sdds.core.model.LeaveOrder;
import io.sdds.core.model.Place;
import io.sdds.core.model.Place.Member;
import io.sdds.core.model.TableDefinition;
import io.sdds.core.model.TableMap;
import io.sdds.core.protocol.Opcode;
import io.sdds.sim.cluster.SimBrick;
import io.sdds.sim.cluster.SimLog;
import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.plan.TablePlan;
import io.sdds.sim.world.SimEnv;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Decides which brick may crash without an unplanned loss: no replica group may lose its last member, and no parity
 * group more members than can be decoded from the others, unless the plan loses parity groups.
 */
final class Survivors {
    private static final long NEVER = Long.MIN_VALUE / 2;

    private static final long HEARD_NANOS = 900_000_000L;

    /** Less than {@link #HEARD_NANOS} by the time for which a coordinator still believes to lead when it is cut off. */
    private static final long HEARD_BEFORE_NANOS = 300_000_000L;

    private static final int HEARTBEAT = ControlFrame.types().indexOf(Heartbeat.class) + 1;
    private static final int MAP_UPDATE = ControlFrame.types().indexOf(MapUpdate.class) + 1;

    private final FaultyCluster cluster;
    private final Map<String, Long> heardNanos = new TreeMap<>();

    /** By brick: the numbers of the bricks that it misses, by its last heartbeat. */
    private final Map<String, List<Integer>> missed = new TreeMap<>();

    private long partedNanos = NEVER;

    Survivors(FaultyCluster cluster) {
        this.cluster = cluster;
    }

    /** The coordinators cannot reach each other from now on. */
    void parted() {
        partedNanos = cluster.simulation().nowNanos();
    }

    /** The coordinators can reach each other again. */
    void reunited() {
        partedNanos = NEVER;
    }

    /** A coordinator answers a heartbeat of a brick, or a brick says in a heartbeat which bricks it misses. */
    void noteHeartbeat(long connection, SimEnv from, SimEnv to, ByteBuf frame, int index, int length) {
        if (cluster.plan().hasParity()
                && ClusterPlan.isBrick(from.name())
                && frame.getByte(index + ControlFrame.KIND - 1) == Opcode.CONTROL
                && frame.getUnsignedShortLE(index + ControlFrame.CODE) == HEARTBEAT
                && ControlFrame.read(frame, index, length) instanceof Heartbeat heartbeat) {
            missed.put(from.name(), heartbeat.missed());
        }
        if (frame.getByte(index + ControlFrame.KIND - 1) == Opcode.CONTROL
                && frame.getByte(index + ControlFrame.KIND) == ControlFrame.ANSWER
                && frame.getUnsignedShortLE(index + ControlFrame.CODE) == MAP_UPDATE) {
            heardNanos.put(to.name(), cluster.simulation().nowNanos());
        }
    }

    /** Whether a brick may crash now: nothing would be lost, and of small groups no other brick is down. */
    boolean mayCrash(SimBrick victim) {
        return canSpare(victim) && !(cluster.plan().groupsAreSmall() && cluster.anyBrickIsDown());
    }

    /** Whether no acknowledged write would be lost with a brick, except writes of tables with one copy. */
    boolean canSpare(SimBrick victim) {
        return canSpare(victim, table -> true);
    }

    /** The same, but the index may be lost, too, which is written again. */
    boolean canSpareButTheIndex(SimBrick victim) {
        return canSpare(victim, this::isOfPlan);
    }

    private boolean isOfPlan(TableMap map) {
        return cluster.plan().tables().stream()
                .anyMatch(table -> table.name().equals(map.definition().name()));
    }

    private boolean canSpare(SimBrick victim, Predicate<TableMap> isKept) {
        if (!cluster.plan().hasGroups() && !cluster.plan().hasParity()
                || cluster.plan().losesGroups()) {
            return true;
        }
        ClusterState state = cluster.coordinatorIsUp() ? cluster.coordinator().state() : whileParted();
        if (state == null) {
            return false;
        }
        List<TableMap> kept = state.tables().stream().filter(isKept).toList();
        for (TableMap table : kept) {
            if (table.definition().hasParity() && !parityGroupsSurvive(state, table, number(state, victim))) {
                return false;
            }
            for (int a = 0; a < table.partitions(); a++) {
                Place place = state.place(table.definition().id(), a);
                boolean maybeOnReplicas = !standsOnParity(state, table, a) || mayStandOnReplicas(table, place);
                if (maybeOnReplicas && isLast(state, victim, table.definition().id(), a, place)) {
                    return false;
                }
            }
        }
        // a split may have made a group of the child's members before the coordinator knows
        return state.splits().stream()
                .filter(split ->
                        kept.stream().anyMatch(table -> table.definition().id() == split.table()))
                .filter(split -> !hasParity(state, split.table())) // parities protect the child before it has keys
                .noneMatch(split -> isLast(state, victim, split.table(), split.child(), split.target()));
    }

    private static boolean standsOnParity(ClusterState state, TableMap table, int partition) {
        int id = table.definition().id();
        return table.definition().hasParity()
                && !state.parityGroup(id, table.definition().parity().group(partition))
                        .standsOnReplicas();
    }

    /**
     * Whether the group of a column that has this place may stand on replicas in a moment. A conversion to one copy may
     * begin and end before the coordinators miss a brick.
     */
    private boolean mayStandOnReplicas(TableMap table, Place place) {
        TableDefinition definition = table.definition();
        return definition.isConvertingToReplicas() && place.members().size() >= definition.replicas()
                || cluster.plan().tables().stream()
                        .anyMatch(plan -> plan.name().equals(definition.name())
                                && plan.conversion() == Conversion.TO_REPLICAS
                                && !plan.isReplicated());
    }

    private static boolean hasParity(ClusterState state, int table) {
        TableMap map = state.table(table);
        return map != null && map.definition().hasParity();
    }

    /**
     * Whether each parity group of a table could decode what it lacks without a brick. A member that was not heard
     * lately counts as lacking, and so does one that a brick misses, because the coordinators may be removing it.
     */
    private boolean parityGroupsSurvive(ClusterState state, TableMap table, int victim) {
        int groups = state.groups(table.definition().id());
        for (int number = 0; number < groups; number++) {
            ParityGroup group = state.parityGroup(table.definition().id(), number);
            boolean isMember = group.processes().stream().anyMatch(member -> member.brick() == victim);
            int k = cluster.alterations().fewest(group.tolerated());
            Predicate<Member> isGone = member -> member.brick() == victim || !stays(state, member);
            boolean survives = group.standsOnReplicas()
                    ? table.definition().isConvertingToReplicas() || mayStandOnParity(group, isGone)
                    : group.canDoWith(k, isGone);
            if (isMember && !survives && !hasNoRecordsYet(group, k, isGone)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Whether a group has only columns that never had a record, or lacks no other ones. A split gives such a column
     * records when the parities that are missing have joined.
     */
    private static boolean hasNoRecordsYet(ParityGroup group, int k, Predicate<Member> isGone) {
        boolean areUnused = IntStream.range(
                        group.first(), group.first() + group.columns().size())
                .allMatch(group::isUnused);
        return !group.standsOnReplicas()
                && (areUnused || group.parities().firstMissing() >= 0 && group.toDecode(isGone) <= k);
    }

    /** Whether a group that stands on replicas would lose nothing if its parities came in force at this moment. */
    private static boolean mayStandOnParity(ParityGroup group, Predicate<Member> isGone) {
        return group.parities().firstMissing() < 0
                ? group.lacking(isGone) <= group.tolerated()
                : group.columns().stream()
                                .filter(column -> group.isLacking(column, isGone))
                                .count()
                        <= group.tolerated();
    }

    /**
     * Whether each parity group of a table could decode what it lacks with its first parities alone, so many of them.
     */
    boolean canDoWith(TableMap table, int k) {
        ClusterState state = cluster.coordinatorIsUp() ? cluster.coordinator().state() : null;
        return state != null
                && IntStream.range(0, state.groups(table.definition().id()))
                        .mapToObj(number -> state.parityGroup(table.definition().id(), number))
                        .allMatch(group -> group.canDoWith(k, member -> !stays(state, member)));
    }

    private boolean stays(ClusterState state, Member member) {
        return lives(state, member) && missed.values().stream().noneMatch(bricks -> bricks.contains(member.brick()));
    }

    /** The committed state while the coordinators cannot reach each other and none leads; null otherwise. */
    private @Nullable ClusterState whileParted() {
        SimLog quorum = cluster.quorum();
        return quorum == null || partedNanos == NEVER ? null : quorum.truth();
    }

    private boolean isLast(ClusterState state, SimBrick victim, int table, int partition, Place place) {
        int number = number(state, victim);
        return !mayBeLost(state.table(table))
                && place.members().stream().anyMatch(member -> member.brick() == number)
                && place.members().stream()
                        .noneMatch(member -> member.brick() != number
                                && lives(state, member)
                                && stays(state, table, partition, member));
    }

    /**
     * Whether a table has no replica groups: a table of the plan, or the index, which is written again, of a plan
     * without replica groups.
     */
    private boolean mayBeLost(@Nullable TableMap map) {
        return map != null
                && (!cluster.plan().hasGroups()
                                && cluster.plan().tables().stream().noneMatch(TablePlan::converts)
                        || cluster.plan().tables().stream()
                                .anyMatch(table -> !table.isReplicated()
                                        && !table.converts()
                                        && table.name().equals(map.definition().name())));
    }

    /** Silence after which a member may be about to be removed. */
    private boolean lives(ClusterState state, Member member) {
        return cluster.bricks().stream()
                .anyMatch(brick -> number(state, brick) == member.brick()
                        && !brick.nodes().isEmpty()
                        && brick.nodes().get(0).isReady()
                        && state.isCurrent(member.brick(), member.incarnation())
                        && wasHeard(heardNanos.getOrDefault(brick.name(), NEVER)));
    }

    /**
     * While no coordinator leads nobody is heard; one that led believes for a while that it does, and goes on counting.
     */
    private boolean wasHeard(long atNanos) {
        return cluster.coordinatorIsUp()
                ? cluster.simulation().nowNanos() - atNanos < heardNanos()
                : partedNanos - atNanos < HEARD_BEFORE_NANOS;
    }

    private long heardNanos() {
        return cluster.plan().isImpatient() ? HEARD_NANOS * ClusterPlan.IMPATIENT_PERCENT / 100 : HEARD_NANOS;
    }

    /** A member that was ordered to leave its group may be removed at any moment. */
    private static boolean stays(ClusterState state, int table, int partition, Member member) {
        LeaveOrder leave = state.leave(table, partition);
        return leave == null || !leave.leaver().equals(member);
    }

    private static int number(ClusterState state, SimBrick brick) {
        BrickInfo info = state.brick(brick.name());
        return info == null ? Place.LOST : info.number();
    }
}
