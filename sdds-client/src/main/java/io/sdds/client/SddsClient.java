package io.sdds.client;

import io.sdds.client.internal.ClientLoops;
import io.sdds.client.internal.ClientRuntime;
import io.sdds.client.internal.EnvClients;
import io.sdds.core.model.DrainAction;
import io.sdds.core.model.Parity;
import io.sdds.core.model.TableDefinition;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The connection of an application to a cluster. Thread-safe; one per application is enough.
 *
 * <p>Every blocking method has an {@code …Async} twin, whose future ends with the result or failure of the blocking
 * method. Futures complete on the client's event loop, where a blocking call throws {@link IllegalStateException} at
 * once, or on the executor for callbacks. No operation waits longer than this client's timeout, except queries, where
 * each step has this timeout.
 *
 * <p>Methods about tables, bricks and the cluster fail with an {@link SddsException}. They fail with
 * {@link UnavailableException} when no coordinator can be reached in time, or when the coordinators refuse.
 * {@link SddsException#isOutcomeUnknown} tells whether a change may have happened.
 *
 * <pre>{@code
 * try (SddsClient client = SddsClient.connect("127.0.0.1:7400")) {
 *     HashTable<String, String> names =
 *             client.createHashTable("names", TableOptions.replicas(2), Codec.utf8(), Codec.utf8());
 *     names.put("U+0041", "LATIN CAPITAL LETTER A");
 *     String name = names.get("U+0041");
 *     CompletableFuture<String> later = names.getAsync("U+0042");
 * }
 * }</pre>
 */
public final class SddsClient implements AutoCloseable {
    static {
        EnvClients.register(SddsClient::connect);
    }

    private final ClientLoops loops;
    private final TableOpener tables;
    private final ClusterRequests cluster;
    private final long timeoutNanos;

    /** A view uses the connection of the client that it was made of. */
    private final boolean isView;

    private SddsClient(ClientLoops loops, long timeoutNanos, boolean isView) {
        this.loops = loops;
        this.tables = new TableOpener(loops, timeoutNanos);
        this.cluster = new ClusterRequests(loops, timeoutNanos);
        this.timeoutNanos = timeoutNanos;
        this.isView = isView;
    }

    // ---- connect and close

    /**
     * Connects to a cluster.
     *
     * @param addresses of any of its coordinators or bricks, as {@code host:port}, several separated by commas
     * @throws IllegalArgumentException when one of them is malformed
     * @throws UnavailableException when none of them answered within the timeout
     */
    public static SddsClient connect(String addresses) {
        return connect(List.of(addresses.split(",")), ClientSettings.defaults());
    }

    /** As {@link #connect(String)}, with one address an element. */
    public static SddsClient connect(List<String> addresses) {
        return connect(addresses, ClientSettings.defaults());
    }

    /** As {@link #connect(List)}, with settings. */
    public static SddsClient connect(List<String> addresses, ClientSettings settings) {
        return ClientRuntime.await(connectAsync(addresses, settings));
    }

    /** As {@link #connect(List, ClientSettings)}. Cancelling the future closes the client. */
    public static CompletableFuture<SddsClient> connectAsync(List<String> addresses, ClientSettings settings) {
        return connect(ClientLoops.withThreads(addresses, settings), settings);
    }

    private static CompletableFuture<SddsClient> connect(ClientLoops loops, ClientSettings settings) {
        SddsClient client = new SddsClient(loops, settings.timeout().toNanos(), false);
        return loops.connect(client.timeoutNanos, client);
    }

    /**
     * A view of this client with another timeout. The view shares everything else with this client, its connections
     * too; closing the view does nothing, and the view ends when this client is closed.
     *
     * @param timeout of each operation; more than 70 years count as 70 years
     * @throws IllegalArgumentException unless the timeout is positive
     */
    public SddsClient withTimeout(Duration timeout) {
        if (timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException("timeout " + timeout + " is not positive");
        }
        return new SddsClient(loops, ClientSettings.nanos(timeout), true);
    }

    /**
     * Ends the session, closes all connections and fails all outstanding operations. Waits up to 3 s until this is
     * done; on the client's event loop this call does not wait. Closing again does nothing, nor does closing a view
     * that {@link #withTimeout} made.
     */
    @Override
    public void close() {
        if (!isView) {
            loops.close();
        }
    }

    // ---- tables

    /**
     * Opens a hash table that exists.
     *
     * @throws NoSuchTableException when there is no table of that name
     * @throws IllegalArgumentException when the table is of another kind, or no table can have the name
     */
    public <K, V> HashTable<K, V> hashTable(String name, Codec<K> keys, Codec<V> values) {
        return await(() -> tables.hash(name, keys, values));
    }

    /** As {@link #hashTable}. */
    public <K, V> CompletableFuture<HashTable<K, V>> hashTableAsync(String name, Codec<K> keys, Codec<V> values) {
        return published(() -> tables.hash(name, keys, values));
    }

    /**
     * Creates a hash table of one partition, or of as many as the options say. The table grows with its records. If the
     * call fails, the table may exist when {@link SddsException#isOutcomeUnknown} says so.
     *
     * @param name of 1 to 128 letters, digits, dots, underscores and hyphens
     * @throws TableExistsException when there is a table of that name; it is not changed
     */
    public <K, V> HashTable<K, V> createHashTable(String name, TableOptions options, Codec<K> keys, Codec<V> values) {
        return await(() -> tables.createHash(name, options, keys, values));
    }

    /** As {@link #createHashTable}. */
    public <K, V> CompletableFuture<HashTable<K, V>> createHashTableAsync(
            String name, TableOptions options, Codec<K> keys, Codec<V> values) {
        return published(() -> tables.createHash(name, options, keys, values));
    }

    /**
     * Opens a range table that exists.
     *
     * @param keys a codec whose bytes are in the order of the keys
     * @throws NoSuchTableException when there is no table of that name
     * @throws IllegalArgumentException when the table is of another kind, no table can have the name, or the codec has
     *     no order
     */
    public <K, V> RangeTable<K, V> rangeTable(String name, Codec<K> keys, Codec<V> values) {
        return await(() -> tables.range(name, keys, values));
    }

    /** As {@link #rangeTable}. */
    public <K, V> CompletableFuture<RangeTable<K, V>> rangeTableAsync(String name, Codec<K> keys, Codec<V> values) {
        return published(() -> tables.range(name, keys, values));
    }

    /**
     * Creates a range table of one partition. The table grows with its records. If the call fails, the table may exist
     * when {@link SddsException#isOutcomeUnknown} says so.
     *
     * @param name of 1 to 128 letters, digits, dots, underscores and hyphens
     * @param keys a codec whose bytes are in the order of the keys
     * @throws TableExistsException when there is a table of that name; it is not changed
     */
    public <K, V> RangeTable<K, V> createRangeTable(String name, TableOptions options, Codec<K> keys, Codec<V> values) {
        return await(() -> tables.createRange(name, options, keys, values));
    }

    /** As {@link #createRangeTable}. */
    public <K, V> CompletableFuture<RangeTable<K, V>> createRangeTableAsync(
            String name, TableOptions options, Codec<K> keys, Codec<V> values) {
        return published(() -> tables.createRange(name, options, keys, values));
    }

    /**
     * Opens a table that exists, of either kind: a {@link HashTable} or a {@link RangeTable}.
     *
     * @throws NoSuchTableException when there is no table of that name
     */
    public <K, V> Table<K, V> table(String name, Codec<K> keys, Codec<V> values) {
        return await(() -> tables.any(name, keys, values));
    }

    /** As {@link #table}. */
    public <K, V> CompletableFuture<Table<K, V>> tableAsync(String name, Codec<K> keys, Codec<V> values) {
        return published(() -> tables.any(name, keys, values));
    }

    /**
     * Drops a table with all its records. The memory of the table is free soon after. If the call fails, the table may
     * be gone when {@link SddsException#isOutcomeUnknown} says so.
     *
     * @throws NoSuchTableException when there is none of that name
     */
    public void dropTable(String name) {
        await(() -> cluster.drop(name));
    }

    /** As {@link #dropTable}. */
    public CompletableFuture<Void> dropTableAsync(String name) {
        return published(() -> cluster.drop(name));
    }

    /**
     * Changes the number of bricks that a table with parity survives, or begins to convert a table from replicas to
     * parity, while clients go on. The number of data columns of a group stays. Returns when all bricks know the
     * change. More parities protect nothing before they are built; {@link TableInfo.Health#missingParities} is 0 when
     * all are. The memory of parities that are given up is free soon after. A table that is converted keeps its
     * replicas until its parities are built; {@link TableInfo.Health#isConverting} is false when that is done. The call
     * may be repeated when the outcome is unknown.
     *
     * @param parity the number of data columns that the table has, or is to have if it has replicas, and the number of
     *     parities that it is to have. With {@link Parity#auto} the number of parities grows with the table from then
     *     on, and is never lowered by itself
     * @throws NoSuchTableException when there is no table of that name
     * @throws ProtocolException when the table has another number of data columns
     * @throws UnavailableException when fewer bricks are up than a group needs with so many parities, and the message
     *     tells how many are missing; or when a group lacks more members than fewer parities could bear; or when the
     *     table is being converted, or has lost partitions and can't be converted. Nothing was changed
     * @throws IllegalArgumentException when no table can have such a parity
     */
    public void alterParity(String name, Parity parity) {
        await(() -> cluster.alterParity(name, parity));
    }

    /** As {@link #alterParity}. */
    public CompletableFuture<Void> alterParityAsync(String name, Parity parity) {
        return published(() -> cluster.alterParity(name, parity));
    }

    /**
     * Changes the number of parities without which a table with parity takes no writes
     * ({@link TableOptions.Builder#minParities}). Returns when all bricks know the change. The call may be repeated
     * when the outcome is unknown.
     *
     * @param parities from 0 to the number of parities of each group
     * @throws NoSuchTableException when there is no table of that name
     * @throws UnavailableException when the coordinators cannot be reached
     * @throws IllegalArgumentException when the table has no parity, or fewer parities
     */
    public void alterMinParities(String name, int parities) {
        await(() -> cluster.alterMinParities(name, parities));
    }

    /** As {@link #alterMinParities}. */
    public CompletableFuture<Void> alterMinParitiesAsync(String name, int parities) {
        return published(() -> cluster.alterMinParities(name, parities));
    }

    /**
     * Changes the number of copies of each partition of a table, or begins to convert a table from parity to replicas,
     * while clients go on. Returns when all bricks know the change. More replicas protect nothing before they are
     * copied; {@link TableInfo.Health#missingCopies} is 0 when all are, and {@link TableInfo.Health#extraCopies} is 0
     * when those beyond the number are given up. A table that is converted keeps its parities until its replicas are
     * copied, and then {@link TableInfo.Health#isConverting} is false. The call may be repeated when the outcome is
     * unknown.
     *
     * @param replicas bricks that are to hold a copy of each partition, 1 to {@link TableDefinition#REPLICAS_MAX}
     * @throws NoSuchTableException when there is no table of that name
     * @throws ProtocolException when the writes of the table need more copies ({@link TableOptions#minCopies})
     * @throws UnavailableException when too few bricks are up, and the message tells how many are missing; or when the
     *     table is being converted; or when it has parity, and lost partitions or groups that lack members. Nothing was
     *     changed
     * @throws IllegalArgumentException when no table can have so many replicas
     */
    public void alterReplicas(String name, int replicas) {
        await(() -> cluster.alterReplicas(name, replicas));
    }

    /** As {@link #alterReplicas}. */
    public CompletableFuture<Void> alterReplicasAsync(String name, int replicas) {
        return published(() -> cluster.alterReplicas(name, replicas));
    }

    /**
     * Adds a column to the schema of a table, behind the others, while clients go on. No row is rewritten: the rows
     * that are there have the default of the column, or NULL. Returns when all bricks know the change; other clients
     * learn it when they open the table the next time, or with the map. If the outcome is unknown, a repetition fails
     * when the first call added the column.
     *
     * @param column such as {@code "city varchar not null default 'Uppsala'"}: as in {@link TableOptions#withSchema}
     * @throws NoSuchTableException when there is no table of that name
     * @throws IllegalArgumentException when the text is no column, the table has no schema or has a column of that
     *     name, the column is part of the key, it is not null and has no default, or the schema is too large; nothing
     *     was changed
     * @throws ProtocolException when the schema has changed meanwhile, or the schemas of all tables together are too
     *     large; nothing was changed
     */
    public void addColumn(String table, String column) {
        await(() -> cluster.addColumn(table, column));
    }

    /** As {@link #addColumn}. */
    public CompletableFuture<Void> addColumnAsync(String table, String column) {
        return published(() -> cluster.addColumn(table, column));
    }

    /**
     * Drops a column from the schema of a table, while clients go on. No row is rewritten: the values stay where they
     * are until their rows are written again, and nobody reads them. The name is free for another column. Else as
     * {@link #addColumn}.
     *
     * @param column its name, matched without regard to case
     * @throws NoSuchTableException when there is no table of that name
     * @throws IllegalArgumentException when the table has no such column, or it is part of the key
     * @throws ProtocolException when the schema has changed meanwhile; nothing was changed
     */
    public void dropColumn(String table, String column) {
        await(() -> cluster.dropColumn(table, column));
    }

    /** As {@link #dropColumn}. */
    public CompletableFuture<Void> dropColumnAsync(String table, String column) {
        return published(() -> cluster.dropColumn(table, column));
    }

    /** All tables, in the order of their names. */
    public List<TableInfo> tables() {
        return await(cluster::tables);
    }

    /** As {@link #tables}. */
    public CompletableFuture<List<TableInfo>> tablesAsync() {
        return published(cluster::tables);
    }

    /**
     * Counts the rows of a table, looks at a sample of them, or at all of a small table, and stores the statistics in
     * the cluster. Each step has this client's timeout. A row that cannot be read ends it with {@link QueryException}.
     *
     * @throws NoSuchTableException when there is no table of that name
     */
    public TableStatistics analyze(String table) {
        return await(() -> cluster.analyze(table));
    }

    /** As {@link #analyze}. */
    public CompletableFuture<TableStatistics> analyzeAsync(String table) {
        return published(() -> cluster.analyze(table));
    }

    /** The statistics of the last {@link #analyze} of a table; null if it was never analyzed. */
    public @Nullable TableStatistics tableStatistics(String table) {
        return await(() -> cluster.tableStatistics(table));
    }

    /** As {@link #tableStatistics}. */
    public CompletableFuture<@Nullable TableStatistics> tableStatisticsAsync(String table) {
        return published(() -> cluster.tableStatistics(table));
    }

    /**
     * Makes the lost partitions of a table empty partitions again: their records are given up, and the table serves all
     * keys. The call may be repeated when the outcome is unknown.
     *
     * @throws UnavailableException while a process that was the last to hold one of the partitions is not known to have
     *     ended, since it may still serve; the message names these processes, and nothing was changed
     */
    public void acceptLoss(String name) {
        acceptLoss(name, false);
    }

    /** As {@link #acceptLoss(String)}. */
    public CompletableFuture<Void> acceptLossAsync(String name) {
        return acceptLossAsync(name, false);
    }

    /**
     * As {@link #acceptLoss(String)}.
     *
     * @param processesAreGone whether the caller knows that the processes that held the partitions have ended. If one
     *     of them still runs, clients that reach it read and write records that nobody else sees.
     */
    public void acceptLoss(String name, boolean processesAreGone) {
        await(() -> cluster.acceptLoss(name, processesAreGone));
    }

    /** As {@link #acceptLoss(String, boolean)}. */
    public CompletableFuture<Void> acceptLossAsync(String name, boolean processesAreGone) {
        return published(() -> cluster.acceptLoss(name, processesAreGone));
    }

    // ---- bricks and the cluster

    /**
     * Tells the coordinators that a brick's process has ended. This call is for the program that started the process
     * and saw its end.
     *
     * @param brick id of the brick
     * @param incarnation of that process, as the process reported it at its start
     */
    public CompletableFuture<Void> brickEndedAsync(String brick, long incarnation) {
        return published(() -> cluster.brickEnded(brick, incarnation));
    }

    /**
     * Empties a brick: its copies of partitions move to other bricks while clients go on, and the brick gets no new
     * copies, until its process ends or {@link #cancelDrain} is called. Returns the progress of the drain at this
     * moment; {@link #drainStatus} tells when nothing is left. If the status says that the brick is not draining, the
     * drain is refused for the reason that the status tells, and has no effect.
     *
     * @param brick id of the brick
     */
    public DrainStatus drainBrick(String brick) {
        return await(() -> cluster.drain(brick, DrainAction.BEGIN));
    }

    /** As {@link #drainBrick}. */
    public CompletableFuture<DrainStatus> drainBrickAsync(String brick) {
        return published(() -> cluster.drain(brick, DrainAction.BEGIN));
    }

    /**
     * The progress of the drain of a brick. If the status says that the brick is not draining, the drain has not begun
     * or was cancelled.
     *
     * @param brick id of the brick
     */
    public DrainStatus drainStatus(String brick) {
        return await(() -> cluster.drain(brick, DrainAction.LOOK));
    }

    /** As {@link #drainStatus}. */
    public CompletableFuture<DrainStatus> drainStatusAsync(String brick) {
        return published(() -> cluster.drain(brick, DrainAction.LOOK));
    }

    /**
     * Ends the drain of a brick. The brick gets copies of partitions again; copies that have moved to other bricks stay
     * there.
     *
     * @param brick id of the brick
     */
    public DrainStatus cancelDrain(String brick) {
        return await(() -> cluster.drain(brick, DrainAction.CANCEL));
    }

    /** As {@link #cancelDrain}. */
    public CompletableFuture<DrainStatus> cancelDrainAsync(String brick) {
        return published(() -> cluster.drain(brick, DrainAction.CANCEL));
    }

    /**
     * The cluster as its leading coordinator sees it.
     *
     * @param withPartitions whether the status lists all partitions, which may be many
     */
    public ClusterStatus status(boolean withPartitions) {
        return await(() -> cluster.status(withPartitions));
    }

    /** As {@link #status}. */
    public CompletableFuture<ClusterStatus> statusAsync(boolean withPartitions) {
        return published(() -> cluster.status(withPartitions));
    }

    /** The counts of this client since it was connected. Sends no request. */
    public ClientStatistics statistics() {
        return await(cluster::statistics);
    }

    /** As {@link #statistics}. */
    public CompletableFuture<ClientStatistics> statisticsAsync() {
        return published(cluster::statistics);
    }

    // ---- begin and wait

    /** An operation that is begun by asking for its future, which completes on the loop. */
    private interface Begun<T> {
        CompletableFuture<T> future();
    }

    private <T> T await(Begun<T> operation) {
        loops.first().checkMayBlock();
        return ClientRuntime.await(operation.future());
    }

    private <T> CompletableFuture<T> published(Begun<T> operation) {
        return loops.first().published(operation.future());
    }
}
