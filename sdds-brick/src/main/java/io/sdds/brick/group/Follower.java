package io.sdds.brick.group;

import io.netty.buffer.ByteBuf;
import io.sdds.core.node.Link;
import io.sdds.core.protocol.ProtocolViolation;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** The side of a member that is no primary. Makes its log equal to the primary's log, and votes. */
public final class Follower {
    /**
     * Bytes of retained entries above which the backup votes without being asked. Entries are retained until all
     * members are known to know that the entries are committed.
     */
    private static final int RETAINED_BYTES = 64 << 10;

    private final Groups groups;
    private final MemberLog owner;
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

    /** The m that the votes over this link have in their headers. */
    private int columnsOfPrimary;

    public Follower(Groups groups, MemberLog owner) {
        this.groups = groups;
        this.owner = owner;
        this.log = owner.log();
    }

    /** An epoch begins. Committed entries are the same at all members; the entries behind are not compared yet. */
    public void begin(long committed) {
        match = committed;
        due = false;
        stuck = false;
        link = null;
    }

    /** Takes a PREPARE of this epoch. */
    public void onPrepare(Link from, ByteBuf frame, MemorySegment memory, int index, int length) {
        link = from;
        columnsOfPrimary = GroupFrame.columnsOfSender(frame, index);
        owner.primaryHeard();
        int end = index + length;
        int at = index + GroupFrame.ENTRIES;
        due |= at < end || (frame.getByte(index + GroupFrame.FLAGS) & GroupFrame.FLAG_VOTE) != 0;
        long seq = frame.getLongLE(index + GroupFrame.FIRST);
        long now = at < end ? groups.env().nowNanos() : 0;
        while (at < end) {
            int bytes = checked(memory, at, end);
            take(seq++, memory, at, bytes, now);
            at += bytes;
        }
        if (match >= frame.getLongLE(index + GroupFrame.START) && log.last() > match) {
            owner.cut(match); // entries of an earlier primary, which this primary does not have
        }
        owner.commit(Math.min(match, frame.getLongLE(index + GroupFrame.COMMITTED)));
        log.trim(Math.min(owner.committed(), frame.getLongLE(index + GroupFrame.STABLE)));
        due |= log.bytes() > RETAINED_BYTES;
    }

    private int checked(MemorySegment memory, int at, int end) {
        int bytes = Entry.checked(memory, at, end);
        byte kind = Entry.kind(memory, at);
        if (owner.isParity() ? Entry.isOfData(kind) : Entry.isOfParity(kind)) {
            throw new ProtocolViolation("entry of kind " + kind + " for a member of another role");
        }
        return bytes;
    }

    private void take(long seq, MemorySegment memory, int at, int bytes, long nowNanos) {
        if (seq != match + 1) {
            return; // a known entry; or one behind a gap, which the primary sends again
        }
        if (seq > log.last() || log.epochOf(seq) != Entry.number(memory, at, Entry.EPOCH)) {
            if (seq <= log.last()) {
                owner.cut(seq - 1);
            }
            if (!owner.takeMemory(memory, at)) {
                becomeStuck();
                return; // the following entries are ignored, too, and the primary sends them again
            }
            log.append(memory, at, bytes);
            owner.received(seq, nowNanos);
        }
        match = seq;
        stuck = false;
    }

    private void becomeStuck() {
        if (!stuck) {
            stuck = true;
            owner.stuck();
        }
    }

    /** The log is known to equal the primary's log of this epoch up to this seq. */
    public long match() {
        return match;
    }

    public boolean isStuck() {
        return stuck;
    }

    /** Sends a vote, if one is due. */
    public void voteIfDue() {
        Link to = link;
        if (due && to != null && to.isUp()) {
            due = false;
            vote(to, columnsOfPrimary);
        }
    }

    private int flags() {
        if (stuck) {
            return GroupFrame.FLAG_SHORT | GroupFrame.FLAG_STUCK;
        }
        return groups.hasMemory(0) ? 0 : GroupFrame.FLAG_SHORT;
    }

    /**
     * Sends a vote: the epoch, and the seq up to which the log is verified.
     *
     * @param columns m, if the receiver is a parity member, else 0
     */
    public void vote(Link to, int columns) {
        GroupFrame.vote(to, flags(), columns, owner, match, groups.self(), groups.credit());
        groups.touched(to);
    }
}
