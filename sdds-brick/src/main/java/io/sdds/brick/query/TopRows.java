package io.sdds.brick.query;

import static io.sdds.brick.memory.SegmentBytes.BYTE;
import static io.sdds.brick.memory.SegmentBytes.INT;

import io.sdds.brick.memory.KeyOrder;
import io.sdds.core.query.Output;
import io.sdds.core.row.ValueType;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * TOP: keeps the first rows of the order, in a heap whose root is the last one of them. While the heap is not full, the
 * step ends when the tuples have the bytes of an answer.
 */
final class TopRows extends Sink {

    /* The values of the order are encoded so that the order of the bytes, unsigned, is the order of the rows: a byte
     * tells NULL, numbers are big endian with the sign bit inverted, text has 0x00 as 0x00 0xFF and ends with 0x00
     * 0x00; in descending parts the bytes are inverted; a count of the rows keeps equal ones in their order. An entry
     * is the lengths of both, the encoded order, the tuple. A row that leaves the heap leaves its bytes behind; when
     * these are half of all, the entries are copied. A row that is not before the bound never gets into the heap. */

    private static final int HEADER = 8;
    private static final int TUPLE_LENGTH = 4;
    private static final int HEAP_MIN = 64;

    private final List<Output.SortKey> order;
    private final Lane[] orderLanes;
    private final Lane[] columns;
    private final int limit;
    private final int bytesMax;

    /** The bound, encoded as the order of a row; null: there is none. */
    private final @Nullable OffHeap bound;

    private OffHeap entries;
    private OffHeap spare;
    private long liveBytes;

    /** Where the entries are; a heap, the last one of the order first. */
    private int[] heap = new int[HEAP_MIN];

    private int count;
    private long seen;

    /**
     * Makes an empty heap.
     *
     * @param lanes of the program's instructions
     * @param bound the values of an order before which all answered rows are; null: none
     * @param bytesMax after which the step ends while the heap is not full
     */
    TopRows(Output.Top output, Lane[] lanes, @Nullable List<byte @Nullable []> bound, int bytesMax, OffHeap memory) {
        this.order = output.order();
        this.orderLanes = order.stream().map(key -> lanes[key.value()]).toArray(Lane[]::new);
        this.columns = new Lane[orderLanes.length + output.columns().size()];
        for (int k = 0; k < columns.length; k++) {
            columns[k] = k < orderLanes.length
                    ? orderLanes[k]
                    : lanes[output.columns().get(k - orderLanes.length)];
        }
        this.limit = output.limit();
        this.bytesMax = bytesMax;
        this.entries = memory.sibling();
        this.spare = memory.sibling();
        this.bound = bound == null ? null : encoded(bound, memory);
    }

    private OffHeap encoded(List<byte @Nullable []> values, OffHeap memory) {
        OffHeap encoded = memory.sibling();
        OffHeap stored = memory.sibling(); // Off-heap, as the texts of records are, so that texts are read in one way.
        for (int k = 0; k < values.size(); k++) {
            Lane lane = Lane.of(orderLanes[k].type);
            byte[] value = values.get(k);
            if (value == null) {
                lane.state(0, Lane.NULL, 1);
            } else {
                stored.used(0);
                stored.putBytes(MemorySegment.ofArray(value), 0, value.length);
                Sources.set(lane, 0, value, stored.memory());
            }
            encode(order.get(k), lane, 0, encoded);
        }
        stored.release();
        return encoded;
    }

    @Override
    int take(int rows, int obliged) {
        for (int row = 0; row < rows; row++) {
            if (row >= obliged && isFull()) {
                return row;
            }
            take(row);
        }
        return rows;
    }

    @Override
    boolean isFull() {
        return liveBytes >= (count < limit ? bytesMax : GroupTable.BYTES_MAX); // later rows may be longer
    }

    private void take(int row) {
        long at = entries.take(HEADER);
        for (int k = 0; k < orderLanes.length; k++) {
            RowFailure.check(orderLanes[k], row);
            encode(order.get(k), orderLanes[k], row, entries);
        }
        if (isBeyondBound(at + HEADER)) {
            pass(row, at);
            return;
        }
        entries.putLong(Long.reverseBytes(seen++));
        int keyLength = (int) (entries.used() - at - HEADER);
        entries.memory().set(INT, at, keyLength);
        if (count == limit && compare((int) at, heap[0]) >= 0) {
            pass(row, at);
            return;
        }
        long tupleAt = entries.used();
        Tuples.write(columns, row, entries);
        entries.memory().set(INT, at + TUPLE_LENGTH, (int) (entries.used() - tupleAt));
        liveBytes += entries.used() - at;
        if (count < limit) {
            push((int) at);
        } else {
            liveBytes -= length(entries.memory(), heap[0]);
            heap[0] = (int) at;
            siftDown(0, count);
            compactIfDue();
        }
    }

    /** Whether a row whose order is the last of the entries is not before the bound. */
    private boolean isBeyondBound(long at) {
        if (bound == null) {
            return false;
        }
        int length = (int) (entries.used() - at);
        return KeyOrder.compare(entries.memory(), at, length, bound.memory(), 0, (int) bound.used(), 0) >= 0;
    }

    /** Passes over a row, whose entry has been begun. Its errors end the query as if it had been taken. */
    private void pass(int row, long at) {
        for (Lane column : columns) {
            RowFailure.check(column, row);
        }
        entries.used(at);
    }

    private static void encode(Output.SortKey key, Lane lane, int row, OffHeap to) {
        boolean isNull = lane.state(row) == Lane.NULL;
        to.putByte(isNull == key.nullsFirst() ? 0 : 1);
        if (isNull) {
            return;
        }
        long from = to.used();
        if (Lane.isText(lane.type)) {
            text(lane.segments[row], lane.offsets[row], lane.lengths[row], to);
        } else {
            number(lane, row, to);
        }
        if (key.descending()) {
            MemorySegment memory = to.memory();
            for (long at = from; at < to.used(); at++) {
                memory.set(BYTE, at, (byte) ~memory.get(BYTE, at));
            }
        }
    }

    private static void text(MemorySegment text, long offset, int length, OffHeap to) {
        for (long at = offset; at < offset + length; at++) {
            byte unit = text.get(BYTE, at);
            to.putByte(unit);
            if (unit == 0) {
                to.putByte(0xff);
            }
        }
        to.putByte(0);
        to.putByte(0);
    }

    private static void number(Lane lane, int row, OffHeap to) {
        long value = lane.values[row];
        if (lane.highs.length > 0) {
            to.putLong(Long.reverseBytes(lane.highs[row] ^ Long.MIN_VALUE));
            to.putLong(Long.reverseBytes(value));
        } else if (lane.type.kind() == ValueType.Kind.DOUBLE) {
            to.putLong(Long.reverseBytes(value < 0 ? ~value : value ^ Long.MIN_VALUE));
        } else {
            to.putLong(Long.reverseBytes(value ^ Long.MIN_VALUE));
        }
    }

    private int compare(int one, int other) {
        MemorySegment memory = entries.memory();
        return KeyOrder.compare(
                memory, one + HEADER, memory.get(INT, one), memory, other + HEADER, memory.get(INT, other), 0);
    }

    private static int length(MemorySegment memory, int entry) {
        return HEADER + memory.get(INT, entry) + memory.get(INT, entry + TUPLE_LENGTH);
    }

    private void push(int entry) {
        if (count == heap.length) {
            heap = Arrays.copyOf(heap, Math.min(limit, 2 * count));
        }
        int place = count++;
        while (place > 0 && compare(entry, heap[(place - 1) / 2]) > 0) {
            heap[place] = heap[(place - 1) / 2];
            place = (place - 1) / 2;
        }
        heap[place] = entry;
    }

    private void siftDown(int from, int size) {
        int entry = heap[from];
        int place = from;
        for (int child = 2 * place + 1; child < size; child = 2 * place + 1) {
            if (child + 1 < size && compare(heap[child + 1], heap[child]) > 0) {
                child++;
            }
            if (compare(heap[child], entry) <= 0) {
                break;
            }
            heap[place] = heap[child];
            place = child;
        }
        heap[place] = entry;
    }

    private void compactIfDue() {
        if (entries.used() < 2 * liveBytes || entries.used() < GroupTable.BYTES_MAX / 4) {
            return;
        }
        spare.used(0);
        for (int k = 0; k < count; k++) {
            int length = length(entries.memory(), heap[k]);
            long at = spare.take(length);
            MemorySegment.copy(entries.memory(), heap[k], spare.memory(), at, length);
            heap[k] = (int) at;
        }
        OffHeap old = entries;
        entries = spare;
        spare = old;
    }

    @Override
    void answer(OffHeap to) {
        for (int size = count - 1; size > 0; size--) {
            int last = heap[0];
            heap[0] = heap[size];
            siftDown(0, size);
            heap[size] = last;
        }
        MemorySegment memory = entries.memory();
        for (int k = 0; k < count; k++) {
            int keyLength = memory.get(INT, heap[k]);
            to.putBytes(memory, heap[k] + HEADER + keyLength, memory.get(INT, heap[k] + TUPLE_LENGTH));
        }
        count = 0;
    }

    @Override
    long bytes() {
        return entries.capacity() + spare.capacity() + (bound == null ? 0 : bound.capacity());
    }

    @Override
    void release() {
        entries.release();
        spare.release();
        if (bound != null) {
            bound.release();
        }
    }
}
