package io.sdds.brick.group;

import io.netty.buffer.ByteBuf;
import io.sdds.core.node.Link;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** A backup's side of a group. Makes its log equal to the primary's log, and votes. */
final class Follower {
    /**
     * Bytes of retained entries above which the backup votes without being asked. Entries are retained until all
     * members are known to know that the entries are committed.
     */
    private static final int RETAINED_BYTES = 64 << 10;

    private final Groups groups;
    private final Replication replication;
    private final GroupLog log;

    /** The log is known to equal the primary's log of this epoch up to this seq. */
    private long match;

    /** Whether a vote is due at the end of the turn. */
    private boolean due;

    /**
     * Whether there was no memory for the entry behind {@link #match}. The entry is not prepared here until there is
     * memory, or this member leaves.
     */
    private boolean stuck;

    /** The link over which the primary's last PREPARE came. */
    private @Nullable Link link;

    Follower(Groups groups, Replication replication, GroupLog log) {
        this.groups = groups;
        this.replication = replication;
        this.log = log;
    }

    /** An epoch begins. Committed entries are the same at all members; the entries behind are not compared yet. */
    void begin(long committed) {
        match = committed;
        due = false;
        stuck = false;
        link = null;
    }

    /** Takes a PREPARE of this epoch. */
    void onPrepare(Link from, ByteBuf frame, MemorySegment memory, int index, int length) {
        link = from;
        replication.group().onPrimaryHeard();
        int end = index + length;
        int at = index + GroupFrame.ENTRIES;
        due |= at < end || (frame.getByte(index + GroupFrame.FLAGS) & GroupFrame.FLAG_VOTE) != 0;
        long seq = frame.getLongLE(index + GroupFrame.FIRST);
        while (at < end) {
            int bytes = Entry.checked(memory, at, end);
            take(seq++, memory, at, bytes);
            at += bytes;
        }
        if (match >= frame.getLongLE(index + GroupFrame.START) && log.last() > match) {
            replication.uncommitted().cut(match); // entries of an earlier primary, which this primary does not have
            replication.admission().release();
        }
        replication.commit(Math.min(match, frame.getLongLE(index + GroupFrame.COMMITTED)));
        log.trim(Math.min(replication.committed(), frame.getLongLE(index + GroupFrame.STABLE)));
        due |= log.bytes() > RETAINED_BYTES;
    }

    private void take(long seq, MemorySegment memory, int at, int bytes) {
        if (seq != match + 1) {
            return; // a known entry; or one behind a gap, which the primary sends again
        }
        if (seq > log.last() || log.epochOf(seq) != Entry.number(memory, at, Entry.EPOCH)) {
            if (seq <= log.last()) {
                replication.uncommitted().cut(seq - 1);
            }
            if (!replication.uncommitted().takeMemory(memory, at)) {
                becomeStuck();
                return; // the following entries are ignored, too, and the primary sends them again
            }
            log.append(memory, at, bytes);
            replication.received(seq);
        }
        match = seq;
        stuck = false;
    }

    private void becomeStuck() {
        if (!stuck) {
            stuck = true;
            groups.stuck(replication.partition());
        }
    }

    boolean isStuck() {
        return stuck;
    }

    /** Sends a vote, if one is due. */
    void voteIfDue() {
        Link to = link;
        if (due && to != null && to.isUp()) {
            due = false;
            vote(to);
        }
    }

    private int flags() {
        if (stuck) {
            return GroupFrame.FLAG_SHORT | GroupFrame.FLAG_STUCK;
        }
        return groups.hasMemory(0) ? 0 : GroupFrame.FLAG_SHORT;
    }

    /** Sends a vote: the epoch, and the seq up to which the log is verified. */
    void vote(Link to) {
        GroupFrame.vote(to, flags(), replication, match, groups.self(), groups.credit());
        groups.touched(to);
    }
}
