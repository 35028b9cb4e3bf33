package io.sdds.brick.range;

import static io.sdds.brick.memory.SegmentBytes.LONG;

import io.sdds.brick.memory.KeyOrder;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.memory.SegmentBytes;
import io.sdds.brick.memory.SlotSpace;
import java.lang.foreign.MemorySegment;

/** Finds the index at which a key stands, or would stand, in one node. */
final class Search {

    /* A search is a binary search over the heads, without branches. It ends at the first head that is not lower than
     * the head of the sought key. If that head is equal, the whole key is compared; if several heads are equal,
     * their entries are searched by whole keys. */

    private static final int SIGN_SHIFT = Long.SIZE - 1;

    private final RecordStore store;
    private final SlotSpace slots;
    private final Nodes nodes;

    Search(RecordStore store, Nodes nodes) {
        this.store = store;
        this.slots = store.slots();
        this.nodes = nodes;
    }

    /**
     * The first entry that is not lower than the key, and whether that entry has the key. {@link #index} and
     * {@link #isFound} take the result apart.
     */
    int seek(long node, MemorySegment key, long keyOffset, int keyLength) {
        MemorySegment segment = slots.segment(node);
        long at = slots.offset(node);
        long header = segment.get(LONG, at);
        int count = (int) header & Nodes.COUNT_MASK;
        int prefix = (int) (header >>> Nodes.PREFIX_SHIFT) & Nodes.COUNT_MASK;
        if ((header >>> Nodes.VERIFIED_SHIFT & 1) != 0) {
            int side = side(node, prefix, key, keyOffset, keyLength);
            if (side != 0) {
                return side < 0 ? 0 : count << 1;
            }
        }
        int entryBytes = (header >>> Nodes.LEVEL_SHIFT & 0xFF) == 0 ? Nodes.LEAF_ENTRY_BYTES : Nodes.INNER_ENTRY_BYTES;
        long entries = at + Nodes.ENTRIES_OFFSET;
        long head = KeyOrder.head(key, keyOffset, keyLength, prefix);
        int index = headsBelow(segment, entries, entryBytes, count, head);
        if (index == count || segment.get(LONG, entries + (long) index * entryBytes) != head) {
            return index << 1;
        }
        int next = index + 1;
        if (next == count || segment.get(LONG, entries + (long) next * entryBytes) != head) {
            int difference = store.compareKey(nodes.key(node, index), key, keyOffset, keyLength, prefix);
            return difference == 0 ? index << 1 | 1 : (difference < 0 ? next : index) << 1;
        }
        int end = head == Long.MAX_VALUE ? count : headsBelow(segment, entries, entryBytes, count, head + 1);
        return seekByKey(node, index, end, prefix, key, keyOffset, keyLength);
    }

    /** The entry of a {@link #seek}. */
    static int index(int sought) {
        return sought >>> 1;
    }

    /** Whether a {@link #seek} found the key. */
    static boolean isFound(int sought) {
        return (sought & 1) != 0;
    }

    /** The child to look for the key in, after a {@link #seek} in an inner node. */
    static int child(int sought) {
        return (sought >>> 1) + (sought & 1);
    }

    /**
     * Compares a key that may lack the node's prefix with the prefix: negative if the key is below all keys of the
     * prefix, positive if above, 0 if the key has the prefix.
     */
    private int side(long node, int prefix, MemorySegment key, long keyOffset, int keyLength) {
        long first = nodes.key(node, 0);
        boolean has = keyLength >= prefix
                && SegmentBytes.equal(store.segment(first), store.keyOffset(first), key, keyOffset, prefix);
        if (has) {
            return 0;
        }
        int common = store.commonKeyBytes(first, key, keyOffset, keyLength);
        return -store.compareKey(first, key, keyOffset, keyLength, common);
    }

    /** Number of heads that are below a head. */
    private static int headsBelow(MemorySegment segment, long entries, int entryBytes, int count, long head) {
        long base = entries;
        int from = 0;
        int left = count;
        while (left > 1) {
            int half = left >>> 1;
            long halfBytes = (long) half * entryBytes;
            // The mask is all ones or zero, either with probability one half. A mispredicted branch would cost more
            // than the rest.
            long lower = (segment.get(LONG, base + halfBytes - entryBytes) - head) >> SIGN_SHIFT;
            base += halfBytes & lower;
            from += half & (int) lower;
            left -= half;
        }
        return left == 0 ? 0 : from - (int) ((segment.get(LONG, base) - head) >> SIGN_SHIFT);
    }

    private int seekByKey(long node, int from, int end, int prefix, MemorySegment key, long keyOffset, int keyLength) {
        int low = from;
        int high = end;
        while (low < high) {
            int middle = (low + high) >>> 1;
            int difference = store.compareKey(nodes.key(node, middle), key, keyOffset, keyLength, prefix);
            if (difference == 0) {
                return middle << 1 | 1;
            }
            if (difference < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low << 1;
    }

    /** Index in a leaf of the record that most likely has the key; -1 if there is no such record. No key is read. */
    int candidate(long leaf, MemorySegment key, long keyOffset, int keyLength) {
        MemorySegment segment = slots.segment(leaf);
        long at = slots.offset(leaf);
        long header = segment.get(LONG, at);
        int count = (int) header & Nodes.COUNT_MASK;
        int prefix = (int) (header >>> Nodes.PREFIX_SHIFT) & Nodes.COUNT_MASK;
        long head = KeyOrder.head(key, keyOffset, keyLength, prefix);
        int index = headsBelow(segment, at + Nodes.ENTRIES_OFFSET, Nodes.LEAF_ENTRY_BYTES, count, head);
        return index < count && nodes.head(leaf, index) == head ? index : -1;
    }

    /**
     * Loads all lines of a node at once, where a search would load them one after the other.
     *
     * @return a number to be consumed, so that the access isn't optimised away
     */
    long touch(long node) {
        return slots.touch(node, Nodes.BYTES / Nodes.LINE_BYTES);
    }
}
