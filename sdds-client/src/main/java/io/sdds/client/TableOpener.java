package io.sdds.client;

import io.sdds.client.internal.ClientLoops;
import io.sdds.client.internal.Futures;
import io.sdds.client.internal.SchemaCodecs;
import io.sdds.client.internal.TableContexts;
import io.sdds.client.internal.routing.ClientNode;
import io.sdds.client.internal.routing.RoutedTable;
import io.sdds.core.model.TableKind;
import io.sdds.core.protocol.Limits;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Finds and creates tables on all event loops of a client. Futures complete on a loop. */
final class TableOpener {
    private static final Pattern TABLE_NAME = Pattern.compile("[A-Za-z0-9._-]{1," + Limits.TABLE_NAME_MAX + "}");

    private final ClientLoops loops;
    private final long timeoutNanos;

    TableOpener(ClientLoops loops, long timeoutNanos) {
        this.loops = loops;
        this.timeoutNanos = timeoutNanos;
    }

    <K, V> CompletableFuture<HashTable<K, V>> hash(String name, Codec<K> keys, Codec<V> values) {
        return open(name, find(name), found -> new HashTable<>(contexts(ofKind(found, TableKind.HASH), keys, values)));
    }

    <K, V> CompletableFuture<HashTable<K, V>> createHash(
            String name, TableOptions options, Codec<K> keys, Codec<V> values) {
        checkFit(name, options, keys, values);
        return open(
                name,
                create(name, TableKind.HASH, options),
                created -> new HashTable<>(contexts(created, keys, values)));
    }

    <K, V> CompletableFuture<RangeTable<K, V>> range(String name, Codec<K> keys, Codec<V> values) {
        checkOrdered(keys);
        return open(
                name, find(name), found -> new RangeTable<>(contexts(ofKind(found, TableKind.RANGE), keys, values)));
    }

    <K, V> CompletableFuture<RangeTable<K, V>> createRange(
            String name, TableOptions options, Codec<K> keys, Codec<V> values) {
        checkOrdered(keys);
        checkFit(name, options, keys, values);
        return open(
                name,
                create(name, TableKind.RANGE, options),
                created -> new RangeTable<>(contexts(created, keys, values)));
    }

    /** A table of either kind. */
    <K, V> CompletableFuture<Table<K, V>> any(String name, Codec<K> keys, Codec<V> values) {
        return open(name, find(name), found -> {
            TableContexts<K, V> contexts = contexts(ofKnownKind(found), keys, values);
            return found.get(0).isRange() ? new RangeTable<>(contexts) : new HashTable<>(contexts);
        });
    }

    private BiConsumer<ClientNode, ClientNode.Handler<RoutedTable>> find(String name) {
        return (node, done) -> node.findTable(name, timeoutNanos, done);
    }

    private BiConsumer<ClientNode, ClientNode.Handler<RoutedTable>> create(
            String name, TableKind kind, TableOptions options) {
        return (node, done) -> node.createTable(options.create(name, kind), timeoutNanos, done);
    }

    private <T> CompletableFuture<T> open(
            String name,
            BiConsumer<ClientNode, ClientNode.Handler<RoutedTable>> opening,
            Function<List<RoutedTable>, T> made) {
        checkName(name);
        return Futures.map(loops.open(name, timeoutNanos, opening), made);
    }

    private <K, V> TableContexts<K, V> contexts(List<RoutedTable> tables, Codec<K> keys, Codec<V> values) {
        return new TableContexts<>(loops, tables, keys, values, timeoutNanos);
    }

    private static List<RoutedTable> ofKind(List<RoutedTable> tables, TableKind kind) {
        RoutedTable table = ofKnownKind(tables).get(0);
        TableKind found = table.definition().kind();
        if (found != kind) {
            throw new IllegalArgumentException("table '" + table.name() + "' is a " + lowerCase(found)
                    + " table, and was asked for as a " + lowerCase(kind) + " table");
        }
        return tables;
    }

    /** Refuses tables of an unknown kind, because only a later version knows where their records are. */
    private static List<RoutedTable> ofKnownKind(List<RoutedTable> tables) {
        RoutedTable table = tables.get(0);
        if (table.definition().kind() == TableKind.UNKNOWN) {
            throw new ProtocolException(
                    "table '" + table.name() + "' is of a kind that this version of the client does not know", false);
        }
        return tables;
    }

    private static String lowerCase(TableKind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }

    /** Refuses codecs that do not fit the schema of a table, before the table is created. */
    private static void checkFit(String name, TableOptions options, Codec<?> keys, Codec<?> values) {
        try {
            SchemaCodecs.ofKey(options.schema(), keys);
            SchemaCodecs.ofValue(options.schema(), values);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("table '" + name + "': " + e.getMessage(), e);
        }
    }

    private static void checkOrdered(Codec<?> keys) {
        if (!keys.ordered()) {
            throw new IllegalArgumentException("the keys of a range table need a codec with an order");
        }
    }

    /** @throws IllegalArgumentException unless a table can have the name */
    static void checkName(String name) {
        if (!TABLE_NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "table name '" + name + "': 1 to " + Limits.TABLE_NAME_MAX + " of A-Z a-z 0-9 . _ -");
        }
    }

    /**
     * Checks a request to alter a table.
     *
     * @param fault of what the table is to have; null if there is none
     * @throws IllegalArgumentException if there is a fault, and unless a table can have the name
     */
    static void check(String name, @Nullable String fault) {
        checkName(name);
        if (fault != null) {
            throw new IllegalArgumentException(fault);
        }
    }
}
