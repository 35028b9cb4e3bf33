package io.sdds.core.row;

import java.util.Arrays;

/**
 * What is known of the values of a column, from the rows that were looked at.
 *
 * @param column index among the columns of the schema, with dropped ones; of a table without a schema 0 for the keys
 *     and 1 for the values
 * @param distinct different values of the whole table without NULL, estimated unless all rows were looked at
 * @param nulls rows that were looked at and have NULL
 * @param bytes bytes of the values of the rows that were looked at
 * @param bounded whether the smallest and the largest value are known
 * @param min the smallest value that was found, as rows store it; of text and bytes the first
 *     {@link Statistics#BOUND_BYTES_MAX} bytes at most
 * @param max the largest value that was found, like {@code min}
 */
public record ColumnStatistics(
        int column, long distinct, long nulls, long bytes, boolean bounded, byte[] min, byte[] max) {
    /** Bytes without those of the smallest and the largest value. */
    static final int FIXED_BYTES = 41;

    int encodedBytes() {
        return FIXED_BYTES + min.length + max.length;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ColumnStatistics statistics
                && column == statistics.column
                && distinct == statistics.distinct
                && nulls == statistics.nulls
                && bytes == statistics.bytes
                && bounded == statistics.bounded
                && Arrays.equals(min, statistics.min)
                && Arrays.equals(max, statistics.max);
    }

    @Override
    public int hashCode() {
        return 31 * column + Long.hashCode(distinct);
    }
}
