package io.sdds.brick.group;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.map.BrickMap;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.memory.SegmentBytes;
import io.sdds.brick.parity.CodedRecord;
import io.sdds.brick.parity.ParityRecords;
import io.sdds.brick.partition.Replies;
import io.sdds.brick.partition.Request;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.node.Link;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.RequestFrame;
import io.sdds.core.protocol.Status;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Requests of degraded columns, at the parity member that leads them. A get is answered with the record that
 * {@link Decoder} computes from the rest of the group. All other requests wait for the spare that becomes the column's
 * primary; without a spare they are refused.
 *
 * <p>A get is answered only while this member leads the column and the brick holds a lease. So the answer is right at
 * that moment: the spare cannot acknowledge a write before this member votes in the spare's epoch, and then it leads no
 * more.
 */
final class DegradedReads {
    private static final int WAITING_MAX = 1024;
    private static final int WAITING_BYTES_MAX = 4 << 20;

    private final Groups groups;
    private final BrickMap map;
    private final ParityPartition parity;
    private final List<Waiting> waiting = new ArrayList<>();
    private int bytes;

    /** A get for which records are decoded. */
    private final class Waiting implements RecordDecoder.Listener {
        final Column column;
        final long epoch;
        final Link link;
        final ByteBuf frame;
        final Request request = new Request();

        Waiting(Column column, Request asked) {
            this.column = column;
            this.epoch = column.epoch();
            this.link = asked.link;
            this.frame = groups.env().allocate(asked.length);
            frame.writeBytes(asked.buffer, asked.at, asked.length);
        }

        @Override
        public void decoded(RecordDecoder.Records records) {
            end(request -> {
                if (mayAnswer()) {
                    answer(column, request, records);
                    groups.recoveryCounters().add(RecoveryCounters.Event.DEGRADED_READ);
                } else {
                    groups.busy(request);
                }
            });
        }

        @Override
        public void failed() {
            end(groups::busy);
        }

        @Override
        public void damaged() {
            end(request -> groups.replies().status(request, Status.INTERNAL_ERROR));
        }

        private void end(Consumer<Request> reply) {
            if (waiting.remove(this)) {
                if (link.isUp()) {
                    request.read(link, frame, Request.memoryOf(frame), 0, frame.readableBytes());
                    reply.accept(request);
                    groups.touched(link);
                }
                bytes -= frame.readableBytes();
                frame.release();
            }
        }

        private boolean mayAnswer() {
            return column.leads() && column.epoch() == epoch && groups.isLeased();
        }
    }

    DegradedReads(Groups groups, BrickMap map, ParityPartition parity) {
        this.groups = groups;
        this.map = map;
        this.parity = parity;
    }

    /** Answers a request of a column that this member leads, now or later. */
    void take(Column column, Request request) {
        if (request.opcode != Opcode.GET) {
            refuse(column, request);
        } else if (!groups.isLeased()) {
            groups.recoveryCounters().add(RecoveryCounters.Event.DEGRADED_READ_WITHOUT_LEASE);
            groups.busy(request);
        } else if (!column.isClosed() || map.migration(column.handedOver()) != null) {
            groups.busy(request); // the map does not show yet which keys the column has given away
        } else {
            get(column, request);
        }
    }

    private void get(Column column, Request request) {
        int[] ranks = candidates(column.index(), request.hash);
        if (ranks.length == 0) {
            groups.replies().status(request, Status.ABSENT);
        } else if (ranks.length > RecordDecoder.RANKS_MAX
                || waiting.size() >= WAITING_MAX
                || bytes + request.length > WAITING_BYTES_MAX) {
            groups.busy(request);
        } else {
            Waiting one = new Waiting(column, request);
            waiting.add(one);
            bytes += request.length;
            if (!parity.decoder().decode(column.index(), ranks, ranks.length, one)) {
                one.failed();
            }
        }
    }

    /** The ranks whose records may have a pseudo-key. */
    private int[] candidates(int column, long hash) {
        ParityRecords records = parity.records();
        int fingerprint = ParityRecords.fingerprint(hash);
        List<Integer> found = new ArrayList<>(1);
        int top = records.top();
        for (int rank = records.find(column, fingerprint, 0, top); rank >= 0; ) {
            found.add(rank);
            rank = records.find(column, fingerprint, rank + 1, top);
        }
        return found.stream().mapToInt(Integer::intValue).toArray();
    }

    private void answer(Column column, Request request, RecordDecoder.Records records) {
        for (int k = 0; k < records.count(); k++) {
            MemorySegment record = records.record(k);
            if (records.length(k) > 0 && isOf(record, request)) {
                long expiry = CodedRecord.expiry(record, 0);
                if (expiry == RecordStore.NO_EXPIRY || expiry > column.timeNanos()) {
                    reply(request, record, column.timeNanos());
                    return;
                }
                break;
            }
        }
        groups.replies().status(request, Status.ABSENT);
    }

    private void reply(Request request, MemorySegment record, long timeNanos) {
        boolean head = (request.flags & RequestFrame.FLAG_HEAD) != 0;
        int length = head ? 0 : CodedRecord.valueLength(record, 0);
        long version = CodedRecord.version(record, 0);
        long value = CodedRecord.valueOffset(record, 0);
        if (!request.link.admits(length)) {
            groups.busy(request);
        } else if ((request.flags & RequestFrame.FLAG_TTL) == 0) {
            groups.replies().record(request, version, record, value, length);
        } else {
            long left = Replies.millisLeft(CodedRecord.expiry(record, 0), timeNanos);
            groups.replies().record(request, version, left, record, value, length);
        }
    }

    private static boolean isOf(MemorySegment record, Request request) {
        int length = CodedRecord.keyLength(record, 0);
        return length == request.keyLength
                && SegmentBytes.equal(
                        record, CodedRecord.keyOffset(record, 0), request.frame, request.keyOffset, length);
    }

    private void refuse(Column column, Request request) {
        if (hasSpare(column)) {
            groups.busy(request);
        } else {
            groups.tooFewCopies(request);
        }
    }

    private boolean hasSpare(Column column) {
        for (MigrationOrder order : map.migrations()) {
            if (order.isRecovery() && order.table() == column.table() && order.receiver() == column.number()) {
                return true;
            }
        }
        return false;
    }

    /** The parity member ends here. */
    void release() {
        waiting.forEach(one -> one.frame.release());
        waiting.clear();
        bytes = 0;
    }
}
