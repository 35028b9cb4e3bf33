package io.sdds.core.query;

import io.sdds.core.row.Column;
import io.sdds.core.row.Schema;
import io.sdds.core.row.ValueType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a program knows of the rows: the types of the columns, so that bricks need no schema. A row with more columns
 * than the shape has been written by a client that knows a later schema, and the program ignores them.
 *
 * @param keys types of the columns of the key, in their order; empty if the program uses none
 * @param values types of the columns of the value, in the order of the row; empty if the program uses none
 * @param defaults for each column of the value what rows have that are older than the column, as a row stores it; null:
 *     NULL
 */
public record RowShape(List<ValueType> keys, List<ValueType> values, List<byte @Nullable []> defaults) {
    /** The shape of records without types. */
    public static final RowShape BYTES = new RowShape(List.of(), List.of(), List.of());

    /** The shape of the rows of a table. */
    public static RowShape of(Schema schema) {
        return new RowShape(
                schema.keyColumns().stream().map(Column::type).toList(),
                schema.valueColumns().stream().map(Column::type).toList(),
                defaults(schema.valueColumns()));
    }

    private static List<byte @Nullable []> defaults(List<Column> columns) {
        List<byte @Nullable []> defaults = new ArrayList<>();
        for (Column column : columns) {
            defaults.add(column.hasDefault() ? column.defaultValue() : null);
        }
        return defaults;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RowShape that
                && keys.equals(that.keys)
                && values.equals(that.values)
                && Instruction.equal(defaults, that.defaults);
    }

    @Override
    public int hashCode() {
        return 31 * keys.size() + values.size();
    }
}
