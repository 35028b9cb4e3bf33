package io.sdds.coordinator.control.schedule;

import io.sdds.coordinator.control.base.ControlContext;
import io.sdds.coordinator.control.base.Reconciler;
import io.sdds.coordinator.control.member.BrickRegistry;
import io.sdds.coordinator.control.member.LiveBrick;
import io.sdds.coordinator.control.parity.TableConversions;
import io.sdds.coordinator.control.placement.Balance;
import io.sdds.coordinator.state.Command;
import io.sdds.core.control.ControlMessage.PartitionLoad;
import io.sdds.core.model.Place;
import io.sdds.core.model.Place.Member;
import io.sdds.core.model.TableMap;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Orders living members to leave their groups, in three cases. First, a group has more members than its table asks for,
 * because a member has joined in another's place, the second half of a move, or because the table was altered to have
 * fewer replicas. Second, a primary waits in vain for the votes of a member, though the coordinator hears both: then
 * the one that most bricks miss leaves. Third, a member has no memory for the next entry of its group's log, and other
 * members have.
 */
public final class MembershipReconciler implements Reconciler {
    /*
     * A member that is removed while it lives could go on answering reads under its lease (docs/design/coordinator.md,
     * rule 9). So the member gets an order first, gives its copy up and reports this. Only then the group goes on
     * without it (FailureDetector). From the order on, the member does not count as a member that could go on alone.
     * The order names its epoch and is void in any other epoch. So the loss of another member cancels the order, if the
     * leaving member has not heard of it yet.
     *
     * Also by rule 9: bricks that cannot reach each other but reach the coordinator would wait for ever. Each brick
     * reports the bricks that it misses. Among a primary and the members that it misses, the one that most bricks miss
     * leaves; with equal counts the later one in the group's order. The counts begin anew in the next epoch.
     */
    private static final int ORDERED_A_TICK = 16;
    private static final Logger log = LoggerFactory.getLogger(MembershipReconciler.class);

    private final ControlContext our;
    private final BrickRegistry bricks;
    private final TableConversions conversions;
    private int proposed;

    public MembershipReconciler(ControlContext our, BrickRegistry bricks, TableConversions conversions) {
        this.conversions = conversions;
        this.our = our;
        this.bricks = bricks;
    }

    @Override
    public void onLeading() {
        proposed = 0;
    }

    @Override
    public void tick() {
        if (proposed > 0) {
            return;
        }
        boolean anyTrouble = bricks.all().stream().anyMatch(brick -> brick.missesAny() || brick.anyStuck());
        for (TableMap table : our.state().tables()) {
            int id = table.definition().id();
            int partitions = our.state().isReplicated(id) ? table.partitions() : 0;
            for (int a = 0; a < partitions && proposed < ORDERED_A_TICK; a++) {
                if ((anyTrouble || hasTooMany(table, a)) && !our.state().standsOnParity(id, a)) {
                    look(table, a);
                }
            }
        }
    }

    private boolean hasTooMany(TableMap table, int partition) {
        Place place = our.state().place(table.definition().id(), partition);
        return place.backups().size() >= table.definition().replicas();
    }

    private void look(TableMap table, int partition) {
        int id = table.definition().id();
        Place place = our.state().place(id, partition);
        if (our.state().leave(id, partition) != null
                || !place.members().stream().allMatch(this::isUp)) {
            return; // the member that is down may be the one to remove
        }
        Member obstacle = missed(place);
        obstacle = obstacle == null ? stuck(id, partition, place) : obstacle;
        if (obstacle != null) {
            order(id, partition, place, obstacle, true);
        } else if (place.members().size() > table.definition().replicas()
                && !our.state().isChanging(id, partition)
                && !our.state().isGroupChanging(id, partition)) {
            order(id, partition, place, leaver(table, partition), false);
        }
    }

    private void order(int table, int partition, Place place, Member leaver, boolean missed) {
        proposed++;
        Command.Host host = new Command.Host(leaver.brick(), leaver.incarnation());
        our.log().propose(new Command.BeginLeave(table, partition, place.epoch(), host, missed), result -> {
            proposed--;
            log.info(
                    "brick {} leaves the group of table {} partition {}{}: {}",
                    host.brick(),
                    table,
                    partition,
                    missed ? ", which can't go on with it" : "",
                    result);
        });
    }

    /** The member that must leave so that the group can go on; null when the primary misses no member. */
    private @Nullable Member missed(Place place) {
        LiveBrick primary = bricks.get(place.brick());
        if (primary == null || place.members().stream().noneMatch(member -> primary.misses(member.brick()))) {
            return null;
        }
        Member most = null;
        long mostMiss = 0;
        for (Member member : place.members()) {
            long miss = bricks.all().stream()
                    .filter(brick -> bricks.isUp(brick) && brick.misses(member.brick()))
                    .count();
            boolean isConcerned = member.brick() == primary.number() || primary.misses(member.brick());
            if (isConcerned && miss > 0 && miss >= mostMiss) {
                most = member;
                mostMiss = miss;
            }
        }
        return most;
    }

    /**
     * A member without memory for the next entry of the group's log, if another member has memory; else null. The
     * primary always has.
     */
    private @Nullable Member stuck(int table, int partition, Place place) {
        Member stuck = null;
        boolean others = false;
        for (Member member : place.members()) {
            LiveBrick brick = bricks.get(member.brick());
            PartitionLoad load = brick == null ? null : brick.load(table, partition);
            if (load != null && load.level() == PartitionLoad.STUCK) {
                stuck = member;
            } else {
                others |= load != null && load.level() != PartitionLoad.GIVEN_UP;
            }
        }
        return others ? stuck : null;
    }

    /**
     * A member whose brick is being drained. Without such a member: the member that is in the way of parities, or else
     * the member on the fullest brick, except the member that joined last.
     */
    private Member leaver(TableMap table, int partition) {
        List<Member> members =
                our.state().place(table.definition().id(), partition).members();
        for (Member member : members) {
            if (our.state().drains(member.brick())) {
                return member;
            }
        }
        Member inTheWay = conversions.inTheWay(table, partition);
        if (inTheWay != null) {
            return inTheWay;
        }
        Balance balance = new Balance(our, bricks, id -> false, group -> false);
        return members.subList(0, members.size() - 1).stream()
                .max(Comparator.comparingDouble(member -> balance.share(member.brick())))
                .orElseThrow();
    }

    private boolean isUp(Member member) {
        LiveBrick brick = bricks.get(member.brick());
        return brick != null && bricks.isUp(brick);
    }
}
