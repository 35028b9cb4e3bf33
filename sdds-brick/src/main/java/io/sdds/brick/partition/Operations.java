package io.sdds.brick.partition;

import io.sdds.brick.bucket.HashBucket;
import io.sdds.brick.bucket.PutResult;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.memory.SegmentBytes;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.Status;
import java.lang.foreign.MemorySegment;
import java.util.function.LongPredicate;

/**
 * Runs a key's request on the partition that owns the key, and answers it. Every answered write leaves its result with the partition, effective or
 * not, so that it takes effect once however often it is sent (protocols.md in the design, rules 6 and 7).
 */
public final class Operations {
    private final RecordStore store;
    private final Replies replies;
    private final LongPredicate sessionEnded;
    private final int busyHintMillis;
    private final Counter counter = new Counter();
    private final Clearing clearing;

    private byte status;
    private long value;
    private long ref;

    /**
     * @param sessionEnded whether the map lists a session as ended
     * @param busyHintMillis said with BUSY
     */
    public Operations(RecordStore store, Replies replies, LongPredicate sessionEnded, int busyHintMillis) {
        this.store = store;
        this.replies = replies;
        this.sessionEnded = sessionEnded;
        this.busyHintMillis = busyHintMillis;
        this.clearing = new Clearing(store);
    }

    /** Runs a request of any kind but SCAN and SIZE. */
    public void run(Partition partition, Request request) {
        if (request.opcode == Opcode.GET) {
            get(partition, request);
        } else {
            write(partition, request);
        }
    }

    private void get(Partition partition, Request request) {
        long found = partition.bucket().find(request.hash, request.frame, request.keyOffset, request.keyLength);
        if (found == 0) {
            replies.status(request, Status.ABSENT);
        } else {
            replies.record(
                    request,
                    store.version(found),
                    store.segment(found),
                    store.valueOffset(found),
                    store.valueLength(found));
        }
    }

    private void write(Partition partition, Request request) {
        SessionResults results = partition.results().of(request.session);
        if (results == null) {
            if (sessionEnded.test(request.session)) {
                replies.status(request, Status.STALE_REQUEST);
                return;
            }
            results = partition.results().begin(request.session);
        }
        results.low(request.low);
        if (request.seq < results.low()) {
            replies.status(request, Status.STALE_REQUEST);
            return;
        }
        int kept = results.find(request.seq);
        if (kept >= 0) {
            replies.number(request, results.status(kept), results.value(kept));
        } else if (!waits(partition, request, results)) {
            apply(partition, request, results);
        }
    }

    /** Whether the write can't run now; then it was parked or answered BUSY. */
    private boolean waits(Partition partition, Request request, SessionResults results) {
        Partition.Mover mover = partition.mover();
        if (mover != null && mover.holds(request.hash)) {
            if (!mover.park(request)) {
                replies.busy(request, busyHintMillis);
            }
            return true;
        }
        if (mover != null && !mover.admits(request.hash) || !results.room(request.seq)) {
            replies.busy(request, busyHintMillis);
            return true;
        }
        return false;
    }

    private void apply(Partition partition, Request request, SessionResults results) {
        ref = 0;
        value = 0;
        effect(partition, request);
        if (status == Status.MEMORY_FULL) {
            replies.status(request, status);
            return;
        }
        results.put(request.seq, request.hash, status, value);
        Partition.Mover mover = partition.mover();
        if (mover != null) {
            mover.changed(request, status, value);
        }
        replies.number(request, status, value);
    }

    private void effect(Partition partition, Request request) {
        HashBucket bucket = partition.bucket();
        if (request.opcode == Opcode.PUT) {
            put(partition, request, request.frame, request.valueOffset, request.valueLength);
            return;
        }
        if (request.opcode == Opcode.CLEAR) {
            value = clearing.clear(partition, request);
            status = Status.OK;
            return;
        }
        ref = bucket.find(request.hash, request.frame, request.keyOffset, request.keyLength);
        switch (request.opcode) {
            case Opcode.PUT_IF_ABSENT -> {
                if (ref == 0) {
                    put(partition, request, request.frame, request.valueOffset, request.valueLength);
                } else {
                    no(Status.CONDITION_FALSE);
                }
            }
            case Opcode.REPLACE -> {
                if (ref == 0) {
                    no(Status.ABSENT);
                } else {
                    put(partition, request, request.frame, request.valueOffset, request.valueLength);
                }
            }
            case Opcode.COMPARE_AND_SET -> compareAndSet(partition, request);
            case Opcode.REMOVE -> remove(partition, request);
            case Opcode.INCREMENT -> increment(partition, request);
            default -> throw new IllegalStateException("no effect for opcode " + request.opcode);
        }
    }

    /** The condition did not hold; what the record says stays as it is. */
    private void no(byte why) {
        status = why;
        value = ref == 0 ? 0 : store.version(ref);
    }

    private void put(Partition partition, Request request, MemorySegment from, long offset, int length) {
        long version = partition.version() + 1;
        PutResult done = partition
                .bucket()
                .put(
                        request.hash,
                        request.frame,
                        request.keyOffset,
                        request.keyLength,
                        from,
                        offset,
                        length,
                        version,
                        false);
        if (done == PutResult.FULL) {
            status = Status.MEMORY_FULL;
            return;
        }
        status = Status.OK;
        value = partition.nextVersion();
    }

    private void compareAndSet(Partition partition, Request request) {
        int expected = request.expectedLength();
        if (ref == 0) {
            no(Status.ABSENT);
        } else if (store.valueLength(ref) == expected
                && SegmentBytes.equal(
                        store.segment(ref),
                        store.valueOffset(ref),
                        request.frame,
                        request.expectedOffset(),
                        expected)) {
            int length = request.valueLength - Integer.BYTES - expected;
            put(partition, request, request.frame, request.expectedOffset() + expected, length);
        } else {
            no(Status.CONDITION_FALSE);
        }
    }

    private void remove(Partition partition, Request request) {
        if (ref == 0) {
            no(Status.ABSENT);
            return;
        }
        partition.bucket().remove(request.hash, request.frame, request.keyOffset, request.keyLength);
        ref = 0;
        status = Status.OK;
        value = partition.nextVersion();
    }

    /** A counter is a signed 64-bit number in decimal text; an absent one counts from 0. The result is the new number. */
    private void increment(Partition partition, Request request) {
        boolean number = ref == 0
                ? counter.add(0, request.delta())
                : counter.read(store.segment(ref), store.valueOffset(ref), store.valueLength(ref))
                        && counter.add(counter.number(), request.delta());
        if (!number) {
            no(Status.NOT_A_NUMBER);
            return;
        }
        put(partition, request, counter.text(), 0, counter.length());
        if (status == Status.OK) {
            value = counter.number();
        }
    }
}
