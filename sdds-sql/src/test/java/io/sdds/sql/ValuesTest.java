package io.sdds.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.core.Seeds;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Values at the edge of their types. Each expression is asked of columns, of constants and of parameters, in SELECT and
 * in WHERE, with and without pushdown. The answers are those of PostgreSQL 15.
 */
class ValuesTest {
    /** A value by the name of its column: its type, its constant, and what a parameter is set to. */
    private record Value(String type, String constant, Object parameter) {}

    private static final Map<String, Value> VALUES = new LinkedHashMap<>();

    static {
        floating("nan", "CAST('NaN' AS DOUBLE)", Double.NaN);
        floating("inf", "CAST('Infinity' AS DOUBLE)", Double.POSITIVE_INFINITY);
        floating("ninf", "CAST('-Infinity' AS DOUBLE)", Double.NEGATIVE_INFINITY);
        floating("nzero", "CAST('-0.0' AS DOUBLE)", -0.0);
        floating("zero", "0e0", 0.0);
        floating("unit", "1e0", 1.0);
        floating("huge", "1e20", 1e20);
        floating("half", "25e-1", 2.5);
        whole("minb", "CAST(-9223372036854775808 AS BIGINT)", Long.MIN_VALUE);
        whole("maxb", "9223372036854775807", Long.MAX_VALUE);
        whole("m1", "CAST(-1 AS BIGINT)", -1L);
        whole("zb", "CAST(0 AS BIGINT)", 0L);
        whole("two", "CAST(2 AS BIGINT)", 2L);
        VALUES.put("mini", new Value("INTEGER", "CAST(-2147483648 AS INTEGER)", Integer.MIN_VALUE));
        VALUES.put("maxi", new Value("INTEGER", "2147483647", Integer.MAX_VALUE));
        VALUES.put("m1i", new Value("INTEGER", "-1", -1));
        VALUES.put("zi", new Value("INTEGER", "0", 0));
        text("mixed", "a😀b😀c");
        text("grin", "😀");
        text("padded", "😀😀x😀");
        VALUES.put("lastday", new Value("DATE", "DATE '9999-12-31'", LocalDate.of(9999, 12, 31)));
        VALUES.put("zd", new Value("DECIMAL(20,2)", "CAST(0 AS DECIMAL(20,2))", BigDecimal.ZERO));
    }

    private static void floating(String name, String constant, double value) {
        VALUES.put(name, new Value("DOUBLE", constant, value));
    }

    private static void whole(String name, String constant, long value) {
        VALUES.put(name, new Value("BIGINT", constant, value));
    }

    private static void text(String name, String value) {
        VALUES.put(name, new Value("VARCHAR", "'" + value + "'", value));
    }

    /** Expressions, each with its value as a constant, or the SQLSTATE of its error. */
    private static final List<String> EXPRESSIONS = List.of(
            "nan = nan -> TRUE",
            "nan <> nan -> FALSE",
            "nan > inf -> TRUE",
            "inf < nan -> TRUE",
            "nan < unit -> FALSE",
            "nan <= nan -> TRUE",
            "ninf < unit -> TRUE",
            "nan >= nan -> TRUE",
            "nan BETWEEN unit AND nan -> TRUE",
            "nzero = zero -> TRUE",
            "nzero < zero -> FALSE",
            "zero > nzero -> FALSE",
            "nan IN (unit, nan) -> TRUE",
            "nan NOT IN (unit, nan) -> FALSE",
            "nzero IN (unit, zero) -> TRUE",
            "unit NOT IN (nan, inf) -> TRUE",
            "nan IN (inf, ninf) -> FALSE",
            "nan IS DISTINCT FROM nan -> FALSE",
            "nzero IS NOT DISTINCT FROM zero -> TRUE",
            "CASE nan WHEN nan THEN 1 ELSE 2 END -> 1",
            "CASE WHEN nan = unit THEN 1 ELSE 2 END -> 2",
            "NULLIF(unit, nan) -> 1",
            "COALESCE(nan, unit) -> 'NaN'",
            "GREATEST(unit, nan, inf) -> 'NaN'",
            "LEAST(unit, nan) -> 1",
            "ABS(nzero) -> 0",
            "-nan = nan -> TRUE",
            "nan + unit -> 'NaN'",
            "inf - inf -> 'NaN'",
            "inf + unit -> 'Infinity'",
            "unit + nzero -> 1",
            "inf * zero -> 'NaN'",
            "ABS(ninf) -> 'Infinity'",
            "unit / zero -> 22012",
            "unit / nzero -> 22012",
            "nan / zero -> 22012",
            "two / zb -> 22012",
            "maxi / zi -> 22012",
            "zd / zd -> 22012",
            "unit / inf -> 0",
            "MOD(two, zb) -> 22012",
            "MOD(maxi, zi) -> 22012",
            "MOD(minb, m1) -> 0",
            "MOD(mini, m1i) -> 0",
            "minb / m1 -> 22003",
            "mini / m1i -> 22003",
            "- minb -> 22003",
            "- mini -> 22003",
            "ABS(minb) -> 22003",
            "ABS(mini) -> 22003",
            "minb * m1 -> 22003",
            "mini * m1i -> 22003",
            "maxb + two -> 22003",
            "minb - two -> 22003",
            "maxi + maxi -> 22003",
            "mini - maxi -> 22003",
            "maxb * two -> 22003",
            "MOD(m1, two) -> -1",
            "minb % m1 -> 0",
            "two % zb -> 22012",
            "POWER(ninf, half) -> 2201F",
            "POWER(m1, half) -> 2201F",
            "m1 / two -> 0",
            "CAST(nan AS BIGINT) -> 22003",
            "CAST(nan AS INTEGER) -> 22003",
            "CAST(inf AS BIGINT) -> 22003",
            "CAST(ninf AS INTEGER) -> 22003",
            "CAST(huge AS BIGINT) -> 22003",
            "CAST(huge AS INTEGER) -> 22003",
            "CAST(maxb AS INTEGER) -> 22003",
            "CAST(half AS INTEGER) -> 2",
            "CAST(half AS BIGINT) -> 2",
            "CAST(nan AS DECIMAL(20,2)) -> 22003",
            "CAST(huge AS DECIMAL(10,2)) -> 22003",
            "CAST(maxb AS DECIMAL(10,2)) -> 22003",
            "CAST(nzero AS INTEGER) -> 0",
            "CAST(minb AS DOUBLE) < unit -> TRUE",
            "CHAR_LENGTH(mixed) -> 5",
            "CHAR_LENGTH(grin) -> 1",
            "POSITION(grin IN mixed) -> 2",
            "POSITION('b' IN mixed) -> 3",
            "SUBSTRING(mixed FROM 2 FOR 2) -> '😀b'",
            "SUBSTRING(mixed FROM 4) -> '😀c'",
            "SUBSTRING(mixed FROM 2 FOR 1) = grin -> TRUE",
            "mixed LIKE 'a_b_c' -> TRUE",
            "mixed LIKE 'a__b%' -> FALSE",
            "grin LIKE '_' -> TRUE",
            "grin LIKE '__' -> FALSE",
            "mixed LIKE '%😀c' -> TRUE",
            "mixed LIKE 'a!_b' ESCAPE '!' -> FALSE",
            "OVERLAY(mixed PLACING 'x' FROM 2 FOR 1) -> 'axb😀c'",
            "OVERLAY(mixed PLACING grin FROM 3) -> 'a😀😀😀c'",
            "TRIM(LEADING grin FROM padded) -> 'x😀'",
            "TRIM(TRAILING grin FROM padded) -> '😀😀x'",
            "TRIM(BOTH grin FROM padded) -> 'x'",
            "LPAD(grin, 3, 'x') -> 'xx😀'",
            "RPAD(grin, 3, 'x') -> '😀xx'",
            "LPAD(mixed, 2, 'x') -> 'a😀'",
            "LPAD('x', 3, grin) -> '😀😀x'",
            "REVERSE(mixed) -> 'c😀b😀a'",
            "LEFT(mixed, 2) -> 'a😀'",
            "RIGHT(mixed, 2) -> '😀c'",
            "REPLACE(mixed, grin, 'y') -> 'aybyc'",
            "UPPER(mixed) -> 'A😀B😀C'",
            "STRPOS(mixed, 'c') -> 5",
            "ASCII(grin) -> 128512",
            "CAST(zd + 10000000000 AS INTEGER) -> 22003",
            "CAST(mixed AS VARCHAR(2)) -> 'a😀'",
            "CAST(mixed AS CHAR(7)) || 'x' -> 'a😀b😀cx'",
            "CHAR_LENGTH(CAST(mixed AS CHAR(7))) -> 5",
            "UPPER(CAST(mixed AS CHAR(7))) -> 'A😀B😀C'",
            "CAST(CAST(mixed AS CHAR(7)) AS VARCHAR) -> 'a😀b😀c'",
            "CAST(grin AS CHAR(3)) = grin -> TRUE",
            "CAST(grin AS CHAR(3)) = CAST(grin AS CHAR(2)) -> TRUE",
            "CAST(grin AS CHAR(3)) IN (grin, 'x') -> TRUE",
            "CAST(grin AS CHAR(3)) BETWEEN grin AND grin -> TRUE",
            "CAST(grin AS CHAR(3)) || ' x' || ' ' -> '😀 x '",
            "CASE WHEN CAST(grin AS CHAR(3)) = 'x ' THEN 1 ELSE 0 END -> 0A500",
            "COALESCE(CAST(mixed AS CHAR(7)), 'x') -> 0A500",
            "CASE WHEN CAST(mixed AS CHAR(7)) LIKE 'a%' THEN 1 ELSE 0 END -> 0A500",
            "grin || mixed -> '😀a😀b😀c'",
            "mixed < grin -> TRUE",
            "grin > mixed -> TRUE",
            "lastday + INTERVAL '1' DAY > lastday -> TRUE",
            "CAST(lastday + INTERVAL '1' DAY AS DATE) > lastday -> TRUE",
            "lastday + INTERVAL '1' MONTH > lastday -> TRUE",
            "lastday - INTERVAL '1' DAY < lastday -> TRUE",
            "SQRT(unit - two) -> 2201F",
            "SQRT(nan) -> 'NaN'",
            "LN(zero) -> 2201E",
            "LN(unit - unit) -> 2201E",
            "POWER(zero, m1) -> 2201F",
            "POWER(ninf, 2) -> 'Infinity'",
            "EXP(huge) -> 'Infinity'",
            "EXP(ninf) -> 0",
            "FLOOR(nzero) -> 0",
            "CEIL(half) -> 3",
            "FLOOR(inf) -> 'Infinity'",
            "ROUND(nan) -> 'NaN'",
            "SIGN(nan) -> 0",
            "SIGN(nzero) -> 0");

    private static final int WAYS = 12;
    private static final int PARTS = 3;
    private static final boolean IS_SOAK = System.getProperty("sdds.soak") != null;
    private static final Pattern NAME = Pattern.compile("\\b(" + String.join("|", VALUES.keySet()) + ")\\b");

    private static SqlCluster sql;
    private static Connection plain;

    @BeforeAll
    static void start() throws SQLException {
        sql = new SqlCluster();
        plain = sql.connect(";pushdown=false");
        StringBuilder columns = new StringBuilder("id INTEGER PRIMARY KEY");
        VALUES.forEach(
                (name, value) -> columns.append(", ").append(name).append(' ').append(value.type));
        sql.update("CREATE TABLE v (" + columns + ")");
        try (PreparedStatement insert =
                sql.connection.prepareStatement("INSERT INTO v VALUES (1" + ", ?".repeat(VALUES.size()) + ")")) {
            int at = 1;
            for (Value value : VALUES.values()) {
                insert.setObject(at++, value.parameter);
            }
            insert.executeUpdate();
        }
    }

    @AfterAll
    static void stop() throws SQLException {
        plain.close();
        sql.close();
    }

    /** The soak asks each expression in all twelve ways; a build asks a third of them, each in one way. */
    @Test
    void expressionsHaveTheValuesOfPostgresql() {
        SplittableRandom random = Seeds.random("ValuesTest");
        List<String> wrong = new ArrayList<>();
        for (String line : EXPRESSIONS) {
            int chosen = random.nextInt(PARTS * WAYS);
            for (int way = 0; way < WAYS; way++) {
                if (IS_SOAK || way == chosen) {
                    askInOneWay(line, way, wrong);
                }
            }
        }
        assertThat(wrong).as("%d expressions", EXPRESSIONS.size()).isEmpty();
    }

    private static void askInOneWay(String line, int way, List<String> wrong) {
        String[] parts = line.split(" -> ", 2);
        Connection connection = way % 2 == 0 ? sql.connection : plain;
        boolean isCondition = way / 2 % 2 == 0;
        Form form = Form.values()[way / 4];
        String answer = answer(connection, parts[0], parts[1], form, isCondition);
        // DuckDB computes the negation of a constant in a condition with more digits.
        boolean isWider = isCondition && form != Form.COLUMNS && parts[0].startsWith("- min");
        if (!answer.equals(parts[1]) && !isWider) {
            wrong.add(parts[0] + " of " + form + (isCondition ? " in WHERE" : "")
                    + (connection == plain ? "" : ", with pushdown") + ": " + answer + " in place of " + parts[1]);
        }
    }

    @Test
    void aCastToCharIsFilledUpInTheResultAlone() throws SQLException {
        ask("SELECT CAST(mixed AS CHAR(7)), CAST(grin AS CHAR(1)) FROM v", "a😀b😀c  , 😀");
        ask("SELECT CAST(CAST(mixed AS CHAR(7)) AS CHAR(6)) FROM v", "a😀b😀c ");
        ask("VALUES (CAST('a' AS CHAR(3)))", "a  ");
        ask("SELECT REVERSE(CAST(grin AS CHAR(3))), STRPOS(CAST(mixed AS CHAR(9)), ' ') FROM v", "😀, 0");
        ask("SELECT CAST(grin AS CHAR(3)) || 'b', UPPER(CAST(grin AS CHAR(3))) FROM v", "😀b, 😀");
    }

    @Test
    void oneNanAndOneZeroInGroupsJoinsSetsKeysAndOrders() throws SQLException {
        sql.update("CREATE TABLE f (id INTEGER PRIMARY KEY, d DOUBLE)");
        sql.update("CREATE TABLE k (d DOUBLE PRIMARY KEY, n INTEGER) WITH (kind = 'range')");
        write("INSERT INTO f VALUES (?, ?)", false);
        write("UPSERT INTO k VALUES (?, ?)", true);
        ask(
                "SELECT d, COUNT(*) FROM f GROUP BY d ORDER BY d",
                "-Infinity, 1",
                "0.0, 2",
                "1.0, 1",
                "Infinity, 1",
                "NaN, 2",
                "null, 1");
        ask("SELECT DISTINCT d FROM f ORDER BY d DESC", "null", "NaN", "Infinity", "1.0", "0.0", "-Infinity");
        ask("SELECT COUNT(DISTINCT d), COUNT(*) FROM f", "5, 8");
        ask("SELECT MIN(d), MAX(d) FROM f", "-Infinity, NaN");
        ask("SELECT MAX(d) FROM f WHERE d < CAST('NaN' AS DOUBLE)", "Infinity");
        ask("SELECT COUNT(*) FROM f a JOIN f b ON a.d = b.d", "11");
        ask(
                "SELECT a.id, k.n FROM f a JOIN k ON a.d = k.d ORDER BY a.id",
                "1, 2",
                "2, 2",
                "3, 4",
                "4, 4",
                "5, 5",
                "6, 6",
                "7, 7");
        ask("SELECT COUNT(*) FROM f WHERE d IN (SELECT d FROM k)", "7");
        ask("SELECT COUNT(*) FROM f WHERE d NOT IN (SELECT d FROM k WHERE d = 1e0)", "6");
        ask("SELECT d FROM f INTERSECT SELECT d FROM k ORDER BY d", "-Infinity", "0.0", "1.0", "Infinity", "NaN");
        ask("SELECT d FROM f EXCEPT SELECT d FROM k", "null");
        ask("SELECT n FROM k WHERE d = CAST('-0.0' AS DOUBLE)", "4");
        ask("SELECT n FROM k WHERE d = CAST('NaN' AS DOUBLE)", "2");
        ask("SELECT n FROM k ORDER BY d", "6", "4", "7", "5", "2");
        ask(
                "SELECT id, RANK() OVER (ORDER BY d), COUNT(*) OVER (PARTITION BY d) FROM f ORDER BY id",
                "1, 6, 2",
                "2, 6, 2",
                "3, 2, 2",
                "4, 2, 2",
                "5, 5, 1",
                "6, 1, 1",
                "7, 4, 1",
                "8, 8, 1");
        for (double number : new double[] {-0.0, Double.NaN}) {
            for (Connection connection : List.of(sql.connection, plain)) {
                assertThat(found(connection, "SELECT n FROM k WHERE d = ?", number))
                        .hasSize(1);
                assertThat(found(connection, "SELECT id FROM f WHERE d = ?", number))
                        .hasSize(2);
                assertThat(found(connection, "SELECT id FROM f WHERE d IN (?, 77)", number))
                        .hasSize(2);
                assertThat(found(connection, "SELECT f.id FROM f JOIN k ON f.d = k.d WHERE k.d = ?", number))
                        .hasSize(2);
            }
        }
    }

    private static void write(String statement, boolean keyFirst) throws SQLException {
        double[] numbers = {
            Double.NaN,
            Double.longBitsToDouble(0xfff8000000000001L),
            0.0,
            -0.0,
            Double.POSITIVE_INFINITY,
            Double.NEGATIVE_INFINITY,
            1.0
        };
        try (PreparedStatement insert = sql.connection.prepareStatement(statement)) {
            for (int k = 0; k < numbers.length; k++) {
                insert.setDouble(keyFirst ? 1 : 2, numbers[k]);
                insert.setInt(keyFirst ? 2 : 1, k + 1);
                insert.executeUpdate();
            }
            if (!keyFirst) {
                insert.setInt(1, numbers.length + 1);
                insert.setNull(2, java.sql.Types.DOUBLE);
                insert.executeUpdate();
            }
        }
    }

    private static void ask(String query, String... rows) throws SQLException {
        assertThat(sql.rowsAlsoOf(plain, query)).as(query).containsExactly(rows);
    }

    private static List<String> found(Connection connection, String query, double number) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(query)) {
            statement.setDouble(1, number);
            try (ResultSet rows = statement.executeQuery()) {
                return SqlCluster.rows(rows);
            }
        }
    }

    private enum Form {
        COLUMNS,
        CONSTANTS,
        PARAMETERS
    }

    /** The expected value if the statement has it, else what it has. */
    private static String answer(
            Connection connection, String expression, String expected, Form form, boolean isCondition) {
        List<Object> parameters = new ArrayList<>();
        String written = written(expression, form, parameters);
        boolean isError = expected.matches("[0-9][0-9A-Z]{4}");
        String query = isCondition
                ? "SELECT 1 FROM v WHERE " + condition(written, expected, isError)
                : "SELECT " + written + " FROM v";
        try (PreparedStatement statement = connection.prepareStatement(query)) {
            for (int k = 0; k < parameters.size(); k++) {
                statement.setObject(k + 1, parameters.get(k));
            }
            try (ResultSet rows = statement.executeQuery()) {
                if (!rows.next()) {
                    return "no row";
                }
                Object value = rows.getObject(1);
                return isCondition && !isError ? expected : constant(value);
            }
        } catch (SQLException e) {
            return isError && expected.equals(e.getSQLState()) ? expected : e.getSQLState() + " " + e.getMessage();
        }
    }

    private static String condition(String expression, String expected, boolean isError) {
        if (isError) {
            return "COALESCE(" + expression + ", 1) = 1"; // the optimizer cannot do without the value
        }
        return switch (expected) {
            case "TRUE" -> expression;
            case "FALSE" -> "NOT (" + expression + ")";
            default ->
                "(" + expression + ") = "
                        + (expected.contains("NaN") || expected.contains("Inf")
                                ? "CAST(" + expected + " AS DOUBLE)"
                                : expected);
        };
    }

    private static String constant(Object value) {
        if (value instanceof Boolean) {
            return value.toString().toUpperCase(Locale.ROOT);
        }
        if (value instanceof Double number && Double.isFinite(number)) {
            return new BigDecimal(number.toString()).stripTrailingZeros().toPlainString()
                    + (isNegativeZero(number) ? "-" : "");
        }
        return value instanceof String || value instanceof Double ? "'" + value + "'" : String.valueOf(value);
    }

    private static boolean isNegativeZero(double number) {
        return number == 0 && 1 / number < 0;
    }

    private static String written(String expression, Form form, List<Object> parameters) {
        if (form == Form.COLUMNS) {
            return expression;
        }
        Matcher names = NAME.matcher(expression);
        StringBuilder text = new StringBuilder();
        while (names.find()) {
            Value value = VALUES.get(names.group());
            if (form == Form.PARAMETERS) {
                parameters.add(value.parameter);
            }
            names.appendReplacement(
                    text,
                    Matcher.quoteReplacement(
                            form == Form.CONSTANTS ? value.constant : "CAST(? AS " + value.type + ")"));
        }
        return names.appendTail(text).toString();
    }
}
