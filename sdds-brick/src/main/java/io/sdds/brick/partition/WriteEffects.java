package io.sdds.brick.partition;

import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.memory.SegmentBytes;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.RequestFrame;
import io.sdds.core.protocol.Status;
import java.lang.foreign.MemorySegment;

/**
 * Has a write take effect: checks its condition, computes its record, and hands the record to the partition's gate,
 * which changes the bucket or makes the write a {@link Change} for the log.
 */
final class WriteEffects {
    private static final long NANOS_PER_MILLI = 1_000_000L;

    private final RecordStore store;
    private final Updates updates;
    private final Counter counter = new Counter();
    private final Clearing clearing;
    private final RangeClearing rangeClearing;
    private final Current current;
    private final DropList dropped = new DropList();
    private final Outcome outcome = new Outcome();

    WriteEffects(RecordStore store, Updates updates) {
        this.store = store;
        this.updates = updates;
        this.clearing = new Clearing(store);
        this.rangeClearing = new RangeClearing(store);
        this.current = new Current(store);
    }

    /**
     * Runs a write.
     *
     * @return the outcome, valid until the next call. With MEMORY_FULL, BUSY or INTERNAL_ERROR the write has no effect
     *     and may run again later
     */
    Outcome run(Partition partition, Request request) {
        outcome.change().nothing();
        return switch (request.opcode) {
            case Opcode.PUT -> putValue(partition, request);
            case Opcode.CLEAR -> clear(partition, request);
            case Opcode.RANGE_CLEAR -> clearRange((RangePartition) partition, request);
            default -> conditional(partition, request);
        };
    }

    /** Runs a write that depends on the record that its key has. */
    private Outcome conditional(Partition partition, Request request) {
        if (!partition.gate().look(request, current)) {
            return outcome.is(Status.BUSY, 0);
        }
        if (request.opcode == Opcode.PUT_IF_ABSENT) {
            return current.found ? no(Status.CONDITION_FALSE) : putValue(partition, request);
        }
        if (request.opcode == Opcode.INCREMENT) {
            return increment(partition, request);
        }
        if (!current.found) {
            return no(Status.ABSENT);
        }
        if ((request.flags & RequestFrame.FLAG_VERSION) != 0 && current.version != request.expectedVersion) {
            return no(Status.CONDITION_FALSE);
        }
        return switch (request.opcode) {
            case Opcode.REPLACE -> putValue(partition, request);
            case Opcode.COMPARE_AND_SET -> compareAndSet(partition, request);
            case Opcode.REMOVE -> remove(partition, request);
            case Opcode.TOUCH -> touch(partition, request);
            case Opcode.UPDATE -> update(partition, request);
            default -> throw new IllegalStateException("no effect for opcode " + request.opcode);
        };
    }

    /** The condition of the write did not hold, so the record stays as it is. */
    private Outcome no(byte why) {
        return outcome.is(why, current.version);
    }

    /** The expiry of a value written now, by the request's time to live, or else by the table's. */
    private static long expiry(Partition partition, Request request) {
        long ttlNanos = request.hasTtl() ? request.ttlMillis * NANOS_PER_MILLI : partition.ttlNanos();
        return ttlNanos == 0 ? RecordStore.NO_EXPIRY : partition.time().nanos() + ttlNanos;
    }

    private Outcome putValue(Partition partition, Request request) {
        return put(
                partition,
                request,
                request.frame,
                request.valueOffset,
                request.valueLength,
                expiry(partition, request));
    }

    /** Writes a value under the next version, if there is memory for it. */
    private Outcome put(
            Partition partition, Request request, MemorySegment from, long offset, int length, long expiry) {
        long version = partition.version() + 1;
        boolean done = partition.gate().put(request, from, offset, length, version, expiry, outcome.change());
        return done ? outcome.is(Status.OK, partition.nextVersion()) : outcome.is(Status.MEMORY_FULL, 0);
    }

    /** Sets another expiry. The value and the version stay. */
    private Outcome touch(Partition partition, Request request) {
        boolean done = partition
                .gate()
                .put(
                        request,
                        current.segment,
                        current.valueOffset,
                        current.valueLength,
                        current.version,
                        expiry(partition, request),
                        outcome.change());
        return done ? outcome.is(Status.OK, current.version) : outcome.is(Status.MEMORY_FULL, 0);
    }

    private Outcome compareAndSet(Partition partition, Request request) {
        int expected = request.expectedLength();
        if (current.valueLength != expected
                || !SegmentBytes.equal(
                        current.segment, current.valueOffset, request.frame, request.expectedOffset(), expected)) {
            return no(Status.CONDITION_FALSE);
        }
        int length = request.valueLength - Integer.BYTES - expected;
        long offset = request.expectedOffset() + expected;
        return put(partition, request, request.frame, offset, length, expiry(partition, request));
    }

    /** Does with the record what a program computes from it. The record keeps its expiry. */
    private Outcome update(Partition partition, Request request) {
        byte evaluated = updates.run(request, current);
        if (evaluated == Status.UPDATE_FAILED) {
            return outcome.is(evaluated, updates.failure());
        }
        if (evaluated != Status.OK) {
            return no(evaluated);
        }
        if (updates.removes()) {
            return remove(partition, request);
        }
        int length = (int) updates.value().byteSize();
        return partition.gate().hasRoom(request, length)
                ? put(partition, request, updates.value(), 0, length, current.expiry)
                : outcome.is(Status.BUSY, 0);
    }

    private Outcome remove(Partition partition, Request request) {
        partition.gate().remove(request, outcome.change());
        return outcome.is(Status.OK, partition.nextVersion());
    }

    /**
     * Adds to a counter: a signed 64-bit number in the form that the request names. An absent counter counts from 0.
     * The result is the new number. An existing counter keeps its expiry unless the request names another.
     */
    private Outcome increment(Partition partition, Request request) {
        boolean int64 = (request.flags & RequestFrame.FLAG_INT64) != 0;
        boolean number = current.found
                ? readCounter(int64) && counter.add(counter.number(), request.delta())
                : counter.add(0, request.delta());
        if (!number) {
            return no(Status.NOT_A_NUMBER);
        }
        if (int64) {
            counter.writeInt64();
        } else {
            counter.writeText();
        }
        long expiry = !current.found || request.hasTtl() ? expiry(partition, request) : current.expiry;
        Outcome done = put(partition, request, counter.bytes(), 0, counter.length(), expiry);
        return done.status() == Status.OK ? done.is(Status.OK, counter.number()) : done;
    }

    private boolean readCounter(boolean int64) {
        return int64
                ? counter.readInt64(current.segment, current.valueOffset, current.valueLength)
                : counter.readText(current.segment, current.valueOffset, current.valueLength);
    }

    private Outcome clearRange(RangePartition partition, Request request) {
        if (!partition.holdsEnd(request)) {
            return outcome.is(Status.CONDITION_FALSE, 0);
        }
        Change change = outcome.change();
        Gate.Clears clears = partition.gate().clears();
        if (clears == Gate.Clears.AT_ONCE) {
            return outcome.is(Status.OK, rangeClearing.clear(partition, request) ? 1 : 0);
        }
        if (clears == Gate.Clears.BY_BOUNDS) {
            byte[] last = rangeClearing.reach(partition, request);
            partition.nextVersion();
            change.clear(RangeClearing.bounds(request, last));
            return outcome.is(Status.OK, last == null ? 0 : 1);
        }
        dropped.begin(RankedList.BYTES_MAX);
        boolean all = rangeClearing.list(partition, request, dropped);
        partition.nextVersion();
        if (clears == Gate.Clears.BY_LIST) {
            change.drop(dropped);
        } else {
            byte[] last = all ? null : store.key(dropped.reference(dropped.size() - 1));
            change.clear(RangeClearing.bounds(request, last), dropped);
        }
        return outcome.is(Status.OK, all ? 0 : 1);
    }

    private Outcome clear(Partition partition, Request request) {
        Change change = outcome.change();
        Gate.Clears clears = partition.gate().clears();
        if (clears == Gate.Clears.AT_ONCE) {
            return outcome.is(Status.OK, clearing.clear(partition, request));
        }
        long reached;
        if (clears == Gate.Clears.BY_BOUNDS) {
            reached = clearing.reach(partition, request);
            change.clear(request.from, reached);
        } else {
            dropped.begin(RankedList.BYTES_MAX);
            reached = clearing.list(partition, request, dropped);
            if (clears == Gate.Clears.BY_LIST) {
                change.drop(dropped);
            } else {
                change.clear(request.from, reached, dropped);
            }
        }
        partition.nextVersion();
        return outcome.is(Status.OK, reached);
    }
}
