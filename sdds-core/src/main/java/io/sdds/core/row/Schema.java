package io.sdds.core.row;

import java.util.List;

/**
 * The columns of a table. The key of a record has the key columns in their order, and the value has a row of the other
 * columns. A column that is added comes last. A column that is dropped keeps its place.
 *
 * @param version 1 at first, one more with each change; 0: the table has no schema
 * @param columns in the order of their declaration, with dropped columns
 */
public record Schema(int version, List<Column> columns) {
    /** Of a table whose keys and values are bytes without types. */
    public static final Schema NONE = new Schema(0, List.of());

    public Schema {
        columns = List.copyOf(columns);
    }

    public boolean exists() {
        return version > 0;
    }

    /** The columns of the key, in their order. */
    public List<Column> keyColumns() {
        return columns.stream().filter(Column::key).toList();
    }

    /** The columns of the value, in the order in which rows store them, with dropped columns. */
    public List<Column> valueColumns() {
        return columns.stream().filter(column -> !column.key()).toList();
    }
}
