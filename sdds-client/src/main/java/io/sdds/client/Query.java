package io.sdds.client;

import io.sdds.client.internal.routing.CursorToken;
import io.sdds.client.internal.routing.RoutedTable;
import io.sdds.client.internal.routing.Sweep;
import io.sdds.core.protocol.RequestFrame;
import java.util.Map;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * What many records are asked for, and ways to have them. Immutable.
 *
 * <p>Every record that is there throughout comes exactly once, one that never was there never. Bricks are asked block by block as the results are taken, so that
 * neither they nor this client hold more than some blocks, and a query that is left alone costs nothing.
 */
public abstract class Query<K, V> implements Iterable<Map.Entry<K, V>> {
    static final int BLOCK_BYTES = 128 << 10;
    static final byte[] NO_FILTER = new byte[0];

    final Shell shell;
    final RoutedTable table;
    final Codec<K> keys;
    final @Nullable Codec<V> values;
    final long timeoutNanos;
    final byte[] filter;
    final long limit;

    Query(
            Shell shell,
            RoutedTable table,
            Codec<K> keys,
            @Nullable Codec<V> values,
            long timeoutNanos,
            byte[] filter,
            long limit) {
        if (limit < 0) {
            throw new IllegalArgumentException("limit " + limit);
        }
        this.shell = shell;
        this.table = table;
        this.keys = keys;
        this.values = values;
        this.timeoutNanos = timeoutNanos;
        this.filter = filter;
        this.limit = limit;
    }

    /** How many records pass, counted by the bricks. */
    public final long count() {
        shell.checkMayBlock();
        return Shell.await(countAsync());
    }

    /** Cancelling the future ends it: nothing more is asked. */
    public abstract CompletableFuture<Long> countAsync();

    /** Passes each record on, on the calling thread. */
    public final void forEach(BiConsumer<? super K, ? super V> consumer) {
        try (Cursor<K, V> cursor = open()) {
            while (cursor.hasNext()) {
                Map.Entry<K, V> entry = cursor.next();
                consumer.accept(entry.getKey(), entry.getValue());
            }
        }
    }

    /**
     * Passes each record on, on the client's loop; ends when all were. Cancelling the future ends it earlier: nothing more is asked, and the consumer is not
     * called again once a call under way has returned.
     */
    public final CompletableFuture<Void> forEachAsync(BiConsumer<? super K, ? super V> consumer) {
        return new Delivery<>(this, consumer).start();
    }

    /** Begins, for taking records one by one. To be closed when it is left before its end. */
    public abstract Cursor<K, V> open();

    /**
     * Goes on where a cursor of the same query of this table stood when it gave the token: what was there throughout comes once, before the token or from
     * here. By any client, at any time.
     *
     * @throws IllegalArgumentException when the token is none, or of another table or query
     */
    public final Cursor<K, V> open(String token) {
        CursorToken from = CursorToken.parse(token);
        if (from.table() != table.id()) {
            throw new IllegalArgumentException("the token is of a cursor of table number " + from.table() + ", '"
                    + table.name() + "' is number " + table.id());
        }
        if (from.scan() != check()) {
            throw new IllegalArgumentException(
                    "the token is of a scan with another filter or range, or of keys where this one is of records");
        }
        return begun(new Cursor<>(this, from));
    }

    /** A cursor that can say where it stands. */
    final Cursor<K, V> fromTheBeginning() {
        return begun(new Cursor<>(this, new CursorToken(table.id(), check(), limit, false, null)));
    }

    final Cursor<K, V> begun(Cursor<K, V> cursor) {
        shell.checkMayBlock();
        cursor.start();
        return cursor;
    }

    /** The same as {@link #open}. One that is left before its end holds a few blocks of memory until it is collected. */
    @Override
    public final Cursor<K, V> iterator() {
        return open();
    }

    /** The records as a sequential stream, to be closed when it is left before its end. */
    public final Stream<Map.Entry<K, V>> stream() {
        Cursor<K, V> cursor = open();
        return StreamSupport.stream(
                        Spliterators.spliteratorUnknownSize(cursor, Spliterator.NONNULL | Spliterator.IMMUTABLE), false)
                .onClose(cursor::close);
    }

    /** What tells queries of a table apart. */
    abstract int check();

    /** All of it, several parts at a time, in no order. */
    abstract Sweep sweep(Sweep.Sink sink);

    /** One block after the other, from where a cursor stood. */
    abstract Sweep sweep(Sweep.Sink sink, CursorToken from);

    /** The records of a block in the order in which a cursor gives them; those up to a key left out. */
    abstract byte[] arranged(byte[] block, byte @Nullable [] upTo);

    final byte what() {
        return values == null ? RequestFrame.SCAN_KEYS : RequestFrame.SCAN_RECORDS;
    }

    final Records<K, V> records(byte[] block) {
        return new Records<>(block, keys, values);
    }
}
