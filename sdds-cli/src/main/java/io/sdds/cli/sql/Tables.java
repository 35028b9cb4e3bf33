package io.sdds.cli.sql;

import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The tables of a database, without those of its catalog.
 *
 * @param all the tables by schema and name
 */
record Tables(List<Table> all) {
    private static final List<String> CATALOGS = List.of("information_schema", "metadata");
    private static final Pattern ADDITIONS = Pattern.compile(" (NOT NULL|CHARACTER SET|COLLATE).*");
    private static final int SIZE_MAX = 1_000_000;

    /**
     * A table or view.
     *
     * @param schema its schema; empty if it has none
     */
    record Table(String catalog, String schema, String name, String type, String remarks) {
        @Nullable
        String catalogOrNull() {
            return catalog.isEmpty() ? null : catalog;
        }

        @Nullable
        String schemaOrNull() {
            return schema.isEmpty() ? null : schema;
        }

        /** The columns in their order. */
        List<Column> columns(DatabaseMetaData data) throws SQLException {
            List<Column> columns = new ArrayList<>();
            String escape = Objects.requireNonNullElse(data.getSearchStringEscape(), "");
            try (ResultSet rows =
                    data.getColumns(catalogOrNull(), pattern(schemaOrNull(), escape), pattern(name, escape), null)) {
                while (rows.next()) {
                    if (name.equals(rows.getString("TABLE_NAME"))) {
                        columns.add(Column.of(rows));
                    }
                }
            }
            return columns;
        }

        private static @Nullable String pattern(@Nullable String exact, String escape) {
            return exact == null || escape.isEmpty()
                    ? exact
                    : exact.replace(escape, escape + escape)
                            .replace("_", escape + "_")
                            .replace("%", escape + "%");
        }
    }

    /** A column of a table. */
    record Column(String name, String type, boolean isNullable, String byDefault) {
        private static Column of(ResultSet row) throws SQLException {
            return new Column(
                    text(row, "COLUMN_NAME"),
                    type(row),
                    row.getInt("NULLABLE") != DatabaseMetaData.columnNoNulls,
                    text(row, "COLUMN_DEF"));
        }

        /** The type as in CREATE TABLE. Some drivers put more into the name of the type. */
        private static String type(ResultSet row) throws SQLException {
            String name = text(row, "TYPE_NAME");
            name = ADDITIONS.matcher(name).replaceAll("");
            int size = row.getInt("COLUMN_SIZE");
            int scale = row.getInt("DECIMAL_DIGITS");
            if (name.contains("(") || size <= 0 || size >= SIZE_MAX) {
                return name.toLowerCase(Locale.ROOT);
            }
            boolean isText = name.contains("CHAR") || name.contains("BINARY");
            boolean isDecimal = name.startsWith("DECIMAL") || name.startsWith("NUMERIC");
            String digits = isDecimal ? "(" + size + ", " + scale + ")" : isText ? "(" + size + ")" : "";
            return name.toLowerCase(Locale.ROOT) + digits;
        }
    }

    static Tables read(DatabaseMetaData data) throws SQLException {
        List<Table> tables = new ArrayList<>();
        try (ResultSet rows = data.getTables(null, null, null, null)) {
            while (rows.next()) {
                Table table = new Table(
                        text(rows, "TABLE_CAT"),
                        text(rows, "TABLE_SCHEM"),
                        text(rows, "TABLE_NAME"),
                        text(rows, "TABLE_TYPE").toLowerCase(Locale.ROOT).replace("base table", "table"),
                        text(rows, "REMARKS"));
                boolean isOfCatalog =
                        CATALOGS.contains(table.schema.toLowerCase(Locale.ROOT)) || table.type.startsWith("system");
                if (!isOfCatalog) {
                    tables.add(table);
                }
            }
        }
        return new Tables(tables);
    }

    private static String text(ResultSet row, String column) throws SQLException {
        return Objects.requireNonNullElse(row.getString(column), "");
    }

    /** The table of a name, whose case may differ if only one table has the name. */
    Table find(String typed) throws SQLException {
        String name = typed.length() > 2 && typed.startsWith("\"") && typed.endsWith("\"")
                ? typed.substring(1, typed.length() - 1)
                : typed;
        return all.stream()
                .filter(table -> table.name.equals(name))
                .findFirst()
                .or(() -> all.stream()
                        .filter(table -> table.name.equalsIgnoreCase(name))
                        .findFirst())
                .orElseThrow(() -> SqlCommands.noTable(
                        name, all.stream().map(table -> table.name).toList()));
    }
}
