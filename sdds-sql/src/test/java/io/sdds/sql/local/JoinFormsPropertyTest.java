package io.sdds.sql.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.core.Seeds;
import io.sdds.sql.SqlCluster;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.StringJoiner;
import org.junit.jupiter.api.Test;

/**
 * Random joins of small tables: each form that can do a join, and the planner's own choice, find the rows that the
 * engine finds at the client without pushdown. Keys are NULL now and then, duplicates, of two columns, and of types
 * that differ.
 */
class JoinFormsPropertyTest {
    private static final int QUERIES = 24;
    private static final int ROWS = 60;
    private static final List<String> KINDS = List.of("JOIN", "JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN");
    private static final List<String> CONDITIONS = List.of(
            "l.a = r.x",
            "l.b = r.x",
            "l.a = r.y",
            "l.a = r.x AND l.id = r.y",
            "l.s = r.s",
            "l.d = r.d",
            "l.a = r.d",
            "l.w = r.x",
            "l.a + 1 = r.x",
            "l.a = r.x AND l.b < r.y",
            "l.n = r.x",
            "l.n = r.x AND l.m = r.y");
    private static final List<String> FILTERS =
            List.of("", "", " WHERE l.a > 3", " WHERE r.y < 5", " WHERE r.s IS NULL");

    private final SplittableRandom random = Seeds.random("JoinFormsPropertyTest");

    @Test
    void allFormsFindTheSameRows() throws SQLException {
        Map<JoinHint.Form, Integer> done = new EnumMap<>(JoinHint.Form.class);
        try (SqlCluster sql = new SqlCluster();
                Connection plain = sql.connect(";pushdown=false")) {
            fill(sql);
            for (int k = 0; k < QUERIES; k++) {
                // Each condition comes once in a join that may have every form.
                String query = k < CONDITIONS.size()
                        ? query(KINDS.get(0), CONDITIONS.get(k))
                        : query(pick(KINDS), pick(CONDITIONS));
                List<String> expected = SqlCluster.sorted(plain, query.formatted(""));
                assertThat(SqlCluster.sorted(sql.connection, query.formatted("")))
                        .as(query)
                        .isEqualTo(expected);
                for (JoinHint.Form form : JoinHint.Form.values()) {
                    String packet = form == JoinHint.Form.PACKETS ? ", " + (1 + random.nextInt(20)) : "";
                    String hinted = query.formatted("/*+ SDDS_JOIN(" + form + packet + ") */");
                    try {
                        assertThat(SqlCluster.sorted(sql.connection, hinted))
                                .as(hinted)
                                .isEqualTo(expected);
                        done.merge(form, 1, Integer::sum);
                    } catch (SQLException e) {
                        assertThat(e.getMessage()).as(hinted).contains("the join cannot be done so: ");
                    }
                }
            }
            existence(sql, plain);
            groups(sql, plain);
        }
        assertThat(done).containsOnlyKeys(JoinHint.Form.values());
    }

    private String query(String kind, String condition) {
        return "SELECT %s l.id, l.a, l.s, r.x, r.y, r.d FROM l " + kind + " r ON " + condition + pick(FILTERS);
    }

    private void existence(SqlCluster sql, Connection plain) throws SQLException {
        for (String condition : CONDITIONS) {
            String not = random.nextBoolean() ? "NOT " : "";
            String query = "SELECT l.id FROM l WHERE " + not + "EXISTS (SELECT 1 FROM r WHERE " + condition + ")";
            assertThat(SqlCluster.sorted(sql.connection, query)).as(query).isEqualTo(SqlCluster.sorted(plain, query));
        }
    }

    private void groups(SqlCluster sql, Connection plain) throws SQLException {
        for (String condition : CONDITIONS) {
            String by = pick(List.of("l.a", "r.y", "r.s", "l.a, r.y"));
            String query = "SELECT " + by + ", COUNT(*), COUNT(r.s), SUM(l.b), MIN(r.d), AVG(l.a) FROM l " + pick(KINDS)
                    + " r ON " + condition + pick(FILTERS) + " GROUP BY " + by;
            assertThat(SqlCluster.sorted(sql.connection, query)).as(query).isEqualTo(SqlCluster.sorted(plain, query));
            String whole = "SELECT COUNT(*), MAX(l.s), SUM(r.y) FROM l " + pick(KINDS) + " r ON " + condition;
            assertThat(SqlCluster.sorted(sql.connection, whole)).as(whole).isEqualTo(SqlCluster.sorted(plain, whole));
        }
    }

    private void fill(SqlCluster sql) throws SQLException {
        sql.update(
                "CREATE TABLE l (n BIGINT, m INTEGER, id INTEGER, a INTEGER, b BIGINT, s VARCHAR(10), d DECIMAL(8,2),"
                        + " w DOUBLE, PRIMARY KEY (n, m)) WITH (kind = 'range')");
        sql.update("CREATE TABLE r (x BIGINT, y INTEGER, s VARCHAR(10), d DECIMAL(6,1), PRIMARY KEY (x, y))"
                + " WITH (kind = 'range')");
        StringJoiner left = new StringJoiner(", ", "INSERT INTO l VALUES ", "");
        StringJoiner right = new StringJoiner(", ", "INSERT INTO r VALUES ", "");
        for (int id = 0; id < ROWS; id++) {
            left.add("(" + id / 3 + ", " + id + ", " + id % 7 + ", " + some(8) + ", " + some(12) + ", " + text() + ", "
                    + orNull(random.nextInt(5) + ".50") + ", " + orNull(random.nextInt(6) + "e0") + ")");
            right.add("(" + id / 7 + ", " + id % 7 + ", " + text() + ", " + orNull(random.nextInt(5) + ".5") + ")");
        }
        sql.update(left.toString());
        sql.update(right.toString());
    }

    private String some(int most) {
        return orNull(Integer.toString(random.nextInt(most)));
    }

    private String text() {
        return orNull("'" + "abcd".charAt(random.nextInt(4)) + "'");
    }

    private String orNull(String value) {
        return random.nextInt(6) == 0 ? "NULL" : value;
    }

    private String pick(List<String> texts) {
        return texts.get(random.nextInt(texts.size()));
    }
}
