package io.sdds.brick.query;

import io.sdds.brick.memory.ByteSearch;
import io.sdds.brick.memory.SegmentBytes;
import io.sdds.core.query.Op;

/** CONTAINS, STARTS_WITH and ENDS_WITH. */
final class TextTests extends Kernel {
    private final Op op;
    private final Lane a;
    private final Lane b;
    private final ByteSearch search;

    TextTests(Op op, Lane a, Lane b, Scratch scratch, Lane out) {
        super(out);
        this.op = op;
        this.a = a;
        this.b = b;
        this.search = scratch.search();
    }

    @Override
    void run(int rows) {
        out.statesOf(a, b, rows);
        for (int i = 0; i < rows; i++) {
            if (out.has(i)) {
                out.values[i] = holds(i) ? 1 : 0;
            }
        }
    }

    private boolean holds(int row) {
        return switch (op) {
            case CONTAINS -> contains(row);
            case STARTS_WITH -> isAt(row, 0);
            default -> isAt(row, a.lengths[row] - b.lengths[row]);
        };
    }

    private boolean contains(int row) {
        long from = a.offsets[row];
        long end = from + a.lengths[row];
        return search.find(a.segments[row], from, end, b.segments[row], b.offsets[row], b.lengths[row]) >= 0;
    }

    private boolean isAt(int row, int place) {
        int length = b.lengths[row];
        if (a.lengths[row] < length) {
            return false;
        }
        search.count(length);
        return SegmentBytes.equal(a.segments[row], a.offsets[row] + place, b.segments[row], b.offsets[row], length);
    }

    @Override
    int cost() {
        return 5;
    }

    @Override
    boolean readsText() {
        return true;
    }
}
