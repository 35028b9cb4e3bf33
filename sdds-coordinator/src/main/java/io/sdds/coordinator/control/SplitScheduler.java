package io.sdds.coordinator.control;

import io.sdds.coordinator.control.Placement.Candidate;
import io.sdds.coordinator.state.Command;
import io.sdds.coordinator.state.Result;
import io.sdds.core.addressing.LinearHashing;
import io.sdds.core.control.ControlMessage.Heartbeat;
import io.sdds.core.control.ControlMessage.PartitionLoad;
import io.sdds.core.control.ControlMessage.SplitReport;
import io.sdds.core.control.ControlMessage.SplitState;
import io.sdds.core.control.ControlMessage.SplitWanted;
import io.sdds.core.model.Place;
import io.sdds.core.model.SplitOrder;
import io.sdds.core.model.TableKind;
import io.sdds.core.model.TableMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Split control: which split begins where, and what became of it, as of merges and moves. Each table splits by itself.
 */
final class SplitScheduler implements Reconciler {
    /*
     * Level-triggered: a heartbeat says what its brick wants and how its shippings stand, again and again; the state
     * says what was ordered; whatever differs leads to a proposal, and the state's own comparison makes a second one
     * harmless. So a new leader needs to know nothing.
     */
    /** Splits that a brick may ship, and as many that it may take. */
    private static final int BRICK_SPLITS_MAX = 8;

    /**
     * Beyond so many a brick has room only for the next split of a table that has none under way: no table shall keep
     * others from growing.
     */
    private static final int BRICK_SPLITS_SHARED = 4;

    private static final Logger log = LoggerFactory.getLogger(SplitScheduler.class);

    private final ControlContext our;
    private final BrickRegistry bricks;
    private final Reservations reservations = new Reservations();
    private final Set<Integer> tablesProposed = new TreeSet<>();
    private final Set<Long> streamsProposed = new TreeSet<>();
    private final Map<Integer, Failure> failures = new TreeMap<>();

    /** The split of a table that failed last. */
    private record Failure(int target, long nanos) {}

    SplitScheduler(ControlContext our, BrickRegistry bricks) {
        this.our = our;
        this.bricks = bricks;
    }

    void onHeartbeat(LiveBrick brick, Heartbeat heartbeat) {
        if (brick.knowsLoads()) {
            reservations.reported(brick.number(), heartbeat.mapVersion());
        }
        for (SplitReport report : heartbeat.splits()) {
            report(brick, report);
        }
        for (SplitWanted wanted : heartbeat.splitsWanted()) {
            want(brick, wanted);
        }
    }

    // ---- beginnings

    private void want(LiveBrick brick, SplitWanted wanted) {
        TableMap table = our.state().table(wanted.table());
        if (table == null || tablesProposed.contains(wanted.table())) {
            return;
        }
        if (table.definition().kind() == TableKind.RANGE) {
            wantRange(brick, wanted, table);
            return;
        }
        if (our.state().isMerging(wanted.table())) {
            return;
        }
        int partitions = our.state().partitionsOrdered(wanted.table());
        int n = LinearHashing.splitPointer(partitions);
        if (wanted.partition() != n
                || our.state().isMoving(wanted.table(), n)
                || !isAt(our.state().place(wanted.table(), n), brick)) {
            return; // the token is elsewhere: the brick's map is older or newer than ours
        }
        int underWay = partitions - table.partitions();
        int most = underWay == 0 ? BRICK_SPLITS_MAX : BRICK_SPLITS_SHARED;
        if (underWay >= table.definition().split().atOnceMost() || splitsFrom(brick.number()) >= most) {
            return;
        }
        Command begin = table.definition().isReplicated()
                ? ofGroup(table, partitions, candidates(wanted.table(), most))
                : ofOneCopy(table, partitions, Placement.forChild(candidates(wanted.table(), most), brick.number()));
        if (begin != null) {
            PartitionLoad parent = brick.load(wanted.table(), n);
            long movingBytes = parent == null ? 0 : parent.bytes() / 2;
            tablesProposed.add(wanted.table());
            our.log().propose(begin, result -> begun(wanted.table(), movingBytes, result));
        }
    }

    private static @Nullable Command ofOneCopy(TableMap table, int partitions, @Nullable Candidate target) {
        return target == null
                ? null
                : new Command.BeginSplit(table.definition().id(), partitions, target.brick(), target.incarnation());
    }

    /** The child has as many copies as it should before it is one; a group that lacks some itself gets those first. */
    private @Nullable Command ofGroup(TableMap table, int partitions, List<Candidate> candidates) {
        int id = table.definition().id();
        int n = LinearHashing.splitPointer(partitions);
        Place parent = our.state().place(id, n);
        List<Command.Host> hosts = childGroup(table, n, parent, candidates);
        return hosts.isEmpty() ? null : new Command.BeginGroupSplit(id, partitions, parent.epoch(), hosts);
    }

    private List<Command.Host> childGroup(TableMap table, int partition, Place parent, List<Candidate> candidates) {
        List<Candidate> members =
                Placement.forChildGroup(candidates, table.definition().replicas(), parent.brick());
        if (parent.members().size() < members.size()
                || our.state().isGroupChanging(table.definition().id(), partition)) {
            return List.of();
        }
        return members.stream()
                .map(member -> new Command.Host(member.brick(), member.incarnation()))
                .toList();
    }

    /** A partition of a range table splits by itself. */
    private void wantRange(LiveBrick brick, SplitWanted wanted, TableMap table) {
        int id = wanted.table();
        int parent = wanted.partition();
        if (!our.state().exists(id, parent)
                || our.state().isChanging(id, parent)
                || !isAt(our.state().place(id, parent), brick)) {
            return;
        }
        int underWay = our.state().splitsOf(id).size();
        int most = underWay == 0 ? BRICK_SPLITS_MAX : BRICK_SPLITS_SHARED;
        if (underWay >= table.definition().split().atOnce() || splitsFrom(brick.number()) >= most) {
            return;
        }
        Command begin = table.definition().isReplicated()
                ? ofRangeGroup(table, wanted, candidates(id, most))
                : ofRange(wanted, Placement.forChild(candidates(id, most), brick.number()));
        if (begin != null) {
            PartitionLoad load = brick.load(id, parent);
            long movingBytes = load == null ? 0 : load.bytes() / 2;
            tablesProposed.add(id);
            our.log().propose(begin, result -> begun(id, movingBytes, result));
        }
    }

    private static @Nullable Command ofRange(SplitWanted wanted, @Nullable Candidate target) {
        return target == null
                ? null
                : new Command.BeginRangeSplit(
                        wanted.table(), wanted.partition(), wanted.span(), target.brick(), target.incarnation());
    }

    private @Nullable Command ofRangeGroup(TableMap table, SplitWanted wanted, List<Candidate> candidates) {
        Place parent = our.state().place(wanted.table(), wanted.partition());
        List<Command.Host> hosts = childGroup(table, wanted.partition(), parent, candidates);
        return hosts.isEmpty()
                ? null
                : new Command.BeginRangeGroupSplit(
                        wanted.table(), wanted.partition(), wanted.span(), parent.epoch(), hosts);
    }

    private void begun(int table, long movingBytes, Result result) {
        tablesProposed.remove(table);
        if (result instanceof Result.SplitBegun(SplitOrder order)) {
            for (Place.Member member : order.target().members()) {
                reservations.add(order.stream(), member.brick(), movingBytes);
            }
            log.debug("split ordered: {}", order);
        } else {
            log.debug("no split of table {}: {}", table, result);
        }
    }

    // ---- endings

    private void report(LiveBrick brick, SplitReport report) {
        SplitOrder order = our.state().split(report.stream());
        if (order == null || streamsProposed.contains(report.stream())) {
            return;
        }
        // The parent's commit is the commit point, and it alone gives a child up; but a child that was handed over
        // knows
        // of it as well and may outlive the parent, and then its word is the only one left.
        if (isOfGroups(order)) {
            reportOfGroup(brick, report, order);
            return;
        }
        boolean source = isAt(order.source(), brick);
        boolean either = source || isAt(order.target(), brick);
        boolean mayGiveUp = source || either && !our.state().isCurrent(order.source());
        if (report.state() == SplitState.HANDED_OVER && either) {
            end(order, new Command.CommitSplit(order.stream()));
        } else if (report.state() == SplitState.ABANDONED && mayGiveUp) {
            if (source && !order.merge()) {
                failures.put(
                        order.table(),
                        new Failure(order.target().brick(), our.env().nowNanos()));
            }
            end(order, new Command.AbandonSplit(order.stream()));
        }
    }

    private boolean isOfGroups(SplitOrder order) {
        TableMap table = our.state().table(order.table());
        return table != null && table.definition().isReplicated();
    }

    /**
     * The parent's primary gives up for its epoch: the next one may know more. With the parent lost the child's members
     * have the word: one that was told serves, and it is over when none was.
     */
    private void reportOfGroup(LiveBrick brick, SplitReport report, SplitOrder order) {
        if (order.merge()) {
            reportOfGroupMerge(brick, report, order);
            return;
        }
        Place parent = our.state().place(order.table(), order.parent());
        boolean primary = isAt(parent, brick);
        boolean member = order.target().has(brick.number(), brick.incarnation());
        if (report.state() == SplitState.HANDED_OVER && (primary || member)) {
            end(order, new Command.CommitSplit(order.stream()));
        } else if (report.state() == SplitState.ABANDONED && primary) {
            end(order, new Command.AbandonGroupSplit(order.stream(), parent.epoch()));
        } else if (report.state() == SplitState.ABANDONED && parent.lost() && allGaveUp(order)) {
            end(order, new Command.AbandonSplit(order.stream()));
        }
    }

    /**
     * Over is a merge when the parent's group has committed that it takes; a member of the child's says so only when
     * the parent is lost, and what it handed over with it. The child's primary gives up for its epoch; with the child
     * lost the parent's does.
     */
    private void reportOfGroupMerge(LiveBrick brick, SplitReport report, SplitOrder order) {
        Place child = our.state().place(order.table(), order.child());
        Place parent = our.state().place(order.table(), order.parent());
        Place decides = child.lost() ? parent : child;
        boolean member = parent.has(brick.number(), brick.incarnation())
                || parent.lost() && child.has(brick.number(), brick.incarnation());
        if (report.state() == SplitState.HANDED_OVER && member) {
            end(order, new Command.CommitSplit(order.stream()));
        } else if (report.state() == SplitState.ABANDONED && isAt(decides, brick)) {
            end(order, new Command.AbandonGroupSplit(order.stream(), decides.epoch()));
        }
    }

    private boolean allGaveUp(SplitOrder order) {
        return order.target().members().stream()
                .filter(member -> our.state().isCurrent(member.brick(), member.incarnation()))
                .allMatch(member -> {
                    LiveBrick brick = bricks.get(member.brick());
                    return brick != null
                            && brick.splits().stream()
                                    .anyMatch(report -> report.stream() == order.stream()
                                            && report.state() == SplitState.ABANDONED);
                });
    }

    /** A move was ordered: so many bytes are on their way. */
    void reserve(SplitOrder order, long bytes) {
        reservations.add(order.stream(), order.target().brick(), bytes);
    }

    private void end(SplitOrder order, Command command) {
        streamsProposed.add(order.stream());
        our.log().propose(command, result -> ended(order, command, result));
    }

    private void ended(SplitOrder order, Command command, Result result) {
        streamsProposed.remove(order.stream());
        if (command instanceof Command.CommitSplit && result instanceof Result.Applied(long version)) {
            reservations.committed(order.stream(), version);
            failures.remove(order.table());
        } else if (result instanceof Result.Applied) {
            reservations.remove(order.stream());
            log.info("split given up: {}", order);
        }
    }

    /**
     * Forgets what was reserved for splits that ended without a word, and what was remembered of tables that are no
     * more.
     */
    @Override
    public void tick() {
        failures.keySet().removeIf(table -> our.state().table(table) == null);
        reservations.retainUnderWay(stream -> our.state().split(stream) != null);
    }

    @Override
    public void onLeading() {
        reservations.clear();
        tablesProposed.clear();
        streamsProposed.clear();
        failures.clear();
    }

    // ---- candidates

    private long splitsFrom(int brick) {
        return our.state().splits().stream()
                .filter(order -> !order.isMove() && order.source().brick() == brick)
                .count();
    }

    private long splitsTo(int brick) {
        return our.state().splits().stream()
                .filter(order -> !order.isMove()
                        && order.target().members().stream().anyMatch(member -> member.brick() == brick))
                .count();
    }

    /** The bricks that are up and not being drained, for a new partition of a table. */
    List<Candidate> candidates(int table) {
        return candidates(table, Integer.MAX_VALUE);
    }

    /** Those that take so many splits already are to be avoided. */
    private List<Candidate> candidates(int table, int splitsMost) {
        List<Candidate> candidates = new ArrayList<>();
        Failure failure = failures.get(table);
        for (LiveBrick brick : bricks.all()) {
            if (bricks.get(brick.number()) != null
                    && bricks.isUp(brick)
                    && !our.state().drains(brick.number())) {
                candidates.add(new Candidate(
                        brick.number(),
                        brick.incarnation(),
                        brick.bytes() + reservations.bytes(brick.number()),
                        our.state().memoryLimitBytes(brick.number()),
                        our.state().places(brick.number()),
                        failure != null && failure.target() == brick.number() && isRecent(failure)
                                || splitsTo(brick.number()) >= splitsMost));
            }
        }
        return candidates;
    }

    private boolean isRecent(Failure failure) {
        return our.env().nowNanos() - failure.nanos() < our.settings().avoidTargetNanos();
    }

    static boolean isAt(Place place, LiveBrick brick) {
        return place.brick() == brick.number() && place.incarnation() == brick.incarnation();
    }
}
