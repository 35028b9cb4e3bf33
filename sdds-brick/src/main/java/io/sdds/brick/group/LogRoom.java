package io.sdds.brick.group;

import io.sdds.brick.partition.RankedList;
import io.sdds.brick.partition.Request;
import io.sdds.core.protocol.Opcode;

/** Tells whether a primary's log, and the memory of every member, has room for another write. */
public final class LogRoom {
    /*
     * Three budgets bound what the log has: the room of the log, the credit of the members for what is uncommitted, and
     * the excess of long entries (LongEntries). A short entry must fit into the first two. A longer one may exceed each
     * budget that is not used up, because beside a stream of short entries the room for the whole of it would never be
     * free. So an entry of any size finds room as soon as a short one does, unless it is long and the excess of other
     * long entries has reached its budget. Short entries go on beside that excess.
     */
    private static final int LOG_ENTRIES_MAX = 1 << 14;

    /** An entry of at most this part of a budget must fit into it. */
    private static final int SHORT_PART = 64;

    /** Background work may use this part of each budget: the rest is left to writes of clients. */
    private static final int BACKGROUND_PART = 2;

    /** A list of records has at most this part of the members' credit: most of the credit is left to writes. */
    private static final int CREDIT_PART = 8;

    /** No list is proposed unless the log and the credit have room for so many lists. */
    private static final int LISTS_FREE = 4;

    /** A client whose long write was refused tries again within this time. Background work lets it go first. */
    private static final long CLIENT_FIRST_NANOS = 200_000_000L;

    private final Groups groups;
    private final GroupLog log;
    private final UncommittedLog uncommitted;
    private final LogMode mode;
    private final Leader leader;
    private final int logBytesMax;

    /** When a long write of a client was refused, if none was let in since. */
    private long refusedNanos;

    private boolean clientWaits;

    LogRoom(Groups groups, GroupLog log, UncommittedLog uncommitted, LogMode mode, Leader leader) {
        this.groups = groups;
        this.log = log;
        this.uncommitted = uncommitted;
        this.mode = mode;
        this.leader = leader;
        this.logBytesMax = groups.logBytesMax();
    }

    /** Whether there is room for the entry of a client's write, beside {@link #hasExcess(int)}. */
    boolean has(int bytes) {
        return has(bytes, 1);
    }

    /** Whether the entry of a client's write is short, or long and may have excess. */
    boolean hasExcess(int bytes) {
        if (!isLong(bytes)) {
            return true;
        }
        clientWaits = !excessFits(1);
        refusedNanos = clientWaits ? groups.env().nowNanos() : 0;
        return !clientWaits;
    }

    /** About the bytes of the entry of a write, in the longer one of its renderings. */
    int entryBytes(Request request) {
        return entryBytes(request, valueBytes(request));
    }

    /** As {@link #entryBytes(Request)}, of a write whose value has so many bytes more than its request. */
    int entryBytes(Request request, int moreBytes) {
        return mode.entryBytes(request.length + moreBytes);
    }

    /**
     * Bytes of the value that the entry of a TOUCH has in addition to the bytes of the request; of an UPDATE about so
     * many, before its program is evaluated.
     */
    private int valueBytes(Request request) {
        boolean found = (request.opcode == Opcode.TOUCH || request.opcode == Opcode.UPDATE)
                && uncommitted.look(request, groups.current())
                && groups.current().isFound();
        return found ? groups.current().valueLength() : 0;
    }

    /** Bytes of records with which a list is full that background work proposes. */
    public int listBytesMax() {
        return Math.min(RankedList.BYTES_MAX, Math.min(leader.credit(), logBytesMax) / CREDIT_PART);
    }

    /** Whether background work may propose a list. Enough of the log and of the credit is left to writes. */
    public boolean hasForList() {
        int lists = LISTS_FREE * listBytesMax();
        return log.last() - log.trimmed() < LOG_ENTRIES_MAX
                && logged() + lists <= logBytesMax
                && uncommittedBytes() + lists <= leader.credit();
    }

    /**
     * Whether background work may propose an entry of so many bytes. Half of each budget is left to the writes of
     * clients, and a long write of a client that waits goes first.
     */
    public boolean hasForBackground(int bytes) {
        return has(bytes, BACKGROUND_PART) && (!isLong(bytes) || !clientGoesFirst() && excessFits(BACKGROUND_PART));
    }

    private boolean clientGoesFirst() {
        clientWaits &= groups.env().nowNanos() - refusedNanos < CLIENT_FIRST_NANOS;
        return clientWaits;
    }

    /** Whether an idle column has room for an entry of so many bytes. It has no writes of clients. */
    boolean hasForIdle(int bytes) {
        return has(bytes, 1) && (!isLong(bytes) || excessFits(1));
    }

    /** @param part of the budgets that may be used */
    private boolean has(int bytes, int part) {
        int share = log.share(bytes);
        return log.last() - log.trimmed() < LOG_ENTRIES_MAX
                && fits(logged(), share, logBytesMax / part)
                && fits(uncommittedBytes(), share, leader.credit() / part);
    }

    private static boolean fits(long used, int bytes, int budget) {
        return used == 0 || (bytes <= budget / SHORT_PART ? used + bytes <= budget : used < budget);
    }

    private boolean isLong(int bytes) {
        return log.share(bytes) < bytes;
    }

    private boolean excessFits(int part) {
        return Math.max(log.excessBytes(), mode.excessBytes()) < logBytesMax / part;
    }

    private long logged() {
        return Math.max(log.shareBytes(), mode.shareBytes());
    }

    private long uncommittedBytes() {
        return Math.max(uncommitted.bytes(), mode.uncommittedBytes());
    }
}
