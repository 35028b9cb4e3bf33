package io.sdds.brick.query;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.memory.RecordBatch;
import io.sdds.brick.memory.RecordStore;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** The evaluation of a program for one request: it takes the records of an interval and makes the answer. */
public final class ProgramRun {
    /** Bytes of records that are evaluated together by a program that reads one text, but for a longer record. */
    private static final int BATCH_BYTES_MAX = 128 << 10;

    /** Cost of the records that are evaluated together. */
    private static final int BATCH_COST_MAX = 50_000;

    private static final int KEY_SHOWN_MAX = 60;

    /** Cost of finding and loading a record, in about nanoseconds. */
    private static final int RECORD_COST = 40;

    private final PreparedProgram program;
    private final RowBatch batch;
    private final RecordStore store;
    private final Sink sink;
    private final OffHeap tuples;
    private long matched;
    private long cost;

    ProgramRun(PreparedProgram program, RowBatch batch, RecordStore store, Sink sink, OffHeap tuples) {
        this.program = program;
        this.batch = batch;
        this.store = store;
        this.sink = sink;
        this.tuples = tuples;
    }

    /** Records that should be evaluated together: fewer of an expensive program, so that a slice ends in time. */
    public int recordsMax() {
        return Math.max(1, Math.min(Lane.ROWS, BATCH_COST_MAX / (RECORD_COST + program.costOfRow())));
    }

    /** Bytes of records that should be evaluated together: fewer of a program that reads many texts. */
    public int bytesMax() {
        return BATCH_BYTES_MAX / Math.max(1, program.textReaders());
    }

    /**
     * Evaluates records.
     *
     * @param mayEndInside whether the interval may end behind any of the records, because they come in the order of
     *     keys; else it ends behind the batch
     * @param mayTakeNone whether the interval may also end before the first one
     * @return how many of the records, from the first on, have been evaluated: all, or fewer when the answer is full
     * @throws QueryFailure if a value that is used is an error
     */
    public int evaluate(RecordBatch records, boolean mayEndInside, boolean mayTakeNone) {
        return evaluate(records, mayEndInside, mayTakeNone, Long.MAX_VALUE);
    }

    /**
     * Evaluates records, as the other {@code evaluate} does, or the first of them.
     *
     * @param costMax cost after which no further record is evaluated if the interval may end inside
     */
    public int evaluate(RecordBatch records, boolean mayEndInside, boolean mayTakeNone, long costMax) {
        long costBefore = cost;
        int done = 0;
        int most = Lane.ROWS;
        while (done < records.size() && !(mayEndInside && done > 0 && cost - costBefore >= costMax)) {
            int wanted = Math.min(most, records.size() - done);
            int count = batch.load(records, done, wanted, bytesMax());
            int taken = evaluate(records, done, count, mayEndInside, mayTakeNone || done > 0);
            done += taken;
            if (taken < count) {
                break;
            }
            most = Math.min(Lane.ROWS, 2 * count);
        }
        return done;
    }

    /** Evaluates records that are in the batch, in parts if it lacks memory for their texts. */
    private int evaluate(RecordBatch records, int from, int count, boolean mayEndInside, boolean mayTakeNone) {
        try {
            boolean isDone = program.run();
            cost += program.takeCost() + (long) count * RECORD_COST;
            if (isDone) {
                return take(count, mayEndInside, mayTakeNone);
            }
        } catch (RowFailure e) {
            throw new QueryFailure(e.getMessage() + " at key " + text(store.key(batch.refs[e.row])));
        }
        int half = count / 2;
        batch.load(records, from, half);
        int taken = evaluate(records, from, half, mayEndInside, mayTakeNone);
        if (taken < half) {
            return taken;
        }
        batch.load(records, from + half, count - half);
        return half + evaluate(records, from + half, count - half, mayEndInside, true);
    }

    /** Gives the sink the rows that pass the filter; returns how many of the records count. */
    private int take(int count, boolean mayEndInside, boolean mayTakeNone) {
        int passed = program.passed();
        int obliged = !mayEndInside ? passed : mayTakeNone || passed == 0 || batch.origins[0] > 0 ? 0 : 1;
        int taken = sink.take(passed, obliged);
        matched += taken;
        if (taken == passed && !sink.isDone()) {
            program.checkFilter();
            return count;
        }
        if (!mayEndInside) {
            return count; // The answer has as many tuples as were wanted, and the other records are given up.
        }
        return sink.isDone() && taken > 0 ? batch.origins[taken - 1] + 1 : batch.origins[taken];
    }

    /** A key for people: as text if it is one, and shortened. */
    static String text(byte[] key) {
        MemorySegment bytes = MemorySegment.ofArray(key);
        int length = Math.min(key.length, KEY_SHOWN_MAX);
        while (length < key.length && length > 0 && TextSearch.continues(key[length])) {
            length--;
        }
        String end = length < key.length ? "..." : "";
        boolean printable = Utf8Points.isValid(bytes, 0, length);
        for (int k = 0; k < length; k++) {
            printable &= key[k] < 0 || key[k] >= ' ' && key[k] != 0x7f;
        }
        if (printable) {
            return "'" + new String(key, 0, length, StandardCharsets.UTF_8) + end + "'";
        }
        byte[] shown = bytes.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE);
        return "x'" + HexFormat.of().formatHex(shown) + end + "'";
    }

    /** Whether the step should end, because the answer is long enough. */
    public boolean isFull() {
        return sink.isFull() || sink.isDone();
    }

    /** Number of records that passed the filter and are in the answer. */
    public long matched() {
        return matched;
    }

    /** Cost of what was evaluated since the last call, in about nanoseconds. */
    public long takeCost() {
        long taken = cost;
        cost = 0;
        return taken;
    }

    /** The tuples of the answer, valid until {@link #release}. To be called once, at the end. */
    public ByteBuf answer() {
        sink.answer(tuples);
        return tuples.content();
    }

    /** Bytes of the memory that it holds. */
    public long bytes() {
        return sink.bytes() + tuples.capacity();
    }

    /** Gives all memory back. */
    public void release() {
        sink.release();
        tuples.release();
    }
}
