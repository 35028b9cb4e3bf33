package io.sdds.sql;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The queries of a benchmark, whose rows are compared with those of PostgreSQL. Prints what differs or is refused. */
public final class JudgedQueries {
    private static final int TIMEOUT_SECONDS = 60;
    private static final int DETAIL_MAX = 1_500;

    /** Of averages, quotients and deviations, whose number of digits differs. */
    private static final double TOLERANCE = 1e-6;

    private final Connection judge;
    private final Map<String, Connection> others;
    private final Map<String, List<String>> verdicts = new TreeMap<>();
    private final Map<String, Long> millis = new TreeMap<>();
    private int full;

    /**
     * @param judge PostgreSQL
     * @param others the connections that are judged, with their names
     */
    public JudgedQueries(Connection judge, Map<String, Connection> others) {
        this.judge = judge;
        this.others = others;
    }

    /** Asks all connections a query. */
    public void compare(String query, String statement) {
        List<List<Object>> expected;
        try {
            expected = answer("PostgreSQL", judge, statement);
        } catch (SQLException e) {
            tell(query, "PostgreSQL fails", statement, e.getMessage());
            return;
        }
        full += expected.stream().anyMatch(row -> row.stream().anyMatch(value -> value != null)) ? 1 : 0;
        others.forEach((name, connection) -> compare(query, statement, name, connection, expected));
    }

    private void compare(
            String query, String statement, String name, Connection connection, List<List<Object>> expected) {
        try {
            List<List<Object>> rows = answer(name, connection, statement);
            if (areEqual(rows, expected)) {
                verdicts.computeIfAbsent(name + " equal", key -> new ArrayList<>())
                        .add(query);
            } else {
                tell(query, name + " differs", statement, rows + "\n     PostgreSQL: " + expected);
            }
        } catch (SQLException e) {
            tell(query, name + " fails", statement, e.getSQLState() + " " + e.getMessage());
        }
    }

    private void tell(String query, String verdict, String statement, String detail) {
        verdicts.computeIfAbsent(verdict, key -> new ArrayList<>()).add(query);
        String text = detail.length() > DETAIL_MAX ? detail.substring(0, DETAIL_MAX) + "..." : detail;
        System.out.println("Q" + query + ": " + verdict + ": " + text + "\n" + statement + "\n");
    }

    /** The rows of a query in an order of their own. The time counts for a name. */
    public List<List<Object>> answer(String name, Connection connection, String query) throws SQLException {
        long begin = System.nanoTime();
        List<List<Object>> rows;
        try (Statement statement = connection.createStatement()) {
            statement.setQueryTimeout(TIMEOUT_SECONDS);
            try (ResultSet result = statement.executeQuery(query)) {
                rows = SqlCluster.values(result);
            }
        }
        millis.merge(name, (System.nanoTime() - begin) / 1_000_000, Long::sum);
        rows.sort(Comparator.comparing(JudgedQueries::sortKey));
        return rows;
    }

    /** The queries with each verdict, such as "SDDS equal". */
    public Map<String, List<String>> verdicts() {
        return verdicts;
    }

    /** Number of queries for which PostgreSQL has a row with a value. */
    public int full() {
        return full;
    }

    @Override
    public String toString() {
        return verdicts + ", with rows: " + full + ", milliseconds: " + millis;
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
