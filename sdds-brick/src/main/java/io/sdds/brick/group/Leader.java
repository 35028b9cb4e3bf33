package io.sdds.brick.group;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.map.BrickMap;
import io.sdds.core.model.Place.Member;
import io.sdds.core.node.Link;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The side of the member that leads a group. Sends the log to the other members, and counts the members' votes. */
public final class Leader {
    /** Most bytes of entries in a frame. A longer entry gets a frame of its own. */
    private static final int FRAME_BYTES = 128 << 10;

    /** Entries without a vote after so many ticks are sent again: the member may not have had the partition yet. */
    private static final int TICKS_TO_REPEAT = 5;

    /**
     * A member that has voted for nothing new for so many ticks, 2 s, is reported as missed. By default the coordinator
     * removes a silent member sooner than that.
     */
    private static final int TICKS_TO_MISS = 20;

    /**
     * Under a steady load a learner may always be a round trip behind, because entries are committed without its vote.
     * So when it has not caught up for so many ticks, and has followed the log meanwhile, commits wait for its vote.
     */
    private static final int TICKS_TO_AWAIT = 10;

    /** So many ticks later commits wait no longer, if the learner has still not caught up. */
    private static final int TICKS_AWAITED = 5;

    private final Groups groups;
    private final MemberLog owner;
    private final GroupLog log;
    private List<MemberProgress> others = new ArrayList<>();

    /** The last entry of the log when the epoch began. Members cut off entries of earlier primaries behind it. */
    private long start;

    private int ticks;

    public Leader(Groups groups, MemberLog owner) {
        this.groups = groups;
        this.owner = owner;
        this.log = owner.log();
    }

    /** An epoch begins, in which no member has voted yet. */
    public void begin(List<Member> members) {
        start = log.last();
        others = new ArrayList<>();
        for (Member id : members) {
            if (!id.equals(groups.self())) {
                others.add(new MemberProgress(id, columnsAt(id)));
            }
        }
        owner.dirty();
    }

    public void end() {
        others = new ArrayList<>();
    }

    /** The last entry that every voting member has, in the log of this epoch. */
    public long votedByAll() {
        long all = log.last();
        for (int k = 0; k < others.size(); k++) {
            MemberProgress member = others.get(k);
            if (member.voteCounts || member.isAwaited) {
                all = member.hasVoted ? Math.min(all, member.match) : 0;
            }
        }
        return all;
    }

    /**
     * Whether each member has voted in this epoch for all entries that the log had when the epoch began. Only then the
     * member has cut off the other entries of earlier primaries. Before that a later epoch could find these entries in
     * the member's log.
     */
    public boolean isFollowedByAll() {
        return others.stream().allMatch(member -> !member.voteCounts || member.hasVoted && member.match >= start);
    }

    /** Bytes of entries that may be uncommitted: the smallest credit of all voting members. */
    int credit() {
        int credit = Groups.CREDIT_MAX;
        for (int k = 0; k < others.size(); k++) {
            MemberProgress member = others.get(k);
            if (member.voteCounts) {
                credit = Math.min(credit, member.credit);
            }
        }
        return credit;
    }

    /** Passes on the members of the epoch that have not voted for too long. */
    void missed(Consumer<Member> visitor) {
        for (MemberProgress member : others) {
            if (!member.isLearner && member.ticksMissed >= TICKS_TO_MISS) {
                visitor.accept(member.id);
            }
        }
    }

    /** The last entry that all members know to be committed. */
    public long stable() {
        long all = owner.committed();
        for (int k = 0; k < others.size(); k++) {
            all = Math.min(all, others.get(k).committed);
        }
        return all;
    }

    /** Whether no voting member has reported that its memory is short. */
    public boolean haveMemory() {
        for (int k = 0; k < others.size(); k++) {
            if (others.get(k).voteCounts && others.get(k).memoryIsShort) {
                return false;
            }
        }
        return true;
    }

    /** Takes a VOTE. A frame that does not come from the member's process is ignored. */
    public void onVote(BrickMap map, Link link, ByteBuf frames, int index) {
        Member from = GroupFrame.member(frames, index);
        if (map.isProcess(from, link.peer())) {
            onVote(
                    from,
                    frames.getLongLE(index + GroupFrame.MATCH),
                    frames.getLongLE(index + GroupFrame.VOTE_COMMITTED),
                    frames.getByte(index + GroupFrame.FLAGS),
                    frames.getIntLE(index + GroupFrame.CREDIT));
        }
    }

    /** Takes a member's vote of this epoch. */
    public void onVote(Member from, long verified, long committed, int flags, int credit) {
        for (MemberProgress member : others) {
            if (member.id.equals(from)) {
                if (!member.hasVoted || verified > member.match) {
                    member.ticksMissed = 0;
                }
                if (!member.hasVoted) {
                    member.hasVoted = true;
                    member.sent = verified;
                }
                member.match = Math.max(member.match, verified);
                member.committed = Math.max(member.committed, committed);
                member.memoryIsShort = (flags & GroupFrame.FLAG_SHORT) != 0;
                member.toldMemory = true;
                member.credit = credit;
            }
        }
        for (int k = 0; k < others.size(); k++) {
            countIfCaughtUp(others.get(k));
        }
        dropLearnersWithoutMemory();
        owner.advanceCommit();
        owner.dirty();
    }

    /**
     * Begins to count a learner's vote if the learner has caught up. Two conditions must hold, because the learner may
     * lead the next epoch. All entries that this or an earlier primary has acknowledged are in the learner's log. All
     * members know the entries before the learner's log to be committed. A learner whose memory is short never votes,
     * because the group would refuse puts on its account.
     */
    private void countIfCaughtUp(MemberProgress member) {
        Runnable caughtUp = member.onCaughtUp;
        if (caughtUp != null
                && member.toldMemory
                && !member.memoryIsShort
                && member.match >= owner.acknowledged()
                && stable() >= member.logStart) {
            member.onCaughtUp = null;
            member.voteCounts = true;
            member.isAwaited = false;
            caughtUp.run();
        }
    }

    /**
     * Gives up the learners that are to vote and whose memory is short, and those that have no memory for the next
     * entry.
     */
    private void dropLearnersWithoutMemory() {
        for (int k = others.size() - 1; k >= 0; k--) {
            MemberProgress member = others.get(k);
            Runnable noMemory = member.onNoMemory;
            if (member.memoryIsShort && !member.voteCounts && noMemory != null) {
                member.onNoMemory = null;
                noMemory.run();
            }
        }
    }

    /**
     * Whether a learner has been reported as caught up. The learner may be a member of the next epoch by now, so this
     * primary can't tell whether its own epoch still holds.
     */
    public boolean hasVotingLearner() {
        for (int k = 0; k < others.size(); k++) {
            if (others.get(k).isLearner && others.get(k).voteCounts) {
                return true;
            }
        }
        return false;
    }

    /** Whether another member or a learner takes the log. */
    boolean hasOthers() {
        return !others.isEmpty();
    }

    /** Keeps the entries behind a seq for a learner. */
    void keepLogFor(Member learner, long seq) {
        MemberProgress member = new MemberProgress(learner, columnsAt(learner));
        member.isLearner = true;
        member.voteCounts = false;
        member.match = seq;
        member.sent = seq;
        member.committed = seq;
        member.logStart = seq;
        others.add(member);
    }

    /** Begins to send the log to a learner, as {@link Group#sendLogTo}. */
    void sendLogTo(Member learner) {
        for (MemberProgress member : others) {
            if (member.id.equals(learner) && !member.voteCounts) {
                member.hasVoted = true;
                member.sent = member.match;
                owner.dirty();
            }
        }
    }

    /** Begins to send the log to a learner, as {@link Group#letVote}. */
    void letVote(Member learner, Runnable caughtUp, Runnable noMemory) {
        for (MemberProgress member : others) {
            if (member.id.equals(learner) && !member.voteCounts) {
                member.hasVoted = true;
                member.onCaughtUp = caughtUp;
                member.onNoMemory = noMemory;
                countIfCaughtUp(member); // without new entries no other vote comes
                askForMemory(member);
                owner.dirty();
            }
        }
    }

    /** Asks a learner that is to vote and has never voted for a vote, which tells whether its memory is short. */
    private void askForMemory(MemberProgress member) {
        Link link = groups.link(member.id);
        if (member.onCaughtUp != null && !member.toldMemory && link != null && link == member.link) {
            prepare(member, link, GroupFrame.FLAG_VOTE, log.last() + 1, log.last());
        }
    }

    /** Forgets a learner that does not become a member. Without effect at a member that does not lead any more. */
    void forget(Member learner) {
        if (others.removeIf(member -> member.isLearner && member.id.equals(learner))) {
            owner.advanceCommit();
        }
    }

    /** Sends each member the entries and watermarks that it has not been sent. */
    public void send() {
        for (int k = 0; k < others.size(); k++) {
            MemberProgress member = others.get(k);
            Link link = groups.link(member.id);
            if (link != null) {
                if (link != member.link) {
                    member.useLink(link);
                }
                send(member, link);
            }
        }
    }

    private void send(MemberProgress member, Link link) {
        if (!member.hasVoted) {
            if (!member.voteRequested && member.voteCounts) {
                member.voteRequested = true;
                prepare(member, link, GroupFrame.FLAG_VOTE, log.last() + 1, log.last());
            }
            return;
        }
        if (member.sent == log.last() && member.sentCommitted < owner.committed()) {
            prepare(member, link, 0, log.last() + 1, log.last());
        }
        while (member.sent < log.last() && member.sent >= log.trimmed()) {
            long end = rendering(member).lastFitting(member.sent + 1, FRAME_BYTES);
            prepare(member, link, 0, member.sent + 1, end);
            member.sent = end;
        }
    }

    /**
     * Asks the members that have all entries for a vote, so that they tell what they know to be committed. A member
     * whose link is down is asked at a tick.
     */
    public void askForCommitted() {
        for (MemberProgress member : others) {
            Link link = groups.link(member.id);
            boolean isIdle = member.hasVoted && member.match == log.last();
            if (isIdle && member.committed < owner.committed() && link != null && link == member.link) {
                prepare(member, link, GroupFrame.FLAG_VOTE, log.last() + 1, log.last());
            }
        }
    }

    private int columnsAt(Member member) {
        return groups.columnsAt(owner.table(), owner.number(), member);
    }

    private GroupLog rendering(MemberProgress member) {
        return member.columns == 0 ? log : owner.deltas();
    }

    private void prepare(MemberProgress member, Link link, int flags, long first, long end) {
        long stable = stable();
        int ofParity = owner.isParity() ? GroupFrame.FLAG_OF_PARITY : 0;
        GroupFrame.prepare(link, flags | ofParity, owner, rendering(member), member.columns, start, stable, first, end);
        member.sentCommitted = owner.committed();
        member.sentStable = stable;
        groups.touched(link);
    }

    /**
     * Each 100 ms: asks again for votes that are missing, and sends entries again after {@link #TICKS_TO_REPEAT}. Asks
     * an idle member for a vote if the member may not know the newest watermarks, or if its memory was short. While its
     * memory is short the primary takes no puts, so that no vote may come by itself.
     */
    public void tick() {
        boolean repeat = ++ticks % TICKS_TO_REPEAT == 0;
        boolean released = false;
        for (MemberProgress member : others) {
            boolean awaited = member.isAwaited;
            awaitIfBehind(member);
            released |= awaited && !member.isAwaited;
            member.voteRequested = false;
            member.ticksMissed = member.hasVoted && member.match == log.last() ? 0 : member.ticksMissed + 1;
            if (repeat) {
                if (member.match == member.matchAtTick) {
                    member.sent = Math.min(member.sent, member.match);
                }
                member.matchAtTick = member.match;
            }
            askForMemory(member);
            boolean idle = member.hasVoted && member.match == log.last();
            boolean behind = member.committed < owner.committed() || member.sentStable < stable();
            Link link = groups.link(member.id);
            if (idle && (behind || member.memoryIsShort) && link != null && link == member.link) {
                prepare(member, link, GroupFrame.FLAG_VOTE, log.last() + 1, log.last());
            }
        }
        if (released) {
            owner.advanceCommit();
        }
    }

    /** Has commits wait for the vote of a learner that follows the log and does not catch up, for a while. */
    private void awaitIfBehind(MemberProgress member) {
        if (member.onCaughtUp == null) {
            return;
        }
        int tick = member.ticksBehind++ % (TICKS_TO_AWAIT + TICKS_AWAITED);
        if (tick == 0) {
            member.isAwaited = false;
            member.lastToFollow = log.last();
        } else if (tick == TICKS_TO_AWAIT) {
            member.isAwaited = member.match >= member.lastToFollow;
        }
    }
}
