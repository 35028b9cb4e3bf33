package io.sdds.client;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is known of the rows of a table since it was analyzed last ({@link SddsClient#analyze}).
 *
 * @param time when the table was analyzed, by the clock of the client that did it
 * @param rows rows of the table at that time, counted
 * @param sampledRows rows that were looked at; all rows of a small table
 * @param columns those of the table that were analyzed and are there still; of a table without a schema {@code key} and
 *     {@code value}
 */
public record TableStatistics(Instant time, long rows, long sampledRows, List<Column> columns) {

    public TableStatistics {
        columns = List.copyOf(columns);
    }

    /** Whether all rows were looked at. Else distinct values, NULLs and bytes are estimates. */
    public boolean isExact() {
        return sampledRows >= rows;
    }

    /**
     * The values of a column.
     *
     * @param name of the column
     * @param type as the text of a schema has it, such as {@code varchar(40)}
     * @param distinct number of different values, without NULL
     * @param nulls the part of the rows that have NULL, 0 to 1
     * @param meanBytes mean bytes of the values that are not NULL; 0 if there are none
     * @param min the smallest value of the rows that were looked at, of a class as {@link Row} has them; of texts and
     *     bytes the first 64 bytes at most. Null if there is none, or if the table has so many columns that it was left
     *     out
     * @param max the largest value, like {@code min}
     */
    public record Column(
            String name,
            String type,
            long distinct,
            double nulls,
            double meanBytes,
            @Nullable Object min,
            @Nullable Object max) {}
}
