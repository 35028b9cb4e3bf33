package io.sdds.brick.group;

import io.sdds.brick.partition.RankedList;
import io.sdds.brick.partition.Request;
import io.sdds.core.protocol.Opcode;
import org.jspecify.annotations.Nullable;

/** Tells whether a primary's log, and the memory of every member, has room for another write. */
final class LogRoom {
    /** Half of a log's room: background work leaves the other half to writes of clients. */
    static final int HALF_BYTES = 512 << 10;

    private static final int LOG_BYTES_MAX = 2 * HALF_BYTES;
    private static final int LOG_ENTRIES_MAX = 1 << 14;

    /** A list of records has at most this part of the members' credit: most of the credit is left to writes. */
    private static final int CREDIT_PART = 8;

    /** No list is proposed unless the log and the credit have room for so many lists. */
    private static final int LISTS_FREE = 4;

    private final Groups groups;
    private final GroupLog log;
    private final UncommittedLog uncommitted;
    private final @Nullable DeltaLog deltas;
    private final Leader leader;

    /** @param deltas the log in the rendering for parity members; null if the records have no ranks */
    LogRoom(Groups groups, GroupLog log, UncommittedLog uncommitted, @Nullable DeltaLog deltas, Leader leader) {
        this.groups = groups;
        this.log = log;
        this.uncommitted = uncommitted;
        this.deltas = deltas;
        this.leader = leader;
    }

    /** Whether there is room for the entry of a write. An empty log has room for any write. */
    boolean has(Request request) {
        return has(request, valueBytes(request));
    }

    /** Whether there is room for the entry of a write that has so many bytes more than its request. */
    boolean has(Request request, int moreBytes) {
        return log.bytes() == 0 || has(entryBytes(request, moreBytes));
    }

    /** About the bytes of the entry of a write, in the longer one of its renderings. */
    private int entryBytes(Request request, int moreBytes) {
        int bytes = request.length + moreBytes;
        return deltas == null ? bytes : Math.max(bytes, deltas.oldBytes());
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
    int listBytesMax() {
        return Math.min(RankedList.BYTES_MAX, leader.credit() / CREDIT_PART);
    }

    /** Whether background work may propose a list. Enough of the log and of the credit is left to writes. */
    boolean hasForList() {
        return has(LISTS_FREE * listBytesMax());
    }

    /**
     * Whether background work may propose a list that is longer than the credit, as a single long write is allowed. The
     * entry of the logical time, which may go before each list, does not count.
     */
    boolean hasForLongList() {
        return uncommittedBytes() <= listBytesMax();
    }

    /** Whether there is room for an entry of so many bytes. */
    boolean has(int bytes) {
        long logged = deltas == null
                ? log.bytes()
                : Math.max(log.bytes(), deltas.log().bytes());
        return logged + bytes < LOG_BYTES_MAX && log.last() - log.trimmed() < LOG_ENTRIES_MAX && hasCredit(bytes);
    }

    /** Whether every member has room for so many bytes more. A single write of any size is always allowed. */
    private boolean hasCredit(int bytes) {
        long under = uncommittedBytes();
        return under == 0 || under + bytes <= leader.credit();
    }

    private long uncommittedBytes() {
        return deltas == null ? uncommitted.bytes() : Math.max(uncommitted.bytes(), deltas.uncommittedBytes());
    }
}
