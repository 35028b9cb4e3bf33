package io.sdds.brick.partition;

import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.memory.SegmentBytes;
import io.sdds.core.protocol.Limits;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.ProtocolViolation;
import io.sdds.core.protocol.RequestFrame;
import io.sdds.core.protocol.Status;
import io.sdds.core.query.UnsupportedProgram;
import java.lang.foreign.MemorySegment;
import java.util.function.LongPredicate;
import java.util.function.LongSupplier;

/**
 * Runs a key's request on the partition that owns the key, and answers it. Every answered write leaves its result with
 * the partition, effective or not, so that it takes effect once however often it is sent (docs/design/writes.md, rules
 * 6 and 7).
 */
public final class Operations {
    private static final long NANOS_PER_MILLI = 1_000_000L;

    private final RecordStore store;
    private final Replies replies;
    private final LongPredicate sessionEnded;
    private final LongPredicate sessionNotIssued;
    private final LongSupplier nowNanos;
    private final int busyHintMillis;
    private final Counter counter = new Counter();
    private final Updates updates = new Updates();
    private final Clearing clearing;
    private final RangeClearing rangeClearing;

    private final Current current;
    private final Change change = new Change();
    private final DropList dropped = new DropList();
    private final Applied applied = new Applied();
    private byte status;
    private long value;
    private boolean changing;
    private final ResultBudget resultBudget;

    /**
     * Operations that keep results without a limit for the stage.
     *
     * @param sessionEnded whether the map lists a session as ended
     * @param sessionNotIssued whether a session's number is too far above the numbers that the map knows
     * @param nowNanos the brick's clock
     * @param busyHintMillis how long a client should wait after BUSY
     */
    public Operations(
            RecordStore store,
            Replies replies,
            LongPredicate sessionEnded,
            LongPredicate sessionNotIssued,
            LongSupplier nowNanos,
            int busyHintMillis) {
        this(
                store,
                replies,
                sessionEnded,
                sessionNotIssued,
                nowNanos,
                busyHintMillis,
                new ResultBudget(Long.MAX_VALUE));
    }

    /**
     * Like the constructor above, with a limit of what is kept of results.
     *
     * @param resultBudget the budget of all partitions of the stage
     */
    public Operations(
            RecordStore store,
            Replies replies,
            LongPredicate sessionEnded,
            LongPredicate sessionNotIssued,
            LongSupplier nowNanos,
            int busyHintMillis,
            ResultBudget resultBudget) {
        this.resultBudget = resultBudget;
        this.store = store;
        this.current = new Current(store);
        this.replies = replies;
        this.sessionEnded = sessionEnded;
        this.sessionNotIssued = sessionNotIssued;
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
            return;
        }
        int length = (request.flags & RequestFrame.FLAG_HEAD) == 0 ? store.valueLength(found) : 0;
        if (!request.link.admits(length)) {
            replies.busy(request, busyHintMillis);
        } else {
            describe(partition, request, found, length);
        }
    }

    private void describe(Partition partition, Request request, long found, int length) {
        if ((request.flags & RequestFrame.FLAG_TTL) == 0) {
            replies.record(request, store.version(found), store.segment(found), store.valueOffset(found), length);
        } else {
            long left =
                    Replies.millisLeft(store.expiry(found), partition.bucket().timeNanos());
            replies.record(request, store.version(found), left, store.segment(found), store.valueOffset(found), length);
        }
    }

    private void write(Partition partition, Request request) {
        if (hasTtl(request) && (request.ttlMillis < 0 || request.ttlMillis > Limits.TTL_MILLIS_MAX)) {
            replies.badRequest(
                    request, "time to live of " + request.ttlMillis + " ms: 0 (for ever) to " + Limits.TTL_MILLIS_MAX);
            return;
        }
        if (request.opcode == Opcode.UPDATE && !hasProgram(request)) {
            return;
        }
        if (sessionEnded.test(request.session)) { // its results have been dropped; later results are of other writes
            replies.status(request, Status.STALE_REQUEST);
            return;
        }
        SessionResults results = partition.results().of(request.session);
        if (results == null) {
            if (sessionNotIssued.test(request.session)) {
                replies.busy(request, busyHintMillis);
                return;
            }
            results = partition.results().begin(request.session);
            resultBudget.begins(results);
        }
        results.low(request.low);
        if (resultBudget.isShort()) {
            results.trim();
        }
        if (request.seq < results.low()) {
            replies.status(request, Status.STALE_REQUEST);
            return;
        }
        int kept = results.find(request.seq);
        Gate gate = partition.gate();
        if (kept >= 0) {
            if (!gate.attach(request) && gate.mayAcknowledge(request)) {
                replies.number(request, results.status(kept), results.value(kept));
            }
        } else if (!waits(partition, request, results) && gate.hasRoom(request)) {
            changing = true;
            apply(partition, gate, request, results);
            changing = false;
        }
    }

    /** Whether an UPDATE ships a program for updates that this brick knows. Otherwise the request was answered. */
    private boolean hasProgram(Request request) {
        try {
            updates.program(request);
            return true;
        } catch (UnsupportedProgram e) {
            replies.refusal(request, Status.UNSUPPORTED_PROGRAM, String.valueOf(e.getMessage()));
        } catch (ProtocolViolation e) {
            replies.badRequest(request, String.valueOf(e.getMessage()));
        }
        return false;
    }

    /**
     * Whether a write has begun to take effect and has not ended. After an exception, the partition of such a write
     * can't be trusted any more.
     */
    public boolean isChanging() {
        return changing;
    }

    /** Whether the write can't run now. It was then parked, or answered BUSY. */
    private boolean waits(Partition partition, Request request, SessionResults results) {
        Partition.Mover mover = partition.mover();
        if (mover != null && mover.holds(request)) {
            if (!mover.park(request)) {
                replies.busy(request, busyHintMillis);
            }
            return true;
        }
        if (mover != null && !mover.admits(request) || !mayKeep(request, results)) {
            replies.busy(request, busyHintMillis);
            return true;
        }
        return false;
    }

    /**
     * Whether the result of a write may be kept. The oldest open write of a session always runs, because the session
     * can raise its low, and free the results that it has here, only when that write has ended.
     */
    private boolean mayKeep(Request request, SessionResults results) {
        return results.room(request.seq) && resultBudget.admits(results) || request.seq == results.low();
    }

    private void apply(Partition partition, Gate gate, Request request, SessionResults results) {
        value = 0;
        if (hasTtl(request) || partition.isTimed()) {
            gate.advance(nowNanos.getAsLong());
        }
        change.nothing();
        effect(partition, request);
        if (status == Status.MEMORY_FULL) {
            replies.status(request, status);
            return;
        }
        if (status == Status.BUSY) {
            replies.busy(request, busyHintMillis);
            return;
        }
        results.put(request.seq, request.hash, status, value);
        change.status = status;
        change.result = value;
        if (gate.propose(request, results.low(), change)) {
            return;
        }
        Partition.Mover mover = partition.mover();
        if (mover != null) {
            mover.applied(applied(request));
        }
        replies.number(request, status, value);
    }

    private Applied applied(Request request) {
        applied.hash = request.hash;
        applied.key = request.frame;
        applied.keyOffset = request.keyOffset;
        applied.keyLength = Opcode.isInterval(request.opcode) ? 0 : request.keyLength;
        applied.session = request.session;
        applied.seq = request.seq;
        applied.low = request.low;
        applied.status = status;
        applied.value = value;
        return applied;
    }

    private void effect(Partition partition, Request request) {
        if (request.opcode == Opcode.PUT) {
            putValue(partition, request);
            return;
        }
        if (request.opcode == Opcode.RANGE_CLEAR) {
            clearRange((RangePartition) partition, request);
            return;
        }
        if (request.opcode == Opcode.CLEAR) {
            clear(partition, request);
            return;
        }
        if (!partition.gate().look(request, current)) {
            status = Status.BUSY;
        } else if (request.opcode == Opcode.PUT_IF_ABSENT) {
            putIfAbsent(partition, request);
        } else if (request.opcode == Opcode.INCREMENT) {
            increment(partition, request);
        } else if (!current.found) {
            no(Status.ABSENT);
        } else if ((request.flags & RequestFrame.FLAG_VERSION) != 0 && current.version != request.expectedVersion) {
            no(Status.CONDITION_FALSE);
        } else {
            change(partition, request);
        }
    }

    private void clearRange(RangePartition partition, Request request) {
        boolean own = partition.holdsEnd(request);
        status = own ? Status.OK : Status.CONDITION_FALSE;
        if (!own) {
            value = 0;
            return;
        }
        Gate.Clears clears = partition.gate().clears();
        if (clears == Gate.Clears.AT_ONCE) {
            value = rangeClearing.clear(partition, request) ? 1 : 0;
        } else if (clears == Gate.Clears.BY_BOUNDS) {
            byte[] last = rangeClearing.reach(partition, request);
            value = last == null ? 0 : 1;
            partition.nextVersion();
            change.clear(RangeClearing.bounds(request, last));
        } else {
            dropped.begin(RankedList.BYTES_MAX);
            boolean all = rangeClearing.list(partition, request, dropped);
            value = all ? 0 : 1;
            partition.nextVersion();
            if (clears == Gate.Clears.BY_LIST) {
                change.drop(dropped);
            } else {
                byte[] last = all ? null : store.key(dropped.reference(dropped.size() - 1));
                change.clear(RangeClearing.bounds(request, last), dropped);
            }
        }
    }

    private void clear(Partition partition, Request request) {
        Gate.Clears clears = partition.gate().clears();
        if (clears == Gate.Clears.AT_ONCE) {
            value = clearing.clear(partition, request);
        } else if (clears == Gate.Clears.BY_BOUNDS) {
            value = clearing.reach(partition, request);
            partition.nextVersion();
            change.clear(request.from, value);
        } else {
            dropped.begin(RankedList.BYTES_MAX);
            value = clearing.list(partition, request, dropped);
            partition.nextVersion();
            if (clears == Gate.Clears.BY_LIST) {
                change.drop(dropped);
            } else {
                change.clear(request.from, value, dropped);
            }
        }
        status = Status.OK;
    }

    /** Computes the effect of a write on an existing record. */
    private void change(Partition partition, Request request) {
        switch (request.opcode) {
            case Opcode.REPLACE -> putValue(partition, request);
            case Opcode.COMPARE_AND_SET -> compareAndSet(partition, request);
            case Opcode.REMOVE -> remove(partition, request);
            case Opcode.TOUCH -> touch(partition, request);
            case Opcode.UPDATE -> update(partition, request);
            default -> throw new IllegalStateException("no effect for opcode " + request.opcode);
        }
    }

    /** The condition of the write did not hold, so the record stays as it is. */
    private void no(byte why) {
        status = why;
        value = current.version;
    }

    private static boolean hasTtl(Request request) {
        return (request.flags & RequestFrame.FLAG_TTL) != 0;
    }

    /** The expiry of a value written now, by the request's time to live, or else by the table's. */
    private static long expiry(Partition partition, Request request) {
        long ttlNanos = hasTtl(request) ? request.ttlMillis * NANOS_PER_MILLI : partition.ttlNanos();
        return ttlNanos == 0 ? RecordStore.NO_EXPIRY : partition.gate().timeNanos() + ttlNanos;
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
        boolean done = partition.gate().put(request, from, offset, length, version, expiry, change);
        status = done ? Status.OK : Status.MEMORY_FULL;
        return done;
    }

    private void putIfAbsent(Partition partition, Request request) {
        if (!current.found) {
            putValue(partition, request);
        } else {
            no(Status.CONDITION_FALSE);
        }
    }

    /** Sets another expiry. The value and the version stay. */
    private void touch(Partition partition, Request request) {
        if (store(
                partition,
                request,
                current.segment,
                current.valueOffset,
                current.valueLength,
                current.version,
                expiry(partition, request))) {
            value = current.version;
        }
    }

    private void compareAndSet(Partition partition, Request request) {
        int expected = request.expectedLength();
        if (current.valueLength == expected
                && SegmentBytes.equal(
                        current.segment, current.valueOffset, request.frame, request.expectedOffset(), expected)) {
            int length = request.valueLength - Integer.BYTES - expected;
            long offset = request.expectedOffset() + expected;
            put(partition, request, request.frame, offset, length, expiry(partition, request));
        } else {
            no(Status.CONDITION_FALSE);
        }
    }

    /** Does with the record what a program computes from it. The record keeps its expiry. */
    private void update(Partition partition, Request request) {
        changing = false; // a program only reads
        byte outcome = updates.run(request, current);
        changing = true;
        if (outcome == Status.UPDATE_FAILED) {
            status = outcome;
            value = updates.failure();
        } else if (outcome == Status.CONDITION_FALSE) {
            no(outcome);
        } else if (updates.removes()) {
            remove(partition, request);
        } else {
            int length = (int) updates.value().byteSize();
            if (partition.gate().hasRoom(request, length)) {
                put(partition, request, updates.value(), 0, length, current.expiry);
            } else {
                status = Status.BUSY;
            }
        }
    }

    private void remove(Partition partition, Request request) {
        partition.gate().remove(request, change);
        status = Status.OK;
        value = partition.nextVersion();
    }

    /**
     * Adds to a counter: a signed 64-bit number in the form that the request names. An absent counter counts from 0.
     * The result is the new number. An existing counter keeps its expiry unless the request names another.
     */
    private void increment(Partition partition, Request request) {
        boolean int64 = (request.flags & RequestFrame.FLAG_INT64) != 0;
        boolean number = current.found
                ? readCounter(int64) && counter.add(counter.number(), request.delta())
                : counter.add(0, request.delta());
        if (!number) {
            no(Status.NOT_A_NUMBER);
            return;
        }
        if (int64) {
            counter.writeInt64();
        } else {
            counter.writeText();
        }
        long expiry = !current.found || hasTtl(request) ? expiry(partition, request) : current.expiry;
        put(partition, request, counter.bytes(), 0, counter.length(), expiry);
        if (status == Status.OK) {
            value = counter.number();
        }
    }

    private boolean readCounter(boolean int64) {
        return int64
                ? counter.readInt64(current.segment, current.valueOffset, current.valueLength)
                : counter.readText(current.segment, current.valueOffset, current.valueLength);
    }
}
