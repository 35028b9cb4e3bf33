package io.sdds.sql.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.core.Seeds;
import io.sdds.sql.SqlCluster;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.StringJoiner;
import org.junit.jupiter.api.Test;

/**
 * Random aggregates of joins of tables with few different keys, which the planner aggregates before it joins them: they
 * are what the engine computes at the client of all pairs. Keys and values are NULL now and then, and a side may have
 * no rows at all.
 */
class JoinedAggregatesPropertyTest {
    private static final int QUERIES = 60;
    private static final int ROWS = 300;
    private static final int ROWS_OF_AN_INSERT = 100;
    private static final List<String> CONDITIONS = List.of(
            "a.k = b.k", "a.k = b.k AND a.t = b.t", "a.t = b.t", "a.k = b.w", "a.d = b.d", "a.f = b.f", "a.k = b.d");
    private static final List<String> GROUPS =
            List.of("", "", "a.t", "b.t", "a.k", "a.t, b.k", "b.f", "b.d, a.t", "b.m", "a.k + 1");
    private static final List<String> VALUES = List.of(
            "COUNT(*)",
            "COUNT(a.v)",
            "COUNT(b.t)",
            "SUM(a.v)",
            "SUM(b.w)",
            "SUM(b.d)",
            "SUM(a.d)",
            "SUM(a.v * a.d)",
            "MIN(b.t)",
            "MAX(a.d)",
            "MAX(b.m)",
            "MIN(a.f)",
            "AVG(a.v)",
            "AVG(b.d)",
            "SUM(1)",
            "SUM(CAST(a.v AS DECIMAL(12, 2)))",
            "SUM(b.w + a.v)",
            "COUNT(DISTINCT a.t)",
            "SUM(a.v) FILTER (WHERE b.w > 3)",
            "MIN(a.m)");
    private static final List<String> FILTERS =
            List.of("", "", "", " WHERE a.v > 3", " WHERE b.w < 5", " WHERE a.v > 1000", " WHERE a.v + b.w < 9");

    private final SplittableRandom random = Seeds.random("JoinedAggregatesPropertyTest");

    @Test
    void aggregatesOfJoinsAreAsWithoutPushdown() throws SQLException {
        try (SqlCluster sql = new SqlCluster();
                Connection plain = sql.connect(";pushdown=false")) {
            for (String table : List.of("p", "q", "r")) {
                fill(sql, table);
            }
            for (int k = 0; k < QUERIES; k++) {
                String query = query();
                assertThat(SqlCluster.sorted(sql.connection, query))
                        .as(query)
                        .isEqualTo(SqlCluster.sorted(plain, query));
            }
        }
    }

    @Test
    void aggregatesOfJoinsWithoutPairsAreThoseOfNothing() throws SQLException {
        try (SqlCluster sql = new SqlCluster()) {
            fill(sql, "p");
            sql.update("CREATE TABLE nobody (id INTEGER PRIMARY KEY, k INTEGER, v INTEGER)");
            sql.update("ANALYZE TABLE nobody");
            String values = "SELECT COUNT(*), COUNT(a.v), SUM(a.v), MAX(b.v), AVG(a.v) FROM p a JOIN ";
            for (String join : List.of("nobody b ON a.k = b.k", "p b ON a.k = b.k WHERE b.v > 1000")) {
                assertThat(sql.rows(values + join)).containsExactly("0, 0, null, null, null");
                assertThat(sql.rows(values + join + " GROUP BY a.t")).isEmpty();
            }
        }
    }

    private String query() {
        String groups = pick(GROUPS);
        StringJoiner columns = new StringJoiner(", ");
        if (!groups.isEmpty()) {
            columns.add(groups);
        }
        int values = 1 + random.nextInt(4);
        for (int k = 0; k < values; k++) {
            columns.add(pick(VALUES));
        }
        boolean hasThird = random.nextInt(3) == 0;
        return "SELECT " + columns + " FROM p a JOIN q b ON " + pick(CONDITIONS)
                + (hasThird ? " JOIN r c ON c.t = " + pick(List.of("a.t", "b.t")) : "")
                + pick(FILTERS)
                + (groups.isEmpty() ? "" : " GROUP BY " + groups);
    }

    private void fill(SqlCluster sql, String table) throws SQLException {
        sql.update("CREATE TABLE " + table + " (id INTEGER PRIMARY KEY, k INTEGER, t VARCHAR(10), v INTEGER, w BIGINT,"
                + " d DECIMAL(8,2), f DOUBLE, m TIMESTAMP)");
        int rows = table.equals("r") ? ROWS / 10 : ROWS;
        List<String> insert = new ArrayList<>();
        for (int id = 0; id < rows; id++) {
            insert.add("(" + id + ", " + some(12) + ", " + orNull("'" + "abcde".charAt(random.nextInt(5)) + "'") + ", "
                    + some(10) + ", " + some(12) + ", " + orNull(random.nextInt(9) - 4 + ".50") + ", "
                    + orNull(random.nextInt(6) + "e0") + ", "
                    + orNull("TIMESTAMP '2020-01-0" + (1 + random.nextInt(5)) + " 00:00:00'") + ")");
            if (insert.size() == ROWS_OF_AN_INSERT || id == rows - 1) {
                sql.update("INSERT INTO " + table + " VALUES " + String.join(", ", insert));
                insert.clear();
            }
        }
        sql.update("ANALYZE TABLE " + table);
    }

    private String some(int most) {
        return orNull(Integer.toString(random.nextInt(most)));
    }

    private String orNull(String value) {
        return random.nextInt(8) == 0 ? "NULL" : value;
    }

    private String pick(List<String> texts) {
        return texts.get(random.nextInt(texts.size()));
    }
}
