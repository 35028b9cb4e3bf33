package io.sdds.client.internal.analyze;

import io.sdds.core.addressing.PseudoKey;
import io.sdds.core.query.ValueOrder;
import io.sdds.core.row.ColumnStatistics;
import io.sdds.core.row.Statistics;
import io.sdds.core.row.ValueType;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The values of a column in the rows of a sample. */
final class ColumnSample {
    private static final byte[] NONE = new byte[0];

    private final int column;
    private final ValueType type;
    private final DistinctValues distinct;
    private long values;
    private long nulls;
    private long bytes;
    private byte @Nullable [] min;
    private byte @Nullable [] max;

    /** @param column index of the column in the schema */
    ColumnSample(int column, ValueType type, int distinctMax) {
        this.column = column;
        this.type = type;
        this.distinct = new DistinctValues(distinctMax);
    }

    /** Takes the value of a row as rows store it; null: NULL. */
    void add(byte @Nullable [] stored) {
        if (stored == null) {
            nulls++;
            return;
        }
        values++;
        bytes += stored.length;
        distinct.add(PseudoKey.of(stored));
        if (min == null || ValueOrder.compare(type, stored, min) < 0) {
            min = stored;
        }
        if (max == null || ValueOrder.compare(type, stored, max) > 0) {
            max = stored;
        }
    }

    /**
     * @param fraction of the rows of the table that are in the sample
     * @param unique whether no two rows have the same value
     * @param rows of the table
     * @param boundMax most bytes of the smallest and the largest value; of a type of fixed width all or none are kept
     */
    ColumnStatistics statistics(double fraction, boolean unique, long rows, int boundMax) {
        long estimate = unique ? rows : distinct.estimate(fraction);
        long most = Math.max(values, Math.round(values / fraction));
        boolean bounded = min != null && max != null && type.bytes() <= boundMax && boundMax > 0;
        return new ColumnStatistics(
                column,
                unique ? rows : Math.min(estimate, most),
                nulls,
                bytes,
                bounded,
                bounded && min != null ? cut(min, boundMax) : NONE,
                bounded && max != null ? cut(max, boundMax) : NONE);
    }

    /** The first bytes of a value; of a text the first whole characters. */
    private byte[] cut(byte[] value, int bytesMax) {
        int length = Math.min(value.length, Math.min(bytesMax, Statistics.BOUND_BYTES_MAX));
        if (type.kind() == ValueType.Kind.VARCHAR && length < value.length) {
            while (length > 0 && (value[length] & 0xC0) == 0x80) {
                length--;
            }
        }
        return Arrays.copyOf(value, length);
    }
}
