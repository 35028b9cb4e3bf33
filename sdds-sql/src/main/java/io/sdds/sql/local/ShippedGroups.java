package io.sdds.sql.local;

import io.sdds.core.row.Column;
import io.sdds.core.row.ValueType;
import io.sdds.sql.plan.DirectScan;
import io.sdds.sql.schema.Literals;
import io.sdds.sql.schema.SqlTypes;
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
    HeldRows read(DataContext context) {
        List<@Nullable Object[]> held = new ArrayList<>();
        try (Enumerator<@Nullable Object[]> groups = scan.rows(context).enumerator()) {
            while (groups.moveNext()) {
                held.add(ofClient(groups.current()));
            }
        }
        return new HeldRows(columns, held);
    }

    private @Nullable Object[] ofClient(@Nullable Object[] group) {
        @Nullable Object[] values = new @Nullable Object[group.length];
        for (int k = 0; k < values.length; k++) {
            values[k] = SqlTypes.toClient(group[k], columns.get(k).type());
        }
        return values;
    }
}
