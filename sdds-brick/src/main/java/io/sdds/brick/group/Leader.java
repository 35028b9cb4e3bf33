package io.sdds.brick.group;

import io.sdds.core.model.Place.Member;
import io.sdds.core.node.Link;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The primary's side of a group: sends its log to the other members, and counts their votes. */
final class Leader {
    /** Bytes of entries in a frame, unless one alone has more. */
    private static final int FRAME_BYTES = 128 << 10;

    /** What a member has not voted for after so many ticks is sent again: it did not know the partition yet. */
    private static final int TICKS_TO_REPEAT = 5;

    /**
     * A member that has verified nothing of what it should for so many ticks, 2 s, is missed: longer than the
     * coordinator by default takes to remove one that is silent.
     */
    private static final int TICKS_TO_MISS = 20;

    private final Groups groups;
    private final Replication replication;
    private final GroupLog log;
    private List<MemberProgress> others = new ArrayList<>();

    /** The log's last entry when the epoch began: what members have beyond it is not this primary's. */
    private long start;

    private int ticks;

    Leader(Groups groups, Replication replication, GroupLog log) {
        this.groups = groups;
        this.replication = replication;
        this.log = log;
    }

    /** An epoch begins: nobody has voted in it. */
    void begin(List<Member> members) {
        start = log.last();
        others = new ArrayList<>();
        for (Member id : members) {
            if (!id.equals(groups.self())) {
                others.add(new MemberProgress(id));
            }
        }
        groups.dirty(replication.group());
    }

    void end() {
        others = new ArrayList<>();
    }

    /** Up to here all members of the epoch have the primary's log. */
    long votedByAll() {
        long all = log.last();
        for (int k = 0; k < others.size(); k++) {
            MemberProgress member = others.get(k);
            if (member.counts) {
                all = member.heard ? Math.min(all, member.match) : 0;
            }
        }
        return all;
    }

    /**
     * Whether each member has voted in this epoch for all that the log held when the epoch began. A member cuts off the
     * entries of earlier primaries only then; until it has, a later epoch could find them in its log.
     */
    boolean isFollowedByAll() {
        return others.stream().allMatch(member -> !member.counts || member.heard && member.match >= start);
    }

    /** So many bytes of entries may be undecided: no member has room for less. */
    int credit() {
        int credit = Groups.CREDIT_MAX;
        for (int k = 0; k < others.size(); k++) {
            MemberProgress member = others.get(k);
            if (member.counts) {
                credit = Math.min(credit, member.credit);
            }
        }
        return credit;
    }

    /** Members that nothing can be committed without, and that have not been heard for long. */
    void missed(Consumer<Member> visitor) {
        for (MemberProgress member : others) {
            if (!member.joins && member.ticksMissed >= TICKS_TO_MISS) {
                visitor.accept(member.id);
            }
        }
    }

    /** Up to here all members know that entries are committed. */
    long stable() {
        long all = replication.committed();
        for (int k = 0; k < others.size(); k++) {
            all = Math.min(all, others.get(k).committed);
        }
        return all;
    }

    /** Whether no member has said that its memory is short. */
    boolean haveMemory() {
        for (int k = 0; k < others.size(); k++) {
            if (others.get(k).memoryIsShort) {
                return false;
            }
        }
        return true;
    }

    /** A member's vote in this epoch. */
    void onVote(Member from, long verified, long committed, int flags, int credit) {
        for (MemberProgress member : others) {
            if (member.id.equals(from)) {
                if (!member.heard || verified > member.match) {
                    member.ticksMissed = 0;
                }
                if (!member.heard) {
                    member.heard = true;
                    member.sent = verified;
                }
                member.match = Math.max(member.match, verified);
                member.committed = Math.max(member.committed, committed);
                member.memoryIsShort = (flags & GroupFrame.FLAG_SHORT) != 0;
                member.stuck = (flags & GroupFrame.FLAG_STUCK) != 0;
                member.credit = credit;
            }
        }
        for (int k = 0; k < others.size(); k++) {
            countIfCaughtUp(others.get(k));
        }
        giveUpStuckJoiners();
        replication.advanceCommit();
        groups.dirty(replication.group());
    }

    /**
     * From now on nothing is acknowledged without the joiner's vote; what was, by this primary or one before it, is in
     * its log. And what is not in its log, since it was shipped, all members know to be committed: so it may lead any
     * of them.
     */
    private void countIfCaughtUp(MemberProgress member) {
        Runnable caughtUp = member.caughtUp;
        if (caughtUp != null && member.match >= replication.acknowledged() && stable() >= member.beginsBehind) {
            member.caughtUp = null;
            member.counts = true;
            caughtUp.run();
        }
    }

    /** Whose vote does not count yet, and who has no memory for what it should vote for next. */
    private void giveUpStuckJoiners() {
        for (int k = others.size() - 1; k >= 0; k--) {
            MemberProgress member = others.get(k);
            Runnable noMemory = member.noMemory;
            if (member.stuck && !member.counts && noMemory != null) {
                member.noMemory = null;
                noMemory.run();
            }
        }
    }

    /**
     * Whether a joiner has been reported that may be a member of the next epoch by now: this primary can't tell whether
     * its own still holds.
     */
    boolean hasVotingJoiner() {
        for (int k = 0; k < others.size(); k++) {
            if (others.get(k).joins && others.get(k).counts) {
                return true;
            }
        }
        return false;
    }

    /** Whether anybody else takes the log. */
    boolean hasOthers() {
        return !others.isEmpty();
    }

    /** The log is kept for one who is to join, from behind a seq. */
    void keepLogFor(Member joiner, long seq) {
        MemberProgress member = new MemberProgress(joiner);
        member.joins = true;
        member.counts = false;
        member.match = seq;
        member.sent = seq;
        member.committed = seq;
        member.beginsBehind = seq;
        others.add(member);
    }

    /** The joiner takes the log. */
    void letVote(Member joiner, Runnable caughtUp, Runnable noMemory) {
        for (MemberProgress member : others) {
            if (member.id.equals(joiner) && !member.counts) {
                member.heard = true;
                member.caughtUp = caughtUp;
                member.noMemory = noMemory;
                countIfCaughtUp(member); // nothing may have been committed meanwhile
                groups.dirty(replication.group());
            }
        }
    }

    /** There will be no joiner. */
    void forget(Member joiner) {
        others.removeIf(member -> member.joins && member.id.equals(joiner));
        replication.advanceCommit();
    }

    /** Sends each member what it has not been sent. */
    void send() {
        for (int k = 0; k < others.size(); k++) {
            MemberProgress member = others.get(k);
            Link link = groups.link(member.id);
            if (link != null) {
                if (link != member.link) {
                    member.beginAgain(link);
                }
                send(member, link);
            }
        }
    }

    private void send(MemberProgress member, Link link) {
        if (!member.heard) {
            if (!member.asked && member.counts) {
                member.asked = true;
                prepare(member, link, GroupFrame.FLAG_VOTE, log.last() + 1, log.last());
            }
            return;
        }
        if (member.sent == log.last() && member.toldCommitted < replication.committed()) {
            prepare(member, link, 0, log.last() + 1, log.last());
        }
        while (member.sent < log.last() && member.sent >= log.trimmed()) {
            long end = log.lastFitting(member.sent + 1, FRAME_BYTES);
            prepare(member, link, 0, member.sent + 1, end);
            member.sent = end;
        }
    }

    private void prepare(MemberProgress member, Link link, int flags, long first, long end) {
        long stable = stable();
        GroupFrame.prepare(link, flags, replication, start, stable, first, end);
        member.toldCommitted = replication.committed();
        member.toldStable = stable;
        groups.touched(link);
    }

    /**
     * Each 100 ms: asks again what was not answered, and what members know of each other where nothing else says it.
     */
    void tick() {
        boolean repeat = ++ticks % TICKS_TO_REPEAT == 0;
        for (MemberProgress member : others) {
            member.asked = false;
            member.ticksMissed = member.heard && member.match == log.last() ? 0 : member.ticksMissed + 1;
            if (repeat) {
                if (member.match == member.matchAtTick) {
                    member.sent = Math.min(member.sent, member.match);
                }
                member.matchAtTick = member.match;
            }
            boolean idle = member.heard && member.match == log.last();
            boolean behind = member.committed < replication.committed() || member.toldStable < stable();
            Link link = groups.link(member.id);
            if (idle && behind && link != null && link == member.link) {
                prepare(member, link, GroupFrame.FLAG_VOTE, log.last() + 1, log.last());
            }
        }
    }
}
