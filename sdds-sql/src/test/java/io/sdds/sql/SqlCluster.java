package io.sdds.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.sql.jdbc.JdbcSession;
import io.sdds.testkit.EmbeddedCluster;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.StringJoiner;

/** A cluster with connections, for tests. */
public final class SqlCluster implements AutoCloseable {
    public final EmbeddedCluster cluster;
    public final Connection connection;

    public SqlCluster() throws SQLException {
        this(2);
    }

    public SqlCluster(int bricks) throws SQLException {
        cluster = EmbeddedCluster.start(bricks);
        connection = connect("");
    }

    /** Another connection, with options such as {@code ;pushdown=false}. */
    public Connection connect(String options) throws SQLException {
        return DriverManager.getConnection("jdbc:sdds://" + cluster.address() + options);
    }

    /** What the objects of the connection share. */
    public JdbcSession session() {
        return session(connection);
    }

    public static JdbcSession session(Connection connection) {
        return JdbcSession.of(connection);
    }

    /** The number of rows that a statement has written. */
    public int update(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return statement.executeUpdate(sql);
        }
    }

    /** The rows of a query, each as text with commas. */
    public List<String> rows(String sql) throws SQLException {
        return rows(connection, sql);
    }

    public static List<String> rows(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            return rows(result);
        }
    }

    /** The rows of a result, each with its values. */
    public static List<List<Object>> values(ResultSet result) throws SQLException {
        List<List<Object>> rows = new ArrayList<>();
        int columns = result.getMetaData().getColumnCount();
        while (result.next()) {
            List<Object> row = new ArrayList<>();
            for (int k = 1; k <= columns; k++) {
                row.add(result.getObject(k));
            }
            rows.add(row);
        }
        return rows;
    }

    /** The rows of a query with parameters. */
    public static List<String> rows(Connection connection, String query, Object... parameters) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(query)) {
            for (int k = 0; k < parameters.length; k++) {
                statement.setObject(k + 1, parameters[k]);
            }
            try (ResultSet rows = statement.executeQuery()) {
                return rows(rows);
            }
        }
    }

    /** The rows of a query, which has the same on another connection, such as one without pushdown. */
    public List<String> rowsAlsoOf(Connection other, String query, Object... parameters) throws SQLException {
        List<String> rows = rows(connection, query, parameters);
        assertThat(rows(other, query, parameters))
                .as("on the other connection: %s", query)
                .isEqualTo(rows);
        return rows;
    }

    /** The rows of a query without an order. */
    public static List<String> sorted(Connection connection, String query) throws SQLException {
        List<String> rows = rows(connection, query);
        rows.sort(null);
        return rows;
    }

    public static List<String> rows(ResultSet result) throws SQLException {
        List<String> rows = new ArrayList<>();
        int columns = result.getMetaData().getColumnCount();
        while (result.next()) {
            StringJoiner row = new StringJoiner(", ");
            for (int k = 1; k <= columns; k++) {
                Object value = result.getObject(k);
                row.add(value instanceof byte[] bytes ? HexFormat.of().formatHex(bytes) : String.valueOf(value));
            }
            rows.add(row.toString());
        }
        return rows;
    }

    @Override
    public void close() throws SQLException {
        connection.close();
        cluster.close();
    }
}
