package io.sdds.brick.query;

import io.sdds.brick.memory.SegmentHash;
import io.sdds.core.query.BloomFilter;
import io.sdds.core.row.ValueType.Kind;

/** BLOOM: whether the hash of each value is in a filter. */
final class Bloom extends Kernel {
    private static final int COST = 15;

    private final Lane a;
    private final byte[] filter;
    private final Scratch scratch;
    private final boolean isUuid;

    Bloom(Lane a, byte[] filter, Scratch scratch, Lane out) {
        super(out);
        this.a = a;
        this.filter = filter;
        this.scratch = scratch;
        this.isUuid = a.type.kind() == Kind.UUID;
    }

    @Override
    void run(int rows) {
        boolean isText = readsText();
        out.statesOf(a, rows);
        for (int i = 0; i < rows; i++) {
            if (out.has(i)) {
                if (isText) {
                    scratch.read(a.lengths[i]);
                }
                out.values[i] = BloomFilter.contains(filter, hash(i)) ? 1 : 0;
            }
        }
    }

    private long hash(int row) {
        if (a.values.length == 0) {
            return SegmentHash.hash(a.segments[row], a.offsets[row], a.lengths[row]);
        }
        if (isUuid) { // as a row stores it
            return BloomFilter.hash(Long.reverseBytes(a.highs[row] ^ Long.MIN_VALUE), Long.reverseBytes(a.values[row]));
        }
        return a.highs.length > 0 ? BloomFilter.hash(a.values[row], a.highs[row]) : BloomFilter.hash(a.values[row]);
    }

    @Override
    int cost() {
        return COST;
    }

    @Override
    boolean readsText() {
        return Lane.isText(a.type);
    }
}
