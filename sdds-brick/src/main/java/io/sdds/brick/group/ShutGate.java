package io.sdds.brick.group;

import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.partition.Change;
import io.sdds.brick.partition.Current;
import io.sdds.brick.partition.Gate;
import io.sdds.brick.partition.LogicalTime;
import io.sdds.brick.partition.Outcome;
import io.sdds.brick.partition.Request;
import java.lang.foreign.MemorySegment;

/**
 * The gate of a partition whose writes go through the group's log. Admits a write if the log, and the memory of every
 * member, have room for its entry. The write is looked up, and takes effect, on top of the uncommitted entries.
 */
final class ShutGate implements Gate {
    private final Groups groups;
    private final Group group;
    private final Replication replication;
    private final GroupAdmission admission;
    private final UncommittedLog uncommitted;
    private final PendingReplies pendingReplies;
    private final LogicalTime time;
    private final CoDelAdmission queue;

    ShutGate(Groups groups, Replication replication, GroupAdmission admission, PendingReplies pendingReplies) {
        this.groups = groups;
        this.group = replication.group();
        this.replication = replication;
        this.admission = admission;
        this.uncommitted = replication.uncommitted();
        this.pendingReplies = pendingReplies;
        this.time = replication.partition().time();
        this.queue = new CoDelAdmission(groups.env()::nowNanos);
    }

    @Override
    public boolean isOpen() {
        return false;
    }

    @Override
    public boolean admits(Request request) {
        return admission.admits(request);
    }

    @Override
    public boolean admitsStill(Request request) {
        return admission.admitsStill(request);
    }

    @Override
    public void advance(long nowNanos) {
        time.stamp(nowNanos);
    }

    @Override
    public boolean look(Request request, Current current) {
        if (!uncommitted.look(request, current)) {
            return false;
        }
        if (current.isFound() && current.expiry() != RecordStore.NO_EXPIRY && current.expiry() <= time.nanos()) {
            current.absent();
        }
        return true;
    }

    @Override
    public boolean mayAcknowledge(Request request) {
        if (group.hasMinMembers()) {
            return true;
        }
        groups.tooFewMembers(group.partition(), request);
        return false;
    }

    @Override
    public boolean hasRoom(Request request) {
        if (!mayAcknowledge(request)) {
            return false;
        }
        if (!replication.mode().look(request)) {
            groups.busy(request);
            return false;
        }
        LogRoom room = replication.room();
        int bytes = room.entryBytes(request);
        boolean admitted = room.hasExcess(bytes) && queue.admits(uncommitted.count(), room.has(bytes));
        if (!admitted) {
            groups.busy(request);
        }
        return admitted;
    }

    @Override
    public boolean hasRoom(Request request, int valueLength) {
        LogRoom room = replication.room();
        int bytes = room.entryBytes(request, valueLength);
        return room.hasExcess(bytes) && room.has(bytes);
    }

    @Override
    public boolean put(
            Request request, MemorySegment from, long offset, int length, long version, long expiry, Change change) {
        change.put(from, offset, length, version, expiry);
        return replication.takeMemory(request.keyLength, length, expiry);
    }

    @Override
    public void remove(Request request, Change change) {
        change.remove();
    }

    @Override
    public Clears clears() {
        return replication.mode().clears();
    }

    @Override
    public boolean attach(Request request) {
        long seq = uncommitted.find(request.session, request.seq);
        if (seq > 0 && !pendingReplies.addDuplicate(seq, request)) {
            groups.busy(request);
        }
        return seq > 0;
    }

    @Override
    public boolean propose(Request request, long low, Outcome outcome) {
        replication.propose(request, low, outcome);
        return true;
    }
}
