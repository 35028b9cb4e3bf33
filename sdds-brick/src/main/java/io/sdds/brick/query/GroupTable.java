package io.sdds.brick.query;

import static io.sdds.brick.memory.SegmentBytes.BYTE;
import static io.sdds.brick.memory.SegmentBytes.INT;
import static io.sdds.brick.memory.SegmentBytes.LONG;

import io.sdds.brick.memory.SegmentBytes;
import io.sdds.brick.memory.SegmentHash;
import io.sdds.brick.query.Aggregators.Aggregator;
import io.sdds.core.query.Output;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * AGGREGATE: groups by their keys, off-heap, in an open-addressing table. When the table has its most bytes it takes no
 * group more, so that the step ends, and the client merges what it answers with the groups of the next step.
 */
final class GroupTable extends Sink {

    /* A batch is taken in two passes. The first one finds the group of each row; it ends before a row that the table
     * has no room for. The second one goes through the aggregates, and updates the states of all rows. A group is a
     * number. Its key is encoded as a tuple, and its place among the keys and its hash stand in an index, its states in
     * an array. A key that is one number of up to 64 bits, the most frequent kind, is not encoded to be found: its hash
     * is a bijection of the number, so groups with equal hashes are equal. Its NULL is a group that is not in the
     * slots. */

    /** Most bytes of a table. */
    static final int BYTES_MAX = 1 << 20;

    private static final int SLOTS_MIN = 256;
    private static final int INDEX_BYTES = 16;
    private static final int HASH = 0;
    private static final int KEY = 8;
    private static final int KEY_LENGTH = 12;
    private static final int NONE = -1;

    private final Lane[] keys;

    /** The only key, if it is a number of up to 64 bits; else null. */
    private final @Nullable Lane number;

    private final Aggregator[] aggregators;
    private final int stateBytes;
    private final int bytesMax;
    private final OffHeap slots;
    private final OffHeap index;
    private final OffHeap keyBytes;
    private final OffHeap states;
    private final OffHeap texts;
    private final int[] groups = new int[Lane.ROWS];
    private int slotMask;
    private int count;

    /** The group whose {@link #number} is NULL. */
    private int nullGroup = NONE;

    /**
     * Makes an empty table; without keys it has its one group at once.
     *
     * @param lanes of the program's instructions
     * @param bytesMax after which the step ends
     */
    GroupTable(Output.Aggregate output, Lane[] lanes, int bytesMax, OffHeap memory) {
        this.keys = output.keys().stream().map(key -> lanes[key]).toArray(Lane[]::new);
        boolean isNumber = keys.length == 1 && keys[0].values.length > 0 && keys[0].highs.length == 0;
        this.number = isNumber ? keys[0] : null;
        this.bytesMax = Math.min(bytesMax, BYTES_MAX);
        this.slots = memory.sibling();
        this.index = memory.sibling();
        this.keyBytes = memory.sibling();
        this.states = memory.sibling();
        this.texts = memory.sibling();
        this.aggregators = new Aggregator[output.aggregations().size()];
        int offset = 0;
        List<Output.Aggregation> aggregations = output.aggregations();
        for (int k = 0; k < aggregators.length; k++) {
            int operand = aggregations.get(k).operand();
            aggregators[k] = Aggregators.of(aggregations.get(k).function(), operand < 0 ? null : lanes[operand], texts);
            aggregators[k].offset = offset;
            offset += aggregators[k].bytes;
        }
        this.stateBytes = offset;
        slots.takeZeros((long) SLOTS_MIN * Integer.BYTES);
        slotMask = SLOTS_MIN - 1;
        if (keys.length == 0) {
            add(0, 0, 0);
        }
    }

    @Override
    int take(int rows, int obliged) {
        int taken = findGroups(rows, obliged);
        for (Aggregator aggregator : aggregators) {
            aggregator.update(taken, groups, states.memory(), stateBytes);
        }
        return taken;
    }

    private int findGroups(int rows, int obliged) {
        boolean clean = areOperandsClean();
        if (keys.length == 0 && clean) {
            return rows; // All groups are 0.
        }
        for (int row = 0; row < rows; row++) {
            if (keys.length > 0) {
                if (row >= obliged && isFull()) {
                    return row;
                }
                groups[row] = number == null ? find(row) : find(number, row);
            }
            if (!clean) {
                checkOperands(row);
            }
        }
        return rows;
    }

    private boolean areOperandsClean() {
        boolean clean = true;
        for (Aggregator aggregator : aggregators) {
            clean &= aggregator.operand == null || aggregator.operand.clean;
        }
        return clean;
    }

    private void checkOperands(int row) {
        for (Aggregator aggregator : aggregators) {
            if (aggregator.operand != null) {
                RowFailure.check(aggregator.operand, row);
            }
        }
    }

    @Override
    boolean isFull() {
        if (keys.length == 0) {
            return texts.used() >= BYTES_MAX;
        }
        long answer = keyBytes.used() + states.used() + texts.used();
        return answer >= bytesMax || answer + index.used() + slots.used() >= BYTES_MAX;
    }

    /** The group of a row whose only key is a number. */
    private int find(Lane key, int row) {
        if (!key.has(row)) {
            return findNull(key, row);
        }
        long hash = hash(key.values[row]);
        MemorySegment slotMemory = slots.memory();
        MemorySegment indexMemory = index.memory();
        for (long slot = hash & slotMask; ; slot = slot + 1 & slotMask) {
            int group = slotMemory.get(INT, slot * Integer.BYTES) - 1;
            if (group < 0) {
                return add(row, hash);
            }
            if (indexMemory.get(LONG, (long) group * INDEX_BYTES + HASH) == hash) {
                return group;
            }
        }
    }

    private int findNull(Lane key, int row) {
        RowFailure.check(key, row);
        if (nullGroup == NONE) {
            nullGroup = count;
            add(row, 0);
        }
        return nullGroup;
    }

    /** A bijection that spreads numbers that are near each other (the finalizer of MurmurHash3). */
    private static long hash(long number) {
        long hash = number ^ number >>> 33;
        hash *= 0xff51afd7ed558ccdL;
        hash ^= hash >>> 33;
        hash *= 0xc4ceb9fe1a85ec53L;
        return hash ^ hash >>> 33;
    }

    private int add(int row, long hash) {
        long at = keyBytes.used();
        Tuples.write(keys, row, keyBytes);
        return add(hash, at, (int) (keyBytes.used() - at));
    }

    private int find(int row) {
        long at = keyBytes.used();
        Tuples.write(keys, row, keyBytes);
        int length = (int) (keyBytes.used() - at);
        MemorySegment bytes = keyBytes.memory();
        long hash = SegmentHash.hash(bytes, at, length);
        MemorySegment slotMemory = slots.memory();
        MemorySegment indexMemory = index.memory();
        for (long slot = hash & slotMask; ; slot = slot + 1 & slotMask) {
            int group = slotMemory.get(INT, slot * Integer.BYTES) - 1;
            if (group < 0) {
                return add(hash, at, length);
            }
            long entry = (long) group * INDEX_BYTES;
            if (indexMemory.get(LONG, entry + HASH) == hash
                    && indexMemory.get(INT, entry + KEY_LENGTH) == length
                    && SegmentBytes.equal(bytes, indexMemory.get(INT, entry + KEY), bytes, at, length)) {
                keyBytes.used(at);
                return group;
            }
        }
    }

    /** Adds a group whose key is the last one of the keys. */
    private int add(long hash, long at, int length) {
        index.putLong(hash);
        index.putInt((int) at);
        index.putInt(length);
        states.takeZeros(stateBytes);
        count++;
        if (2 * count > slotMask) {
            growSlots();
        } else {
            insert(hash, count - 1);
        }
        return count - 1;
    }

    private void insert(long hash, int group) {
        if (group == nullGroup) {
            return;
        }
        MemorySegment memory = slots.memory();
        long slot = hash & slotMask;
        while (memory.get(INT, slot * Integer.BYTES) != 0) {
            slot = slot + 1 & slotMask;
        }
        memory.set(INT, slot * Integer.BYTES, group + 1);
    }

    private void growSlots() {
        int size = 2 * (slotMask + 1);
        slotMask = size - 1;
        slots.used(0);
        slots.takeZeros((long) size * Integer.BYTES);
        for (int group = 0; group < count; group++) {
            insert(index.memory().get(LONG, (long) group * INDEX_BYTES + HASH), group);
        }
    }

    @Override
    void answer(OffHeap to) {
        for (int group = 0; group < count; group++) {
            answer(group, to);
        }
    }

    private void answer(int group, OffHeap to) {
        long entry = (long) group * INDEX_BYTES;
        long key = index.memory().get(INT, entry + KEY);
        int keyBitmap = Tuples.bitmapBytes(keys.length);
        long bitmap = to.takeZeros(Tuples.bitmapBytes(keys.length + aggregators.length));
        for (int k = 0; k < keyBitmap; k++) {
            to.memory().set(BYTE, bitmap + k, keyBytes.memory().get(BYTE, key + k));
        }
        int keyLength = index.memory().get(INT, entry + KEY_LENGTH);
        if (keyLength > 0) {
            to.putBytes(keyBytes.memory(), key + keyBitmap, keyLength - keyBitmap);
        }
        long state = (long) group * stateBytes;
        for (int k = 0; k < aggregators.length; k++) {
            if (aggregators[k].isNull(states.memory(), state)) {
                Tuples.setNull(to.memory(), bitmap, keys.length + k);
            } else {
                aggregators[k].answer(states.memory(), state, to);
            }
        }
    }

    @Override
    long bytes() {
        return slots.capacity() + index.capacity() + keyBytes.capacity() + states.capacity() + texts.capacity();
    }

    @Override
    void release() {
        slots.release();
        index.release();
        keyBytes.release();
        states.release();
        texts.release();
    }
}
