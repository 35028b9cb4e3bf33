package io.sdds.sql.jdbc;

import io.sdds.client.SddsClient;
import io.sdds.sql.error.SqlErrors;
import io.sdds.sql.schema.SddsSchema;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.calcite.avatica.AvaticaConnection;
import org.apache.calcite.avatica.AvaticaStatement;

/**
 * The state that the objects of one connection share.
 *
 * @param url that the application connected with
 * @param connection of the engine
 * @param lease of the client, which other connections share
 */
public record JdbcSession(
        String url,
        AvaticaConnection connection,
        SddsSchema schema,
        SharedClients.Lease lease,
        boolean ignoresTransactions) {
    private static final String CLOSED = "08003";

    /** The session of a connection that this driver made. */
    public static JdbcSession of(Connection connection) {
        return ((JdbcProxy) Proxy.getInvocationHandler(connection)).session;
    }

    SddsClient client() {
        return schema.shared().client();
    }

    /** Ends the statements of the connection, closes it, and gives its client back. */
    void close() throws SQLException {
        try {
            for (AvaticaStatement statement : connection.statementMap.values()) {
                statement.cancel();
                statement.close();
            }
            connection.close();
        } finally {
            lease.close();
        }
    }

    void requireOpen() throws SQLException {
        if (connection.isClosed()) {
            throw new SQLException("the connection is closed", CLOSED);
        }
    }

    /** Whether the cluster answers within a time; 0 seconds: any time. */
    boolean isValid(int seconds) throws SQLException {
        if (seconds < 0) {
            throw new SQLException("a timeout of " + seconds + " seconds is negative", SqlErrors.SYNTAX);
        }
        if (connection.isClosed()) {
            return false;
        }
        try {
            client().tablesAsync().get(seconds == 0 ? Integer.MAX_VALUE : seconds, TimeUnit.SECONDS);
            return true;
        } catch (ExecutionException | TimeoutException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
