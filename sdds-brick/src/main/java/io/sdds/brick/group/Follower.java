package io.sdds.brick.group;

import io.netty.buffer.ByteBuf;
import io.sdds.core.node.Link;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** A backup's side of a group: makes its log the primary's, and votes. */
final class Follower {
    /**
     * Entries that stay because it is not known that all members know them committed: from so many bytes on the primary
     * is told without being asked.
     */
    private static final int TELL_BYTES = 64 << 10;

    private final Groups groups;
    private final Replication replication;
    private final GroupLog log;

    /** Up to here the log is known to equal the primary's, in this epoch. */
    private long match;

    private boolean due;

    /**
     * There was no memory for the entry behind {@link #match}: it is not prepared here, and waits for memory, or for
     * this member to leave.
     */
    private boolean stuck;

    private @Nullable Link link;

    Follower(Groups groups, Replication replication, GroupLog log) {
        this.groups = groups;
        this.replication = replication;
        this.log = log;
    }

    /** An epoch begins: what is committed is the same at all members, what follows is to be seen. */
    void begin(long committed) {
        match = committed;
        due = false;
        stuck = false;
        link = null;
    }

    /** Takes a PREPARE of this epoch. */
    void onPrepare(Link from, ByteBuf frame, MemorySegment memory, int index, int length) {
        link = from;
        replication.group().heardPrimary();
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
            replication.uncommitted().cut(match); // of an earlier primary, which this one doesn't have
            replication.admission().release();
        }
        replication.commit(Math.min(match, frame.getLongLE(index + GroupFrame.COMMITTED)));
        log.trim(Math.min(replication.committed(), frame.getLongLE(index + GroupFrame.STABLE)));
        due |= log.bytes() > TELL_BYTES;
    }

    private void take(long seq, MemorySegment memory, int at, int bytes) {
        if (seq != match + 1) {
            return; // known already; or something before it was lost with its link, and comes again
        }
        if (seq > log.last() || log.epochOf(seq) != Entry.number(memory, at, Entry.EPOCH)) {
            if (seq <= log.last()) {
                replication.uncommitted().cut(seq - 1);
            }
            if (!replication.uncommitted().takeMemory(memory, at)) {
                becomeStuck();
                return; // nor does it take what follows; it comes again
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

    /** Says how far it has come, when that is due. */
    void vote() {
        Link to = link;
        if (due && to != null && to.isUp()) {
            due = false;
            tell(to);
        }
    }

    private int flags() {
        if (stuck) {
            return GroupFrame.FLAG_SHORT | GroupFrame.FLAG_STUCK;
        }
        return groups.hasMemory(0) ? 0 : GroupFrame.FLAG_SHORT;
    }

    /** Says in which epoch it is and how far it has come. */
    void tell(Link to) {
        GroupFrame.vote(to, flags(), replication, match, groups.self(), groups.credit());
        groups.touched(to);
    }
}
