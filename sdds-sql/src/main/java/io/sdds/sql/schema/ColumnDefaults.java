package io.sdds.sql.schema;

import io.sdds.core.row.Column;
import org.apache.calcite.plan.RelOptTable;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.schema.ColumnStrategy;
import org.apache.calcite.sql2rel.InitializerContext;
import org.apache.calcite.sql2rel.NullInitializerExpressionFactory;

/** The defaults of columns that an INSERT does not name. */
final class ColumnDefaults extends NullInitializerExpressionFactory {
    private final SddsTable table;

    ColumnDefaults(SddsTable table) {
        this.table = table;
    }

    @Override
    public ColumnStrategy generationStrategy(RelOptTable relTable, int index) {
        Column column = table.columns().get(index);
        if (column.hasDefault()) {
            return ColumnStrategy.DEFAULT;
        }
        return column.notNull() ? ColumnStrategy.NOT_NULLABLE : ColumnStrategy.NULLABLE;
    }

    @Override
    public RexNode newColumnDefaultValue(RelOptTable relTable, int index, InitializerContext context) {
        Column column = table.columns().get(index);
        if (!column.hasDefault()) {
            return super.newColumnDefaultValue(relTable, index, context);
        }
        RexBuilder rex = context.getRexBuilder();
        RelDataType type = SqlTypes.type(rex.getTypeFactory(), column.type(), false);
        Object value = SqlTypes.toEngine(table.defaults()[index], type);
        return rex.makeLiteral(value, type, true, true);
    }
}
