package io.sdds.brick.migration;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.group.Group;
import io.sdds.brick.memory.SegmentHash;
import io.sdds.brick.parity.log.ColumnIntake;
import io.sdds.brick.parity.log.ColumnIntake.Outcome;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.Request;
import io.sdds.brick.stage.StageContext;
import io.sdds.core.control.ControlMessage.SnapshotOpen;
import io.sdds.core.control.ControlMessage.SnapshotOpened;
import io.sdds.core.node.Env;
import io.sdds.core.node.Link;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Takes the slices of a copy to a column of a parity group. Each record, removal and result becomes an entry of the
 * column's own log. A slice is acknowledged when all of its entries are committed.
 */
final class ColumnReceiver extends SnapshotReceiver {

    /* A slice waits here until the log has room for its entries. Slices that are not acknowledged count against the
     * credit of the source, so the credit bounds what waits. */

    private final Env env;
    private final Deque<ByteBuf> waiting = new ArrayDeque<>();

    /** Where the next entry begins in the first slice that waits. */
    private int at = SliceFrame.ENTRIES;

    /** Number of slices whose entries are all in the log. */
    private long proposed;

    /** The slices whose entries are in the log and were not all committed when this was last looked at. */
    private final Deque<Proposed> uncommitted = new ArrayDeque<>();

    private long committed;

    /** @param seq of the last entry of the log when the slice was proposed */
    private record Proposed(long slice, long seq) {}

    ColumnReceiver(StageContext context, long id, Partition column) {
        super(id, column, context.store());
        this.env = context.env();
    }

    @Override
    SnapshotOpened open(Link from, SnapshotOpen open, Partition into, long timeNanos) {
        release();
        return super.open(from, open, into, timeNanos);
    }

    @Override
    void end() {
        release();
        super.end();
    }

    @Override
    void release() {
        waiting.forEach(ByteBuf::release);
        waiting.clear();
        uncommitted.clear();
        at = SliceFrame.ENTRIES;
        proposed = 0;
        committed = 0;
    }

    @Override
    void apply(ByteBuf frame, int index, int length) {
        SliceFrame.read(frame, index, length, new Check());
        waiting.add(env.allocate(length).writeBytes(frame, index, length));
    }

    @Override
    long acknowledgeable() {
        Group group = partition().group();
        while (!uncommitted.isEmpty() && uncommitted.peek().seq() <= group.committed()) {
            committed = uncommitted.remove().slice();
        }
        return committed;
    }

    @Override
    @Nullable
    Link acknowledge(long mapVersion) {
        propose();
        return super.acknowledge(mapVersion);
    }

    /** Proposes the entries of the slices that wait, as far as the log has room. */
    private void propose() {
        Group group = partition().group();
        if (waiting.isEmpty() || !group.leads()) {
            return;
        }
        ColumnIntake intake = ColumnIntake.of(group);
        while (!waiting.isEmpty() && proposeFirst(intake)) {
            waiting.remove().release();
            at = SliceFrame.ENTRIES;
            uncommitted.add(new Proposed(++proposed, group.last()));
        }
    }

    /** Proposes the entries of the first slice that waits; false if some could not be proposed. */
    private boolean proposeFirst(ColumnIntake intake) {
        ByteBuf slice = waiting.element();
        Propose propose = new Propose(intake, Request.memoryOf(slice));
        int end = slice.writerIndex();
        while (at < end) {
            int next = SliceFrame.readOne(slice, at, end, propose);
            if (propose.outcome != Outcome.TAKEN) {
                return false;
            }
            at = next;
        }
        return true;
    }

    /** Only checks that the entries of a slice add up. */
    private static final class Check implements SliceFrame.Sink {
        @Override
        public void record(
                int keyAt, int keyLength, int valueAt, int valueLength, long version, long expiry, int rank) {}

        @Override
        public void remove(int keyAt, int keyLength) {}

        @Override
        public void result(long session, long seq, long low, long hash, byte status, long value) {}

        @Override
        public void seal(SliceFrame.Seal seal) {}
    }

    private final class Propose implements SliceFrame.Sink {
        private final ColumnIntake intake;
        private final MemorySegment memory;
        private Outcome outcome = Outcome.TAKEN;

        Propose(ColumnIntake intake, MemorySegment memory) {
            this.intake = intake;
            this.memory = memory;
        }

        @Override
        public void record(
                int keyAt, int keyLength, int valueAt, int valueLength, long version, long expiry, int rank) {
            sealed(null);
            long hash = SegmentHash.hash(memory, keyAt, keyLength);
            outcome = intake.put(hash, memory, keyAt, keyLength, valueAt, valueLength, version, expiry);
            if (outcome == Outcome.NO_MEMORY) {
                fail();
            }
        }

        @Override
        public void remove(int keyAt, int keyLength) {
            sealed(null);
            outcome = intake.remove(SegmentHash.hash(memory, keyAt, keyLength), memory, keyAt, keyLength);
        }

        @Override
        public void result(long session, long seq, long low, long hash, byte status, long value) {
            sealed(null);
            outcome = intake.result(session, seq, low, hash, status, value);
        }

        @Override
        public void seal(SliceFrame.Seal complete) {
            outcome = intake.floor(complete.version(), complete.timeNanos());
            if (outcome == Outcome.TAKEN) {
                sealed(complete);
            }
        }
    }
}
