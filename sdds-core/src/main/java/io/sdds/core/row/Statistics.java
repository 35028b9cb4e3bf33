package io.sdds.core.row;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Statistics of a table, which a client has made by looking at rows, and which coordinators keep.
 *
 * @param timeMillis when they were made, in milliseconds since 1970-01-01 UTC, by the clock of the client; 0: there are
 *     none
 * @param schemaVersion of the columns; 0 of a table without a schema
 * @param rows rows of the table, counted
 * @param sampled rows that were looked at
 * @param columns of the columns that were not dropped, in the order of the schema
 */
public record Statistics(long timeMillis, int schemaVersion, long rows, long sampled, List<ColumnStatistics> columns) {
    /** The statistics of a table that was never analyzed. */
    public static final Statistics NONE = new Statistics(0, 0, 0, 0, List.of());

    /** Most bytes, so that statistics fit in a control request of a client ({@code docs/protocol.md}). */
    public static final int BYTES_MAX = 15 << 10;

    /** Most bytes of a smallest or largest value. */
    public static final int BOUND_BYTES_MAX = 64;

    private static final int FIXED_BYTES = 36;

    public Statistics {
        columns = List.copyOf(columns);
    }

    /** Whether the table was analyzed. */
    public boolean exists() {
        return timeMillis != 0;
    }

    /** Whether all rows were looked at, so that nothing is estimated. */
    public boolean isExact() {
        return sampled >= rows;
    }

    /** The bytes that the statistics take in messages and in the log. */
    public int bytes() {
        int bytes = FIXED_BYTES;
        for (ColumnStatistics column : columns) {
            bytes += column.encodedBytes();
        }
        return bytes;
    }

    /** The reason why these cannot be stored, as one line; null if they can. */
    public @Nullable String fault() {
        if (!exists()) {
            return "statistics without a time";
        }
        int bytes = bytes();
        if (bytes > BYTES_MAX) {
            return "the statistics take " + bytes + " bytes, and at most " + BYTES_MAX + " are allowed";
        }
        for (ColumnStatistics column : columns) {
            if (column.min().length > BOUND_BYTES_MAX || column.max().length > BOUND_BYTES_MAX) {
                return "column " + column.column() + " has a smallest or largest value of more than " + BOUND_BYTES_MAX
                        + " bytes";
            }
        }
        return null;
    }
}
