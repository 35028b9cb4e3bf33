package io.sdds.bench.load;

import io.sdds.client.Callback;
import io.sdds.client.ClientSettings;
import io.sdds.client.ClientStatistics;
import io.sdds.client.Codec;
import io.sdds.client.SddsClient;
import io.sdds.client.Table;
import io.sdds.client.internal.EnvClients;
import io.sdds.core.model.TableKind;
import io.sdds.core.node.Env;
import java.util.ArrayList;
import java.util.List;

/**
 * Access to one table through many clients that share an event loop. Each client has its own connection to each brick,
 * with its own window. There is only one thread, because many threads would wait for each other on a small machine.
 * Operations go to the clients in turn.
 */
public final class Connections implements LoadTarget, AutoCloseable {
    /** Limit of pauses. Longer pauses are shortened to this length. */
    private static final int PAUSE_MILLIS_MAX = 255;

    private final ClientLoop loop = new ClientLoop("load");
    private final Env env = loop.env();
    private final List<SddsClient> clients = new ArrayList<>();
    private final List<Table<byte[], byte[]>> tables = new ArrayList<>();
    private final Pauses pauses = new Pauses(env, PAUSE_MILLIS_MAX);
    private int next;

    /** Opens {@code count} clients of an existing hash table. */
    public static Connections open(List<String> addresses, ClientSettings settings, String table, int count) {
        return open(addresses, settings, TableKind.HASH, table, count);
    }

    /**
     * Opens {@code count} clients of an existing table.
     *
     * @throws io.sdds.client.SddsException if the cluster or the table cannot be found
     */
    public static Connections open(
            List<String> addresses, ClientSettings settings, TableKind kind, String table, int count) {
        Connections connections = new Connections();
        try {
            for (int k = 0; k < count; k++) {
                connections.add(
                        addresses,
                        settings.toBuilder().name(settings.name() + "-" + k).build(),
                        kind,
                        table);
            }
            return connections;
        } catch (RuntimeException e) {
            connections.close();
            throw e;
        }
    }

    private void add(List<String> addresses, ClientSettings settings, TableKind kind, String table) {
        SddsClient client = loop.on(() -> EnvClients.connect(env, addresses, settings));
        clients.add(client);
        tables.add(
                kind == TableKind.RANGE
                        ? loop.on(() -> client.rangeTableAsync(table, Codec.bytes(), Codec.bytes()))
                        : loop.on(() -> client.hashTableAsync(table, Codec.bytes(), Codec.bytes())));
    }

    /** The event loop of all clients. */
    Env env() {
        return env;
    }

    int count() {
        return clients.size();
    }

    /** Sum of the counters of all clients. */
    ClientStatistics statistics() {
        return clients.stream()
                .map(client -> loop.on(client::statisticsAsync))
                .reduce(ClientStatistics::plus)
                .orElseThrow();
    }

    @Override
    public void get(byte[] key, Callback<Object> callback) {
        env.execute(() -> nextTable().getAsync(key, callback));
    }

    @Override
    public void put(byte[] key, byte[] value, Callback<Object> callback) {
        env.execute(() -> nextTable().putAsync(key, value, callback));
    }

    private Table<byte[], byte[]> nextTable() {
        next = next + 1 < tables.size() ? next + 1 : 0;
        return tables.get(next);
    }

    @Override
    public void later(long nanos, Runnable task) {
        env.execute(() -> pauses.later(nanos, task));
    }

    @Override
    public void close() {
        loop.close(() -> clients.forEach(SddsClient::close));
    }
}
