package io.sdds.sql.local;

import io.sdds.core.row.Column;
import io.sdds.sql.run.ModifyRun;
import io.sdds.sql.schema.SddsTable;
import io.sdds.sql.schema.SqlTypes;
import io.sdds.sql.shipped.Explanation;
import io.sdds.sql.statement.DefaultValues;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.calcite.DataContext;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDelete;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlUpdate;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.util.Util;
import org.jspecify.annotations.Nullable;

/**
 * A statement that writes rows which the database at the client computes.
 *
 * @param table that is written
 * @param kind what is done with the rows
 * @param columns of the table that the statement gives values, in the order of the values
 */
public record LocalChange(SddsTable table, ModifyRun.Kind kind, List<Integer> columns) {
    private static final SqlParserPos PLACE = SqlParserPos.ZERO;

    /** The change of a statement that was parsed and that the validator has not changed. */
    public static LocalChange of(SqlNode statement, SddsTable table) {
        if (statement instanceof SqlInsert insert) {
            ModifyRun.Kind kind = insert.isUpsert() ? ModifyRun.Kind.UPSERT : ModifyRun.Kind.INSERT;
            return new LocalChange(table, kind, columns(insert.getTargetColumnList(), table));
        }
        return statement instanceof SqlUpdate update
                ? new LocalChange(table, ModifyRun.Kind.UPDATE, columns(update.getTargetColumnList(), table))
                : new LocalChange(table, ModifyRun.Kind.DELETE, List.of());
    }

    private static List<Integer> columns(@Nullable SqlNodeList names, SddsTable table) {
        return names == null
                ? IntStream.range(0, table.columns().size()).boxed().toList()
                : names.stream()
                        .map(name -> table.column(Util.last(((SqlIdentifier) name).names)))
                        .toList();
    }

    private boolean inserts() {
        return kind == ModifyRun.Kind.INSERT || kind == ModifyRun.Kind.UPSERT;
    }

    /** The query for the rows: the values of an INSERT; of others the rows that are there, with their new values. */
    public SqlNode rows(SqlNode statement) {
        if (statement instanceof SqlInsert insert) {
            return inserted(insert.getSource());
        }
        List<SqlNode> selected = new ArrayList<>(List.of(SqlIdentifier.star(PLACE)));
        if (statement instanceof SqlUpdate update) {
            SqlNodeList values = update.getSourceExpressionList();
            for (int k = 0; k < values.size(); k++) {
                selected.add(cast(values.get(k), columns.get(k)));
            }
            return Selects.of(selected, target(update.getTargetTable(), update.getAlias()), update.getCondition());
        }
        SqlDelete delete = (SqlDelete) statement;
        return Selects.of(selected, target(delete.getTargetTable(), delete.getAlias()), delete.getCondition());
    }

    private static SqlNode target(SqlNode table, @Nullable SqlIdentifier alias) {
        return alias == null ? table : SqlStdOperatorTable.AS.createCall(PLACE, table, alias);
    }

    private SqlNode inserted(SqlNode source) {
        if (source.getKind() == SqlKind.VALUES) {
            List<SqlNode> rows = new ArrayList<>();
            for (SqlNode row : ((SqlCall) source).getOperandList()) {
                List<SqlNode> values = new ArrayList<>();
                for (SqlNode value : ((SqlCall) row).getOperandList()) {
                    values.add(cast(value, columns.get(values.size())));
                }
                rows.add(SqlStdOperatorTable.ROW.createCall(PLACE, values));
            }
            return SqlStdOperatorTable.VALUES.createCall(PLACE, rows);
        }
        List<SqlNode> named = new ArrayList<>(List.of(source, new SqlIdentifier("inserted", PLACE)));
        List<SqlNode> selected = new ArrayList<>();
        for (int k = 0; k < columns.size(); k++) {
            SqlIdentifier name = new SqlIdentifier("c" + k, PLACE);
            named.add(name);
            selected.add(cast(name, columns.get(k)));
        }
        return Selects.of(selected, SqlStdOperatorTable.AS.createCall(PLACE, named), null);
    }

    // ---- values

    private SqlNode cast(SqlNode value, int column) {
        SqlNode given = value.getKind() == SqlKind.DEFAULT ? DefaultValues.literal(table, column, PLACE) : value;
        return SqlStdOperatorTable.CAST.createCall(
                PLACE, given, SqlTypes.spec(table.columns().get(column).type(), PLACE));
    }

    /** The types of the columns of {@link #rows}. */
    public List<RelDataType> types(RelDataTypeFactory factory) {
        List<RelDataType> types = new ArrayList<>();
        for (Column column : inserts() ? List.<Column>of() : table.columns()) {
            types.add(SqlTypes.type(factory, column.type(), true));
        }
        for (int column : columns) {
            types.add(SqlTypes.type(factory, table.columns().get(column).type(), true));
        }
        return types;
    }

    /** What EXPLAIN shows. */
    public Explanation explained(LocalQuery rows) {
        return Explanation.of("SddsModify", table.name())
                .with("operation", kind)
                .with("by", inserts() ? null : "versions")
                .over(rows.explained());
    }

    /** Runs the statement; the one row of the result is the number of rows that were written. */
    public Enumerable<Object> write(LocalQuery query, DataContext context, RelDataTypeFactory factory) {
        boolean readsItself = query.shipments().stream()
                .anyMatch(shipment -> shipment.table().name().equals(table.name()));
        ModifyRun run = new ModifyRun(table, kind, inserts() ? List.of() : columns, null, inserts() && readsItself);
        Enumerable<@Nullable Object[]> rows = query.rows(context);
        if (!inserts()) {
            return run.write(rows, context);
        }
        @Nullable Object[] defaults = defaults(factory);
        return run.write(rows.select(row -> filled(row, defaults)), context);
    }

    private @Nullable Object[] filled(@Nullable Object[] given, @Nullable Object[] defaults) {
        @Nullable Object[] row = defaults.clone();
        for (int k = 0; k < given.length; k++) {
            row[columns.get(k)] = given[k];
        }
        return row;
    }

    private @Nullable Object[] defaults(RelDataTypeFactory factory) {
        @Nullable Object[] row = table.defaults();
        for (int k = 0; k < row.length; k++) {
            row[k] = SqlTypes.toEngine(
                    row[k], SqlTypes.type(factory, table.columns().get(k).type(), false));
        }
        return row;
    }
}
