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
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.calcite.avatica.AvaticaConnection;
import org.apache.calcite.avatica.AvaticaStatement;
import org.apache.calcite.avatica.NoSuchStatementException;

/**
 * The state that the objects of one connection share.
 *
 * @param url that the application connected with
 * @param connection of the engine
 * @param lease of the client, which other connections share
 * @param isClosing set: what is being prepared has to end
 */
public record JdbcSession(
        String url,
        AvaticaConnection connection,
        SddsSchema schema,
        SharedClients.Lease lease,
        boolean ignoresTransactions,
        AtomicBoolean isClosing) {
    private static final String CLOSED = "08003";

    /** The session of a connection that this driver made. */
    public static JdbcSession of(Connection connection) {
        return ((JdbcProxy) Proxy.getInvocationHandler(connection)).session;
    }

    SddsClient client() {
        return schema.client();
    }

    /** Ends the statements of the connection, closes it, and gives its client back. */
    void close() throws SQLException {
        isClosing.set(true);
        try {
            for (AvaticaStatement statement : connection.statementMap.values()) {
                // The thread of a statement that is planned holds the monitor of the engine's statement.
                cancel(statement);
                statement.cancel();
                statement.close();
            }
            connection.close();
        } finally {
            lease.close();
        }
    }

    private void cancel(AvaticaStatement statement) {
        try {
            connection.getCancelFlag(statement.handle).set(true);
        } catch (NoSuchStatementException e) {
            // The statement is closed.
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
