package io.sdds.brick.range;

import io.sdds.brick.bucket.ExpiryTimes;
import io.sdds.brick.bucket.RankVisitor;
import io.sdds.brick.memory.RecordStore;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Frees or visits the records that have expired, one leaf after the other in key order. */
final class ExpirySweep {

    /* A step looks at the records of the leaf behind the cursor, and removes the expired records one by one. A
     * removal may merge leaves, but never moves a record across the cursor. */

    private final Tree tree;
    private final Nodes nodes;
    private final RecordStore store;
    private final Changes changes;
    private final ExpiryTimes times;
    private final long[] expired = new long[Nodes.LEAF_KEYS];
    private int expiredCount;

    /** The last key that the sweep looked at; empty at the beginning. */
    private byte[] cursor = new byte[64];

    private MemorySegment cursorSegment = MemorySegment.ofArray(cursor);
    private int cursorLength;

    ExpirySweep(Tree tree, Changes changes, ExpiryTimes times) {
        this.tree = tree;
        this.nodes = tree.nodes;
        this.store = tree.store;
        this.changes = changes;
        this.times = times;
    }

    /** See {@link RangeBucket#sweep}. */
    boolean run(int leaves) {
        return run(leaves, null);
    }

    /** See {@link RangeBucket#collectExpired}. */
    boolean collect(int leaves, RankVisitor visitor) {
        return run(leaves, visitor);
    }

    /** Looks at some leaves. Removes the expired records, or shows them to the visitor if there is one. */
    private boolean run(int leaves, @Nullable RankVisitor visitor) {
        long seen = 0;
        long found = 0;
        for (int i = 0; i < leaves && (times.isSweeping() || begin()); i++) {
            seen += look(visitor != null);
            found += expiredCount;
            for (int k = 0; k < expiredCount; k++) {
                long ref = expired[k];
                if (visitor != null) {
                    visitor.visit(store.rank(ref), ref);
                } else {
                    changes.remove(store.segment(ref), store.keyOffset(ref), store.keyLength(ref));
                }
            }
            if (visitor != null && !times.isSweeping()) {
                break; // a further sweep would find the same records
            }
        }
        return times.pays(found, seen);
    }

    private boolean begin() {
        cursorLength = 0;
        return times.beginSweep();
    }

    /**
     * Looks at the records of one leaf behind the cursor; returns their number.
     *
     * @param expiredStay whether the expired records stay in the bucket
     */
    private int look(boolean expiredStay) {
        expiredCount = 0;
        if (tree.isEmpty()) {
            times.endSweep();
            return 0;
        }
        long leaf = cursorLength == 0 ? tree.descendToFirst() : tree.descend(cursorSegment, 0, cursorLength);
        int from = cursorLength == 0 ? 0 : behindCursor(leaf);
        if (from == nodes.count(leaf)) {
            leaf = nodes.next(leaf);
            from = 0;
        }
        if (leaf == 0) {
            times.endSweep();
            return 0;
        }
        int count = nodes.count(leaf);
        for (int i = from; i < count; i++) {
            long ref = nodes.key(leaf, i);
            boolean gone = times.hasExpired(ref);
            if (gone) {
                expired[expiredCount++] = ref;
            }
            if (!gone || expiredStay) {
                times.has(store.expiry(ref));
            }
        }
        keepCursor(nodes.key(leaf, count - 1));
        return count - from;
    }

    private int behindCursor(long leaf) {
        int sought = tree.seek(leaf, cursorSegment, 0, cursorLength);
        return Search.index(sought) + (Search.isFound(sought) ? 1 : 0);
    }

    private void keepCursor(long ref) {
        cursorLength = store.keyLength(ref);
        if (cursorLength > cursor.length) {
            cursor = new byte[cursorLength];
            cursorSegment = MemorySegment.ofArray(cursor);
        }
        MemorySegment.copy(store.segment(ref), store.keyOffset(ref), cursorSegment, 0, cursorLength);
    }
}
