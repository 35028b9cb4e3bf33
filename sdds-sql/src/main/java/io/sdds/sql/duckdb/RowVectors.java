package io.sdds.sql.duckdb;

import io.sdds.client.ValueCursor;
import io.sdds.core.row.Column;
import java.util.List;
import org.duckdb.DuckDBDataChunkWriter;
import org.duckdb.DuckDBWritableVector;
import org.jspecify.annotations.Nullable;

/** The vectors that DuckDB lends to a table function for its next rows. */
public final class RowVectors {
    /** The vectors of the columns that are read, in their order. */
    private final ColumnVector[] read;

    /** The vectors of columns that nobody reads; they are filled with NULL. */
    private final DuckDBWritableVector[] unread;

    private final int capacity;
    private int rows;

    /** @param columns of the vectors; null: one that nobody reads */
    RowVectors(List<@Nullable Column> columns, DuckDBDataChunkWriter out) {
        this.capacity = (int) out.capacity();
        int count = (int) columns.stream().filter(column -> column != null).count();
        this.read = new ColumnVector[count];
        this.unread = new DuckDBWritableVector[columns.size() - count];
        for (int k = 0, at = 0; k < columns.size(); k++) {
            Column column = columns.get(k);
            if (column == null) {
                unread[k - at] = out.vector(k);
            } else {
                read[at++] = new ColumnVector(column.type(), out.vector(k), capacity);
            }
        }
    }

    /** Whether there is room for another row. */
    public boolean hasRoom() {
        return rows < capacity;
    }

    /** Adds a row of the values of the columns that are read, as the client has them. */
    public void add(@Nullable Object[] row) {
        for (int k = 0; k < read.length; k++) {
            Object value = row[k];
            if (value == null) {
                read[k].setNull(rows);
            } else {
                read[k].set(rows, value);
            }
        }
        endRow();
    }

    /** Adds the row that a cursor stands at, whose first columns are those that are read. */
    public void add(ValueCursor row) {
        for (int k = 0; k < read.length; k++) {
            if (row.isNull(k)) {
                read[k].setNull(rows);
            } else {
                read[k].set(rows, row, k);
            }
        }
        endRow();
    }

    private void endRow() {
        for (DuckDBWritableVector vector : unread) {
            vector.setNull(rows);
        }
        rows++;
    }

    /** Ends the rows. Returns how many there are. */
    int end() {
        for (ColumnVector vector : read) {
            vector.end(rows);
        }
        return rows;
    }
}
