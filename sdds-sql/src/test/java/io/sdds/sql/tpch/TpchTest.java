package io.sdds.sql.tpch;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.sql.tpch.TpchRun.Answers;
import io.sdds.sql.tpch.TpchRun.Engine;
import java.io.IOException;
import java.math.BigDecimal;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * The 22 queries of TPC-H: SDDS gives what DuckDB and H2 give, whatever bricks evaluate. Times are reported in
 * {@code target/tpch}, and not asserted. In a build other classes run beside this one: {@code -Dtest=TpchTest
 * -Dsdds.tpch.runs=3} measures.
 */
@Order(1)
class TpchTest {
    /** Of averages and quotients, whose number of digits differs: six behind the point at least. */
    private static final double TOLERANCE = 1e-6;

    /** The columns of averages and quotients, of queries that have some. All others are equal. */
    private static final Map<Integer, List<Integer>> INEXACT =
            Map.of(1, List.of(6, 7, 8), 8, List.of(1), 14, List.of(0), 17, List.of(0));

    /** Of each query by each engine, unless {@code -Dsdds.tpch.runs} says otherwise. */
    private static final int RUNS = Integer.getInteger("sdds.tpch.runs", 1);

    /** With a plan that is kept, too. */
    private static final int SOAK_RUNS = Math.max(RUNS, 2);

    @Test
    void all22QueriesGiveWhatDuckDbAndH2Give() throws SQLException, IOException {
        compare(0.01, RUNS);
    }

    @Test
    @EnabledIfSystemProperty(named = "sdds.soak", matches = ".*", disabledReason = "the long form: mvn verify -Psoak")
    void all22QueriesOfTenTimesTheRowsGiveWhatDuckDbAndH2Give() throws SQLException, IOException {
        compare(0.1, SOAK_RUNS);
    }

    private static void compare(double scale, int runs) throws SQLException, IOException {
        TpchReport report = new TpchReport(scale, runs);
        SoftAssertions all = new SoftAssertions();
        int full = 0;
        try (TpchRun run = new TpchRun(scale)) {
            for (TpchText.Query query : TpchText.queries(scale)) {
                Map<Engine, Answers> answers = new EnumMap<>(Engine.class);
                for (Engine engine : Engine.values()) {
                    try {
                        answers.put(engine, run.answers(engine, query.sql(), runsOf(engine, runs)));
                    } catch (SQLException e) {
                        all.fail("Q" + query.number() + " by " + engine + ": " + e.getMessage(), e);
                    }
                }
                report.add(query, answers);
                if (answers.size() == Engine.values().length) {
                    assertEqual(all, query, answers);
                    full += answers.get(Engine.SDDS).first().rows().isEmpty() ? 0 : 1;
                }
            }
        } finally {
            report.write();
        }
        all.assertAll();
        // Queries without a row compare little. The data is the same in each run.
        assertThat(full).as("queries with rows").isGreaterThanOrEqualTo(20);
    }

    private static int runsOf(Engine engine, int runs) {
        return engine == Engine.SDDS_WITHOUT_PUSHDOWN ? RUNS : runs; // it takes most of the time
    }

    private static void assertEqual(SoftAssertions all, TpchText.Query query, Map<Engine, Answers> answers) {
        List<List<Object>> rows = answers.get(Engine.SDDS).first().rows();
        for (Engine other : List.of(Engine.SDDS_WITHOUT_PUSHDOWN, Engine.H2, Engine.DUCKDB)) {
            List<List<Object>> expected = answers.get(other).first().rows();
            String what = String.format(Locale.ROOT, "Q%d of SDDS and %s", query.number(), other);
            all.assertThat(rows.size()).as("rows of " + what).isEqualTo(expected.size());
            for (int k = 0; k < Math.min(rows.size(), expected.size()); k++) {
                for (int c = 0; c < expected.get(k).size(); c++) {
                    boolean isExact =
                            !INEXACT.getOrDefault(query.number(), List.of()).contains(c);
                    Object value = rows.get(k).get(c);
                    all.assertThat(isSame(value, expected.get(k).get(c), isExact))
                            .as(
                                    "%s: row %s column %s: %s, %s",
                                    what, k, c, value, expected.get(k).get(c))
                            .isTrue();
                }
            }
        }
    }

    private static boolean isSame(Object value, Object expected, boolean isExact) {
        if (value instanceof Number one && expected instanceof Number other) {
            return isExact
                    ? new BigDecimal(one.toString()).compareTo(new BigDecimal(other.toString())) == 0
                    : Math.abs(one.doubleValue() - other.doubleValue())
                            <= TOLERANCE * Math.max(1, Math.abs(other.doubleValue()));
        }
        return value == null
                ? expected == null
                : expected != null && value.toString().equals(expected.toString());
    }
}
