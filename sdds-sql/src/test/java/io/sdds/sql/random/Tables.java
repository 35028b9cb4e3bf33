package io.sdds.sql.random;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/** Ten small tables with NULLs. They have columns of the same names, so that joins can use them. */
record Tables(List<Table> all) {
    static final int COUNT = 10;

    /** One table has no rows, and one has a single row. */
    private static final int[] ROWS = {0, 1, 4, 7, 9, 12, 15, 18, 22, 26};

    /** Tables with numbers at the edge of their types. */
    static final List<String> EXTREMES = List.of("t3", "t7");

    private static final List<Column> MENU = List.of(
            new Column("i", SqlType.INTEGER),
            new Column("j", SqlType.INTEGER),
            new Column("b", SqlType.BIGINT),
            new Column("d", SqlType.DOUBLE),
            new Column("n", SqlType.DECIMAL),
            new Column("s", SqlType.VARCHAR),
            new Column("r", SqlType.VARCHAR),
            new Column("f", SqlType.BOOLEAN),
            new Column("dt", SqlType.DATE),
            new Column("tm", SqlType.TIME),
            new Column("ts", SqlType.TIMESTAMP),
            new Column("u", SqlType.UUID_TYPE),
            new Column("y", SqlType.VARBINARY));

    record Column(String name, SqlType type) {}

    /** A table with a column {@code id}, its key, and others. */
    record Table(String name, List<Column> columns, List<List<@Nullable Object>> rows) {
        String create(String options) {
            StringJoiner text = new StringJoiner(", ", "CREATE TABLE " + name + " (", ")" + options);
            text.add("id INTEGER PRIMARY KEY");
            columns.stream().skip(1).forEach(column -> text.add(column.name + " " + column.type.declaration));
            return text.toString();
        }

        String insert() {
            return "INSERT INTO " + name + " VALUES (" + String.join(", ", Collections.nCopies(columns.size(), "?"))
                    + ")";
        }
    }

    static Tables of(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Table> tables = new ArrayList<>();
        for (int k = 0; k < COUNT; k++) {
            tables.add(table(k, random));
        }
        return new Tables(List.copyOf(tables));
    }

    private static Table table(int number, SplittableRandom random) {
        List<Column> columns = new ArrayList<>();
        columns.add(new Column("id", SqlType.INTEGER));
        for (Column column : MENU) {
            if (random.nextInt(3) > 0) {
                columns.add(column);
            }
        }
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (int id = 1; id <= ROWS[number]; id++) {
            List<@Nullable Object> row = new ArrayList<>();
            row.add(id);
            for (Column column : columns.subList(1, columns.size())) {
                row.add(random.nextInt(5) == 0 ? null : value(number, column.type, random));
            }
            rows.add(Collections.unmodifiableList(row));
        }
        return new Table("t" + number, List.copyOf(columns), rows);
    }

    /** Two tables have numbers at the edge of their types. */
    private static Object value(int table, SqlType type, SplittableRandom random) {
        boolean isExtreme = EXTREMES.contains("t" + table) && SqlType.NUMBERS.contains(type) && random.nextInt(15) == 0;
        Object value = isExtreme ? type.extreme(random) : type.value(random);
        return SqlType.fitsColumn(value) ? value : type.value(random);
    }

    Table named(String name) {
        return all.stream()
                .filter(table -> table.name.equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no table " + name));
    }

    /** Makes the tables, with their rows. */
    void create(Connection connection, Dialect dialect) throws SQLException {
        try (java.sql.Statement statement = connection.createStatement()) {
            for (Table table : all) {
                statement.execute(dialect.text("DROP TABLE IF EXISTS " + table.name));
                statement.execute(dialect.text(table.create(dialect.tableOptions())));
            }
        }
        for (Table table : all) {
            fill(connection, dialect, table);
        }
    }

    /** Gives a table its rows again. */
    void restore(Connection connection, Dialect dialect, String name) throws SQLException {
        try (java.sql.Statement statement = connection.createStatement()) {
            statement.executeUpdate(dialect.text("DELETE FROM " + name));
        }
        fill(connection, dialect, named(name));
    }

    private static void fill(Connection connection, Dialect dialect, Table table) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(dialect.text(table.insert()))) {
            for (List<@Nullable Object> row : table.rows) {
                for (int k = 0; k < row.size(); k++) {
                    dialect.bind(insert, k + 1, table.columns.get(k).type, row.get(k));
                }
                insert.addBatch();
            }
            if (!table.rows.isEmpty()) {
                insert.executeBatch();
            }
        }
    }
}
