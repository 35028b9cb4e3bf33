package io.sdds.core.row;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The columns of a table. The key of a record has the key columns in their order, and the value has a row of the other
 * columns. A column that is added comes last. A column that is dropped keeps its place. {@link SchemaText} is its text.
 *
 * @param version 1 at first, one more with each change; 0: the table has no schema
 * @param columns in the order of their declaration, with dropped columns
 */
public record Schema(int version, List<Column> columns) {
    /** The schema of a table whose keys and values are bytes without types. */
    public static final Schema NONE = new Schema(0, List.of());

    /** Most columns, with dropped columns. */
    public static final int COLUMNS_MAX = 1_000;

    /** Most characters of the name of a column. */
    public static final int NAME_MAX = 128;

    public Schema {
        columns = List.copyOf(columns);
    }

    /**
     * The first version of a schema.
     *
     * @throws IllegalArgumentException with the {@link #problem()} that it has
     */
    public static Schema of(List<Column> columns) {
        return checked(new Schema(1, columns));
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

    /** The columns that were not dropped, in the order of their declaration. */
    public List<Column> liveColumns() {
        return columns.stream().filter(column -> !column.dropped()).toList();
    }

    /** The column of a name, without regard to case; null if there is none or it was dropped. */
    public @Nullable Column column(String name) {
        for (Column column : columns) {
            if (!column.dropped() && column.name().equalsIgnoreCase(name)) {
                return column;
            }
        }
        return null;
    }

    /** The number of a column among {@link #keyColumns} or among {@link #valueColumns}, from 0 on. */
    public int ordinal(Column column) {
        int ordinal = (column.key() ? keyColumns() : valueColumns()).indexOf(column);
        if (ordinal < 0) {
            throw new IllegalArgumentException("column '" + column.name() + "' is of another schema");
        }
        return ordinal;
    }

    /**
     * The next version, with one more column. Rows that are older have its default.
     *
     * @throws IllegalArgumentException if the column is a key, has a name that is taken, may not be null and has no
     *     default, or is one too many
     */
    public Schema add(Column column) {
        if (column.key()) {
            throw new IllegalArgumentException("column '" + column.name()
                    + "' can't be a key: the key of a table is declared when the table is created");
        }
        if (column.notNull() && !column.hasDefault()) {
            throw new IllegalArgumentException("column '" + column.name()
                    + "' is not null and needs a default, because rows that are there have no value of it");
        }
        List<Column> more = new ArrayList<>(columns);
        more.add(column);
        return checked(new Schema(version + 1, more));
    }

    /**
     * The next version, without a column. Rows keep the place of the column, and rows that are written have NULL there.
     *
     * @throws IllegalArgumentException if there is no such column or it is a key
     */
    public Schema drop(String name) {
        Column column = column(name);
        if (column == null) {
            throw new IllegalArgumentException(noColumn(name));
        }
        if (column.key()) {
            throw new IllegalArgumentException(
                    "column '" + column.name() + "' is part of the key and can't be dropped");
        }
        List<Column> fewer = new ArrayList<>(columns);
        fewer.set(
                columns.indexOf(column),
                new Column(column.name(), column.type(), false, false, false, new byte[0], true));
        return new Schema(version + 1, fewer);
    }

    /** What to say of a name that no column has, with a name that is near. */
    public String noColumn(String name) {
        return "no column '" + name + "'"
                + NearNames.hint(name, liveColumns().stream().map(Column::name).toList());
    }

    /** What makes this no schema of a table, as one line; null if it is well. {@link #NONE} is well. */
    public @Nullable String problem() {
        return version == 0 && columns.isEmpty() ? null : SchemaRules.problem(this);
    }

    private static Schema checked(Schema schema) {
        String problem = schema.problem();
        if (problem != null) {
            throw new IllegalArgumentException(problem);
        }
        return schema;
    }
}
