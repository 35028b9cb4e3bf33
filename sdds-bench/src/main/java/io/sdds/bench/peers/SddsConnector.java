package io.sdds.bench.peers;

import io.sdds.client.Codec;
import io.sdds.client.NoSuchTableException;
import io.sdds.client.RangeTable;
import io.sdds.client.SddsClient;
import io.sdds.client.Table;
import io.sdds.client.TableOptions;
import java.util.List;
import java.util.concurrent.CompletionStage;
import peers.Store;

/**
 * Connects the harness to a table. All services share one client.
 *
 * <p>System properties: {@code sdds.connect} (default 127.0.0.1:7400), {@code sdds.kind} (hash, the default, or range,
 * which answers ranges too), {@code sdds.table} (default peers; created unless it exists) and {@code sdds.capacity},
 * records a partition of it is meant to hold (default: the client's), {@code sdds.replicas} and
 * {@code sdds.partitions}, its copies and the partitions it begins with (default 1).
 */
public final class SddsConnector implements Store.Connector {
    private final SddsClient client = SddsClient.connect(System.getProperty("sdds.connect", "127.0.0.1:7400"));
    private final Table<byte[], byte[]> table = table(client, System.getProperty("sdds.table", "peers"));

    @Override
    public Store connect(int service) {
        return new Store() {
            @Override
            public CompletionStage<byte[]> get(byte[] key) {
                return table.getAsync(key);
            }

            @Override
            public CompletionStage<?> put(byte[] key, byte[] value) {
                return table.putAsync(key, value);
            }

            @Override
            public CompletionStage<Integer> range(byte[] lo, byte[] hi) {
                if (table instanceof RangeTable<byte[], byte[]> ordered) {
                    return ordered.range(lo, true, hi, false).toListAsync().thenApply(List::size);
                }
                throw new UnsupportedOperationException("a hash table has no ranges; set sdds.kind=range");
            }
        };
    }

    @Override
    public void close() {
        client.close();
    }

    private static Table<byte[], byte[]> table(SddsClient client, String name) {
        boolean ordered = "range".equals(System.getProperty("sdds.kind", "hash"));
        try {
            return ordered
                    ? client.rangeTable(name, Codec.bytes(), Codec.bytes())
                    : client.hashTable(name, Codec.bytes(), Codec.bytes());
        } catch (NoSuchTableException missing) {
            return ordered
                    ? client.createRangeTable(name, options(), Codec.bytes(), Codec.bytes())
                    : client.createHashTable(name, options(), Codec.bytes(), Codec.bytes());
        }
    }

    private static TableOptions options() {
        long capacityRecords = Long.getLong("sdds.capacity", 0);
        TableOptions options = capacityRecords == 0 ? TableOptions.defaults() : TableOptions.capacity(capacityRecords);
        return options.withReplicas(Integer.getInteger("sdds.replicas", 1))
                .withPartitions(Integer.getInteger("sdds.partitions", 1));
    }
}
