package io.sdds.bench.jdbc;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * A program that connects for the first time. It needs nothing but a driver, and prints three times in microseconds: of
 * the connection, of CREATE TABLE, and of a first look-up by key.
 */
public final class FirstConnection {
    private FirstConnection() {}

    /** @param arguments the URL, and the name of a new table */
    public static void main(String[] arguments) throws SQLException {
        String table = arguments[1];
        long begun = System.nanoTime();
        try (Connection connection = DriverManager.getConnection(arguments[0]);
                Statement statement = connection.createStatement()) {
            long connected = System.nanoTime();
            statement.execute("CREATE TABLE " + table + " (id BIGINT PRIMARY KEY, n BIGINT)");
            long created = System.nanoTime();
            lookUp(connection, table);
            long found = System.nanoTime();
            System.out.println(
                    (connected - begun) / 1000 + " " + (created - connected) / 1000 + " " + (found - created) / 1000);
            statement.execute("DROP TABLE " + table);
        }
    }

    private static void lookUp(Connection connection, String table) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement("SELECT n FROM " + table + " WHERE id = ?")) {
            select.setLong(1, 1);
            try (ResultSet rows = select.executeQuery()) {
                if (rows.next()) {
                    throw new SQLException("a new table has a row");
                }
            }
        }
    }
}
