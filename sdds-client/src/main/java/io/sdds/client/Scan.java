package io.sdds.client;

import io.sdds.client.internal.routing.CursorToken;
import io.sdds.client.internal.routing.HashSweep;
import io.sdds.client.internal.routing.RoutedTable;
import io.sdds.client.internal.routing.ScanBlock;
import io.sdds.client.internal.routing.Sweep;
import io.sdds.core.protocol.Filter;
import io.sdds.core.protocol.Opcode;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A scan of a hash table: its records in no order that means anything. */
public final class Scan<K, V> extends Query<K, V> {

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
        super(shell, table, keys, values, timeoutNanos, filter, limit);
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
        return new Scan<>(shell, table, keys, values, timeoutNanos, filter, records);
    }

    @Override
    public CompletableFuture<Long> countAsync() {
        return Tally.of(
                shell,
                timeoutNanos,
                sink -> new HashSweep(table, Tally.count(Opcode.SCAN, filter), timeoutNanos, sink),
                count -> Math.min(count, limit));
    }

    @Override
    public Cursor<K, V> open() {
        return begun(new Cursor<>(this));
    }

    /**
     * As {@link #open}, of a cursor that can be left at any record and gone on with later, by {@link Cursor#token}. It fetches one block at a time and
     * puts its records in order, and so is slower.
     */
    public Cursor<K, V> openResumable() {
        return fromTheBeginning();
    }

    @Override
    int check() {
        return CursorToken.check(what(), filter);
    }

    @Override
    Sweep sweep(Sweep.Sink sink) {
        return new HashSweep(
                table, new Sweep.Asked(Opcode.SCAN, what(), filter, BLOCK_BYTES, Tally.PARALLEL), timeoutNanos, sink);
    }

    @Override
    Sweep sweep(Sweep.Sink sink, CursorToken from) {
        return new HashSweep(
                table, new Sweep.Asked(Opcode.SCAN, what(), filter, BLOCK_BYTES, 1), timeoutNanos, sink, from.key());
    }

    @Override
    byte[] arranged(byte[] block, byte @Nullable [] upTo) {
        return ScanBlock.inOrder(block, upTo);
    }
}
