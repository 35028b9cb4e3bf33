package io.sdds.sql.tpcds;

import io.trino.tpcds.Results;
import io.trino.tpcds.Session;
import io.trino.tpcds.Table;
import io.trino.tpcds.column.Column;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Rows of TPC-DS from the library {@code io.trino.tpcds}. Four tables have the same size at each scale; of these, rows
 * are kept that other tables refer to.
 */
final class TpcdsData {
    private static final int BATCH = 1_000;
    private static final int INVENTORY_PART = 8;
    private static final int FIRST_YEAR = 1997;
    private static final int LAST_YEAR = 2004;
    private static final int YEAR_COLUMN = 6;

    private final Map<Table, List<List<String>>> rows = new EnumMap<>(Table.class);

    TpcdsData(double scale) {
        Session session = Session.getDefaultSession().withScale(scale);
        for (Table table : Table.getBaseTables()) {
            if (table != Table.DBGEN_VERSION && !table.isChild() && !isOfOneSize(table)) {
                read(table, session);
            }
        }
        for (Table table : List.of(Table.CUSTOMER_DEMOGRAPHICS, Table.TIME_DIM, Table.DATE_DIM)) {
            read(table, session);
        }
    }

    private static boolean isOfOneSize(Table table) {
        return table == Table.CUSTOMER_DEMOGRAPHICS || table == Table.TIME_DIM || table == Table.DATE_DIM;
    }

    private void read(Table table, Session session) {
        Set<String> used = switch (table) {
            case CUSTOMER_DEMOGRAPHICS -> keys("cdemo_sk");
            case TIME_DIM -> keys("time_sk");
            default -> Set.of();
        };
        List<List<String>> ofTable = rows.computeIfAbsent(table, key -> new ArrayList<>());
        for (List<List<String>> parentAndChild : Results.constructResults(table, session)) {
            List<String> row = parentAndChild.get(0);
            if (isKept(table, row, used)) {
                ofTable.add(row);
            }
            if (parentAndChild.size() > 1) {
                rows.computeIfAbsent(table.getChild(), key -> new ArrayList<>()).add(parentAndChild.get(1));
            }
        }
    }

    private static boolean isKept(Table table, List<String> row, Set<String> used) {
        return switch (table) {
            case CUSTOMER_DEMOGRAPHICS, TIME_DIM -> used.contains(row.get(0));
            case DATE_DIM -> {
                int year = Integer.parseInt(row.get(YEAR_COLUMN));
                yield year >= FIRST_YEAR && year <= LAST_YEAR;
            }
            case INVENTORY -> Integer.parseInt(row.get(1)) % INVENTORY_PART == 1;
            default -> true;
        };
    }

    /** The values of all columns whose name has this end. */
    private Set<String> keys(String end) {
        Set<String> keys = new HashSet<>();
        rows.forEach((table, ofTable) -> {
            for (Column column : table.getColumns()) {
                if (column.getName().endsWith(end)) {
                    ofTable.forEach(row -> keys.add(row.get(column.getPosition())));
                }
            }
        });
        return keys;
    }

    /** Makes the tables, with options of {@code CREATE TABLE}, and fills them. */
    void load(Connection connection, String options) throws SQLException {
        connection.setAutoCommit(true);
        for (Map.Entry<Table, List<List<String>>> entry : rows.entrySet()) {
            Column[] columns = entry.getKey().getColumns();
            String name = entry.getKey().getName().toLowerCase(Locale.ROOT);
            try (Statement statement = connection.createStatement()) {
                statement.execute("CREATE TABLE " + name
                        + Arrays.stream(columns)
                                .map(column -> column.getName() + " " + type(column))
                                .collect(Collectors.joining(", ", " (", key(name, columns) + ") "))
                        + options);
            }
            String marks = "?" + ", ?".repeat(columns.length - 1);
            try (PreparedStatement insert =
                    connection.prepareStatement("INSERT INTO " + name + " VALUES (" + marks + ")")) {
                fill(insert, columns, entry.getValue());
            }
            try (Statement statement = connection.createStatement()) {
                statement.execute("ANALYZE " + name);
            }
        }
    }

    private static void fill(PreparedStatement insert, Column[] columns, List<List<String>> rows) throws SQLException {
        int waiting = 0;
        for (List<String> row : rows) {
            for (int k = 0; k < columns.length; k++) {
                insert.setObject(k + 1, value(columns[k], row.get(k)), sqlType(columns[k]));
            }
            insert.addBatch();
            if (++waiting % BATCH == 0) {
                insert.executeBatch();
            }
        }
        insert.executeBatch();
    }

    /** Tables of facts have no key of one column. */
    private static String key(String table, Column[] columns) {
        boolean isFact = table.endsWith("_sales") || table.endsWith("_returns") || table.equals("inventory");
        return isFact ? "" : ", PRIMARY KEY (" + columns[0].getName() + ")";
    }

    private static String type(Column column) {
        return switch (column.getType().getBase()) {
            case INTEGER, IDENTIFIER -> "INTEGER";
            case DECIMAL ->
                "DECIMAL(" + column.getType().getPrecision().orElseThrow() + ", "
                        + column.getType().getScale().orElseThrow() + ")";
            case DATE -> "DATE";
            default -> "VARCHAR";
        };
    }

    private static int sqlType(Column column) {
        return switch (column.getType().getBase()) {
            case INTEGER, IDENTIFIER -> java.sql.Types.INTEGER;
            case DECIMAL -> java.sql.Types.DECIMAL;
            case DATE -> java.sql.Types.DATE;
            default -> java.sql.Types.VARCHAR;
        };
    }

    private static Object value(Column column, String text) {
        if (text == null || text.isEmpty()) {
            return null;
        }
        return switch (column.getType().getBase()) {
            case INTEGER, IDENTIFIER -> Integer.valueOf(text);
            case DECIMAL -> new BigDecimal(text);
            case DATE -> LocalDate.parse(text);
            default -> text;
        };
    }
}
