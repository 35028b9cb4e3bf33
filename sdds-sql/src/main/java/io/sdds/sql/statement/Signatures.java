package io.sdds.sql.statement;

import io.sdds.sql.error.SqlErrors;
import io.sdds.sql.error.StatementEnd;
import java.sql.DatabaseMetaData;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.calcite.adapter.java.JavaTypeFactory;
import org.apache.calcite.avatica.AvaticaParameter;
import org.apache.calcite.avatica.ColumnMetaData;
import org.apache.calcite.avatica.Meta;
import org.apache.calcite.jdbc.CalcitePrepare;
import org.apache.calcite.linq4j.Linq4j;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rel.type.RelDataTypeFieldImpl;
import org.apache.calcite.runtime.Bindable;
import org.apache.calcite.sql.SqlUtil;
import org.apache.calcite.sql.type.SqlTypeName;
import org.jspecify.annotations.Nullable;

/** What the engine gets of a statement that was prepared: what runs it, and the types of its parameters and columns. */
public final class Signatures {
    private Signatures() {}

    /** A statement whose one row is a number, which the engine takes for that of the rows that were written. */
    public static <T> CalcitePrepare.CalciteSignature<T> count(
            String sql, List<RelDataType> parameters, CalcitePrepare.Context context, Bindable<Object> run) {
        RelDataType type = context.getTypeFactory().createSqlType(SqlTypeName.BIGINT);
        return alone(sql, parameters, context, run, "ROWCOUNT", type, Meta.StatementType.IS_DML);
    }

    /** A statement that shows a text. */
    public static <T> CalcitePrepare.CalciteSignature<T> plan(
            String sql, List<RelDataType> parameters, CalcitePrepare.Context context, String plan) {
        RelDataType type = context.getTypeFactory().createSqlType(SqlTypeName.VARCHAR, Integer.MAX_VALUE);
        Bindable<Object> run = data -> Linq4j.singletonEnumerable(plan);
        return alone(sql, parameters, context, run, "PLAN", type, Meta.StatementType.SELECT);
    }

    /** A statement whose one row is the number 1. */
    public static <T> CalcitePrepare.CalciteSignature<T> one(String sql, CalcitePrepare.Context context) {
        RelDataType type = context.getTypeFactory().createSqlType(SqlTypeName.INTEGER);
        Bindable<Object> run = data -> Linq4j.singletonEnumerable(1);
        return alone(sql, List.of(), context, run, SqlUtil.deriveAliasFromOrdinal(0), type, Meta.StatementType.SELECT);
    }

    private static <T> CalcitePrepare.CalciteSignature<T> alone(
            String sql,
            List<RelDataType> parameters,
            CalcitePrepare.Context context,
            Bindable<Object> run,
            String column,
            RelDataType type,
            Meta.StatementType kind) {
        RelDataType rowType =
                context.getTypeFactory().builder().add(column, type).build();
        return made(sql, parameters, context, run, rowType, List.of(List.of(column)), -1, kind);
    }

    /**
     * A query.
     *
     * @param run gives the rows: of one column the values alone, else arrays
     * @param origins the names of the table and column that each column comes from; null: none
     * @param maxRowCount of the result; negative: all
     */
    public static <T> CalcitePrepare.CalciteSignature<T> query(
            String sql,
            List<RelDataType> parameters,
            CalcitePrepare.Context context,
            Bindable<@Nullable Object> run,
            RelDataType rowType,
            List<? extends @Nullable List<String>> origins,
            long maxRowCount) {
        return made(sql, parameters, context, run, rowType, origins, maxRowCount, Meta.StatementType.SELECT);
    }

    /** Avatica's cursors take rows and lists for structures of its own. */
    private static void refuseRowOrList(RelDataType type) {
        if (type.isStruct() || type.getComponentType() != null || type.getKeyType() != null) {
            throw new StatementEnd("a result of type " + type + " is not supported", SqlErrors.UNSUPPORTED);
        }
    }

    /**
     * The type of a column of a result. A parameter beside a constant of two characters has the type CHAR(2), and
     * {@code CAST(a AS CHAR(3)) || 'b'} has the type CHAR(4); Avatica would fill up shorter values with blanks.
     */
    private static RelDataType varying(RelDataType type, JavaTypeFactory types) {
        if (type.getSqlTypeName() != SqlTypeName.CHAR) {
            return type;
        }
        RelDataType text = types.createSqlType(SqlTypeName.VARCHAR, type.getPrecision());
        return types.createTypeWithNullability(text, type.isNullable());
    }

    private static <T> CalcitePrepare.CalciteSignature<T> made(
            String sql,
            List<RelDataType> parameters,
            CalcitePrepare.Context context,
            Bindable<Object> run,
            RelDataType rowType,
            List<? extends @Nullable List<String>> origins,
            long maxRowCount,
            Meta.StatementType kind) {
        List<ColumnMetaData> columns = new ArrayList<>();
        for (RelDataTypeField field : rowType.getFieldList()) {
            refuseRowOrList(field.getType());
            RelDataType type = varying(field.getType(), context.getTypeFactory());
            RelDataTypeField shown = new RelDataTypeFieldImpl(field.getName(), field.getIndex(), type);
            columns.add(column(shown, origins.get(field.getIndex()), context.getTypeFactory()));
        }
        @SuppressWarnings("unchecked") // the engine takes the rows as they come
        Bindable<T> bindable = (Bindable<T>) run;
        return new CalcitePrepare.CalciteSignature<>(
                sql,
                parameters(parameters),
                Map.of(),
                rowType,
                columns,
                columns.size() == 1 ? Meta.CursorFactory.OBJECT : Meta.CursorFactory.ARRAY,
                context.getRootSchema(),
                List.of(),
                maxRowCount,
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

    private static ColumnMetaData column(RelDataTypeField field, @Nullable List<String> origin, JavaTypeFactory types) {
        RelDataType type = field.getType();
        ColumnMetaData.AvaticaType avaticaType = avaticaType(type, types);
        return new ColumnMetaData(
                field.getIndex(),
                false,
                true,
                false,
                false,
                type.isNullable() ? DatabaseMetaData.columnNullable : DatabaseMetaData.columnNoNulls,
                true,
                type.getPrecision(),
                field.getName(),
                origin(origin, 0),
                origin(origin, 2),
                Math.max(0, type.getPrecision()),
                type.getScale() == RelDataType.SCALE_NOT_SPECIFIED ? 0 : type.getScale(),
                origin(origin, 1),
                null,
                avaticaType,
                true,
                false,
                false,
                avaticaType.columnClassName());
    }

    private static ColumnMetaData.AvaticaType avaticaType(RelDataType type, JavaTypeFactory types) {
        ColumnMetaData.Rep rep = ColumnMetaData.Rep.of(types.getJavaClass(type));
        return ColumnMetaData.scalar(
                type.getSqlTypeName().getJdbcOrdinal(), type.getSqlTypeName().getName(), rep);
    }

    /** A name of the column's origin, counted from the last; null: there is none. */
    private static @Nullable String origin(@Nullable List<String> names, int fromEnd) {
        return names == null || fromEnd >= names.size() ? null : names.get(names.size() - 1 - fromEnd);
    }
}
