package io.sdds.bench.jdbc;

import io.sdds.bench.load.LoadException;
import io.sdds.bench.load.Median;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/** Measures the times of connections and of CREATE TABLE, in milliseconds. */
final class ConnectionTimes {
    private static final int TENTH = 10;
    private static final int HUNDREDTH = 100;
    private static final int FIRST_SECONDS = 30;
    private static final double NANOS_OF_MILLI = 1e6;

    private ConnectionTimes() {}

    /** The times of a process that connects for the first time: connection, CREATE TABLE, look-up. */
    record First(double connection, double createTable, double lookUp) {}

    /** Starts a process that connects, with the class path that the driver needs. */
    static First first(Database database) throws InterruptedException {
        try {
            Process process = new ProcessBuilder(
                            ChildJvm.program(),
                            "-XX:+UseSerialGC",
                            "--enable-native-access=ALL-UNNAMED",
                            "--sun-misc-unsafe-memory-access=allow",
                            "-cp",
                            database.classPath(),
                            FirstConnection.class.getName(),
                            database.url(),
                            newTable())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!process.waitFor(FIRST_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new LoadException("a first connection to " + database.name() + " took " + FIRST_SECONDS + " s");
            }
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            String[] micros = output.lines().reduce("", (before, line) -> line).split(" ", -1);
            if (process.exitValue() != 0 || micros.length != 3) {
                throw new LoadException("a process could not connect to " + database.name() + ": " + output);
            }
            return new First(millis(micros[0]), millis(micros[1]), millis(micros[2]));
        } catch (IOException e) {
            throw new LoadException("cannot start a process: " + e.getMessage(), e);
        }
    }

    private static double millis(String micros) {
        return Long.parseLong(micros) / 1e3;
    }

    private static String newTable() {
        return "bench_" + UUID.randomUUID().toString().replace('-', '_');
    }

    /** The median time of CREATE TABLE on a connection that is in use. */
    static double createTable(Database database, int repeats) throws SQLException {
        double[] millis = new double[repeats];
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            for (int k = 0; k < repeats; k++) {
                String table = newTable();
                long begun = System.nanoTime();
                statement.execute("CREATE TABLE " + table + Accounts.COLUMNS);
                millis[k] = (System.nanoTime() - begun) / NANOS_OF_MILLI;
                statement.execute("DROP TABLE " + table);
            }
        }
        return Median.of(millis);
    }

    /**
     * A known query on new connections: the tenth connection's first run over its hundredth. Each run prepares the
     * query, reads its row and closes the statement.
     */
    static double tenthOverHundredth(Database database, int repeats) throws SQLException {
        double[] first = new double[repeats];
        double[] hundredth = new double[repeats];
        for (int k = 0; k < repeats; k++) {
            for (int number = 1; number < TENTH; number++) {
                try (Connection connection = database.connect()) {
                    run(connection);
                }
            }
            try (Connection connection = database.connect()) {
                first[k] = run(connection);
                for (int number = 2; number <= HUNDREDTH; number++) {
                    hundredth[k] = run(connection);
                }
            }
        }
        return Median.of(first) / Median.of(hundredth);
    }

    private static double run(Connection connection) throws SQLException {
        long begun = System.nanoTime();
        try (PreparedStatement statement = connection.prepareStatement(Work.JOIN.sql())) {
            statement.setLong(1, 1);
            try (ResultSet rows = statement.executeQuery()) {
                if (!rows.next()) {
                    throw new SQLException("account 1 was not found");
                }
            }
        }
        return System.nanoTime() - begun;
    }
}
