package io.sdds.client;

import io.sdds.client.routing.RoutedTable;
import io.sdds.client.routing.Sweep;
import io.sdds.core.addressing.PseudoKey;
import io.sdds.core.addressing.ScanOrder;
import io.sdds.core.protocol.Filter;
import io.sdds.core.protocol.Opcode;
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
 * A scan of a hash table: what it asks for, and ways to have it. Immutable.
 *
 * <p>Every record that is there throughout comes exactly once, one that never was there never; in no order that means anything. Bricks are asked block by
 * block as the results are taken, so that neither they nor this client hold more than some blocks, and a scan that is left alone costs
 * nothing.
 */
public final class Scan<K, V> implements Iterable<Map.Entry<K, V>> {
    private static final int BLOCK_BYTES = 128 << 10;
    private static final byte[] NO_FILTER = new byte[0];

    private final Shell shell;
    private final RoutedTable table;
    private final Codec<K> keys;
    private final @Nullable Codec<V> values;
    private final long timeoutNanos;
    private final byte[] filter;
    private final long limit;

    Scan(Shell shell, RoutedTable table, Codec<K> keys, Codec<V> values, long timeoutNanos) {
        this(shell, table, keys, values, timeoutNanos, NO_FILTER, Long.MAX_VALUE);
    }

    private Scan(
            Shell shell,
            RoutedTable table,
            Codec<K> keys,
            @Nullable Codec<V> values,
            long timeoutNanos,
            byte[] filter,
            long limit) {
        this.shell = shell;
        this.table = table;
        this.keys = keys;
        this.values = values;
        this.timeoutNanos = timeoutNanos;
        this.filter = filter;
        this.limit = limit;
    }

    /** The same with a filter, in place of the one it had. The bricks evaluate it next to the records. */
    public Scan<K, V> where(Filter wanted) {
        return new Scan<>(shell, table, keys, values, timeoutNanos, wanted.encode(), limit);
    }

    /** The same with keys alone: the values of its entries are null, and don't travel. */
    public Scan<K, Void> keysOnly() {
        return new Scan<>(shell, table, keys, null, timeoutNanos, filter, limit);
    }

    /** The same, ending after so many records. */
    public Scan<K, V> limit(long records) {
        if (records < 0) {
            throw new IllegalArgumentException("limit " + records);
        }
        return new Scan<>(shell, table, keys, values, timeoutNanos, filter, records);
    }

    /** How many records pass, counted by the bricks. */
    public long count() {
        shell.checkMayBlock();
        return Shell.await(countAsync());
    }

    /** Cancelling the future ends it: nothing more is asked. */
    public CompletableFuture<Long> countAsync() {
        return Tally.of(shell, table, timeoutNanos, Tally.count(filter), count -> Math.min(count, limit));
    }

    /** Passes each record on, on the calling thread. */
    public void forEach(BiConsumer<? super K, ? super V> consumer) {
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
    public CompletableFuture<Void> forEachAsync(BiConsumer<? super K, ? super V> consumer) {
        return new Delivery<>(this, consumer).start();
    }

    /** Begins, for taking records one by one. To be closed when it is left before its end. */
    public Cursor<K, V> open() {
        shell.checkMayBlock();
        Cursor<K, V> cursor = new Cursor<>(this);
        cursor.start();
        return cursor;
    }

    /**
     * As {@link #open}, of a cursor that can be left at any record and gone on with later, by {@link Cursor#token}. It fetches one block at a time and
     * puts its records in order, and so is slower.
     */
    public Cursor<K, V> openResumable() {
        return open(new CursorToken(table.id(), check(), limit, false, null));
    }

    /**
     * Goes on where a cursor of the same scan of this table stood when it gave the token: what was there throughout comes once, before the token or from
     * here. By any client, at any time.
     *
     * @throws IllegalArgumentException when the token is none, or of another table or scan
     */
    public Cursor<K, V> open(String token) {
        CursorToken from = CursorToken.parse(token);
        if (from.table() != table.id()) {
            throw new IllegalArgumentException("the token is of a cursor of table number " + from.table() + ", '"
                    + table.name() + "' is number " + table.id());
        }
        if (from.scan() != check()) {
            throw new IllegalArgumentException(
                    "the token is of a scan with another filter, or of keys where this one is of records");
        }
        return open(from);
    }

    private Cursor<K, V> open(CursorToken from) {
        shell.checkMayBlock();
        Cursor<K, V> cursor = new Cursor<>(this, from);
        cursor.start();
        return cursor;
    }

    private int check() {
        return CursorToken.check(what(), filter);
    }

    private byte what() {
        return values == null ? RequestFrame.SCAN_KEYS : RequestFrame.SCAN_RECORDS;
    }

    /** The same as {@link #open}. One that is left before its end holds a few blocks of memory until it is collected. */
    @Override
    public Cursor<K, V> iterator() {
        return open();
    }

    /** The records as a sequential stream, to be closed when it is left before its end. */
    public Stream<Map.Entry<K, V>> stream() {
        Cursor<K, V> cursor = open();
        return StreamSupport.stream(
                        Spliterators.spliteratorUnknownSize(cursor, Spliterator.NONNULL | Spliterator.IMMUTABLE), false)
                .onClose(cursor::close);
    }

    Shell shell() {
        return shell;
    }

    long limit() {
        return limit;
    }

    Sweep sweep(Sweep.Sink sink) {
        return new Sweep(
                table, new Sweep.Asked(Opcode.SCAN, what(), filter, BLOCK_BYTES, Tally.PARALLEL), timeoutNanos, sink);
    }

    /** One block after the other, from where a cursor stood. */
    Sweep sweep(Sweep.Sink sink, CursorToken from) {
        byte[] key = from.key();
        long point = key == null ? 0 : ScanOrder.point(PseudoKey.of(key));
        return new Sweep(
                table, new Sweep.Asked(Opcode.SCAN, what(), filter, BLOCK_BYTES, 1), timeoutNanos, sink, point);
    }

    Records<K, V> records(byte[] block) {
        return new Records<>(block, keys, values);
    }
}
