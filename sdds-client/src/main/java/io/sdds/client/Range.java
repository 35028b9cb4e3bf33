package io.sdds.client;

import io.sdds.client.internal.routing.CursorToken;
import io.sdds.client.internal.routing.KeyBounds;
import io.sdds.client.internal.routing.RangeSweep;
import io.sdds.client.internal.routing.RoutedTable;
import io.sdds.client.internal.routing.ScatterSweep;
import io.sdds.client.internal.routing.Sweep;
import io.sdds.core.protocol.Filter;
import io.sdds.core.protocol.Opcode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A range query: the records of a range table between two keys, in the order of their keys' bytes (RP*, section 2.1). All its ways end only when each partition
 * that has keys of the range has answered, or fail with {@link IncompleteRangeException}, which names what is missing.
 *
 * <p>Its cursors can be left at any record and gone on with by {@link Cursor#token}.
 */
public final class Range<K, V> extends Query<K, V> {
    private final KeyBounds bounds;

    Range(Shell shell, RoutedTable table, Codec<K> keys, Codec<V> values, long timeoutNanos, KeyBounds bounds) {
        this(shell, table, keys, values, timeoutNanos, NO_FILTER, Long.MAX_VALUE, bounds);
    }

    private Range(
            Shell shell,
            RoutedTable table,
            Codec<K> keys,
            @Nullable Codec<V> values,
            long timeoutNanos,
            byte[] filter,
            long limit,
            KeyBounds bounds) {
        super(shell, table, keys, values, timeoutNanos, filter, limit);
        this.bounds = bounds;
    }

    /** The same records in descending order; of a descending range in ascending order. */
    public Range<K, V> descending() {
        return new Range<>(shell, table, keys, values, timeoutNanos, filter, limit, bounds.reversed());
    }

    /** The same, ending after so many records. */
    public Range<K, V> limit(long records) {
        return new Range<>(shell, table, keys, values, timeoutNanos, filter, records, bounds);
    }

    /** The same with a filter, in place of the one it had. The bricks evaluate it next to the records. */
    public Range<K, V> where(Filter wanted) {
        return new Range<>(shell, table, keys, values, timeoutNanos, wanted.encode(), limit, bounds);
    }

    /** The same with keys alone: the values of its entries are null, and don't travel. */
    public Range<K, Void> keysOnly() {
        return new Range<>(shell, table, keys, null, timeoutNanos, filter, limit, bounds);
    }

    @Override
    public CompletableFuture<Long> countAsync() {
        Sweep.Asked asked = Tally.count(Opcode.RANGE, filter);
        return Tally.of(
                shell, timeoutNanos, sink -> parallel(asked, Long.MAX_VALUE, sink), count -> Math.min(count, limit));
    }

    /** All of it as a list, in order. */
    public List<Map.Entry<K, V>> toList() {
        shell.checkMayBlock();
        return Shell.await(toListAsync());
    }

    /** Cancelling the future ends it: nothing more is asked. */
    public CompletableFuture<List<Map.Entry<K, V>>> toListAsync() {
        return toListAsync(all -> all);
    }

    /** @param result what the future ends with, of all records */
    <T> CompletableFuture<T> toListAsync(Function<List<Map.Entry<K, V>>, T> result) {
        List<Map.Entry<K, V>> all = new ArrayList<>();
        CompletableFuture<Void> delivered = new Delivery<>(this, this::inOrder, all::add).start();
        return Futures.map(delivered, done -> result.apply(all));
    }

    /** As {@link #forEachAsync}, several partitions at a time and so in no order. */
    public CompletableFuture<Void> forEachUnorderedAsync(BiConsumer<? super K, ? super V> consumer) {
        return new Delivery<>(this, this::unordered, entry -> consumer.accept(entry.getKey(), entry.getValue()))
                .start();
    }

    /**
     * Passes on what comes within a time, in no order: the probabilistic termination of RP* (section 2.1). All bricks of the table are asked at once, and only partitions that
     * have records answer, so that nobody can tell whether one of them could not; what could not be had in time is no failure. Ends after that time, or as soon as every key
     * of the range is accounted for.
     *
     * @throws IllegalArgumentException unless the time is positive
     */
    public CompletableFuture<WhatCame> forEachWithinAsync(Duration time, BiConsumer<? super K, ? super V> consumer) {
        if (time.isNegative() || time.isZero()) {
            throw new IllegalArgumentException("a time of " + time + " is not positive");
        }
        Delivery<K, V> delivery = new Delivery<>(
                this,
                sink -> ScatterSweep.probabilistic(
                        table, asked(Tally.PARALLEL), bounds, limit, ClientSettings.nanos(time), sink),
                entry -> consumer.accept(entry.getKey(), entry.getValue()));
        return Futures.map(delivery.start(), nothing -> delivery.whatCame());
    }

    /** Begins, for taking records one by one in order. To be closed when it is left before its end. */
    @Override
    public Cursor<K, V> open() {
        return fromTheBeginning();
    }

    @Override
    int check() {
        return CursorToken.check(what(), filter, bounds);
    }

    @Override
    Sweep sweep(Sweep.Sink sink) {
        return inOrder(sink);
    }

    private Sweep inOrder(Sweep.Sink sink) {
        return sweep(sink, bounds);
    }

    private Sweep unordered(Sweep.Sink sink) {
        return parallel(asked(Tally.PARALLEL), limit, sink);
    }

    /** With deterministic termination: of all bricks at once when that is how the table is asked, else of the partitions that the image knows. */
    private Sweep parallel(Sweep.Asked asked, long records, Sweep.Sink sink) {
        return table.isMulticast()
                ? ScatterSweep.deterministic(table, asked, bounds, records, timeoutNanos, sink)
                : new RangeSweep(table, asked, bounds, records, timeoutNanos, sink);
    }

    private Sweep.Asked asked(int parallel) {
        return new Sweep.Asked(Opcode.RANGE, what(), filter, BLOCK_BYTES, parallel);
    }

    private Sweep sweep(Sweep.Sink sink, KeyBounds from) {
        return new RangeSweep(table, asked(1), from, limit, timeoutNanos, sink);
    }

    @Override
    Sweep sweep(Sweep.Sink sink, CursorToken from) {
        byte[] key = from.key();
        return sweep(sink, key == null ? bounds : bounds.behind(key));
    }

    @Override
    byte[] arranged(byte[] block, byte @Nullable [] upTo) {
        return block;
    }
}
