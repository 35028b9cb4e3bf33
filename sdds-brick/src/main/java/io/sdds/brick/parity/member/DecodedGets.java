package io.sdds.brick.parity.member;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.group.Groups;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.memory.SegmentBytes;
import io.sdds.brick.parity.RecoveryCounters;
import io.sdds.brick.parity.decoding.RecordDecoder;
import io.sdds.brick.parity.records.CodedRecord;
import io.sdds.brick.partition.Replies;
import io.sdds.brick.partition.Request;
import io.sdds.core.node.Link;
import io.sdds.core.protocol.RequestFrame;
import io.sdds.core.protocol.Status;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The gets of one lost column that wait for decoded records, at the parity member that leads the column. At the end of
 * a turn the records of all waiting gets are decoded together. While enough decodings are under way, further gets wait
 * for the next one. So a decoding answers the more gets the more there are, and each get costs the members less.
 *
 * <p>A decoding is asked for after all its gets have come, and no get is added to it later. So a get is answered with
 * the state of the group at some moment between its arrival and its answer.
 */
final class DecodedGets {

    /**
     * Most decodings under way. With one, a get waits twice as long as a decoding takes; with many, decodings stay
     * short, and each costs all members a frame.
     */
    static final int BATCHES_MAX = 3;

    /** Most bytes of the parity records of one decoding, unless it is for a single get. */
    static final int BATCH_BYTES_MAX = 64 << 10;

    private final Groups groups;
    private final ParityPartition parity;
    private final Column column;
    private final DegradedReads reads;
    private final Request request = new Request();

    /** The gets for which nothing is decoded yet. All of them have come in {@link #epoch}. */
    private final ArrayDeque<Get> waiting = new ArrayDeque<>();

    private long epoch;

    /** Number of decodings under way. */
    private int batches;

    /** @param ranks at which the get's record may be, in ascending order */
    private record Get(Link link, ByteBuf frame, int[] ranks) {}

    DecodedGets(Groups groups, ParityPartition parity, Column column, DegradedReads reads) {
        this.groups = groups;
        this.parity = parity;
        this.column = column;
        this.reads = reads;
    }

    /**
     * Takes a get, which is answered later.
     *
     * @param ranks at which the get's record may be, in ascending order: 1 to {@link RecordDecoder#RANKS_MAX}
     */
    void add(Request asked, int[] ranks) {
        if (column.epoch() != epoch) {
            refuseWaiting();
            epoch = column.epoch();
        }
        ByteBuf frame = groups.env().allocate(asked.length);
        frame.writeBytes(asked.buffer, asked.at, asked.length);
        waiting.add(new Get(asked.link, frame, ranks));
    }

    /** At the end of a turn: has the records of the waiting gets decoded, as far as may be now. */
    void flush() {
        if (!waiting.isEmpty() && !isLedIn(epoch)) {
            refuseWaiting();
        }
        while (batches < BATCHES_MAX && !waiting.isEmpty()) {
            Batch batch = nextBatch();
            batches++;
            if (!parity.decoder().decode(column.index(), batch.ranks, batch.count, batch)) {
                batch.failed();
            }
        }
    }

    /** The ranks that were found for a get are right while the column is led here in the same epoch. */
    private boolean isLedIn(long epochOfGets) {
        return column.leads() && column.epoch() == epochOfGets;
    }

    private Batch nextBatch() {
        Batch batch = new Batch(epoch);
        while (!waiting.isEmpty() && batch.takes(waiting.peek())) {
            batch.gets.add(waiting.poll());
        }
        return batch;
    }

    /** Answers the gets with BUSY for which nothing is decoded yet. */
    void refuseWaiting() {
        while (!waiting.isEmpty()) {
            refuse(waiting.poll());
        }
    }

    private void refuse(Get get) {
        if (isRead(get)) {
            groups.busy(request);
        }
        end(get);
    }

    /** Reads a get again to answer it; false if its client is gone. */
    private boolean isRead(Get get) {
        if (!get.link().isUp()) {
            return false;
        }
        ByteBuf frame = get.frame();
        request.read(get.link(), frame, Request.memoryOf(frame), 0, frame.readableBytes());
        groups.touched(get.link());
        return true;
    }

    private void end(Get get) {
        reads.ended(get.frame().readableBytes());
        get.frame().release();
    }

    /** Gets whose records are decoded together. */
    private final class Batch implements RecordDecoder.Listener {
        final List<Get> gets = new ArrayList<>();
        private final long ofEpoch;

        /** The ranks of all gets, each once, in ascending order. */
        int[] ranks = new int[1];

        int count;
        private long fieldBytes;

        Batch(long ofEpoch) {
            this.ofEpoch = ofEpoch;
        }

        /** Takes the ranks of a get, unless they are too many beside those of other gets. */
        boolean takes(Get get) {
            int more = 0;
            long moreBytes = 0;
            for (int rank : get.ranks()) {
                boolean isNew = find(rank) < 0;
                more += isNew ? 1 : 0;
                moreBytes += isNew ? parity.records().fieldLength(rank) : 0;
            }
            boolean fit = count + more <= RecordDecoder.RANKS_MAX && fieldBytes + moreBytes <= BATCH_BYTES_MAX;
            if (count > 0 && more > 0 && !fit) {
                return false;
            }
            fieldBytes += moreBytes;
            for (int rank : get.ranks()) {
                add(rank);
            }
            return true;
        }

        private int find(int rank) {
            return Arrays.binarySearch(ranks, 0, count, rank);
        }

        private void add(int rank) {
            int place = -find(rank) - 1;
            if (place < 0) {
                return;
            }
            if (count == ranks.length) {
                ranks = Arrays.copyOf(ranks, Math.max(16, 2 * count));
            }
            System.arraycopy(ranks, place, ranks, place + 1, count - place);
            ranks[place] = rank;
            count++;
        }

        @Override
        public void decoded(RecordDecoder.Records records) {
            batches--;
            boolean mayAnswer = isLedIn(ofEpoch) && groups.isLeased();
            for (Get get : gets) {
                if (!mayAnswer) {
                    refuse(get);
                    continue;
                }
                if (isRead(get)) {
                    answer(get, records);
                    groups.recoveryCounters().add(RecoveryCounters.Event.DEGRADED_READ);
                }
                end(get);
            }
        }

        /** The gets that wait are refused, too, because they would fail in the same way, and only later. */
        @Override
        public void failed() {
            batches--;
            gets.forEach(DecodedGets.this::refuse);
            refuseWaiting();
        }

        private void answer(Get get, RecordDecoder.Records records) {
            boolean damaged = false;
            for (int rank : get.ranks()) {
                int k = find(rank);
                if (k >= records.count()) {
                    groups.busy(request); // the records of the get are too long to be decoded together
                    return;
                }
                damaged |= records.length(k) == RecordDecoder.DAMAGED;
                if (records.length(k) > 0 && isOf(records.memory(k), records.offset(k))) {
                    reply(records.memory(k), records.offset(k));
                    return;
                }
            }
            groups.replies().status(request, damaged ? Status.INTERNAL_ERROR : Status.ABSENT);
        }
    }

    /** Whether a decoded record has the key of the get. */
    private boolean isOf(MemorySegment memory, int at) {
        int length = CodedRecord.keyLength(memory, at);
        return length == request.keyLength
                && SegmentBytes.equal(
                        memory, CodedRecord.keyOffset(memory, at), request.frame, request.keyOffset, length);
    }

    /** Answers the get with its record, if the record has not expired. */
    private void reply(MemorySegment memory, int at) {
        long expiry = CodedRecord.expiry(memory, at);
        boolean head = (request.flags & RequestFrame.FLAG_HEAD) != 0;
        int length = head ? 0 : CodedRecord.valueLength(memory, at);
        long version = CodedRecord.version(memory, at);
        long value = CodedRecord.valueOffset(memory, at);
        if (expiry != RecordStore.NO_EXPIRY && expiry <= column.timeNanos()) {
            groups.replies().status(request, Status.ABSENT);
        } else if (!request.link.admits(length)) {
            groups.busy(request);
        } else if ((request.flags & RequestFrame.FLAG_TTL) == 0) {
            groups.replies().record(request, version, memory, value, length);
        } else {
            long left = Replies.millisLeft(expiry, column.timeNanos());
            groups.replies().record(request, version, left, memory, value, length);
        }
    }
}
