package io.sdds.sql.statement;

import java.sql.DatabaseMetaData;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.calcite.avatica.AvaticaParameter;
import org.apache.calcite.avatica.ColumnMetaData;
import org.apache.calcite.avatica.Meta;
import org.apache.calcite.jdbc.CalcitePrepare;
import org.apache.calcite.linq4j.Linq4j;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.runtime.Bindable;
import org.apache.calcite.sql.type.SqlTypeName;

/** Statements that the engine executes without a plan of its own. */
public final class Signatures {
    private static final int COUNT_DIGITS = 19;

    private Signatures() {}

    /** A statement whose one row is a number, which the engine takes for that of the rows that were written. */
    public static <T> CalcitePrepare.CalciteSignature<T> count(
            String sql, List<RelDataType> parameters, CalcitePrepare.Context context, Bindable<Object> run) {
        ColumnMetaData column = column(
                "ROWCOUNT", COUNT_DIGITS, ColumnMetaData.scalar(Types.BIGINT, "BIGINT", ColumnMetaData.Rep.LONG));
        return made(sql, parameters, context, run, column, SqlTypeName.BIGINT, Meta.StatementType.IS_DML);
    }

    /** A statement that shows a text. */
    public static <T> CalcitePrepare.CalciteSignature<T> plan(
            String sql, List<RelDataType> parameters, CalcitePrepare.Context context, String plan) {
        ColumnMetaData column = column(
                "PLAN", Integer.MAX_VALUE, ColumnMetaData.scalar(Types.VARCHAR, "VARCHAR", ColumnMetaData.Rep.STRING));
        Bindable<Object> run = data -> Linq4j.singletonEnumerable(plan);
        return made(sql, parameters, context, run, column, SqlTypeName.VARCHAR, Meta.StatementType.SELECT);
    }

    private static <T> CalcitePrepare.CalciteSignature<T> made(
            String sql,
            List<RelDataType> parameters,
            CalcitePrepare.Context context,
            Bindable<Object> run,
            ColumnMetaData column,
            SqlTypeName type,
            Meta.StatementType kind) {
        RelDataType rowType =
                context.getTypeFactory().builder().add(column.columnName, type).build();
        @SuppressWarnings("unchecked") // the engine takes the rows as they come
        Bindable<T> bindable = (Bindable<T>) run;
        return new CalcitePrepare.CalciteSignature<>(
                sql,
                parameters(parameters),
                Map.of(),
                rowType,
                List.of(column),
                Meta.CursorFactory.OBJECT,
                context.getRootSchema(),
                List.of(),
                -1,
                bindable,
                kind);
    }

    private static List<AvaticaParameter> parameters(List<RelDataType> types) {
        List<AvaticaParameter> parameters = new ArrayList<>();
        for (RelDataType type : types) {
            parameters.add(new AvaticaParameter(
                    false,
                    Math.max(0, type.getPrecision()),
                    type.getSqlTypeName().allowsScale() ? type.getScale() : 0,
                    type.getSqlTypeName().getJdbcOrdinal(),
                    type.getSqlTypeName().getName(),
                    Object.class.getName(),
                    "?" + parameters.size()));
        }
        return parameters;
    }

    private static ColumnMetaData column(String name, int digits, ColumnMetaData.AvaticaType type) {
        return new ColumnMetaData(
                0,
                false,
                true,
                false,
                false,
                DatabaseMetaData.columnNoNulls,
                true,
                digits,
                name,
                name,
                null,
                digits,
                0,
                null,
                null,
                type,
                true,
                false,
                false,
                type.rep.clazz.getName());
    }
}
