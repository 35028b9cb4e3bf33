package io.sdds.sql.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.core.Seeds;
import io.sdds.sql.SqlCluster;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Lists behind IN and NOT IN, of keys and of other columns, as object-relational mappers write them: with NULLs, values
 * that come twice, numbers of another type, and parameters. Statements with and without pushdown find the same rows.
 */
class LongListsPropertyTest {
    private static final int STATEMENTS = System.getProperty("sdds.soak") == null ? 60 : 1_500;
    private static final int ROWS = 300;
    /** The kind of a list of rows. */
    private static final int ROWS_KIND = 5;

    private static final int[] LENGTHS = {1, 2, 19, 20, 21, 30, 100, 700};
    private static final String[] TABLES = {"h", "r"};

    private final SplittableRandom random = Seeds.random("LongListsPropertyTest");
    private final List<Object> parameters = new ArrayList<>();

    @Test
    void statementsWithLongListsFindTheSameRowsAsWithoutPushdown() throws SQLException {
        try (SqlCluster sql = new SqlCluster();
                Connection plain = sql.connect(";pushdown=false")) {
            sql.update("CREATE TABLE h (id BIGINT PRIMARY KEY, a INTEGER, s VARCHAR(5), n DECIMAL(8, 2), v INTEGER)");
            sql.update("CREATE TABLE r (id BIGINT, a INTEGER, s VARCHAR(5), n DECIMAL(8, 2), v INTEGER,"
                    + " PRIMARY KEY (id, s)) WITH (kind = 'range', capacity = 50)");
            for (String table : TABLES) {
                fill(sql.connection, table);
            }
            for (int k = 1; k <= STATEMENTS; k++) {
                check(sql.connection, plain, TABLES[random.nextInt(TABLES.length)], k);
            }
        }
    }

    private void check(Connection shipping, Connection plain, String table, int number) throws SQLException {
        parameters.clear();
        String condition = condition();
        Object[] values = parameters.toArray();
        String query = "SELECT id, s FROM " + table + " WHERE " + condition + " ORDER BY id";
        List<String> expected = SqlCluster.rows(plain, query, values);
        assertThat(SqlCluster.rows(shipping, query, values)).as(query).isEqualTo(expected);
        String count = "SELECT COUNT(*), MAX(a) FROM " + table + " WHERE " + condition;
        assertThat(SqlCluster.rows(shipping, count, values)).as(count).isEqualTo(SqlCluster.rows(plain, count, values));

        String update = "UPDATE " + table + " SET v = " + number + " WHERE " + condition;
        assertThat(update(shipping, update, values)).as(update).isEqualTo(expected.size());
        assertThat(SqlCluster.rows(plain, "SELECT id, s FROM " + table + " WHERE v = ? ORDER BY id", number))
                .as(update)
                .isEqualTo(expected);
        if (random.nextInt(4) == 0) {
            String delete = "DELETE FROM " + table + " WHERE " + condition;
            assertThat(update(shipping, delete, values)).as(delete).isEqualTo(expected.size());
            assertThat(SqlCluster.rows(plain, "SELECT COUNT(*) FROM " + table))
                    .as(delete)
                    .containsExactly(Integer.toString(ROWS - expected.size()));
            fill(shipping, table);
        }
    }

    private static int update(Connection connection, String sql, Object... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int k = 0; k < values.length; k++) {
                statement.setObject(k + 1, values[k]);
            }
            return statement.executeUpdate();
        }
    }

    private void fill(Connection connection, String table) throws SQLException {
        try (PreparedStatement insert =
                connection.prepareStatement("UPSERT INTO " + table + " VALUES (?, ?, ?, ?, 0)")) {
            for (int k = 0; k < ROWS; k++) {
                insert.setLong(1, k);
                insert.setObject(2, k % 7 == 0 ? null : k % 90);
                insert.setString(3, "s" + k % 40);
                insert.setObject(4, k % 11 == 0 ? null : new java.math.BigDecimal(k % 60 + ".50"));
                insert.addBatch();
            }
            insert.executeBatch();
        }
    }

    private String condition() {
        String list = list();
        return switch (random.nextInt(4)) {
            case 0 -> list + " AND (n < " + random.nextInt(100) + " OR id > 20)";
            case 1 -> random.nextBoolean() ? list + " AND " + list() : list + " OR " + list();
            default -> list;
        };
    }

    private String list() {
        int length = LENGTHS[random.nextInt(LENGTHS.length)];
        boolean hasNull = random.nextInt(8) == 0;
        int kind = random.nextInt(ROWS_KIND + 1);
        List<String> values = new ArrayList<>();
        for (int k = 0; k < length; k++) {
            values.add(hasNull && random.nextInt(length) == 0 ? kind == ROWS_KIND ? "(1, NULL)" : "NULL" : value(kind));
        }
        String column = switch (kind) {
            case 0, 1 -> "id";
            case 2 -> "a";
            case 3 -> "s";
            case 4 -> "n";
            default -> "(id, s)";
        };
        return column + (random.nextInt(4) == 0 ? " NOT IN (" : " IN (") + String.join(", ", values) + ")";
    }

    private String value(int kind) {
        int number = random.nextInt(ROWS + 100);
        return switch (kind) {
            case 0 -> mixed(Integer.toString(number), (long) number);
            case 1 -> random.nextInt(50) == 0 ? number + ".5" : number + (random.nextInt(9) == 0 ? ".0" : "");
            case 2 -> mixed(Integer.toString(number % 120), number % 120);
            case 3 -> mixed("'s" + number % 60 + "'", "s" + number % 60);
            case 4 -> random.nextInt(3) == 0 ? Integer.toString(number % 60) : number % 70 + ".50";
            default -> "(" + number + ", 's" + (number + random.nextInt(2)) % 40 + "')";
        };
    }

    private String mixed(String constant, Object value) {
        if (random.nextInt(3) > 0) {
            return constant;
        }
        parameters.add(value);
        return "?";
    }
}
