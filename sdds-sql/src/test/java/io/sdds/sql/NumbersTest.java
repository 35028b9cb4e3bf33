package io.sdds.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sdds.sql.schema.SddsTypeFactory;
import io.sdds.sql.schema.SqlTypes;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import java.sql.Types;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.type.SqlTypeName;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Sums, averages and quotients of exact numbers, with and without pushdown. */
class NumbersTest {
    private static SqlCluster sql;
    private static Connection plain;

    @BeforeAll
    static void start() throws SQLException {
        sql = new SqlCluster();
        plain = sql.connect(";pushdown=false");
        sql.update("CREATE TABLE n (id INTEGER PRIMARY KEY, i INTEGER, b BIGINT, d DECIMAL(8,2))");
        sql.update("INSERT INTO n VALUES (1, 2, 2, 1.50), (2, 5, 5, 2.25), (3, NULL, NULL, NULL)");
    }

    @AfterAll
    static void stop() throws SQLException {
        plain.close();
        sql.close();
    }

    /** The rows of a query, which are the same with and without pushdown. */
    private static List<String> rows(String query) throws SQLException {
        return sql.rowsAlsoOf(plain, query);
    }

    private static int type(String query) throws SQLException {
        try (Statement statement = sql.connection.createStatement();
                ResultSet result = statement.executeQuery(query)) {
            return result.getMetaData().getColumnType(1);
        }
    }

    @Test
    void aSumOfIntegersIsABigintAndDividesWithoutAFraction() throws SQLException {
        assertThat(type("SELECT SUM(i) FROM n")).isEqualTo(Types.BIGINT);
        assertThat(rows("SELECT SUM(i), SUM(i) / COUNT(i), SUM(DISTINCT i) / COUNT(*), SUM(i) / 2 FROM n"))
                .containsExactly("7, 3, 2, 3");
        assertThat(rows("SELECT SUM(i * 1000000000) FROM n WHERE id = 1")).containsExactly("2000000000");
        assertThat(rows("SELECT SUM(1000000000 + i), SUM(i + 2000000000) FROM n"))
                .containsExactly("2000000007, 4000000007");
        assertThat(rows("SELECT SUM(i) FROM n WHERE id > 2")).containsExactly("null");
    }

    @Test
    void aSumOfNumbersThatACastHasNoRoomForIsAnError() throws SQLException {
        assertThat(rows("SELECT SUM(CAST(i AS DECIMAL(2, 0))), SUM(CAST(i AS DECIMAL(5, 2))) FROM n"))
                .containsExactly("7, 7.00");
        String tooLarge = "SELECT SUM(CAST(i * 100 AS DECIMAL(2, 0))) FROM n";
        assertThatThrownBy(() -> sql.rows(tooLarge)).isInstanceOf(SQLException.class);
        assertThatThrownBy(() -> SqlCluster.rows(plain, tooLarge)).isInstanceOf(SQLException.class);
    }

    @Test
    void aSumOfBigintsIsADecimalAndDividesWithAFraction() throws SQLException {
        assertThat(type("SELECT SUM(b) FROM n")).isEqualTo(Types.DECIMAL);
        assertThat(rows("SELECT SUM(b), SUM(CAST(i AS BIGINT)) FROM n")).containsExactly("7, 7");
        assertThat(rows("SELECT CAST(SUM(b) / COUNT(b) AS DECIMAL(8, 2)) FROM n"))
                .containsExactly("3.50");
    }

    @Test
    void aSumOfIntegersBeyondABigintIsAnError() throws SQLException {
        assertThat(SqlTypes.toEngine(new BigDecimal("7"), bigint())).isEqualTo(7L);
        assertThatThrownBy(() -> SqlTypes.toEngine(new BigDecimal("9223372036854775808"), bigint()))
                .isInstanceOf(ArithmeticException.class);
    }

    private static RelDataType bigint() {
        return new SddsTypeFactory().createSqlType(SqlTypeName.BIGINT);
    }

    @Test
    void windowsAddUpWholeNumbers() throws SQLException {
        assertThat(rows("SELECT id, SUM(i) OVER (), SUM(b) OVER (ORDER BY id), AVG(i) OVER (), AVG(b) OVER ()"
                        + " FROM n ORDER BY id"))
                .containsExactly(
                        "1, 7, 2, 3.500000, 3.500000", "2, 7, 7, 3.500000, 3.500000", "3, 7, 7, 3.500000, 3.500000");
        assertThat(rows("SELECT SUM(SUM(b)) OVER () FROM n GROUP BY i")).containsExactly("7", "7", "7");
    }

    @Test
    void variancesOfWholeNumbers() throws SQLException {
        assertThat(rows("SELECT VAR_POP(i), VAR_SAMP(i), VAR_POP(b), VAR_SAMP(b) FROM n"))
                .containsExactly("2.250000, 4.500000, 2.250000, 4.500000");
        assertThat(rows("SELECT STDDEV_POP(i), STDDEV_SAMP(b), STDDEV(i) FROM n"))
                .containsExactly("1.500000, 2.121320, 2.121320");
        assertThat(rows("SELECT VAR_POP(i) OVER () FROM n WHERE id = 1")).containsExactly("0.000000");
    }

    @Test
    void averagesOfWholeNumbersHaveAFraction() throws SQLException {
        assertThat(rows("SELECT AVG(i), AVG(b), AVG(DISTINCT i), AVG(d), AVG(CAST(i AS SMALLINT)) FROM n"))
                .containsExactly("3.500000, 3.500000, 3.500000, 1.875000, 3.500000");
    }

    @Test
    void averagesOfWholeNumbersHaveAllTheirDigits() throws SQLException {
        String large = "b + 9223372036854775800";
        assertThat(rows("SELECT AVG(" + large + "), AVG(-(" + large + ")) FROM n"))
                .containsExactly("9223372036854775803.500000, -9223372036854775803.500000");
        assertThat(rows("SELECT AVG(" + large + ") FILTER (WHERE id = 2), AVG(DISTINCT " + large + ") FROM n"))
                .containsExactly("9223372036854775805.000000, 9223372036854775803.500000");
        assertThat(rows("SELECT a.id, AVG(" + large.replace("b", "c.b") + ") FROM n a JOIN n c ON a.id >= c.id"
                        + " GROUP BY a.id HAVING AVG(" + large.replace("b", "c.b") + ") > 9223372036854775802"
                        + " ORDER BY 1"))
                .containsExactly("2, 9223372036854775803.500000", "3, 9223372036854775803.500000");
        assertThat(rows("SELECT id, AVG(" + large + ") OVER (ORDER BY id) FROM n ORDER BY 1"))
                .containsExactly(
                        "1, 9223372036854775802.000000",
                        "2, 9223372036854775803.500000",
                        "3, 9223372036854775803.500000");
        assertThat(rows("SELECT id, AVG(" + large + ") OVER w FROM n WINDOW w AS (PARTITION BY id > 1"
                        + " ORDER BY id DESC NULLS LAST ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) ORDER BY 1"))
                .containsExactly("1, 9223372036854775802.000000", "2, 9223372036854775805.000000", "3, null");
        for (String query : List.of(
                "SELECT AVG(" + large + ") FROM n HAVING COUNT(*) > 0",
                "SELECT AVG(" + large + ") + 0 FROM n",
                "SELECT AVG(COALESCE(" + large + ", 7)) FILTER (WHERE b IS NOT NULL) FROM n",
                "SELECT AVG(CASE WHEN a.id > 0 THEN " + large.replace("b", "a.b") + " END) FROM n a JOIN n c"
                        + " ON a.id = c.id",
                "SELECT (SELECT AVG(" + large + ") FROM n) FROM n WHERE id = 1")) {
            assertThat(new BigDecimal(rows(query).get(0))).as(query).isEqualByComparingTo("9223372036854775803.5");
        }
        assertThat(rows("SELECT AVG(b) FROM n WHERE id = 3")).containsExactly("null");
        assertThat(rows("SELECT AVG(b) FROM n WHERE id > 3")).containsExactly("null");
    }

    @Test
    void quotientsOfDecimalNumbersAreExact() throws SQLException {
        String large = "CAST(9999999999.99 + b * 0 AS DECIMAL(12, 2))";
        assertThat(rows("SELECT ROUND(" + large + " / 6, 2), ROUND(-" + large + " / 6, 2), " + large
                        + " / -3 FROM n WHERE id = 1"))
                .containsExactly("1666666666.67, -1666666666.67, -3333333333.3300000000000");
        assertThat(rows("SELECT ROUND(SUM(" + large + ") / 4, 2), ROUND(AVG(" + large
                        + " / 2), 2) FROM n WHERE id = 1"))
                .containsExactly("2500000000.00, 5000000000.00");
        assertThat(rows("SELECT id FROM n WHERE CAST(123456.79 + b * 0 AS DECIMAL(12, 2)) / 2 = 61728.395 AND id = 1"))
                .containsExactly("1");
        assertThat(rows("SELECT CAST(b AS DECIMAL(12, 2)) / NULLIF(id, 1) FROM n WHERE id = 1"))
                .containsExactly("null");
        assertThat(rows("SELECT COUNT(*) FROM n WHERE CAST(RAND() AS DECIMAL(12, 2)) / 2 > 0.5"))
                .containsExactly("0");
        assertThat(rows("SELECT ROUND((SELECT MAX(" + large + ") FROM n) / 2, 1) FROM n WHERE id = 1"))
                .containsExactly("5000000000.0");
        assertThatThrownBy(() -> rows("SELECT " + large + " / 0 FROM n WHERE id = 1"))
                .hasMessage("division by zero");
    }

    @Test
    void quotientsOfNumbersWithManyDigitsAreExactToSixOfThemBehindThePoint() throws SQLException {
        String large = "1234567890123456789012345678.12";
        assertThat(rows("SELECT FLOOR(ROUND(" + large + " / 2, 2)), -" + large + " / 7 FROM n WHERE id = 1"))
                .containsExactly("617283945061728394506172839, -176366841446208112716049382.588571");
        assertThat(rows("SELECT CAST(99999999999999999999999999999999 + b * 0 AS DECIMAL(32, 0)) / 2 FROM n"
                        + " WHERE id = 1"))
                .containsExactly("49999999999999999999999999999999.500000");
    }

    @Test
    void anAverageOfNumbersWithManyDigitsHasRoomForThem() throws SQLException {
        String large = "1234567890123456789012345678.12";
        for (String average :
                List.of("ROUND(AVG(" + large + ") OVER (ORDER BY id), 2)", "AVG(" + large + ") OVER ()")) {
            assertThat(rows("SELECT CAST(" + average + " AS DOUBLE) FROM n WHERE id = 1"))
                    .singleElement()
                    .asString()
                    .startsWith("1.23456789012345")
                    .endsWith("E27");
        }
    }

    @Test
    void anAverageOfSumsHasAllItsDigits() throws SQLException {
        String sums = "(VALUES (1, 1.25), (2, 2.10), (3, 2.33)) t (k, b) GROUP BY k";
        assertThat(rows("SELECT CAST(AVG(SUM(b)) OVER () AS DOUBLE) FROM " + sums))
                .hasSize(3)
                .allMatch(average -> average.startsWith("1.89333333333333"));
        String halves = "(VALUES (1, 2.67), (2, 2.68)) t (k, b) GROUP BY k";
        assertThat(rows("SELECT ROUND(AVG(SUM(b)) OVER (), 2) FROM " + halves)).containsExactly("2.68", "2.68");
    }

    @Test
    void aSumOfSumsLeavesTheDigitsOfAnotherNumber() throws SQLException {
        String sums = "(SELECT SUM(b) AS s, SUM(d) AS e FROM n GROUP BY id) t";
        assertThat(rows("SELECT 3.50 FROM n WHERE id = 1 UNION SELECT SUM(s) FROM " + sums + " ORDER BY 1"))
                .containsExactly("3.50", "7.00");
        assertThat(rows("SELECT COALESCE(SUM(e) * 0, 1) + 0.125 FROM " + sums)).containsExactly("0.125");
        assertThat(rows("SELECT CASE WHEN SUM(s) > 8 THEN SUM(s) ELSE 2.75 END, GREATEST(SUM(s), 7.25) FROM " + sums))
                .containsExactly("2.75, 7.25");
        assertThat(rows("SELECT SUM(s) < 7.25, SUM(s) = 7.25, 7.25 IN (SUM(s), 1) FROM " + sums))
                .containsExactly("true, false, false");
    }

    @Test
    void aDefaultThatARoundedValueHasNoDigitsForIsRefused() {
        for (String shift : List.of("LEAD", "LAG")) {
            assertThatThrownBy(() -> rows("SELECT " + shift + "(ROUND(d, 1), 1, d) OVER (ORDER BY id) FROM n"))
                    .isInstanceOf(SQLFeatureNotSupportedException.class)
                    .hasMessageContaining(shift + " with a default that has more digits behind the point");
        }
    }

    @Test
    void aProductWithASumLeavesTheDigitsOfAnotherNumber() throws SQLException {
        assertThat(rows("SELECT CASE WHEN FALSE THEN 2.00 WHEN TRUE THEN 2.75 ELSE SUM(id) * 4 END FROM n"))
                .containsExactly("2.75");
        assertThat(rows("SELECT SUM(b) * 0 + 3 > 2.75, 3 * SUM(id * 0) < 0.25 FROM n"))
                .containsExactly("true, true");
    }

    @Test
    void aConstantDecimalNumberAsTextBeginsWithZero() throws SQLException {
        for (String text : List.of("CAST(0.25 AS VARCHAR)", "CAST(CAST(0.25 AS DECIMAL(12, 2)) AS VARCHAR)")) {
            assertThat(rows("SELECT DISTINCT " + text + " FROM n")).containsExactly("0.25");
            assertThat(rows("SELECT " + text + " FROM n WHERE id = 1")).containsExactly("0.25");
            assertThat(rows("SELECT id FROM n WHERE " + text + " = '0.25' AND id = 1"))
                    .containsExactly("1");
        }
    }

    @Test
    void anAverageOfRowsThatAreDrawnIsOfThoseRows() throws SQLException {
        for (int k = 0; k < 20; k++) {
            assertThat(sql.rows("SELECT AVG(id - id + 10) FILTER (WHERE RAND() < 0.5) FROM n"))
                    .containsAnyOf("10.000000", "null");
        }
    }

    /** No column has these types; constants and casts have. */
    @Test
    void narrowTypesAreThoseOfTheEngineWhateverIsShipped() throws SQLException {
        assertThat(rows("SELECT CAST(23 AS REAL), CAST(0.1 AS REAL), CAST(5 AS SMALLINT), CAST(7 AS TINYINT) FROM n"
                        + " WHERE id = 1"))
                .containsExactly("23.0, 0.1, 5, 7");
        assertThat(rows("SELECT id FROM n WHERE CAST(id AS DOUBLE) / 10 = CAST(0.1 AS REAL)"))
                .isEmpty();
        assertThat(rows("SELECT CAST(i AS SMALLINT), CAST(i AS REAL) FROM n WHERE CAST(i AS TINYINT) > 2"))
                .containsExactly("5, 5.0");
        assertThat(rows("SELECT i + CAST(1.5 AS REAL), MAX(CAST(3 AS SMALLINT)) FROM n WHERE id = 1 GROUP BY i"))
                .containsExactly("3.5, 3");
    }

    @Test
    void aQuotientWithNullIsNull() throws SQLException {
        assertThat(rows("SELECT - CAST(NULL AS INTEGER) / - i * 45 * - i FROM n WHERE id = 2"))
                .containsExactly("null");
        assertThat(rows("SELECT CAST(NULL AS INTEGER) / i * 2, 2 * (i / CAST(NULL AS INTEGER)) FROM n WHERE id = 2"))
                .containsExactly("null, null");
        assertThat(rows("SELECT NULLIF(1, 1) / i * 45 * i FROM n WHERE id = 2")).containsExactly("null");
        assertThat(rows("SELECT i / (i - i + b) * 45 * d FROM n WHERE i IS NULL"))
                .containsExactly("null");
        assertThat(rows("SELECT 7 / (- + CAST(NULL AS REAL)) * 62 + 57")).containsExactly("null");
        assertThat(rows("SELECT -q * 3 * b FROM (SELECT CASE WHEN id > 0 THEN NULL ELSE 7 END / i AS q, b FROM n)"
                        + " WHERE b = 2"))
                .containsExactly("null");
    }

    @Test
    void aRandomNumberThatIsReadTwiceIsDrawnOnce() throws SQLException {
        assertThat(rows("SELECT x - x FROM (SELECT RAND() AS x FROM n WHERE id = 1)"))
                .containsExactly("0.0");
    }

    @Test
    void aQuotientWithTheNullOfANestedQueryIsNull() throws SQLException {
        String nested = "FROM (SELECT CAST(NULL AS INTEGER) AS q, i, b FROM n WHERE i IS NOT NULL ORDER BY id LIMIT 5)";
        for (String query : List.of(
                "SELECT q / i * b " + nested,
                "SELECT 7 / q * b " + nested + " WHERE b > 1",
                "SELECT q / i * b " + nested + " WHERE q / i * b IS NULL",
                "SELECT q / i * b FROM (SELECT q, i, b, SUM(i) OVER () AS s " + nested + ") WHERE s > 0",
                "SELECT q / SUM(i) * b " + nested + " GROUP BY q, b",
                "SELECT - q / - i * 45 * - b FROM (SELECT * " + nested
                        + " UNION ALL SELECT NULL, 2, 3) WHERE b <> 3")) {
            assertThat(rows(query)).as(query).containsExactly("null", "null");
        }
    }
}
