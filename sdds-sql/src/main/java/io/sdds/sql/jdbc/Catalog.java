package io.sdds.sql.jdbc;

import io.sdds.core.model.TableKind;
import io.sdds.core.row.Column;
import io.sdds.core.row.ValueText;
import io.sdds.core.row.ValueType;
import io.sdds.core.row.Values;
import io.sdds.sql.schema.SddsSchema;
import io.sdds.sql.schema.SddsTable;
import io.sdds.sql.schema.SqlTypes;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.apache.calcite.schema.Table;
import org.jspecify.annotations.Nullable;

/** What {@link DatabaseMetaData} tells of tables, columns, keys and types. Names match in any case. */
final class Catalog {
    private static final String TABLE = "TABLE";
    private static final String PRIMARY = "PRIMARY";
    private static final int RADIX = 10;
    private static final int BYTES_OF_A_CODE_POINT_MAX = 4;

    private final JdbcSession session;

    Catalog(JdbcSession session) {
        this.session = session;
    }

    /** The result of a method of {@link DatabaseMetaData}; null: it is not answered here. */
    @Nullable
    ResultSet answer(String method, @Nullable Object[] arguments) throws SQLException {
        MetaRows rows = switch (method) {
            case "getCatalogs" -> new MetaRows().texts("TABLE_CAT");
            case "getSchemas" -> schemas(arguments.length < 2 ? null : arguments[1]);
            case "getTableTypes" -> tableTypes();
            case "getTables" -> tables(arguments[1], arguments[2], (String[]) arguments[3]);
            case "getColumns" -> columns(arguments[1], arguments[2], arguments[3]);
            case "getPrimaryKeys" -> primaryKeys(arguments[1], arguments[2]);
            case "getIndexInfo" -> indexes(arguments[1], arguments[2]);
            case "getBestRowIdentifier" -> rowIdentifier(arguments[1], arguments[2]);
            case "getTypeInfo" -> TypeRows.all();
            default -> null;
        };
        return rows == null ? null : rows.result(session);
    }

    // ---- which tables

    private List<SddsTable> tables(Predicate<String> schema, Predicate<String> name) {
        if (!schema.test(SddsSchema.NAME)) {
            return List.of();
        }
        return session.schema().getTableMap().values().stream()
                .map((Table table) -> (SddsTable) table)
                .filter(table -> name.test(table.name()))
                .sorted(Comparator.comparing(SddsTable::name))
                .toList();
    }

    /** Whether a name is like a pattern of SQL, whose escape character is a backslash. */
    private static Predicate<String> like(@Nullable Object pattern) {
        if (pattern == null) {
            return name -> true;
        }
        StringBuilder regex = new StringBuilder();
        String text = pattern.toString();
        for (int k = 0; k < text.length(); k++) {
            char c = text.charAt(k);
            boolean isEscape = c == '\\' && k + 1 < text.length();
            if (isEscape) {
                k++;
                regex.append(Pattern.quote(text.substring(k, k + 1)));
            } else {
                regex.append(c == '%' ? ".*" : c == '_' ? "." : Pattern.quote(String.valueOf(c)));
            }
        }
        Pattern compiled =
                Pattern.compile(regex.toString(), Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE | Pattern.DOTALL);
        return name -> compiled.matcher(name).matches();
    }

    private static Predicate<String> named(@Nullable Object name) {
        return name == null ? any -> true : name.toString()::equalsIgnoreCase;
    }

    // ---- schemas and tables

    private static MetaRows schemas(@Nullable Object pattern) {
        MetaRows rows = new MetaRows().texts("TABLE_SCHEM TABLE_CATALOG");
        if (like(pattern).test(SddsSchema.NAME)) {
            rows.add(SddsSchema.NAME, null);
        }
        return rows;
    }

    private static MetaRows tableTypes() {
        MetaRows rows = new MetaRows().texts("TABLE_TYPE");
        rows.add(TABLE);
        return rows;
    }

    private MetaRows tables(@Nullable Object schema, @Nullable Object name, String @Nullable [] types) {
        MetaRows rows = new MetaRows()
                .texts("TABLE_CAT TABLE_SCHEM TABLE_NAME TABLE_TYPE REMARKS TYPE_CAT TYPE_SCHEM TYPE_NAME"
                        + " SELF_REFERENCING_COL_NAME REF_GENERATION");
        if (types == null || Arrays.asList(types).contains(TABLE)) {
            for (SddsTable table : tables(like(schema), like(name))) {
                rows.add(null, SddsSchema.NAME, table.name(), TABLE, null, null, null, null, null, null);
            }
        }
        return rows;
    }

    // ---- columns

    private MetaRows columns(@Nullable Object schema, @Nullable Object table, @Nullable Object name) {
        MetaRows rows = new MetaRows()
                .texts("TABLE_CAT TABLE_SCHEM TABLE_NAME COLUMN_NAME")
                .numbers("DATA_TYPE")
                .texts("TYPE_NAME")
                .numbers("COLUMN_SIZE BUFFER_LENGTH DECIMAL_DIGITS NUM_PREC_RADIX NULLABLE")
                .texts("REMARKS COLUMN_DEF")
                .numbers("SQL_DATA_TYPE SQL_DATETIME_SUB CHAR_OCTET_LENGTH ORDINAL_POSITION")
                .texts("IS_NULLABLE SCOPE_CATALOG SCOPE_SCHEMA SCOPE_TABLE")
                .numbers("SOURCE_DATA_TYPE")
                .texts("IS_AUTOINCREMENT IS_GENERATEDCOLUMN");
        Predicate<String> isWanted = like(name);
        for (SddsTable of : tables(like(schema), like(table))) {
            for (int k = 0; k < of.columns().size(); k++) {
                if (isWanted.test(of.columns().get(k).name())) {
                    addColumn(rows, of, k);
                }
            }
        }
        return rows;
    }

    private static void addColumn(MetaRows rows, SddsTable table, int index) {
        Column column = table.columns().get(index);
        ValueType type = column.type();
        String byDefault =
                column.hasDefault() ? ValueText.literal(type, Values.decode(type, column.defaultValue())) : null;
        rows.add(
                null,
                SddsSchema.NAME,
                table.name(),
                column.name(),
                SqlTypes.jdbcType(type),
                TypeRows.name(type),
                TypeRows.size(type),
                null,
                TypeRows.digits(type),
                SqlTypes.isNumber(type) ? RADIX : null,
                column.notNull() ? DatabaseMetaData.columnNoNulls : DatabaseMetaData.columnNullable,
                null,
                byDefault,
                null,
                null,
                octets(type),
                index + 1,
                column.notNull() ? "NO" : "YES",
                null,
                null,
                null,
                null,
                "NO",
                "NO");
    }

    private static @Nullable Integer octets(ValueType type) {
        return switch (type.kind()) {
            case VARCHAR -> (int) Math.min(Integer.MAX_VALUE, (long) TypeRows.size(type) * BYTES_OF_A_CODE_POINT_MAX);
            case VARBINARY -> TypeRows.size(type);
            default -> null;
        };
    }

    // ---- keys

    private MetaRows primaryKeys(@Nullable Object schema, @Nullable Object name) {
        MetaRows rows = new MetaRows()
                .texts("TABLE_CAT TABLE_SCHEM TABLE_NAME COLUMN_NAME")
                .numbers("KEY_SEQ")
                .texts("PK_NAME");
        for (SddsTable table : tables(named(schema), named(name))) {
            // The columns are in the order of their names, as the interface wants it.
            List<Integer> keys = table.keys();
            keys.stream()
                    .sorted(Comparator.comparing(key -> table.columns().get(key).name()))
                    .forEach(key -> rows.add(
                            null,
                            SddsSchema.NAME,
                            table.name(),
                            table.columns().get(key).name(),
                            keys.indexOf(key) + 1,
                            PRIMARY));
        }
        return rows;
    }

    private MetaRows indexes(@Nullable Object schema, @Nullable Object name) {
        MetaRows rows = new MetaRows()
                .texts("TABLE_CAT TABLE_SCHEM TABLE_NAME")
                .flags("NON_UNIQUE")
                .texts("INDEX_QUALIFIER INDEX_NAME")
                .numbers("TYPE ORDINAL_POSITION")
                .texts("COLUMN_NAME ASC_OR_DESC")
                .numbers("CARDINALITY PAGES")
                .texts("FILTER_CONDITION");
        for (SddsTable table : tables(named(schema), named(name))) {
            boolean isRange = table.kind() == TableKind.RANGE;
            int type = isRange ? DatabaseMetaData.tableIndexClustered : DatabaseMetaData.tableIndexHashed;
            int cardinality = (int) Math.min(Integer.MAX_VALUE, table.records());
            List<Integer> keys = table.keys();
            for (int k = 0; k < keys.size(); k++) {
                String column = table.columns().get(keys.get(k)).name();
                String order = isRange ? "A" : null;
                rows.add(
                        null,
                        SddsSchema.NAME,
                        table.name(),
                        false,
                        null,
                        PRIMARY,
                        type,
                        k + 1,
                        column,
                        order,
                        cardinality,
                        null,
                        null);
            }
        }
        return rows;
    }

    private MetaRows rowIdentifier(@Nullable Object schema, @Nullable Object name) {
        MetaRows rows = new MetaRows()
                .numbers("SCOPE")
                .texts("COLUMN_NAME")
                .numbers("DATA_TYPE")
                .texts("TYPE_NAME")
                .numbers("COLUMN_SIZE BUFFER_LENGTH DECIMAL_DIGITS PSEUDO_COLUMN");
        for (SddsTable table : tables(named(schema), named(name))) {
            for (int key : table.keys()) {
                Column column = table.columns().get(key);
                rows.add(
                        DatabaseMetaData.bestRowSession,
                        column.name(),
                        SqlTypes.jdbcType(column.type()),
                        TypeRows.name(column.type()),
                        TypeRows.size(column.type()),
                        null,
                        TypeRows.digits(column.type()),
                        DatabaseMetaData.bestRowNotPseudo);
            }
        }
        return rows;
    }
}
