package io.sdds.sql.tpcds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sdds.sql.SqlCluster;
import io.sdds.testkit.PostgresServer;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * The queries of TPC-DS on small data, with PostgreSQL as the judge, with and without pushdown. The test prints rows
 * that differ and what is refused, and fails at both.
 */
@EnabledIfSystemProperty(named = "sdds.soak", matches = ".*", disabledReason = "the long form: mvn verify -Psoak")
class TpcdsTest {
    private static final int QUERIES = 99;

    private static final int DRAWS = 8;
    private static final int TIMEOUT_SECONDS = 60;
    private static final double SCALE = 0.01;

    /** Of averages, quotients and deviations, whose number of digits differs. */
    private static final double TOLERANCE = 1e-6;

    private final Map<String, List<Integer>> verdicts = new TreeMap<>();
    private final Map<String, Long> nanos = new TreeMap<>();
    private int full;

    @Test
    void queriesGiveWhatPostgreSqlGives() throws Exception {
        Optional<PostgresServer> server = PostgresServer.start();
        assumeTrue(server.isPresent(), "no PostgreSQL server is installed");
        try (PostgresServer postgres = server.get();
                Connection judge = DriverManager.getConnection(postgres.url());
                SqlCluster sql = new SqlCluster();
                Connection withoutPushdown = sql.connect(";pushdown=false")) {
            TpcdsData data = new TpcdsData(SCALE);
            data.load(judge, "");
            data.load(sql.connection, System.getProperty("sdds.tpcds.options", ""));
            for (int number = 1; number <= QUERIES; number++) {
                for (String statement : statements(number, judge)) {
                    compare(
                            number,
                            statement,
                            judge,
                            Map.of("SDDS", sql.connection, "without pushdown", withoutPushdown));
                }
            }
        }
        System.out.println("TPC-DS: " + verdicts + ", with rows: " + full + ", milliseconds: " + nanos);
        assertThat(verdicts).containsOnlyKeys("SDDS equal", "without pushdown equal");
        assertThat(full).as("statements with rows").isGreaterThanOrEqualTo(QUERIES / 2);
    }

    /** The statements of a query with values for which PostgreSQL has rows, if some draws find such values. */
    private List<String> statements(int number, Connection judge) {
        List<String> answered = List.of();
        for (int draw = 0; draw < DRAWS; draw++) {
            List<String> statements = TpcdsTemplate.statements(number, number + 1_000L * draw);
            try {
                boolean haveRows = true;
                for (String statement : statements) {
                    haveRows &= !answer("PostgreSQL, draws", judge, statement).isEmpty();
                }
                answered = statements;
                if (haveRows) {
                    return statements;
                }
            } catch (SQLException e) {
                // Other values may be those of columns that are there.
            }
        }
        assertThat(answered).as("Q%d as PostgreSQL takes it", number).isNotEmpty();
        return answered;
    }

    private void compare(int number, String statement, Connection judge, Map<String, Connection> others) {
        List<List<Object>> expected;
        try {
            expected = answer("PostgreSQL", judge, statement);
        } catch (SQLException e) {
            tell(number, "PostgreSQL fails", statement, e.getMessage());
            return;
        }
        full += expected.isEmpty() ? 0 : 1;
        others.forEach((name, connection) -> {
            try {
                List<List<Object>> rows = answer(name, connection, statement);
                if (areEqual(rows, expected)) {
                    verdicts.computeIfAbsent(name + " equal", key -> new ArrayList<>())
                            .add(number);
                } else {
                    tell(number, name + " differs", statement, rows + "\n     PostgreSQL: " + expected);
                }
            } catch (SQLException e) {
                tell(number, name + " fails", statement, e.getSQLState() + " " + e.getMessage());
            }
        });
    }

    private void tell(int number, String verdict, String statement, String detail) {
        verdicts.computeIfAbsent(verdict, key -> new ArrayList<>()).add(number);
        String text = detail.length() > 1_500 ? detail.substring(0, 1_500) + "..." : detail;
        System.out.println("Q" + number + ": " + verdict + ": " + text + "\n" + statement + "\n");
    }

    private List<List<Object>> answer(String name, Connection connection, String query) throws SQLException {
        long begin = System.nanoTime();
        List<List<Object>> rows = new ArrayList<>();
        try (Statement statement = connection.createStatement()) {
            statement.setQueryTimeout(TIMEOUT_SECONDS);
            try (ResultSet result = statement.executeQuery(query)) {
                int columns = result.getMetaData().getColumnCount();
                while (result.next()) {
                    List<Object> row = new ArrayList<>();
                    for (int k = 1; k <= columns; k++) {
                        row.add(result.getObject(k));
                    }
                    rows.add(row);
                }
            }
        }
        nanos.merge(name, (System.nanoTime() - begin) / 1_000_000, Long::sum);
        rows.sort(Comparator.comparing(TpcdsTest::sortKey));
        return rows;
    }

    /** The same text for values that are equal but for their last digits. */
    private static String sortKey(List<Object> row) {
        StringBuilder key = new StringBuilder();
        for (Object value : row) {
            key.append(
                            value instanceof Number number
                                    ? String.format(Locale.ROOT, "%.3f", number.doubleValue())
                                    : value)
                    .append('|');
        }
        return key.toString();
    }

    private static boolean areEqual(List<List<Object>> rows, List<List<Object>> expected) {
        boolean areEqual = rows.size() == expected.size();
        for (int k = 0; areEqual && k < rows.size(); k++) {
            List<Object> row = rows.get(k);
            List<Object> other = expected.get(k);
            areEqual = row.size() == other.size();
            for (int c = 0; areEqual && c < row.size(); c++) {
                areEqual = isSame(row.get(c), other.get(c));
            }
        }
        return areEqual;
    }

    private static boolean isSame(Object value, Object expected) {
        if (value instanceof Number one && expected instanceof Number other) {
            double limit = TOLERANCE * Math.max(1, Math.abs(other.doubleValue()));
            return new BigDecimal(one.toString())
                            .subtract(new BigDecimal(other.toString()))
                            .abs()
                            .doubleValue()
                    <= limit;
        }
        return String.valueOf(value).equals(String.valueOf(expected));
    }
}
