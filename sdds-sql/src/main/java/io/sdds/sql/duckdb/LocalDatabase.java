package io.sdds.sql.duckdb;

import io.sdds.core.row.Column;
import io.sdds.sql.error.SqlErrors;
import io.sdds.sql.error.StatementEnd;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.duckdb.DuckDBConnection;
import org.duckdb.DuckDBDriver;
import org.duckdb.DuckDBFunctions;
import org.duckdb.DuckDBTableFunctionBuilder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A DuckDB in memory, which has no rows of its own: statements read the rows that bricks ship. It is opened by the
 * first statement that needs it. Any thread may call.
 */
public final class LocalDatabase implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(LocalDatabase.class);

    private static final int IDLE_MAX = 8;

    /** As PostgreSQL: division of integers gives integers, and NULL is larger than all values. */
    private static final List<String> SETTINGS = List.of(
            "SET GLOBAL integer_division = true",
            "SET GLOBAL default_null_order = 'nulls_last_on_asc_first_on_desc'",
            "SET GLOBAL TimeZone = 'UTC'",
            // It reads the rows below a window twice, and forgets the parameters of one of the two readings.
            "SET GLOBAL disabled_optimizers = 'window_self_join'");

    /** Functions that differ from those of PostgreSQL, which refuse what these take. */
    private static final List<String> FUNCTIONS = List.of(
            "sdds_substring(s, f) AS substring(s, greatest(f, 1)), (s, f, n) AS substring(s, greatest(f, 1),"
                    + " CASE WHEN n < 0 THEN error('negative substring length')"
                    + " ELSE greatest(f::BIGINT + n, 1) - greatest(f, 1) END)",
            "sdds_initcap(s) AS CASE WHEN s = '' THEN s ELSE list_aggregate(list_transform("
                    + "regexp_extract_all(s, '[\\p{L}\\p{N}]+|[^\\p{L}\\p{N}]+'),"
                    + " lambda w: upper(left(w, 1)) || lower(substring(w, 2))), 'string_agg', '') END",
            "sdds_sqrt(x) AS CASE WHEN x < 0 THEN error('square root of a negative number') ELSE sqrt(x) END",
            "sdds_ln(x) AS CASE WHEN x <= 0 THEN error('logarithm of a number that is not positive') ELSE ln(x) END",
            "sdds_log10(x) AS CASE WHEN x <= 0 THEN error('logarithm of a number that is not positive')"
                    + " ELSE log10(x) END",
            "sdds_power(x, y) AS CASE WHEN x = 0 AND y < 0 THEN error('power of zero with a negative exponent')"
                    + " WHEN x < 0 AND y <> floor(y) THEN error('power of a negative number with a fraction')"
                    + " ELSE power(x, y) END",
            "sdds_any(x) AS list_extract([false, NULL, true], coalesce(max(coalesce(2 * CAST(x AS INTEGER), 1)), 0) +"
                    + " 1)",
            // The cast of the DOUBLE 1666666666.665 to DECIMAL(38, 16) is 1666666666.66499999....
            "sdds_digits(x) AS printf('%.15g', CAST(x AS DOUBLE))",
            // The smallest BIGINT has no quotient by -1, and a remainder.
            "sdds_mod(x, y) AS mod(x, CASE WHEN y = -1 THEN -y ELSE y END)");

    private static final List<String> MACROS = Stream.of(
                    FUNCTIONS,
                    exactQuotients("sdds_units", "sdds_avg", "sdds_quotient", 16),
                    exactQuotients("sdds_large_units", "sdds_large_avg", "sdds_large_quotient", 6))
            .flatMap(List::stream)
            .toList();

    private final MemoryBudget budget;
    private final RowsFunction function = new RowsFunction();
    private final ArrayDeque<DuckDBConnection> idle = new ArrayDeque<>();
    private final AtomicBoolean isBegun = new AtomicBoolean();
    private @Nullable DuckDBConnection first;
    private boolean isClosed;

    public LocalDatabase(MemoryBudget budget) {
        this.budget = budget;
    }

    /**
     * Functions that divide in whole numbers, since DuckDB divides as DOUBLE.
     *
     * @param units the quotient of a sum of whole numbers and their number, rounded, in units of the last digit
     * @param average the same as a decimal number
     * @param quotient the quotient of two numbers, which are whole if they are multiplied by the third one
     * @param scale digits behind the point
     */
    private static List<String> exactQuotients(String units, String average, String quotient, int scale) {
        String one = "1" + "0".repeat(scale);
        String number = "DECIMAL(38, " + scale + ")";
        String fraction = "DECIMAL(" + scale + ", ";
        return List.of(
                units + "(s, n) AS (s // n) * " + one + "::HUGEINT + sign(s)::HUGEINT * ((abs(s % n) * 2 * " + one
                        + "::HUGEINT + n) // (2 * n))",
                average + "(s, n) AS CAST(" + units + "(s::HUGEINT, n) // " + one + "::HUGEINT AS " + number
                        + ") + CAST(CAST(" + units + "(s::HUGEINT, n) % " + one + "::HUGEINT AS " + fraction
                        + "0)) * CAST('0." + "0".repeat(scale - 1) + "1' AS " + fraction + scale + ")) AS " + number
                        + ")",
                quotient + "(x, y, u) AS CASE WHEN x * u = trunc(x * u) AND y * u = trunc(y * u) THEN " + average
                        + "(CAST(x * u AS HUGEINT) * CAST(sign(y) AS HUGEINT), abs(CAST(y * u AS HUGEINT)))"
                        + " ELSE CAST(x / y AS " + number + ") END");
    }

    /** The memory that statements may use. */
    public MemoryBudget budget() {
        return budget;
    }

    /**
     * Begins to open the database, for a statement that is still planned. The first one of a process unpacks DuckDB's
     * library, which takes a third of a second. A failure is told to who takes a connection.
     */
    public void openAhead() {
        if (isBegun.compareAndSet(false, true)) {
            Thread thread = new Thread(this::tryOpening, "sdds-jdbc-database");
            thread.setDaemon(true);
            thread.start();
        }
    }

    private synchronized void tryOpening() {
        try {
            opened();
        } catch (SQLException | RuntimeException e) {
            log.debug("the database at the client was not opened ahead: {}", e.toString());
        }
    }

    /** A connection that nobody else uses, until it is given back. Its results are computed as their rows are taken. */
    public synchronized DuckDBConnection take() throws SQLException {
        DuckDBConnection opened = opened();
        DuckDBConnection kept = idle.poll();
        return kept == null ? opened.duplicate() : kept;
    }

    /**
     * Chooses when the results of a connection are computed.
     *
     * @param asWhole true: before their first row is taken; false, as at first: as rows are taken
     */
    public static void computeResults(DuckDBConnection connection, boolean asWhole) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET jdbc_stream_results = " + !asWhole);
        }
    }

    private DuckDBConnection opened() throws SQLException {
        if (isClosed) {
            throw new SQLException("the connection is closed", "08003");
        }
        DuckDBConnection opened = first;
        if (opened == null) {
            opened = open();
            first = opened;
        }
        return opened;
    }

    /** Gives a connection back whose statements are closed. */
    public synchronized void giveBack(DuckDBConnection connection) throws SQLException {
        if (isClosed || idle.size() == IDLE_MAX) {
            connection.close();
        } else {
            idle.push(connection);
        }
    }

    private DuckDBConnection open() throws SQLException {
        Properties properties = new Properties();
        properties.setProperty(DuckDBDriver.JDBC_STREAM_RESULTS, "true");
        properties.setProperty("autoinstall_known_extensions", "false");
        properties.setProperty("memory_limit", budget.ofDatabase() + "B");
        properties.setProperty("threads", Integer.toString(budget.threads()));
        properties.setProperty("temp_directory", spilled());
        DuckDBConnection connection = connection(properties);
        try (Statement statement = connection.createStatement();
                DuckDBTableFunctionBuilder rows = DuckDBFunctions.tableFunction()) {
            for (String setting : SETTINGS) {
                statement.execute(setting);
            }
            for (String macro : MACROS) {
                statement.execute("CREATE MACRO " + macro);
            }
            rows.withName(RowsFunction.NAME)
                    .withParameter(Long.class)
                    .withProjectionPushdown()
                    .withFunction(function)
                    .register(connection);
        }
        return connection;
    }

    private static DuckDBConnection connection(Properties properties) throws SQLException {
        try {
            return (DuckDBConnection) DriverManager.getConnection("jdbc:duckdb:", properties);
        } catch (LinkageError e) {
            throw new StatementEnd(
                    "DuckDB, which evaluates the statement here, does not run on " + System.getProperty("os.name") + " "
                            + System.getProperty("os.arch") + "; statements that bricks run alone do",
                    SqlErrors.UNSUPPORTED,
                    e);
        }
    }

    /** Where statements spill what is beyond the memory limit: a directory that DuckDB makes and removes. */
    private static String spilled() {
        return Path.of(System.getProperty("java.io.tmpdir"), "sdds-sql-" + UUID.randomUUID())
                .toString();
    }

    /** Lends rows to a statement. */
    public Lent lend(RowSource source) {
        return new Lent(function.lend(source), source.columns());
    }

    /** Rows that a statement has lent, under the number that its text names. */
    public final class Lent implements AutoCloseable {
        private final long number;
        private final List<Column> columns;

        private Lent(long number, List<Column> columns) {
            this.number = number;
            this.columns = columns;
        }

        /** The text that stands in a statement in the place of the table's name. */
        public String text() {
            String function = RowsFunction.NAME + "(" + number + ")";
            return columns.stream().noneMatch(CarriedType::isConverted)
                    ? function
                    : columns.stream()
                            .map(CarriedType::converted)
                            .collect(Collectors.joining(", ", "(SELECT ", " FROM " + function + ")"));
        }

        @Override
        public void close() {
            function.takeBack(number);
        }
    }

    /** Ends the database. Statements that still run are over. */
    @Override
    public synchronized void close() {
        isClosed = true;
        while (!idle.isEmpty()) {
            close(idle.pop());
        }
        if (first != null) {
            close(first);
        }
    }

    private static void close(DuckDBConnection connection) {
        try {
            connection.close();
        } catch (SQLException e) {
            log.debug("a connection of DuckDB was not closed: {}", e.getMessage());
        }
    }
}
