package io.sdds.brick.query;

import static io.sdds.brick.query.Lane.NULL;

import io.sdds.brick.memory.KeyOrder;
import java.util.Arrays;

/** IN: looks each value up in the sorted constants. */
final class InList extends Kernel {
    private final Lane a;

    /** The constants, in their order, one a row of a lane, in as many lanes as are needed. */
    private final Lane[] constants;

    private final int count;
    private final boolean hasNull;
    private final Scratch scratch;
    private final int steps;

    /** Bytes of the longest constant, of a list of texts. */
    private final int longest;

    /**
     * Prepares a list.
     *
     * @param constants lanes of the type of {@code a} whose rows are the constants, each lane full but the last one
     * @param count of constants that are not NULL
     */
    InList(Lane a, Lane[] constants, int count, boolean hasNull, Scratch scratch, Lane out) {
        super(out);
        this.a = a;
        this.count = count;
        this.hasNull = hasNull;
        this.scratch = scratch;
        this.steps = Integer.SIZE - Integer.numberOfLeadingZeros(count);
        this.constants = sorted(constants, count);
        int most = 0;
        for (int k = 0; k < count && Lane.isText(a.type); k++) {
            most = Math.max(most, constants[k / Lane.ROWS].lengths[k % Lane.ROWS]);
        }
        this.longest = most;
    }

    private static Lane[] sorted(Lane[] constants, int count) {
        Integer[] order = new Integer[count];
        Arrays.setAll(order, k -> k);
        Arrays.sort(
                order,
                (x, y) -> order(constants[x / Lane.ROWS], x % Lane.ROWS, constants[y / Lane.ROWS], y % Lane.ROWS));
        Lane[] sorted = new Lane[constants.length];
        for (int k = 0; k < count; k++) {
            int lane = k / Lane.ROWS;
            if (k % Lane.ROWS == 0) {
                sorted[lane] = Lane.of(constants[lane].type);
            }
            copy(constants[order[k] / Lane.ROWS], order[k] % Lane.ROWS, sorted[lane], k % Lane.ROWS);
        }
        return sorted;
    }

    private static void copy(Lane from, int row, Lane to, int toRow) {
        if (from.values.length == 0) {
            to.text(toRow, from.segments[row], from.offsets[row], from.lengths[row]);
            return;
        }
        to.values[toRow] = from.values[row];
        if (from.highs.length > 0) {
            to.highs[toRow] = from.highs[row];
        }
    }

    /** The order of two values of one type. */
    static int order(Lane a, int row, Lane b, int bRow) {
        if (a.values.length == 0) {
            return KeyOrder.compare(
                    a.segments[row],
                    a.offsets[row],
                    a.lengths[row],
                    b.segments[bRow],
                    b.offsets[bRow],
                    b.lengths[bRow],
                    0);
        }
        return switch (a.type.kind()) {
            case DOUBLE ->
                Double.compare(Double.longBitsToDouble(a.values[row]), Double.longBitsToDouble(b.values[bRow]));
            case DECIMAL, UUID -> Comparisons.order(a.highs[row], a.values[row], b.highs[bRow], b.values[bRow]);
            default -> Long.compare(a.values[row], b.values[bRow]);
        };
    }

    @Override
    void run(int rows) {
        out.statesOf(a, rows);
        for (int i = 0; i < rows; i++) {
            if (out.has(i)) {
                boolean found = contains(i);
                if (longest > 0) {
                    scratch.read((long) steps * Math.min(longest, a.lengths[i]));
                }
                out.values[i] = found ? 1 : 0;
                if (!found && hasNull) {
                    out.state(i, NULL, rows);
                }
            }
        }
    }

    private boolean contains(int row) {
        int low = 0;
        int high = count - 1;
        while (low <= high) {
            int middle = low + high >>> 1;
            int order = order(a, row, constants[middle / Lane.ROWS], middle % Lane.ROWS);
            if (order == 0) {
                return true;
            }
            if (order < 0) {
                high = middle - 1;
            } else {
                low = middle + 1;
            }
        }
        return false;
    }

    @Override
    int cost() {
        return 4 * steps;
    }

    @Override
    long bytes() {
        long bytes = 0;
        for (int k = 0; k < count; k++) {
            Lane lane = constants[k / Lane.ROWS];
            bytes += (k % Lane.ROWS == 0 ? lane.bytes() : 0)
                    + (Lane.isText(lane.type) ? lane.lengths[k % Lane.ROWS] : 0);
        }
        return bytes;
    }

    @Override
    boolean readsText() {
        return longest > 0;
    }
}
