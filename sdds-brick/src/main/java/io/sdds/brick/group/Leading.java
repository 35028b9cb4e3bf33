package io.sdds.brick.group;

import io.sdds.core.model.Place.Member;
import io.sdds.core.node.Link;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The primary's side of a group: sends its log to the other members, and counts their votes. */
final class Leading {
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
    private final Group group;
    private final GroupLog log;
    private List<Follower> followers = new ArrayList<>();

    /** The log's last entry when the epoch began: what members have beyond it is not this primary's. */
    private long start;

    private int ticks;

    Leading(Groups groups, Group group, GroupLog log) {
        this.groups = groups;
        this.group = group;
        this.log = log;
    }

    /** An epoch begins: nobody has voted in it. */
    void begin(List<Member> members) {
        start = log.last();
        followers = new ArrayList<>();
        for (Member member : members) {
            if (!member.equals(groups.self())) {
                followers.add(new Follower(member));
            }
        }
        groups.dirty(group);
    }

    void end() {
        followers = new ArrayList<>();
    }

    /** Up to here all members of the epoch have the primary's log. */
    long votedByAll() {
        long all = log.last();
        for (int k = 0; k < followers.size(); k++) {
            Follower follower = followers.get(k);
            if (follower.counts) {
                all = follower.heard ? Math.min(all, follower.verified) : 0;
            }
        }
        return all;
    }

    /**
     * Whether each member has voted in this epoch for all that the log held when the epoch began. A member cuts off the
     * entries of earlier primaries only then; until it has, a later epoch could find them in its log.
     */
    boolean isFollowedByAll() {
        return followers.stream()
                .allMatch(follower -> !follower.counts || follower.heard && follower.verified >= start);
    }

    /** So many bytes of entries may be undecided: no member has room for less. */
    int credit() {
        int credit = Groups.CREDIT_MAX;
        for (int k = 0; k < followers.size(); k++) {
            Follower follower = followers.get(k);
            if (follower.counts) {
                credit = Math.min(credit, follower.credit);
            }
        }
        return credit;
    }

    /** Members that nothing can be committed without, and that have not been heard for long. */
    void missed(Consumer<Member> visitor) {
        for (Follower follower : followers) {
            if (!follower.joins && follower.ticksMissed >= TICKS_TO_MISS) {
                visitor.accept(follower.member);
            }
        }
    }

    /** Up to here all members know that entries are committed. */
    long stable() {
        long all = group.committed();
        for (int k = 0; k < followers.size(); k++) {
            all = Math.min(all, followers.get(k).committed);
        }
        return all;
    }

    /** Whether no member has said that its memory is short. */
    boolean haveMemory() {
        for (int k = 0; k < followers.size(); k++) {
            if (followers.get(k).memoryIsShort) {
                return false;
            }
        }
        return true;
    }

    /** A member's vote in this epoch. */
    void onVote(Member from, long verified, long committed, int flags, int credit) {
        for (Follower follower : followers) {
            if (follower.member.equals(from)) {
                if (!follower.heard || verified > follower.verified) {
                    follower.ticksMissed = 0;
                }
                if (!follower.heard) {
                    follower.heard = true;
                    follower.sent = verified;
                }
                follower.verified = Math.max(follower.verified, verified);
                follower.committed = Math.max(follower.committed, committed);
                follower.memoryIsShort = (flags & GroupFrame.FLAG_SHORT) != 0;
                follower.stuck = (flags & GroupFrame.FLAG_STUCK) != 0;
                follower.credit = credit;
            }
        }
        for (int k = 0; k < followers.size(); k++) {
            countIfCaughtUp(followers.get(k));
        }
        giveUpStuckJoiners();
        group.advanceCommit();
        groups.dirty(group);
    }

    /**
     * From now on nothing is acknowledged without the joiner's vote; what was, by this primary or one before it, is in
     * its log. And what is not in its log, since it was shipped, all members know to be committed: so it may lead any
     * of them.
     */
    private void countIfCaughtUp(Follower follower) {
        Runnable caughtUp = follower.caughtUp;
        if (caughtUp != null && follower.verified >= group.acknowledged() && stable() >= follower.beginsBehind) {
            follower.caughtUp = null;
            follower.counts = true;
            caughtUp.run();
        }
    }

    /** Whose vote does not count yet, and who has no memory for what it should vote for next. */
    private void giveUpStuckJoiners() {
        for (int k = followers.size() - 1; k >= 0; k--) {
            Follower follower = followers.get(k);
            Runnable noMemory = follower.noMemory;
            if (follower.stuck && !follower.counts && noMemory != null) {
                follower.noMemory = null;
                noMemory.run();
            }
        }
    }

    /**
     * Whether a joiner has been reported that may be a member of the next epoch by now: this primary can't tell whether
     * its own still holds.
     */
    boolean hasVotingJoiner() {
        for (int k = 0; k < followers.size(); k++) {
            if (followers.get(k).joins && followers.get(k).counts) {
                return true;
            }
        }
        return false;
    }

    /** The log is kept for one who is to join, from behind a seq. */
    void keepLogFor(Member joiner, long seq) {
        Follower follower = new Follower(joiner);
        follower.joins = true;
        follower.counts = false;
        follower.verified = seq;
        follower.sent = seq;
        follower.committed = seq;
        follower.beginsBehind = seq;
        followers.add(follower);
    }

    /** The joiner takes the log. */
    void letVote(Member joiner, Runnable caughtUp, Runnable noMemory) {
        for (Follower follower : followers) {
            if (follower.member.equals(joiner) && !follower.counts) {
                follower.heard = true;
                follower.caughtUp = caughtUp;
                follower.noMemory = noMemory;
                countIfCaughtUp(follower); // nothing may have been committed meanwhile
                groups.dirty(group);
            }
        }
    }

    /** There will be no joiner. */
    void forget(Member joiner) {
        followers.removeIf(follower -> follower.joins && follower.member.equals(joiner));
        group.advanceCommit();
    }

    /** Sends each member what it has not been sent. */
    void send() {
        for (int k = 0; k < followers.size(); k++) {
            Follower follower = followers.get(k);
            Link link = groups.link(follower.member);
            if (link != null) {
                if (link != follower.link) {
                    follower.beginAgain(link);
                }
                send(follower, link);
            }
        }
    }

    private void send(Follower follower, Link link) {
        if (!follower.heard) {
            if (!follower.asked && follower.counts) {
                follower.asked = true;
                prepare(follower, link, GroupFrame.FLAG_VOTE, log.last() + 1, log.last());
            }
            return;
        }
        if (follower.sent == log.last() && follower.toldCommitted < group.committed()) {
            prepare(follower, link, 0, log.last() + 1, log.last());
        }
        while (follower.sent < log.last() && follower.sent >= log.trimmed()) {
            long end = log.lastFitting(follower.sent + 1, FRAME_BYTES);
            prepare(follower, link, 0, follower.sent + 1, end);
            follower.sent = end;
        }
    }

    private void prepare(Follower follower, Link link, int flags, long first, long end) {
        long stable = stable();
        GroupFrame.prepare(
                link,
                flags,
                group.partition().table(),
                group.partition().number(),
                group.epoch(),
                first,
                start,
                group.committed(),
                stable,
                log,
                end);
        follower.toldCommitted = group.committed();
        follower.toldStable = stable;
        groups.touched(link);
    }

    /**
     * Each 100 ms: asks again what was not answered, and what members know of each other where nothing else says it.
     */
    void tick() {
        boolean repeat = ++ticks % TICKS_TO_REPEAT == 0;
        for (Follower follower : followers) {
            follower.asked = false;
            follower.ticksMissed = follower.heard && follower.verified == log.last() ? 0 : follower.ticksMissed + 1;
            if (repeat) {
                if (follower.verified == follower.verifiedAtTick) {
                    follower.sent = Math.min(follower.sent, follower.verified);
                }
                follower.verifiedAtTick = follower.verified;
            }
            boolean idle = follower.heard && follower.verified == log.last();
            boolean behind = follower.committed < group.committed() || follower.toldStable < stable();
            Link link = groups.link(follower.member);
            if (idle && behind && link != null && link == follower.link) {
                prepare(follower, link, GroupFrame.FLAG_VOTE, log.last() + 1, log.last());
            }
        }
    }
}
