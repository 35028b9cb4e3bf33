package io.sdds.brick.group;

import io.sdds.brick.partition.MovedKeys;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.Request;
import io.sdds.core.model.Place.Member;
import io.sdds.core.protocol.Opcode;
import java.util.List;

/**
 * Decides which requests may run at this member now, and keeps the requests that must wait. A request waits until the
 * entries that were uncommitted when it came are committed, or until the other members have confirmed the epoch
 * (docs/design/groups.md, rules 8 and 11).
 */
final class GroupAdmission {
    private final Groups groups;
    private final Group group;
    private final Replication replication;
    private final Partition partition;
    private final ParkedReads parked;
    private final ReadIndexRound readIndex;

    /** In a table with parity groups: the seq for which the last CLEAR waits that had to wait. */
    private long clearWaits;

    GroupAdmission(Groups groups, Group group, Replication replication) {
        this.groups = groups;
        this.group = group;
        this.replication = replication;
        this.partition = group.partition();
        this.parked = new ParkedReads(groups.env());
        this.readIndex = new ReadIndexRound(groups, partition);
    }

    /** Whether no request waits. */
    boolean isEmpty() {
        return parked.isEmpty();
    }

    boolean admits(Request request) {
        if (!group.isServing()) {
            groups.redirect(request);
            return false;
        }
        if (group.leads() && !group.missing().admits(request)) {
            return false;
        }
        if (request.isWrite()) {
            return admitsWrite(request);
        }
        if (leavesReadsToPrimary()) {
            groups.toPrimary(request);
            return false;
        }
        return groups.isRerun(group) || admitsRead(request);
    }

    boolean admitsStill(Request request) {
        boolean still = group.isServing() && (group.isSole() || groups.isLeased()) && !leavesReadsToPrimary();
        return still || admits(request);
    }

    /**
     * Whether this backup answers no reads, because its table is being converted: the group may go on without it before
     * its lease ends (docs/design/parity.md, rules 34 and 35).
     */
    private boolean leavesReadsToPrimary() {
        return !group.leads() && groups.isConverting(partition);
    }

    private boolean admitsWrite(Request request) {
        if (!group.leads()) {
            groups.toPrimary(request);
            return false;
        }
        BarrierEntries barriers = uncommitted().barriers();
        long seq = Math.max(barriers.clear(), changesOwner(request) ? barriers.handOver() : 0);
        seq = Math.max(seq, replication.mode().namesRecords() ? untilListsKnown(request) : 0);
        if (seq > uncommitted().committed()) {
            park(request, seq, ReadIndexRound.NONE);
            return false;
        }
        return true;
    }

    /**
     * In a table with parity groups a CLEAR waits until no entry is uncommitted, because it names the records that it
     * drops. Later writes wait with the CLEAR, so that its wait ends. Another write waits until no entry that drops its
     * record, or gives it another rank, is uncommitted.
     */
    private long untilListsKnown(Request request) {
        if (!Opcode.isOfKey(request.opcode)) {
            clearWaits = replication.last();
            return clearWaits;
        }
        return Math.max(clearWaits, uncommitted().listedBy(request.hash));
    }

    private UncommittedLog uncommitted() {
        return replication.uncommitted();
    }

    /** Whether the request may be about keys that leave by an uncommitted HANDOVER or SUBSUME. */
    private boolean changesOwner(Request request) {
        BarrierEntries barriers = uncommitted().barriers();
        MovedKeys keys = barriers.moving();
        return barriers.handOver() > uncommitted().committed() && keys != null && partition.isAbout(request, keys);
    }

    private boolean admitsRead(Request request) {
        long seq = mustBeCommitted(request);
        // The round counts only without a lease. The read keeps the round in any case, because the lease may end while
        // the read waits.
        long inRound = readIndex.next();
        if (isOver(seq, inRound)) {
            return true;
        }
        park(request, seq, inRound);
        return false;
    }

    private void park(Request request, long seq, long inRound) {
        if (!parked.add(request, seq, inRound)) {
            groups.busy(request);
        } else {
            groups.dirty(group);
        }
    }

    /** The seq for which a read waits; 0 when all entries that the read may see are committed. */
    private long mustBeCommitted(Request request) {
        if (group.leads()) {
            return replication.knowsInherited() ? 0 : replication.inherited();
        }
        if (uncommitted().isEmpty()) {
            return 0;
        }
        if (!Opcode.isOfKey(request.opcode)
                || partition.time().nanos() > partition.bucket().timeNanos()) {
            return replication.last();
        }
        long ofKey = uncommitted().lastAbout(request.hash);
        return changesOwner(request) ? Math.max(ofKey, uncommitted().barriers().handOver()) : ofKey;
    }

    private boolean isOver(long seq, long inRound) {
        return uncommitted().committed() >= Math.min(seq, replication.last())
                && (readIndex.isOver(inRound) || group.isSole() || groups.isLeased());
    }

    /** Runs the requests that have waited long enough. */
    void release() {
        if (!parked.isEmpty()) {
            parked.release(this::isOver, (link, frame) -> groups.rerun(group, link, frame));
        }
    }

    /** Runs all waiting requests again, because this member serves no more. They are redirected or forwarded. */
    void releaseAll() {
        parked.release((seq, inRound) -> true, groups::rerun);
    }

    /** Another epoch begins, so the round under way counts no more. */
    void epochBegins() {
        clearWaits = 0;
        readIndex.end();
    }

    /** Another member has confirmed this epoch. */
    void onConfirmed(long ofRound, Member from, List<Member> members) {
        if (readIndex.confirmed(ofRound, from, members)) {
            release();
            groups.dirty(group);
        }
    }

    /** At the end of a turn: begins a round of confirmations, if a request waits for one. */
    void flush() {
        boolean asks = !parked.isEmpty() && !readIndex.isOver(parked.lastRound());
        if (asks && !readIndex.isUnderWay() && group.mayConfirm() && !group.isSole() && !groups.isLeased()) {
            readIndex.begin(group.epoch(), group.members());
        }
    }

    /** Each 100 ms: answers the requests that have waited too long. */
    void expire() {
        parked.expire(groups::overdue);
    }

    /** Each 100 ms: asks the other members again while a round is under way. */
    void askAgain() {
        if (!parked.isEmpty() && readIndex.isUnderWay()) {
            readIndex.ask(group.epoch(), group.members());
        }
    }

    /** Frees the requests that wait, because the node or the group ends. */
    void end() {
        parked.release();
    }
}
