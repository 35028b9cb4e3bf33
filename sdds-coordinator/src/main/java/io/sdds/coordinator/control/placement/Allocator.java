package io.sdds.coordinator.control.placement;

import io.sdds.coordinator.control.base.ControlContext;
import io.sdds.coordinator.control.base.Reconciler;
import io.sdds.coordinator.control.member.BrickRegistry;
import io.sdds.coordinator.control.member.LiveBrick;
import io.sdds.coordinator.control.placement.Placement.Candidate;
import io.sdds.coordinator.state.Command;
import io.sdds.coordinator.state.ParityGroup;
import io.sdds.core.control.ControlMessage.Heartbeat;
import io.sdds.core.model.MigrationKind;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.Place;
import io.sdds.core.model.TableMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Lists the bricks that can take new partitions or copies: the bricks that are up and not being drained. Counts the
 * bytes on their way to each brick, and marks bricks where a migration failed lately. {@link Placement} chooses among
 * the bricks; {@link Balance} finds copies that should move.
 */
public final class Allocator implements Reconciler {
    /** The part of a brick's memory that copies may take. The rest is for what must not fail. */
    private static final int COPIES_PERCENT = 95;

    private final ControlContext our;
    private final BrickRegistry bricks;
    private final Reservations reservations = new Reservations();

    /** The split or move that was abandoned last, by table. */
    private final Map<Integer, Failure> failures = new TreeMap<>();

    /** Time at which a copy for a learner, or a repair of a parity group, was abandoned last, by brick. */
    private final Map<Integer, Long> learnersFailedNanos = new TreeMap<>();

    private record Failure(int target, long nanos) {}

    public Allocator(ControlContext our, BrickRegistry bricks) {
        this.our = our;
        this.bricks = bricks;
    }

    // ---- what is under way

    /**
     * Drops reservations of a brick. The brick's report contains the bytes of all migrations up to the map version that
     * the brick knows.
     */
    public void onHeartbeat(LiveBrick brick, Heartbeat heartbeat) {
        if (brick.knowsLoads()) {
            reservations.reported(brick.number(), heartbeat.mapVersion());
        }
    }

    /** A migration was ordered, so {@code bytes} are on their way to each of its targets. */
    public void begun(MigrationOrder order, long bytes) {
        for (Place.Member member : order.target().members()) {
            reservations.add(order.id(), member.brick(), bytes);
        }
    }

    /** A migration has committed at a map version. */
    public void committed(MigrationOrder order, long version) {
        reservations.committed(order.id(), version);
        if (order.isTransfer()) {
            failures.remove(order.table());
        }
    }

    public void abandoned(MigrationOrder order) {
        reservations.remove(order.id());
    }

    /** The target of a migration failed, so other bricks are preferred for a while. */
    public void failed(MigrationOrder order) {
        long now = our.env().nowNanos();
        int target = order.target().brick();
        if (order.isLearner() || order.isRepair()) {
            learnersFailedNanos.put(target, now);
        } else if (!order.isMerge() && order.target().backups().isEmpty()) {
            failures.put(order.table(), new Failure(target, now));
        }
    }

    /** Whether a brick has lately failed to become a member of a replica group or a parity group. */
    public boolean learnerHasFailed(int brick) {
        Long failed = learnersFailedNanos.get(brick);
        return failed != null && isRecent(failed);
    }

    private boolean isRecent(long failedNanos) {
        return our.env().nowNanos() - failedNanos < our.settings().avoidTargetNanos();
    }

    /** The number of migrations of a kind that copy from a brick. */
    public long from(MigrationKind kind, int brick) {
        return our.state().migrations().stream()
                .filter(order -> order.kind() == kind && order.source().brick() == brick)
                .count();
    }

    /** The number of migrations of a kind that copy to a brick. */
    public long to(MigrationKind kind, int brick) {
        return our.state().migrations().stream()
                .filter(order -> order.kind() == kind
                        && order.target().members().stream().anyMatch(member -> member.brick() == brick))
                .count();
    }

    /** The number of splits and merges that copy from a brick. */
    public long splitsFrom(int brick) {
        return from(MigrationKind.SPLIT, brick) + from(MigrationKind.MERGE, brick);
    }

    private long splitsTo(int brick) {
        return to(MigrationKind.SPLIT, brick) + to(MigrationKind.MERGE, brick);
    }

    /** Forgets migrations that ended without a report, and dropped tables. */
    @Override
    public void tick() {
        failures.keySet().removeIf(table -> our.state().table(table) == null);
        reservations.retainUnderWay(id -> our.state().migration(id) != null);
    }

    @Override
    public void onLeading() {
        reservations.clear();
        failures.clear();
        learnersFailedNanos.clear();
    }

    // ---- candidates

    /** The bricks that are up and not being drained, for a new partition of any table. */
    public List<Candidate> candidates() {
        return candidates(0, Integer.MAX_VALUE);
    }

    /**
     * The bricks that are up and not being drained, for a partition of a table. A brick is to be avoided if a migration
     * of the table to it failed lately.
     */
    List<Candidate> candidates(int table) {
        return candidates(table, Integer.MAX_VALUE);
    }

    private List<Candidate> candidates(int table, int splitsMost) {
        List<Candidate> candidates = new ArrayList<>();
        for (LiveBrick brick : bricks.all()) {
            int number = brick.number();
            if (bricks.get(number) != null && bricks.isUp(brick) && !our.state().drains(number)) {
                candidates.add(new Candidate(
                        number,
                        brick.incarnation(),
                        brick.bytes() + reservations.bytes(number),
                        our.state().memoryLimitBytes(number),
                        roomBytes(brick),
                        our.state().places(number),
                        hasFailed(table, number) || splitsTo(number) >= splitsMost,
                        brick.weight()));
            }
        }
        return candidates;
    }

    /** Bytes that new copies may take on a brick, whose memory has other things than records, too. */
    private long roomBytes(LiveBrick brick) {
        long copies = our.state().memoryLimitBytes(brick.number()) / 100 * COPIES_PERCENT;
        return copies - Math.max(brick.memoryUsedBytes(), brick.bytes()) - reservations.bytes(brick.number());
    }

    /**
     * The bricks that can take a column of a table with parity and need not be avoided.
     *
     * @param splitsMost a brick that takes so many splits is avoided
     */
    public List<Candidate> forColumn(int table, int splitsMost) {
        return candidates(table, splitsMost).stream()
                .filter(candidate -> !candidate.avoid())
                .toList();
    }

    private boolean hasFailed(int table, int brick) {
        Failure failure = failures.get(table);
        return failure != null && failure.target() == brick && isRecent(failure.nanos());
    }

    /**
     * The processes for the child of a partition that splits; empty when the split has to wait. A child has all its
     * copies from its beginning. A parent's group that lacks members gets them before the split.
     *
     * @param splitsMost a brick that takes so many splits is avoided
     */
    public List<Command.Host> forChild(TableMap table, int parent, int splitsMost) {
        int id = table.definition().id();
        Place place = our.state().place(id, parent);
        List<Candidate> candidates = candidates(id, splitsMost);
        if (!table.definition().isReplicated()) {
            Candidate target = Placement.forChild(candidates, place.brick());
            return target == null ? List.of() : List.of(target.host());
        }
        List<Candidate> members =
                Placement.forChildGroup(candidates, table.definition().replicas(), place.brick());
        return place.members().size() < members.size() || our.state().isGroupChanging(id, parent)
                ? List.of()
                : members.stream().map(Candidate::host).toList();
    }

    /**
     * The least loaded brick that has not failed lately and takes fewer than {@code movesMost} moves; null if there is
     * none.
     */
    public @Nullable Candidate forMove(int table, long movesMost) {
        return forMove(table, movesMost, brick -> true);
    }

    /** As {@link #forMove}, for a column: the brick holds no member of the column's parity group. */
    public @Nullable Candidate forMoveOfColumn(ParityGroup group, long movesMost) {
        return forMove(group.table().id(), movesMost, brick -> !group.isOn(brick));
    }

    private @Nullable Candidate forMove(int table, long movesMost, IntPredicate mayHold) {
        return Placement.forNewPartition(candidates(table).stream()
                .filter(candidate -> !candidate.avoid() && to(MigrationKind.MOVE, candidate.brick()) < movesMost)
                .filter(candidate -> mayHold.test(candidate.brick()))
                .toList());
    }
}
