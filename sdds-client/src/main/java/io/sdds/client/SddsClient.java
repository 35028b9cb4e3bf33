package io.sdds.client;

import io.sdds.client.internal.routing.ClientNode;
import io.sdds.client.internal.routing.RoutedTable;
import io.sdds.core.control.ControlMessage.ClusterStatus;
import io.sdds.core.control.ControlMessage.DrainStatus;
import io.sdds.core.model.TableKind;
import io.sdds.core.node.Env;
import io.sdds.core.node.NodeAddress;
import io.sdds.core.protocol.Limits;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;

/**
 * An application's door to a cluster. Thread-safe; one per application is enough.
 *
 * <p>Every blocking method has an {@code …Async} twin, whose future completes on the client's event loop. There a blocking call throws
 * {@link IllegalStateException} at once. No operation waits longer than this client's timeout, but scans, each of whose steps has it.
 */
public final class SddsClient implements AutoCloseable {
    private static final Pattern TABLE_NAME = Pattern.compile("[A-Za-z0-9._-]{1," + Limits.TABLE_NAME_MAX + "}");

    private final Shell shell;
    private final long timeoutNanos;

    private SddsClient(Shell shell, long timeoutNanos) {
        this.shell = shell;
        this.timeoutNanos = timeoutNanos;
    }

    /**
     * Connects to a cluster.
     *
     * @param addresses of any of its coordinators or bricks, as {@code host:port}, several separated by commas
     * @throws IllegalArgumentException when one of them is malformed, at once
     * @throws UnavailableException when none of them answered in time
     */
    public static SddsClient connect(String addresses) {
        return connect(List.of(addresses.split(",")), ClientSettings.defaults());
    }

    /** Connects to a cluster by any of its coordinators or bricks, each as {@code host:port}. */
    public static SddsClient connect(List<String> addresses) {
        return connect(addresses, ClientSettings.defaults());
    }

    /** Connects with settings of one's own. */
    public static SddsClient connect(List<String> addresses, ClientSettings settings) {
        return Shell.await(connectAsync(addresses, settings));
    }

    public static CompletableFuture<SddsClient> connectAsync(List<String> addresses, ClientSettings settings) {
        return connect(Shell.withLoop(checked(addresses), settings), settings);
    }

    /**
     * A client in an environment that is handed in, such as a simulator's: without a thread of its own, and for calls by the environment's thread
     * alone, where blocking methods are refused.
     */
    public static CompletableFuture<SddsClient> connectIn(Env env, List<String> addresses, ClientSettings settings) {
        return connect(Shell.in(env, trimmed(addresses), settings), settings);
    }

    private static CompletableFuture<SddsClient> connect(Shell shell, ClientSettings settings) {
        SddsClient client = new SddsClient(shell, settings.timeoutNanos());
        CompletableFuture<SddsClient> connected = new CompletableFuture<>();
        shell.<List<String>>future(done -> shell.node().connect(client.timeoutNanos, done))
                .whenComplete((coordinators, failure) -> {
                    if (failure == null) {
                        connected.complete(client);
                    } else {
                        shell.close();
                        connected.completeExceptionally(failure);
                    }
                });
        connected.whenComplete((done, failure) -> {
            if (connected.isCancelled()) {
                shell.close();
            }
        });
        return connected;
    }

    private static List<String> checked(List<String> addresses) {
        return trimmed(addresses).stream()
                .map(address -> NodeAddress.parse(address).toString())
                .toList();
    }

    private static List<String> trimmed(List<String> addresses) {
        List<String> trimmed =
                addresses.stream().map(String::trim).filter(a -> !a.isEmpty()).toList();
        if (trimmed.isEmpty()) {
            throw new IllegalArgumentException("no address to connect to");
        }
        return trimmed;
    }

    /** The same client with another timeout; closing either closes both. A timeout of more than 70 years counts as one of 70 years. */
    public SddsClient withTimeout(Duration timeout) {
        if (timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException("timeout " + timeout + " is not positive");
        }
        return new SddsClient(shell, ClientSettings.nanos(timeout));
    }

    /**
     * A table that exists.
     *
     * @throws NoSuchTableException when it does not
     */
    public <K, V> HashTable<K, V> hashTable(String name, Codec<K> keys, Codec<V> values) {
        return blocking(hashTableAsync(name, keys, values));
    }

    public <K, V> CompletableFuture<HashTable<K, V>> hashTableAsync(String name, Codec<K> keys, Codec<V> values) {
        checkName(name);
        return Futures.map(
                shell.<RoutedTable>future(done -> node().findTable(name, timeoutNanos, done)),
                table -> new HashTable<>(shell, ofKind(table, TableKind.HASH), keys, values, timeoutNanos));
    }

    /**
     * Creates a table of one partition, which grows with its records.
     *
     * @param name of 1 to 128 letters, digits, dots, underscores and hyphens
     * @throws TableExistsException when there is one of that name
     */
    public <K, V> HashTable<K, V> createHashTable(String name, TableOptions options, Codec<K> keys, Codec<V> values) {
        return blocking(createHashTableAsync(name, options, keys, values));
    }

    public <K, V> CompletableFuture<HashTable<K, V>> createHashTableAsync(
            String name, TableOptions options, Codec<K> keys, Codec<V> values) {
        checkName(name);
        return Futures.map(
                shell.<RoutedTable>future(
                        done -> node().createTable(options.create(name, TableKind.HASH), timeoutNanos, done)),
                table -> new HashTable<>(shell, table, keys, values, timeoutNanos));
    }

    /**
     * A range table that exists.
     *
     * @param keys a codec whose bytes are in the order of what they encode
     * @throws NoSuchTableException when it does not
     */
    public <K, V> RangeTable<K, V> rangeTable(String name, Codec<K> keys, Codec<V> values) {
        return blocking(rangeTableAsync(name, keys, values));
    }

    public <K, V> CompletableFuture<RangeTable<K, V>> rangeTableAsync(String name, Codec<K> keys, Codec<V> values) {
        checkName(name);
        checkOrdered(keys);
        return Futures.map(
                shell.<RoutedTable>future(done -> node().findTable(name, timeoutNanos, done)),
                table -> new RangeTable<>(shell, ofKind(table, TableKind.RANGE), keys, values, timeoutNanos));
    }

    /**
     * Creates a range table of one partition, which grows with its records.
     *
     * @param name of 1 to 128 letters, digits, dots, underscores and hyphens
     * @param keys a codec whose bytes are in the order of what they encode
     * @throws TableExistsException when there is one of that name
     */
    public <K, V> RangeTable<K, V> createRangeTable(String name, TableOptions options, Codec<K> keys, Codec<V> values) {
        return blocking(createRangeTableAsync(name, options, keys, values));
    }

    public <K, V> CompletableFuture<RangeTable<K, V>> createRangeTableAsync(
            String name, TableOptions options, Codec<K> keys, Codec<V> values) {
        checkName(name);
        checkOrdered(keys);
        return Futures.map(
                shell.<RoutedTable>future(
                        done -> node().createTable(options.create(name, TableKind.RANGE), timeoutNanos, done)),
                table -> new RangeTable<>(shell, table, keys, values, timeoutNanos));
    }

    /**
     * A table that exists, of either kind.
     *
     * @throws NoSuchTableException when it does not
     */
    public <K, V> Table<K, V> table(String name, Codec<K> keys, Codec<V> values) {
        return blocking(tableAsync(name, keys, values));
    }

    public <K, V> CompletableFuture<Table<K, V>> tableAsync(String name, Codec<K> keys, Codec<V> values) {
        checkName(name);
        return Futures.map(
                shell.<RoutedTable>future(done -> node().findTable(name, timeoutNanos, done)),
                table -> ofKnownKind(table).isRange()
                        ? new RangeTable<>(shell, table, keys, values, timeoutNanos)
                        : new HashTable<>(shell, table, keys, values, timeoutNanos));
    }

    private static RoutedTable ofKind(RoutedTable table, TableKind kind) {
        TableKind found = ofKnownKind(table).definition().kind();
        if (found != kind) {
            throw new IllegalArgumentException("table '" + table.name() + "' is a " + lowerCase(found)
                    + " table, and was asked for as a " + lowerCase(kind) + " table");
        }
        return table;
    }

    /** Where the records of another kind of table are, only a later version knows. */
    private static RoutedTable ofKnownKind(RoutedTable table) {
        if (table.definition().kind() == TableKind.UNKNOWN) {
            throw new ProtocolException(
                    "table '" + table.name() + "' is of a kind that this version of the client does not know", false);
        }
        return table;
    }

    private static String lowerCase(TableKind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }

    private static void checkOrdered(Codec<?> keys) {
        if (!keys.ordered()) {
            throw new IllegalArgumentException("the keys of a range table need a codec with an order");
        }
    }

    /**
     * Drops a table with all its records.
     *
     * @throws NoSuchTableException when there is none of that name
     */
    public void dropTable(String name) {
        blocking(dropTableAsync(name));
    }

    public CompletableFuture<Void> dropTableAsync(String name) {
        checkName(name);
        return Futures.map(shell.<Boolean>future(done -> node().dropTable(name, timeoutNanos, done)), done -> null);
    }

    /**
     * Makes the lost partitions of a table empty ones again: their records are given up, and the table serves all keys. Refused while a process that was the last to hold one of them is not known
     * to have ended: it may still serve. The message names these processes.
     */
    public void acceptLoss(String name) {
        blocking(acceptLossAsync(name));
    }

    public CompletableFuture<Void> acceptLossAsync(String name) {
        return acceptLossAsync(name, false);
    }

    /**
     * The same; with {@code processesAreGone} whether or not these processes are known to have ended. If one of them still runs, clients that reach it read and write records that nobody else sees.
     */
    public void acceptLoss(String name, boolean processesAreGone) {
        blocking(acceptLossAsync(name, processesAreGone));
    }

    public CompletableFuture<Void> acceptLossAsync(String name, boolean processesAreGone) {
        checkName(name);
        return Futures.map(
                shell.<Boolean>future(done -> node().acceptLoss(name, processesAreGone, timeoutNanos, done)),
                done -> null);
    }

    /**
     * Tells the coordinators that a brick's process has ended, by whoever started it and saw its end.
     *
     * @param incarnation of that process, as it said at its start
     */
    public CompletableFuture<Void> brickEndedAsync(String brick, long incarnation) {
        return Futures.map(
                shell.<Boolean>future(done -> node().brickEnded(brick, incarnation, timeoutNanos, done)), done -> null);
    }

    /**
     * Has a brick emptied: what it holds goes to others while clients go on, and nothing new comes to it, until its process ends or {@link #cancelDrain} is called. Tells how it goes; to be
     * asked again until nothing is left. Refused, without effect, when the status is of a brick that is not draining: it says why.
     *
     * @param brick its id
     */
    public DrainStatus drainBrick(String brick) {
        return blocking(drainBrickAsync(brick));
    }

    public CompletableFuture<DrainStatus> drainBrickAsync(String brick) {
        return shell.future(done -> node().drainBrick(brick, false, timeoutNanos, done));
    }

    /** Has a brick take part again that was to be emptied; what has gone elsewhere stays there. */
    public DrainStatus cancelDrain(String brick) {
        return blocking(cancelDrainAsync(brick));
    }

    public CompletableFuture<DrainStatus> cancelDrainAsync(String brick) {
        return shell.future(done -> node().drainBrick(brick, true, timeoutNanos, done));
    }

    /** All tables, in the order of their names. */
    public List<TableInfo> tables() {
        return blocking(tablesAsync());
    }

    public CompletableFuture<List<TableInfo>> tablesAsync() {
        return Futures.map(
                statusAsync(false),
                status -> status.tables().stream()
                        .map(TableInfo::of)
                        .sorted(java.util.Comparator.comparing(TableInfo::name))
                        .toList());
    }

    /** The cluster as its coordinator sees it. */
    public ClusterStatus status(boolean withPartitions) {
        return blocking(statusAsync(withPartitions));
    }

    public CompletableFuture<ClusterStatus> statusAsync(boolean withPartitions) {
        return shell.future(done -> node().status(withPartitions, timeoutNanos, done));
    }

    /** What this client has done so far. */
    public ClientStatistics statistics() {
        return blocking(statisticsAsync());
    }

    public CompletableFuture<ClientStatistics> statisticsAsync() {
        return shell.future(done -> done.done(ClientStatistics.of(node().counters()), null));
    }

    /** Ends the session, closes all connections and fails what is outstanding. */
    @Override
    public void close() {
        shell.close();
    }

    private ClientNode node() {
        return shell.node();
    }

    private <T> T blocking(CompletableFuture<T> future) {
        shell.checkMayBlock();
        return Shell.await(future);
    }

    private static void checkName(String name) {
        if (!TABLE_NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "table name '" + name + "': 1 to " + Limits.TABLE_NAME_MAX + " of A-Z a-z 0-9 . _ -");
        }
    }
}
