package io.sdds.coordinator.control;

import io.sdds.coordinator.state.Command;
import io.sdds.core.model.Place;
import io.sdds.core.model.Place.Member;
import io.sdds.core.model.TableMap;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The second half of a move: a group that has more members than its table asks for, since one has joined in another's place, has one leave. */
final class LeaveDesk {
    /*
     * A member that is removed while it lives could go on answering reads by its lease (protocols.md in the design, rule 9). So it is told first, gives its copy up and says so, as one does that has no memory for what was
     * decided; only then the group goes on without it (GroupDesk). From the order on it does not count as one that could go on alone. The order names its epoch and is void in any other; so the loss of a member
     * takes it back, if the one that was to leave has not heard of it yet.
     */
    private static final int ORDERED_A_TICK = 16;
    private static final Logger log = LoggerFactory.getLogger(LeaveDesk.class);

    private final Coordination our;
    private final BrickDesk bricks;
    private int proposed;

    LeaveDesk(Coordination our, BrickDesk bricks) {
        this.our = our;
        this.bricks = bricks;
    }

    void onLeading() {
        proposed = 0;
    }

    void tick() {
        if (proposed > 0) {
            return;
        }
        for (TableMap table : our.state().tables()) {
            int replicas = table.definition().replicas();
            int partitions = table.definition().isReplicated() ? table.partitions() : 0;
            for (int a = 0; a < partitions && proposed < ORDERED_A_TICK; a++) {
                Place place = our.state().place(table.definition().id(), a);
                if (place.members().size() > replicas
                        && !our.state().isChanging(table.definition().id(), a)
                        && !our.state().isGroupChanging(table.definition().id(), a)) {
                    order(table.definition().id(), a, place);
                }
            }
        }
    }

    private void order(int table, int partition, Place place) {
        Member leaver = leaver(place);
        if (leaver == null) {
            return;
        }
        proposed++;
        Command.Host host = new Command.Host(leaver.brick(), leaver.incarnation());
        our.log().propose(new Command.BeginLeave(table, partition, place.epoch(), host), result -> {
            proposed--;
            log.info("brick {} leaves the group of table {} partition {}: {}", host.brick(), table, partition, result);
        });
    }

    /** One whose brick is being drained, else of those who were there before the last one came the one on the fullest brick; null while another is not heard, which may be the one to go. */
    private @Nullable Member leaver(Place place) {
        List<Member> members = place.members();
        if (!members.stream().allMatch(this::isUp)) {
            return null;
        }
        for (Member member : members) {
            if (our.state().drains(member.brick())) {
                return member;
            }
        }
        Balance balance = new Balance(our, bricks);
        return members.subList(0, members.size() - 1).stream()
                .max(Comparator.comparingDouble(member -> balance.share(member.brick())))
                .orElse(null);
    }

    private boolean isUp(Member member) {
        LiveBrick brick = bricks.get(member.brick());
        return brick != null && bricks.isUp(brick);
    }
}
