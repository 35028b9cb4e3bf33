package io.sdds.coordinator.control;

import io.sdds.coordinator.state.Command;
import io.sdds.coordinator.state.Result;
import io.sdds.core.control.ControlMessage.PartitionLoad;
import io.sdds.core.model.BrickInfo;
import io.sdds.core.model.LeaveOrder;
import io.sdds.core.model.Place;
import io.sdds.core.model.TableMap;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Replica groups: who may answer reads for how long, who is counted dead, and which members go on. */
final class FailureDetector implements Reconciler {
    /*
     * docs/design/coordinator.md, rules 9 and 10, and groups.md, rule 4. A brick answers reads under a lease, which
     * comes with the answer to a heartbeat and is counted from that heartbeat's sending. A member is removed when its
     * brick has been quiet for longer than any lease that it was granted can last, whatever its clock and this one do;
     * and it is granted none from the moment this is decided on until the map that says so is there to go with the
     * grant. So it serves no more when the others begin the next epoch.
     *
     * Quiet time is added up tick by tick, and no tick counts for more than it should take: a clock that leaps ahead,
     * or a coordinator that was stopped for a while, declares nobody dead. A new leader begins to count anew.
     *
     * The last members of a group are never removed: when all are quiet, all are waited for. Nor is a quiet one removed
     * in favour of others that are about to be quiet themselves: if they are dead, it has the last copy. So one of
     * those that stay must have been heard lately, over a link that has not broken since; until one is, all are waited
     * for.
     *
     * A group goes on without a member that was to leave when that has given its copy up, and one of those that stay
     * has been heard since the order. That one may be dead for all that was heard before; then the order is void with
     * the next epoch, and the one that was to leave goes on with its copy, be it alone.
     */
    private static final int CHANGES_MAX = 1000;

    private static final long NANOS_PER_MILLI = 1_000_000L;
    private static final Logger log = LoggerFactory.getLogger(FailureDetector.class);

    private final ControlContext our;
    private final LeaseLength leases;
    private final long tickNanos;

    /** By brick: for how long nothing was heard of it while this coordinator leads. */
    private final Map<Integer, Long> quietNanos = new TreeMap<>();

    /** Bricks whose links have broken since they were heard last. */
    private final Set<Integer> cutOff = new TreeSet<>();

    /** By brick: the map version that it knew when it was heard last. */
    private final Map<Integer, Long> known = new TreeMap<>();

    /** Bricks whose next process is being registered: the present one gets no lease any more. */
    private final Set<Integer> beingReplaced = new TreeSet<>();

    /** Bricks that have given copies up, whose groups have not gone on without them yet. */
    private final Set<LiveBrick> leaving = new LinkedHashSet<>();

    private long tickedNanos;
    private boolean proposed;

    FailureDetector(ControlContext our, long tickNanos) {
        this.our = our;
        this.leases = new LeaseLength(our);
        this.tickNanos = tickNanos;
    }

    @Override
    public void onLeading() {
        quietNanos.clear();
        cutOff.clear();
        known.clear();
        beingReplaced.clear();
        leaving.clear();
        leases.onLeading();
        tickedNanos = our.env().nowNanos();
        proposed = false;
    }

    /** A brick's present process was heard: too late, if it is being removed. */
    void heard(int brick, long mapVersion) {
        cutOff.remove(brick);
        known.put(brick, mapVersion);
        boolean isLeftBehind = proposed && isQuiet(brick) || beingReplaced.contains(brick);
        if (!isLeftBehind) {
            quietNanos.put(brick, 0L);
        }
    }

    /** A brick's link has broken: its process may be gone. */
    void lostLink(int brick) {
        cutOff.add(brick);
    }

    /**
     * For how long a brick that has just been heard may answer reads; 0: it may not, since the next map may be one
     * without it.
     */
    long leaseMillis(int brick) {
        return isQuiet(brick) || beingReplaced.contains(brick) ? 0 : leases.millis();
    }

    /** Whether so little was heard of a brick that it holds no lease any more. */
    private boolean isQuiet(int brick) {
        return quietNanos.getOrDefault(brick, 0L) >= leases.silenceNanos();
    }

    /** Whether a brick's present process was heard so lately that others may be left behind for it. */
    private boolean lives(int brick) {
        return !cutOff.contains(brick)
                && quietNanos.getOrDefault(brick, 0L) < our.settings().livingNanos();
    }

    /** Whether another process may take a brick's name: the one before answers no reads any more. */
    boolean mayBeReplaced(int brick) {
        return isQuiet(brick) || !our.state().isInGroup(brick);
    }

    /**
     * Another process's registration in a brick's name was proposed, or has ended. Until it has, the present process
     * gets no lease, since the registration may be committed at any moment.
     */
    void beingReplaced(int brick, boolean now) {
        if (now) {
            beingReplaced.add(brick);
        } else {
            beingReplaced.remove(brick);
        }
    }

    boolean isBeingReplaced(int brick) {
        return beingReplaced.contains(brick);
    }

    /** For how long it has to wait for that. */
    long waitMillis(int brick) {
        return Math.max(1, (leases.silenceNanos() - quietNanos.getOrDefault(brick, 0L)) / NANOS_PER_MILLI);
    }

    /**
     * A brick says which of its copies it has given up, since it was to leave: it answers nothing by them, and needs no
     * fence.
     */
    void onHeartbeat(LiveBrick brick) {
        if (brick.givenUp().stream().anyMatch(load -> hasLeft(brick, load))) {
            leaving.add(brick);
        }
        goOn();
    }

    private boolean hasLeft(LiveBrick brick, PartitionLoad load) {
        TableMap table = load.level() == PartitionLoad.GIVEN_UP ? our.state().table(load.table()) : null;
        if (table == null || load.partition() >= table.partitions()) {
            return false;
        }
        Place place = our.state().place(load.table(), load.partition());
        return place.has(brick.number(), brick.incarnation()) && place.epoch() == load.epoch();
    }

    /** Groups go on without the members that have left. */
    private void goOn() {
        List<Command.GroupChange> changes = new ArrayList<>();
        if (!proposed) {
            leaving.removeIf(brick -> !goOnWithout(brick, changes));
        }
        propose(changes);
    }

    /** False when all groups of which it has given up its copy have gone on. */
    private boolean goOnWithout(LiveBrick brick, List<Command.GroupChange> changes) {
        boolean left = false;
        for (PartitionLoad load : brick.givenUp()) {
            if (hasLeft(brick, load)) {
                left = true;
                if (oneStays(load.table(), load.partition(), brick.number())) {
                    addChange(changes, load.table(), load.partition(), member -> member.brick() != brick.number());
                }
            }
        }
        return left;
    }

    /** Whether another member was heard since the order to leave. */
    private boolean oneStays(int table, int partition, int leaver) {
        long since = our.state().leaveSince(table, partition);
        return our.state().place(table, partition).members().stream()
                .map(Place.Member::brick)
                .anyMatch(brick -> brick != leaver && lives(brick) && known.getOrDefault(brick, -1L) >= since);
    }

    /** Counts, and removes the members that have been quiet for too long where others go on. */
    @Override
    public void tick() {
        long now = our.env().nowNanos();
        long passed = Math.min(now - tickedNanos, tickNanos);
        tickedNanos = now;
        leases.tick(passed);
        boolean anyQuiet = false;
        for (BrickInfo brick : our.state().bricks()) {
            quietNanos.merge(brick.number(), passed, Long::sum);
            anyQuiet |= isQuiet(brick.number());
        }
        if (anyQuiet && !proposed) {
            removeQuiet();
        }
    }

    private void removeQuiet() {
        List<Command.GroupChange> changes = new ArrayList<>();
        for (TableMap table : our.state().tables()) {
            int partitions = table.definition().isReplicated() ? table.partitions() : 0;
            for (int a = 0; a < partitions && changes.size() < CHANGES_MAX; a++) {
                removeQuiet(changes, table.definition().id(), a);
            }
        }
        propose(changes);
    }

    private void removeQuiet(List<Command.GroupChange> changes, int table, int partition) {
        List<Place.Member> members = our.state().place(table, partition).members();
        if (members.stream().anyMatch(member -> lives(member.brick()))) {
            addChange(changes, table, partition, member -> !isQuiet(member.brick()));
        }
    }

    private void propose(List<Command.GroupChange> changes) {
        if (!changes.isEmpty() && !proposed) {
            proposed = true;
            log.warn("{} replica groups go on without members that are silent or have left", changes.size());
            our.log().propose(new Command.ChangeGroups(changes), result -> {
                proposed = false;
                if (!(result instanceof Result.Rejected)) { // a log that leads no more rejects at once, again and again
                    goOn(); // the next heartbeat is a fifth of a second away
                }
            });
        }
    }

    private void addChange(List<Command.GroupChange> changes, int table, int partition, Predicate<Place.Member> stays) {
        Place place = our.state().place(table, partition);
        List<Command.Host> left = new ArrayList<>();
        for (Place.Member member : place.members()) {
            if (stays.test(member)) {
                left.add(new Command.Host(member.brick(), member.incarnation()));
            }
        }
        takeRole(left, place, our.state().leave(table, partition));
        if (!left.isEmpty() && left.size() < place.members().size()) {
            changes.add(new Command.GroupChange(table, partition, place.epoch(), left));
        }
    }

    /**
     * Who came last came for the one that leaves, and takes its place in the order: so the bricks lead as many groups
     * as before.
     */
    private static void takeRole(List<Command.Host> left, Place place, @Nullable LeaveOrder leave) {
        if (leave != null
                && !left.contains(
                        new Command.Host(leave.leaver().brick(), leave.leaver().incarnation()))) {
            int role = place.members().indexOf(leave.leaver());
            if (role < left.size() - 1) {
                left.add(role, left.removeLast());
            }
        }
    }
}
