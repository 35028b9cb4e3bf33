package io.sdds.brick.query;

import io.sdds.brick.memory.ByteSearch;
import io.sdds.brick.memory.SegmentBytes;
import io.sdds.core.query.Op;

/** CONTAINS, STARTS_WITH and ENDS_WITH. */
final class TextTests extends Kernel {
    private final Op op;
    private final Lane a;
    private final Lane b;
    private final Scratch scratch;

    TextTests(Op op, Lane a, Lane b, Scratch scratch, Lane out) {
        super(out);
        this.op = op;
        this.a = a;
        this.b = b;
        this.scratch = scratch;
    }

    @Override
    void run(int rows) {
        out.statesOf(a, b, rows);
        if (op == Op.CONTAINS) {
            long read = 0;
            for (int i = 0; i < rows; i++) {
                if (out.has(i)) {
                    read += a.lengths[i];
                    out.values[i] = contains(i) ? 1 : 0;
                }
            }
            scratch.read(read);
            return;
        }
        for (int i = 0; i < rows; i++) {
            if (out.has(i)) {
                out.values[i] = isAt(i, op == Op.STARTS_WITH ? 0 : a.lengths[i] - b.lengths[i]) ? 1 : 0;
            }
        }
    }

    private boolean contains(int row) {
        long from = a.offsets[row];
        return ByteSearch.find(
                        a.segments[row], from, from + a.lengths[row], b.segments[row], b.offsets[row], b.lengths[row])
                >= 0;
    }

    private boolean isAt(int row, int place) {
        return a.lengths[row] >= b.lengths[row]
                && SegmentBytes.equal(
                        a.segments[row], a.offsets[row] + place, b.segments[row], b.offsets[row], b.lengths[row]);
    }

    @Override
    int cost() {
        return 5;
    }
}
