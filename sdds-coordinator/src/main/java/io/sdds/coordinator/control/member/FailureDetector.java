package io.sdds.coordinator.control.member;

import io.sdds.coordinator.control.base.ControlContext;
import io.sdds.coordinator.control.base.Reconciler;
import io.sdds.coordinator.state.Command;
import io.sdds.coordinator.state.ParityGroup;
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

/**
 * Decides how long each brick may answer reads, which bricks count as dead, and which members continue a replica group.
 * {@link io.sdds.coordinator.control.parity.ParityReconciler} decides about the members of parity groups.
 */
public final class FailureDetector implements Reconciler {
    /*
     * docs/design/coordinator.md, rules 9 and 10, and groups.md, rule 4. A brick answers reads under a lease. The lease
     * comes with the answer to a heartbeat, and the brick counts it from the sending of this heartbeat. A member is
     * removed when its brick has been quiet for longer than any granted lease can last, by any clock. From the decision
     * on, the brick gets no lease until the answer can carry the map that contains the decision. So the removed member
     * serves no reads when the other members begin the next epoch.
     *
     * A process that is known to have ended answers no reads, so it counts as quiet at once. The program that started a
     * process tells that, or the process itself when it serves no more. The word counts once the link of the process
     * has broken, too, so a wrong word about a process that lives and is connected does no harm.
     *
     * Quiet time is added up tick by tick, and no tick counts for more than its planned length. So a clock that leaps
     * ahead, or a coordinator that was stopped for a while, declares no brick dead. A new leader begins to count at
     * zero.
     *
     * The last members of a group are never removed: when all are quiet, the coordinator waits for all. Nor does it
     * remove a quiet member in favour of members that are about to be quiet themselves, because if those are dead, the
     * quiet member has the last copy. So one of the remaining members must have been heard lately, over a link that has
     * not broken since. Until then the coordinator waits.
     *
     * A group goes on without a leaving member when this member has given its copy up and one of the remaining members
     * has been heard since the order to leave. A remaining member that was only heard before the order may be dead. If
     * it is removed, the order is void with the next epoch, and the leaving member keeps its copy, even if it is alone.
     */
    private static final int CHANGES_MAX = 1000;

    private static final long NANOS_PER_MILLI = 1_000_000L;
    private static final Logger log = LoggerFactory.getLogger(FailureDetector.class);

    private final ControlContext our;
    private final LeaseLength leases;
    private final long tickNanos;

    /** Time without heartbeats while this coordinator leads, by brick. */
    private final Map<Integer, Long> quietNanos = new TreeMap<>();

    /** Bricks whose links have broken since their last heartbeat. */
    private final Set<Integer> cutOff = new TreeSet<>();

    /** The map version that each brick knew at its last heartbeat. */
    private final Map<Integer, Long> known = new TreeMap<>();

    /** Bricks whose next process is being registered, so that the present process gets no lease any more. */
    private final Set<Integer> beingReplaced = new TreeSet<>();

    /** Bricks that have given copies up while their groups have not gone on without them yet. */
    private final Set<LiveBrick> leaving = new LinkedHashSet<>();

    private long tickedNanos;
    private boolean proposed;

    /** Whether a change of parity groups is proposed that removes members which are quiet. */
    private boolean parityGroupsChange;

    public FailureDetector(ControlContext our, long tickNanos) {
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
        parityGroupsChange = false;
    }

    /**
     * A heartbeat of a brick's present process has come. The heartbeat comes too late if the brick is being removed.
     */
    void heard(int brick, long mapVersion) {
        cutOff.remove(brick);
        known.put(brick, mapVersion);
        boolean isLeftBehind = (proposed || parityGroupsChange) && isQuiet(brick) || beingReplaced.contains(brick);
        if (!isLeftBehind) {
            quietNanos.put(brick, 0L);
        }
    }

    /** A brick's link has broken, so its process may be gone. */
    public void lostLink(int brick) {
        cutOff.add(brick);
        removeIfEnded(brick);
    }

    /** A brick's present process is known to have ended: its groups go on without it, unless its link stands. */
    void removeIfEnded(int brick) {
        if (hasEnded(brick) && !proposed) {
            removeQuiet();
        }
    }

    private boolean hasEnded(int brick) {
        return cutOff.contains(brick) && our.state().hasEnded(brick);
    }

    /**
     * The lease of a brick that has just sent a heartbeat; 0 if the brick may not answer reads, because the next map
     * may not contain it.
     */
    long leaseMillis(int brick) {
        return isQuiet(brick) || beingReplaced.contains(brick) ? 0 : leases.millis();
    }

    /** Whether a brick's process has ended, or was silent for so long that it holds no lease any more. */
    private boolean isQuiet(int brick) {
        return hasEnded(brick) || quietNanos.getOrDefault(brick, 0L) >= leases.silenceNanos();
    }

    /** Whether a brick's present process was heard so lately that quiet members may be removed in its favour. */
    private boolean lives(int brick) {
        return !cutOff.contains(brick)
                && quietNanos.getOrDefault(brick, 0L) < our.settings().livingNanos();
    }

    /**
     * Whether a process counts as gone: it answers no reads any more, because a later process of its brick has
     * registered, or because no lease of its brick can be in force.
     */
    public boolean isGone(Place.Member process) {
        return !our.state().isCurrent(process.brick(), process.incarnation()) || isQuiet(process.brick());
    }

    /** Whether a process was heard so lately that quiet processes may be removed in its favour. */
    public boolean lives(Place.Member process) {
        return our.state().isCurrent(process.brick(), process.incarnation()) && lives(process.brick());
    }

    /**
     * A change of parity groups was proposed, or has ended. Until the end quiet bricks get no lease, because the change
     * may be committed at any moment.
     */
    public void parityGroupsChange(boolean now) {
        parityGroupsChange = now;
    }

    /** Whether another process may take a brick's name, because the process before answers no reads any more. */
    boolean mayBeReplaced(int brick) {
        return isQuiet(brick) || !our.state().isInGroup(brick);
    }

    /**
     * The registration of another process in a brick's name was proposed, or has ended. Until the end the present
     * process gets no lease, because the registration may be committed at any moment.
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

    /** The time until another process may take a brick's name. */
    long waitMillis(int brick) {
        return Math.max(1, (leases.silenceNanos() - quietNanos.getOrDefault(brick, 0L)) / NANOS_PER_MILLI);
    }

    /**
     * Takes the copies that a brick has given up because it was ordered to leave. The brick answers no requests from
     * these copies, so the group need not wait for the end of its lease.
     */
    public void onHeartbeat(LiveBrick brick) {
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

    /** Lets groups go on without the members that have left. */
    private void goOn() {
        List<Command.GroupChange> changes = new ArrayList<>();
        if (!proposed) {
            leaving.removeIf(brick -> !goOnWithout(brick, changes));
        }
        propose(changes);
    }

    /**
     * Adds the changes of the groups that can go on without a brick. Returns whether some group still has the brick as
     * a member although the brick has given up its copy.
     */
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

    /** Whether another member lives and was heard since the order to leave. */
    private boolean oneStays(int table, int partition, int leaver) {
        long since = our.state().leaveSince(table, partition);
        return our.state().place(table, partition).members().stream()
                .map(Place.Member::brick)
                .anyMatch(brick -> brick != leaver && lives(brick) && known.getOrDefault(brick, -1L) >= since);
    }

    /** Adds up quiet time, and removes quiet members from groups that can go on without them. */
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
            int id = table.definition().id();
            int partitions = our.state().isReplicated(id) ? table.partitions() : 0;
            for (int a = 0; a < partitions && changes.size() < CHANGES_MAX; a++) {
                if (!our.state().standsOnParity(id, a)) {
                    removeQuiet(changes, id, a);
                }
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
                if (!(result instanceof Result.Rejected)) { // a log that no longer leads would reject again at once
                    goOn(); // does not wait for the next heartbeat, which is a fifth of a second away
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
        spreadPrimaries(left, table, partition);
        if (!left.isEmpty() && left.size() < place.members().size()) {
            changes.add(new Command.GroupChange(table, partition, place.epoch(), left));
        }
    }

    /**
     * Chooses the next primary of a partition whose table is being converted to parity. A member that would share its
     * brick with another primary of the parity group leads only if all other members would, too.
     */
    private void spreadPrimaries(List<Command.Host> left, int table, int partition) {
        TableMap map = our.state().table(table);
        if (map == null || !map.definition().isConvertingToParity() || left.isEmpty()) {
            return;
        }
        ParityGroup group =
                our.state().parityGroup(table, map.definition().parity().group(partition));
        Command.Host stays = left.getFirst();
        boolean changes = stays.brick() != group.column(partition).brick();
        if (changes && group.hasOtherPrimaryOn(partition, stays.brick())) {
            left.stream()
                    .filter(host -> !group.hasOtherPrimaryOn(partition, host.brick()))
                    .findFirst()
                    .ifPresent(host -> {
                        left.remove(host);
                        left.addFirst(host);
                    });
        }
    }

    /**
     * Gives the member that joined last the position of the leaving member, because it joined in its place. So each
     * brick leads as many groups as before.
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
