package io.sdds.brick.group;

import io.sdds.brick.partition.Partition;
import io.sdds.core.model.Place.Member;
import io.sdds.core.node.Link;
import java.util.List;

/**
 * Rounds in which a member without a lease asks all others whether the epoch is as it was (docs/design/groups.md, rule
 * 11). A read waits for a round that began after it came; so one round is under way at a time, and the next is for all
 * reads that have come meanwhile.
 */
final class ReadIndexRound {

    /** Instead of a round: what needs none. */
    static final long NONE = -1;

    private final Groups groups;
    private final Partition partition;

    /** The last round begun, and the last that is over. */
    private long round;

    private long over;
    private boolean underWay;

    /** Who has confirmed the round under way: a bit a member. */
    private int confirmed;

    ReadIndexRound(Groups groups, Partition partition) {
        this.groups = groups;
        this.partition = partition;
    }

    /** The round that a read which comes now waits for. */
    long next() {
        return round + 1;
    }

    boolean isOver(long inRound) {
        return inRound == NONE || inRound <= over;
    }

    boolean isUnderWay() {
        return underWay;
    }

    /** Another epoch begins: what was asked in an earlier one counts no more. */
    void end() {
        underWay = false;
    }

    void begin(long epoch, List<Member> members) {
        round++;
        underWay = true;
        confirmed = 0;
        ask(epoch, members);
    }

    /** Asks the others, for the first time or again. */
    void ask(long epoch, List<Member> members) {
        for (Member member : members) {
            Link link = member.equals(groups.self()) ? null : groups.link(member);
            if (link != null) {
                GroupFrame.confirm(link, partition, epoch, round);
                groups.touched(link);
            }
        }
    }

    /** A member has confirmed a round; whether that is over by it. */
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
