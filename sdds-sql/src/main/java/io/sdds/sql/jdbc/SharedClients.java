package io.sdds.sql.jdbc;

import io.sdds.client.ClientSettings;
import io.sdds.client.SddsClient;
import io.sdds.client.SddsException;
import io.sdds.sql.error.SqlErrors;
import io.sdds.sql.error.StatementEnd;
import io.sdds.sql.schema.Answers;
import io.sdds.sql.schema.ClusterTables;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The clients of a driver. Connections that name the same addresses and options share one, with its links, session and
 * plans. A client is closed soon after its last connection, because applications without a pool open and close a
 * connection for each statement. Thread-safe.
 *
 * <p>A client that does not answer when a connection is opened is left to the connections that have it, and the new
 * connection has another, so that a client that is broken harms no connection that is opened later.
 */
public final class SharedClients {
    /** How long a client without a connection is kept. */
    static final Duration KEPT = Duration.ofSeconds(1);

    private static final String NOT_REACHED = "08001";

    /** Connections with equal keys share a client. */
    private record Key(List<String> addresses, boolean pushdown, long maxMemory) {}

    private final Map<Key, Shared> clients = new HashMap<>();

    /** A client and the number of its connections. The lock of the map guards the numbers. */
    private final class Shared {
        private final Key key;
        private final CompletableFuture<CompletableFuture<SddsClient>> connecting;
        private final CompletableFuture<ClusterTables> tables;
        private int connections;
        /** Changes when a connection is opened, so that a close that was planned before does nothing. */
        private long openings;

        Shared(Key key) {
            this.key = key;
            ClientSettings settings =
                    ClientSettings.builder().pushdown(key.pushdown()).build();
            connecting = CompletableFuture.supplyAsync(
                    () -> SddsClient.connectAsync(key.addresses(), settings), SharedClients::runBeside);
            tables = connecting
                    .thenCompose(client -> client)
                    .thenApply(client -> new ClusterTables(client, key.pushdown(), key.maxMemory()));
        }

        /** Ends the client, also one that is connecting. */
        void close() {
            connecting.thenAccept(client -> client.cancel(false));
            tables.thenAccept(ClusterTables::close);
        }
    }

    /** The first client of a process loads many classes, and so does the thread that opens its first connection. */
    private static void runBeside(Runnable connect) {
        Thread thread = new Thread(connect, "sdds-jdbc-connect");
        thread.setDaemon(true);
        thread.start();
    }

    /** A connection's part of a client. */
    public final class Lease {
        private final AtomicBoolean isOver = new AtomicBoolean();
        /** Whether the client had connected, or had failed to, before this connection came. */
        private final boolean wasDone;

        private volatile Shared shared;

        private Lease(Shared shared) {
            wasDone = shared.tables.isDone();
            this.shared = shared;
        }

        /**
         * Waits until the client answers.
         *
         * @throws SQLException 08001 if the cluster cannot be reached
         */
        public void await() throws SQLException {
            try {
                answered();
            } catch (SQLException e) {
                if (!wasDone || !NOT_REACHED.equals(e.getSQLState())) {
                    throw e;
                }
                leave(shared);
                shared = enter(shared.key); // another client, since the one that did not answer is forgotten
                answered();
            }
        }

        private void answered() throws SQLException {
            try {
                tables().tables();
            } catch (StatementEnd e) { // this thread was interrupted, which says nothing about the client
                throw SqlErrors.translated(e);
            } catch (RuntimeException e) {
                forget(shared);
                throw e instanceof SddsException || e instanceof IllegalArgumentException
                        ? new SQLException(SqlErrors.line(e), NOT_REACHED, e)
                        : SqlErrors.translated(e);
            }
        }

        /** The tables and plans that the connections of the client share, once it is connected. */
        public ClusterTables tables() {
            return Answers.await(shared.tables);
        }

        /** Gives the client back. Further calls do nothing. */
        public void close() {
            if (isOver.compareAndSet(false, true)) {
                leave(shared);
            }
        }
    }

    /** A part for one more connection of a client, which may be connecting. */
    public Lease enter(ConnectionUrl url) {
        return new Lease(enter(new Key(url.addresses(), url.pushdown(), url.maxMemory())));
    }

    private synchronized Shared enter(Key key) {
        Shared shared = clients.get(key);
        if (shared == null) {
            shared = new Shared(key);
            clients.put(key, shared);
        }
        shared.connections++;
        shared.openings++;
        return shared;
    }

    private synchronized void forget(Shared broken) {
        clients.remove(broken.key, broken);
    }

    private void leave(Shared shared) {
        long opening;
        boolean isKept;
        synchronized (this) {
            shared.connections--;
            if (shared.connections > 0) {
                return;
            }
            opening = shared.openings;
            isKept = clients.get(shared.key) == shared;
        }
        if (isKept) {
            CompletableFuture.delayedExecutor(KEPT.toMillis(), TimeUnit.MILLISECONDS)
                    .execute(() -> closeUnlessOpened(shared, opening));
        } else {
            shared.close();
        }
    }

    private void closeUnlessOpened(Shared shared, long opening) {
        synchronized (this) {
            if (shared.openings != opening || !clients.remove(shared.key, shared)) {
                return;
            }
        }
        shared.close();
    }
}
