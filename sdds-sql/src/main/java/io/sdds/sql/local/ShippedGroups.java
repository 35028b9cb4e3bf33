package io.sdds.sql.local;

import io.sdds.core.row.Column;
import io.sdds.core.row.ValueType;
import io.sdds.sql.plan.DirectScan;
import io.sdds.sql.schema.Literals;
import io.sdds.sql.schema.SqlTypes;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.DataContext;
import org.apache.calcite.linq4j.Enumerator;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.jspecify.annotations.Nullable;

/**
 * The groups of a table as bricks compute them.
 *
 * @param columns of the groups
 */
record ShippedGroups(DirectScan scan, List<Column> columns) {
    /** Digits before the point that a sum of BIGINT may need. */
    private static final int WHOLE_DIGITS = 28;

    /** Null if a column has a type that tables have not. */
    static @Nullable ShippedGroups of(DirectScan scan, RelDataType row) {
        List<Column> columns = new ArrayList<>();
        for (RelDataTypeField field : row.getFieldList()) {
            ValueType type = Literals.type(field.getType());
            if (type == null) {
                return null;
            }
            columns.add(new Column(field.getName(), type, false, false, false, new byte[0], false));
        }
        return new ShippedGroups(scan, columns);
    }

    /** Reads all groups. The client has them all before the first is given. */
    HeldRows read(DataContext context, Holding holding) {
        List<@Nullable Object[]> held = new ArrayList<>();
        try (Enumerator<@Nullable Object[]> groups = scan.rows(context).enumerator()) {
            while (groups.moveNext()) {
                @Nullable Object[] group = ofClient(groups.current());
                holding.require(group);
                held.add(group);
            }
        }
        List<Column> fitting = new ArrayList<>();
        for (int k = 0; k < columns.size(); k++) {
            fitting.add(fitting(k, held));
        }
        return new HeldRows(fitting, held);
    }

    /**
     * A column of decimal numbers has no more digits than it needs: with all of them DuckDB has no room for digits
     * behind the point, when it looks for the common type of two.
     */
    private Column fitting(int number, List<@Nullable Object[]> rows) {
        Column column = columns.get(number);
        ValueType type = column.type();
        if (type.kind() != ValueType.Kind.DECIMAL) {
            return column;
        }
        int whole = WHOLE_DIGITS;
        for (@Nullable Object[] row : rows) {
            whole = row[number] instanceof BigDecimal value
                    ? Math.max(whole, value.precision() - value.scale())
                    : whole;
        }
        int digits = Math.min(type.precision(), whole + type.scale());
        return new Column(
                column.name(), ValueType.decimal(digits, type.scale()), false, false, false, new byte[0], false);
    }

    private @Nullable Object[] ofClient(@Nullable Object[] group) {
        @Nullable Object[] values = new @Nullable Object[group.length];
        for (int k = 0; k < values.length; k++) {
            values[k] = SqlTypes.toClient(group[k], columns.get(k).type());
        }
        return values;
    }
}
