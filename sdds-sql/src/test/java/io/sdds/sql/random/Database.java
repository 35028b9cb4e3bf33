package io.sdds.sql.random;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** A database with the tables of a seed, which answers statements. A statement leaves the tables as they were. */
final class Database implements AutoCloseable {
    /** A statement that takes longer counts as a stuck one. */
    private static final int TIMEOUT_SECONDS = 20;

    private final String url;
    private final Dialect dialect;
    private Tables tables;
    private Connection connection;

    Database(String url, Dialect dialect, Tables tables) throws SQLException {
        this.url = url;
        this.dialect = dialect;
        this.tables = tables;
        connection = DriverManager.getConnection(url);
    }

    /** Makes the tables. */
    Database create() throws SQLException {
        tables.create(connection, dialect);
        return this;
    }

    /** Uses other tables, which somebody makes. */
    void use(Tables other) {
        tables = other;
    }

    Answer answer(Statement statement) throws SQLException {
        try {
            return answered(statement);
        } catch (SQLException | RuntimeException | StackOverflowError e) {
            String state = e instanceof SQLException sql ? String.valueOf(sql.getSQLState()) : "none";
            if (!connection.isValid(TIMEOUT_SECONDS)) {
                connection = DriverManager.getConnection(url);
            }
            return new Answer.Failure(state, message(e));
        } finally {
            if (statement.changed() != null) {
                tables.restore(connection, dialect, statement.changed());
            }
        }
    }

    private static String message(Throwable failure) {
        StringBuilder text = new StringBuilder(failure.getClass().getSimpleName() + ": " + failure.getMessage());
        for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause()) {
            String message = String.valueOf(cause.getMessage());
            if (text.indexOf(message) < 0) {
                text.append(" / ")
                        .append(cause.getClass().getSimpleName())
                        .append(": ")
                        .append(message);
            }
        }
        return text.toString();
    }

    private Answer answered(Statement of) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(dialect.text(of.text()))) {
            statement.setQueryTimeout(TIMEOUT_SECONDS);
            for (int k = 0; k < of.parameters().size(); k++) {
                Part.Constant value = of.parameters().get(k);
                dialect.bind(statement, k + 1, value.type(), value.value());
            }
            if (of.changed() == null) {
                try (ResultSet result = statement.executeQuery()) {
                    return new Answer.Rows(-1, rows(result));
                }
            }
            return new Answer.Rows(statement.executeUpdate(), rows("SELECT * FROM " + of.changed()));
        }
    }

    private List<List<String>> rows(String query) throws SQLException {
        try (java.sql.Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(dialect.text(query))) {
            return rows(result);
        }
    }

    private static List<List<String>> rows(ResultSet result) throws SQLException {
        List<List<String>> rows = new ArrayList<>();
        int columns = result.getMetaData().getColumnCount();
        while (result.next()) {
            List<String> row = new ArrayList<>();
            for (int k = 1; k <= columns; k++) {
                row.add(SqlText.of(result.getObject(k)));
            }
            rows.add(row);
        }
        return rows;
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
