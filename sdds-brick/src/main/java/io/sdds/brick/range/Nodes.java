package io.sdds.brick.range;

import static io.sdds.brick.memory.SegmentBytes.BYTE;
import static io.sdds.brick.memory.SegmentBytes.INT;
import static io.sdds.brick.memory.SegmentBytes.LONG;
import static io.sdds.brick.memory.SegmentBytes.SHORT;

import io.sdds.brick.memory.SlotSpace;
import java.lang.foreign.MemorySegment;

/**
 * The nodes of a B+-tree: their layout, and the memory they take. A node is named by the reference of its slot.
 *
 * <p>This class only knows the layout of a node. The classes that use it keep the invariants of the tree.
 */
final class Nodes {

    /* Layout of a node (little endian, 1024 bytes, aligned to cache lines):
     *
     *      0  count        2 bytes   entries in use
     *      2  prefix       2 bytes   number of bytes that all keys of the node have in common, and that heads leave out
     *      4  level        1 byte    0: leaf
     *      5  verified     1 byte    1: a key that is searched here may lack the prefix
     *      6  last insert  2 bytes   leaf: where the last record was put
     *      8  next, or     4 bytes   leaf: the right neighbour
     *         first child            inner node: the child below the first key
     *     12  previous     4 bytes   leaf: the left neighbour
     *     16  bytes        8 bytes   bytes of the slots of all records below
     *     24  records      4 bytes   number of records below
     *     28  run          2 bytes   leaf: number of inserts in a row right behind the insert before
     *     32  entries
     *
     * An entry is a key's head (8 bytes, see KeyOrder) and the reference of the key. In a leaf this is the reference of
     * the record; an entry has 12 bytes, and a leaf has up to 82 entries. In an inner node this is the reference of the
     * separator, followed by the reference of the child whose keys are not below the separator; an entry has 16 bytes,
     * and an inner node has up to 62 entries. Head and reference stand together. So a search finds the reference in the
     * cache line at which it ends, and an insert moves one range of bytes. */

    static final int BYTES = 1024;
    static final int LINE_BYTES = 64;
    static final int ENTRIES_OFFSET = 32;
    static final int LEAF_ENTRY_BYTES = 12;
    static final int INNER_ENTRY_BYTES = 16;

    /** Most records of a leaf. */
    static final int LEAF_KEYS = (BYTES - ENTRIES_OFFSET) / LEAF_ENTRY_BYTES;

    /** Most separators of an inner node. */
    static final int INNER_KEYS = (BYTES - ENTRIES_OFFSET) / INNER_ENTRY_BYTES;

    static final int COUNT_MASK = 0xFFFF;
    static final int PREFIX_SHIFT = 16;
    static final int LEVEL_SHIFT = 32;
    static final int VERIFIED_SHIFT = 40;

    private static final int COUNT_OFFSET = 0;
    private static final int PREFIX_OFFSET = 2;
    private static final int LEVEL_OFFSET = 4;
    private static final int VERIFIED_OFFSET = 5;
    private static final int LAST_INSERT_OFFSET = 6;
    private static final int NEXT_OFFSET = 8;
    private static final int FIRST_CHILD_OFFSET = 8;
    private static final int PREVIOUS_OFFSET = 12;
    private static final int BYTES_OFFSET = 16;
    private static final int RECORDS_OFFSET = 24;
    private static final int RUN_OFFSET = 28;
    private static final int KEY_OFFSET = 8;
    private static final int CHILD_OFFSET = 12;

    private static final long REFERENCE_MASK = 0xFFFF_FFFFL;

    /** A value of the last insert that no insert is right behind. */
    private static final int NOWHERE = 0xFFFE;

    /** Number of inserts in a row, each right behind the insert before, after which inserts count as ascending. */
    private static final int RUN_MIN = 8;

    private final SlotSpace slots;
    private long nodeCount;
    private int generation;

    Nodes(SlotSpace slots) {
        this.slots = slots;
    }

    /** Bytes of all nodes. */
    long bytesOfNodes() {
        return nodeCount * BYTES;
    }

    /** Takes a slot for a node, with undefined content; 0 if there is no memory. */
    long allocate(boolean reserved) {
        long node = slots.allocateIndex(BYTES, reserved);
        nodeCount += node == 0 ? 0 : 1;
        return node;
    }

    /** Makes a slot a node of a level, without entries or neighbours. */
    void clear(long node, int level) {
        MemorySegment segment = slots.segment(node);
        long at = slots.offset(node);
        segment.set(LONG, at, (long) level << LEVEL_SHIFT | (long) NOWHERE << 48);
        for (int i = Long.BYTES; i < ENTRIES_OFFSET; i += Long.BYTES) {
            segment.set(LONG, at + i, 0);
        }
    }

    void free(long node) {
        slots.free(node);
        nodeCount--;
        generation++;
    }

    /** Moves a node's content to another slot, if there is room; returns the reference of the node from then on. */
    long relocate(long node) {
        generation++;
        return slots.relocate(node);
    }

    /** Notes that a node and all nodes below it are cut off from the tree. */
    void cutOff() {
        generation++;
    }

    /** A number that changes when a node is cut off from the tree, or gets another reference. */
    int generation() {
        return generation;
    }

    int count(long node) {
        return getShort(node, COUNT_OFFSET);
    }

    void setCount(long node, int count) {
        setShort(node, COUNT_OFFSET, count);
    }

    int prefix(long node) {
        return getShort(node, PREFIX_OFFSET);
    }

    void setPrefix(long node, int prefix) {
        setShort(node, PREFIX_OFFSET, prefix);
    }

    int level(long node) {
        return slots.segment(node).get(BYTE, slots.offset(node) + LEVEL_OFFSET);
    }

    boolean isLeaf(long node) {
        return level(node) == 0;
    }

    /** Whether a key that is searched here may lack the prefix. */
    boolean isVerified(long node) {
        return slots.segment(node).get(BYTE, slots.offset(node) + VERIFIED_OFFSET) != 0;
    }

    void setVerified(long node, boolean verified) {
        slots.segment(node).set(BYTE, slots.offset(node) + VERIFIED_OFFSET, (byte) (verified ? 1 : 0));
    }

    long next(long leaf) {
        return getReference(leaf, NEXT_OFFSET);
    }

    long previous(long leaf) {
        return getReference(leaf, PREVIOUS_OFFSET);
    }

    /** Makes two leaves neighbours; 0 stands for none. */
    void link(long left, long right) {
        if (left != 0) {
            setReference(left, NEXT_OFFSET, right);
        }
        if (right != 0) {
            setReference(right, PREVIOUS_OFFSET, left);
        }
    }

    /** Bytes of the slots of all records below a node. */
    long bytes(long node) {
        return slots.segment(node).get(LONG, slots.offset(node) + BYTES_OFFSET);
    }

    /** Number of records below a node. */
    long records(long node) {
        return getReference(node, RECORDS_OFFSET);
    }

    /** Counts records that were added or, with negative numbers, removed. */
    void addLoad(long node, long records, long bytes) {
        MemorySegment segment = slots.segment(node);
        long at = slots.offset(node);
        segment.set(LONG, at + BYTES_OFFSET, segment.get(LONG, at + BYTES_OFFSET) + bytes);
        segment.set(INT, at + RECORDS_OFFSET, segment.get(INT, at + RECORDS_OFFSET) + (int) records);
    }

    /** Notes the index at which a record is put into a leaf. */
    void noteInsert(long leaf, int index) {
        int run = index == getShort(leaf, LAST_INSERT_OFFSET) + 1 ? getShort(leaf, RUN_OFFSET) + 1 : 0;
        setShort(leaf, LAST_INSERT_OFFSET, index);
        setShort(leaf, RUN_OFFSET, Math.min(run, Short.MAX_VALUE));
    }

    /** Whether a record that is put at this index goes on with ascending inserts. */
    boolean isAscending(long leaf, int index) {
        return index == getShort(leaf, LAST_INSERT_OFFSET) + 1 && getShort(leaf, RUN_OFFSET) >= RUN_MIN;
    }

    /** Most keys of a node of this kind. */
    int capacity(long node) {
        return isLeaf(node) ? LEAF_KEYS : INNER_KEYS;
    }

    long head(long node, int index) {
        return slots.segment(node).get(LONG, entry(node, index));
    }

    void setHead(long node, int index, long head) {
        slots.segment(node).set(LONG, entry(node, index), head);
    }

    /** The record, or the separator, of an entry. */
    long key(long node, int index) {
        return slots.segment(node).get(INT, entry(node, index) + KEY_OFFSET) & REFERENCE_MASK;
    }

    /** As {@link #key}, of a leaf that lies at {@code at} in a chunk. */
    static long leafKey(MemorySegment chunk, long at, int index) {
        long entry = at + ENTRIES_OFFSET + (long) index * LEAF_ENTRY_BYTES;
        return chunk.get(INT, entry + KEY_OFFSET) & REFERENCE_MASK;
    }

    /** Byte of a leaf at which the reference of a record stands. */
    static int leafKeyAt(int index) {
        return ENTRIES_OFFSET + index * LEAF_ENTRY_BYTES + KEY_OFFSET;
    }

    void setKey(long node, int index, long ref) {
        slots.segment(node).set(INT, entry(node, index) + KEY_OFFSET, (int) ref);
    }

    /**
     * Child {@code index} of an inner node, from 0 to its count: between the separators {@code index - 1} and
     * {@code index}.
     */
    long child(long node, int index) {
        return slots.segment(node).get(INT, childOffset(node, index)) & REFERENCE_MASK;
    }

    void setChild(long node, int index, long child) {
        slots.segment(node).set(INT, childOffset(node, index), (int) child);
    }

    private long childOffset(long node, int index) {
        long at = slots.offset(node);
        return index == 0
                ? at + FIRST_CHILD_OFFSET
                : at + ENTRIES_OFFSET + (long) (index - 1) * INNER_ENTRY_BYTES + CHILD_OFFSET;
    }

    private long entry(long node, int index) {
        return slots.offset(node) + ENTRIES_OFFSET + (long) index * entryBytes(node);
    }

    private int entryBytes(long node) {
        return isLeaf(node) ? LEAF_ENTRY_BYTES : INNER_ENTRY_BYTES;
    }

    /** Makes room for {@code added} entries in front of entry {@code index}; their content is undefined. */
    void open(long node, int index, int added) {
        int count = count(node);
        move(node, index, node, index + added, count - index);
        setCount(node, count + added);
    }

    /** Removes {@code removed} entries from {@code index} on. */
    void close(long node, int index, int removed) {
        int count = count(node);
        move(node, index + removed, node, index, count - index - removed);
        setCount(node, count - removed);
    }

    /** Copies entries to another node of the same kind, or within a node. */
    void move(long from, int fromIndex, long to, int toIndex, int entries) {
        if (entries > 0) {
            MemorySegment.copy(
                    slots.segment(from),
                    entry(from, fromIndex),
                    slots.segment(to),
                    entry(to, toIndex),
                    (long) entries * entryBytes(from));
        }
    }

    private int getShort(long node, int offset) {
        return slots.segment(node).get(SHORT, slots.offset(node) + offset) & 0xFFFF;
    }

    private void setShort(long node, int offset, int value) {
        slots.segment(node).set(SHORT, slots.offset(node) + offset, (short) value);
    }

    private long getReference(long node, int offset) {
        return slots.segment(node).get(INT, slots.offset(node) + offset) & REFERENCE_MASK;
    }

    private void setReference(long node, int offset, long reference) {
        slots.segment(node).set(INT, slots.offset(node) + offset, (int) reference);
    }
}
