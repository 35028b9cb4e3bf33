package io.sdds.brick.partition;

import io.sdds.brick.bucket.Bucket;
import io.sdds.brick.bucket.PutResult;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.memory.SegmentBytes;
import io.sdds.core.protocol.Limits;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.ReplyFrame;
import io.sdds.core.protocol.RequestFrame;
import io.sdds.core.protocol.Status;
import java.lang.foreign.MemorySegment;
import java.util.function.LongPredicate;
import java.util.function.LongSupplier;

/**
 * Runs a key's request on the partition that owns the key, and answers it. Every answered write leaves its result with the partition, effective or
 * not, so that it takes effect once however often it is sent (protocols.md in the design, rules 6 and 7).
 */
public final class Operations {
    private static final long NANOS_PER_MILLI = 1_000_000L;

    private final RecordStore store;
    private final Replies replies;
    private final LongPredicate sessionEnded;
    private final LongSupplier nowNanos;
    private final int busyHintMillis;
    private final Counter counter = new Counter();
    private final Clearing clearing;
    private final RangeClearing rangeClearing;

    private byte status;
    private long value;
    private long ref;

    /**
     * @param sessionEnded whether the map lists a session as ended
     * @param nowNanos the brick's clock
     * @param busyHintMillis said with BUSY
     */
    public Operations(
            RecordStore store, Replies replies, LongPredicate sessionEnded, LongSupplier nowNanos, int busyHintMillis) {
        this.store = store;
        this.replies = replies;
        this.sessionEnded = sessionEnded;
        this.nowNanos = nowNanos;
        this.busyHintMillis = busyHintMillis;
        this.clearing = new Clearing(store);
        this.rangeClearing = new RangeClearing(store);
    }

    /** Runs a request of any kind but SCAN, SIZE and RANGE. The partition is of the kind that answers it. */
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
        } else if (request.flags == 0) {
            replies.record(
                    request,
                    store.version(found),
                    store.segment(found),
                    store.valueOffset(found),
                    store.valueLength(found));
        } else {
            describe(partition, request, found);
        }
    }

    /** A GET that asks for more, or less, than version and value. */
    private void describe(Partition partition, Request request, long found) {
        int length = (request.flags & RequestFrame.FLAG_HEAD) == 0 ? store.valueLength(found) : 0;
        if ((request.flags & RequestFrame.FLAG_TTL) == 0) {
            replies.record(request, store.version(found), store.segment(found), store.valueOffset(found), length);
        } else {
            long left = millisLeft(store.expiry(found), partition.bucket().timeNanos());
            replies.record(request, store.version(found), left, store.segment(found), store.valueOffset(found), length);
        }
    }

    /** Rounded up: a record that has not expired has some time left. */
    private static long millisLeft(long expiry, long timeNanos) {
        return expiry == RecordStore.NO_EXPIRY
                ? ReplyFrame.FOR_EVER
                : Math.ceilDiv(expiry - timeNanos, NANOS_PER_MILLI);
    }

    private void write(Partition partition, Request request) {
        if (saysTtl(request) && (request.ttlMillis < 0 || request.ttlMillis > Limits.TTL_MILLIS_MAX)) {
            replies.badRequest(
                    request, "time to live of " + request.ttlMillis + " ms: 0 (for ever) to " + Limits.TTL_MILLIS_MAX);
            return;
        }
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
        if (mover != null && mover.holds(request)) {
            if (!mover.park(request)) {
                replies.busy(request, busyHintMillis);
            }
            return true;
        }
        if (mover != null && !mover.admits(request) || !results.room(request.seq)) {
            replies.busy(request, busyHintMillis);
            return true;
        }
        return false;
    }

    private void apply(Partition partition, Request request, SessionResults results) {
        ref = 0;
        value = 0;
        if (saysTtl(request) || partition.isTimed()) {
            partition.time().advance(nowNanos.getAsLong());
        }
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
        Bucket bucket = partition.bucket();
        if (request.opcode == Opcode.PUT) {
            putValue(partition, request);
            return;
        }
        if (request.opcode == Opcode.RANGE_CLEAR) {
            clearRange((RangePartition) partition, request);
            return;
        }
        if (request.opcode == Opcode.CLEAR) {
            value = clearing.clear(partition, request);
            status = Status.OK;
            return;
        }
        ref = bucket.find(request.hash, request.frame, request.keyOffset, request.keyLength);
        if (request.opcode == Opcode.PUT_IF_ABSENT) {
            putIfAbsent(partition, request);
        } else if (request.opcode == Opcode.INCREMENT) {
            increment(partition, request);
        } else if (ref == 0) {
            no(Status.ABSENT);
        } else if ((request.flags & RequestFrame.FLAG_VERSION) != 0 && store.version(ref) != request.expectedVersion) {
            no(Status.CONDITION_FALSE);
        } else {
            change(partition, request);
        }
    }

    private void clearRange(RangePartition partition, Request request) {
        boolean own = partition.holdsEnd(request);
        status = own ? Status.OK : Status.CONDITION_FALSE;
        value = own && rangeClearing.clear(partition, request) ? 1 : 0;
    }

    /** What is done to a record that is there. */
    private void change(Partition partition, Request request) {
        switch (request.opcode) {
            case Opcode.REPLACE -> putValue(partition, request);
            case Opcode.COMPARE_AND_SET -> compareAndSet(partition, request);
            case Opcode.REMOVE -> remove(partition, request);
            case Opcode.TOUCH -> touch(partition, request);
            default -> throw new IllegalStateException("no effect for opcode " + request.opcode);
        }
    }

    /** The condition did not hold; what the record says stays as it is. */
    private void no(byte why) {
        status = why;
        value = ref == 0 ? 0 : store.version(ref);
    }

    private static boolean saysTtl(Request request) {
        return (request.flags & RequestFrame.FLAG_TTL) != 0;
    }

    /** When a value written now expires: as the request says, else as the table says. */
    private static long expiry(Partition partition, Request request) {
        long ttlNanos = saysTtl(request) ? request.ttlMillis * NANOS_PER_MILLI : partition.ttlNanos();
        return ttlNanos == 0 ? RecordStore.NO_EXPIRY : partition.bucket().timeNanos() + ttlNanos;
    }

    private void putValue(Partition partition, Request request) {
        put(partition, request, request.frame, request.valueOffset, request.valueLength, expiry(partition, request));
    }

    private void put(Partition partition, Request request, MemorySegment from, long offset, int length, long expiry) {
        if (store(partition, request, from, offset, length, partition.version() + 1, expiry)) {
            value = partition.nextVersion();
        }
    }

    /** Writes the record, if there is memory for it. */
    private boolean store(
            Partition partition,
            Request request,
            MemorySegment from,
            long offset,
            int length,
            long version,
            long expiry) {
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
                        expiry,
                        false);
        status = done == PutResult.FULL ? Status.MEMORY_FULL : Status.OK;
        return done != PutResult.FULL;
    }

    private void putIfAbsent(Partition partition, Request request) {
        if (ref == 0) {
            putValue(partition, request);
        } else {
            no(Status.CONDITION_FALSE);
        }
    }

    /** Another expiry; value and version stay. */
    private void touch(Partition partition, Request request) {
        long version = store.version(ref);
        MemorySegment from = store.segment(ref);
        if (store(
                partition,
                request,
                from,
                store.valueOffset(ref),
                store.valueLength(ref),
                version,
                expiry(partition, request))) {
            value = version;
        }
    }

    private void compareAndSet(Partition partition, Request request) {
        int expected = request.expectedLength();
        if (store.valueLength(ref) == expected
                && SegmentBytes.equal(
                        store.segment(ref),
                        store.valueOffset(ref),
                        request.frame,
                        request.expectedOffset(),
                        expected)) {
            int length = request.valueLength - Integer.BYTES - expected;
            long offset = request.expectedOffset() + expected;
            put(partition, request, request.frame, offset, length, expiry(partition, request));
        } else {
            no(Status.CONDITION_FALSE);
        }
    }

    private void remove(Partition partition, Request request) {
        partition.bucket().remove(request.hash, request.frame, request.keyOffset, request.keyLength);
        ref = 0;
        status = Status.OK;
        value = partition.nextVersion();
    }

    /**
     * A counter is a signed 64-bit number in decimal text; an absent one counts from 0. The result is the new number. One that is there keeps its expiry,
     * unless the request says another.
     */
    private void increment(Partition partition, Request request) {
        boolean number = ref == 0
                ? counter.add(0, request.delta())
                : counter.read(store.segment(ref), store.valueOffset(ref), store.valueLength(ref))
                        && counter.add(counter.number(), request.delta());
        if (!number) {
            no(Status.NOT_A_NUMBER);
            return;
        }
        long expiry = ref == 0 || saysTtl(request) ? expiry(partition, request) : store.expiry(ref);
        put(partition, request, counter.text(), 0, counter.length(), expiry);
        if (status == Status.OK) {
            value = counter.number();
        }
    }
}
