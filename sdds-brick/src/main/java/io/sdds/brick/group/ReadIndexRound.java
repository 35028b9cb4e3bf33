package io.sdds.brick.group;

import io.sdds.brick.partition.Partition;
import io.sdds.core.model.Place.Member;
import io.sdds.core.node.Link;
import java.util.List;

/**
 * Rounds in which a member without a lease asks all other members to confirm that the epoch still holds
 * (docs/design/groups.md, rule 11). A read waits for a round that began after the read came. One round is under way at
 * a time. The next round serves all reads that have come meanwhile.
 */
public final class ReadIndexRound {

    /** Stands for a round where no round is needed. */
    public static final long NONE = -1;

    private final Groups groups;
    private final Partition partition;

    /** The last round that has begun. */
    private long round;

    /** The last round that all members have confirmed. */
    private long over;

    private boolean underWay;

    /** The members that have confirmed the round under way: one bit for each member. */
    private int confirmed;

    ReadIndexRound(Groups groups, Partition partition) {
        this.groups = groups;
        this.partition = partition;
    }

    /** The round for which a read that comes now waits. */
    long next() {
        return round + 1;
    }

    boolean isOver(long inRound) {
        return inRound == NONE || inRound <= over;
    }

    boolean isUnderWay() {
        return underWay;
    }

    /** Ends the round under way, because another epoch begins. */
    void end() {
        underWay = false;
    }

    void begin(long epoch, List<Member> members) {
        round++;
        underWay = true;
        confirmed = 0;
        ask(epoch, members);
    }

    /** Asks the other members, for the first time or again. */
    void ask(long epoch, List<Member> members) {
        for (Member member : members) {
            Link link = member.equals(groups.self()) ? null : groups.link(member);
            if (link != null) {
                GroupFrame.confirm(link, partition, groups.columnsAt(partition, member), epoch, round);
                groups.touched(link);
            }
        }
    }

    /** Takes a member's confirmation of a round; returns whether the round is over now. */
    boolean confirmed(long ofRound, Member from, List<Member> members) {
        if (!underWay || ofRound != round || !members.contains(from)) {
            return false;
        }
        confirmed |= 1 << members.indexOf(from);
        if (Integer.bitCount(confirmed) < members.size() - 1) {
            return false;
        }
        over = round;
        underWay = false;
        return true;
    }
}
