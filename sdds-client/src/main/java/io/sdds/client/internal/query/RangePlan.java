package io.sdds.client.internal.query;

import io.sdds.client.PartialResult;
import io.sdds.client.internal.Futures;
import io.sdds.client.internal.TableContext;
import io.sdds.client.internal.routing.CursorToken;
import io.sdds.client.internal.routing.KeyBounds;
import io.sdds.client.internal.routing.RangeSweep;
import io.sdds.client.internal.routing.ScatterSweep;
import io.sdds.client.internal.routing.Sweep;
import io.sdds.core.protocol.Opcode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A query of a range table. */
public final class RangePlan<K, V> extends QueryPlan<K, V> {
    private final KeyBounds bounds;

    /** The part of the bounds that has all records that can pass. */
    private final KeyBounds visited;

    public RangePlan(QuerySpec<K, V> spec, KeyBounds bounds) {
        super(spec);
        this.bounds = bounds;
        this.visited = bounds.and(spec.keys());
    }

    /** A query of all records between two bounds, in either direction. */
    public static <K, V> RangePlan<K, V> of(TableContext<K, V> context, KeyBounds bounds) {
        return new RangePlan<>(QuerySpec.all(context), bounds);
    }

    /** Removes the records between two bounds. */
    public static CompletableFuture<Void> clear(TableContext<?, ?> context, KeyBounds bounds) {
        KeyBounds ascending = bounds.descending() ? bounds.reversed() : bounds;
        return Aggregation.of(
                context,
                sink -> new RangeSweep(
                        context.table(),
                        Aggregation.CLEAR_RANGE,
                        ascending,
                        Long.MAX_VALUE,
                        context.timeoutNanos(),
                        sink),
                nothing -> null);
    }

    public KeyBounds bounds() {
        return bounds;
    }

    /** A query of the same range with another question. */
    public <X> RangePlan<K, X> with(QuerySpec<K, X> asked) {
        return new RangePlan<>(asked, bounds);
    }

    @Override
    public CompletableFuture<Long> countAsync() {
        CompiledQuery program = spec().program();
        if (program != null) {
            return RowCount.of(program.limited(spec().limit()), this);
        }
        Sweep.Asked asked = Aggregation.count(Opcode.RANGE, spec().encoded());
        long limit = spec().limit();
        return Aggregation.of(
                spec().context(), sink -> parallel(asked, Long.MAX_VALUE, sink), count -> Math.min(count, limit));
    }

    /** @param result makes the future's result of all records, which are in order */
    public <T> CompletableFuture<T> toListAsync(Function<List<Map.Entry<K, V>>, T> result) {
        List<Map.Entry<K, V>> all = new ArrayList<>();
        CompletableFuture<Void> delivered = new Delivery<>(spec(), this::sweep, all::add, false).start();
        return Futures.map(delivered, done -> result.apply(all));
    }

    /** Passes each record to the consumer, several partitions at a time. */
    public CompletableFuture<Void> forEachUnorderedAsync(BiConsumer<? super K, ? super V> consumer) {
        return new Delivery<>(
                        spec(), sink -> parallel(asked(Aggregation.PARALLEL), recordsMax(), sink), entries(consumer))
                .start();
    }

    /** Passes the records that come within a time to the consumer (RP*, section 2.1, probabilistic termination). */
    public CompletableFuture<PartialResult> forEachWithinAsync(
            long withinNanos, BiConsumer<? super K, ? super V> consumer) {
        if (spec().program() != null) {
            throw new IllegalStateException(
                    "a query that ends after a time has no condition given as text: use a Filter");
        }
        Delivery<K, V> delivery = new Delivery<>(
                spec(),
                sink -> ScatterSweep.probabilistic(
                        spec().table(), asked(Aggregation.PARALLEL), bounds, spec().limit(), withinNanos, sink),
                entries(consumer));
        return Futures.map(delivery.start(), nothing -> delivery.partialResult());
    }

    @Override
    int check() {
        return CursorToken.check(spec().what(), spec().encoded(), bounds);
    }

    @Override
    QueryPlan<K, Void> keys() {
        return with(spec().keysOnly());
    }

    @Override
    Sweep unorderedSweep(Sweep.Sink sink) {
        boolean isLimited = spec().limit() < Long.MAX_VALUE;
        return isLimited ? sweep(sink) : parallel(asked(Aggregation.PARALLEL), Long.MAX_VALUE, sink);
    }

    @Override
    Sweep sweep(Sweep.Sink sink) {
        return inOrder(sink, visited);
    }

    /** Rows that are not merged come in the order of the keys. */
    @Override
    Sweep sweep(CompiledQuery query, Sweep.Sink sink) {
        boolean isLimited = query.limit() < Long.MAX_VALUE;
        Sweep.Asked asked = asked(Opcode.RANGE, query, query.streams() && isLimited ? 1 : Aggregation.PARALLEL);
        KeyBounds visits = bounds.and(query.keys());
        Sweep sweep = new RangeSweep(spec().table(), asked, visits, Long.MAX_VALUE, spec().timeoutNanos(), sink);
        if (query.streams()) {
            sweep.keepOrder();
        }
        return configured(sweep);
    }

    @Override
    Sweep sweepBehind(byte @Nullable [] key, Sweep.Sink sink) {
        return inOrder(sink, key == null ? visited : visited.and(bounds.behind(key)));
    }

    private Sweep inOrder(Sweep.Sink sink, KeyBounds left) {
        return configured(new RangeSweep(spec().table(), asked(1), left, recordsMax(), spec().timeoutNanos(), sink));
    }

    /** With a program bricks need not look for the limit, because not each record that they look at is a result. */
    private long recordsMax() {
        return spec().program() != null ? Long.MAX_VALUE : spec().limit();
    }

    /**
     * A sweep with deterministic termination. It asks all bricks at once if requests of the table go to all bricks,
     * else the partitions that the image knows.
     */
    private Sweep parallel(Sweep.Asked asked, long records, Sweep.Sink sink) {
        return spec().table().isMulticast() && spec().program() == null && !visited.isEmpty()
                ? ScatterSweep.deterministic(spec().table(), asked, visited, records, spec().timeoutNanos(), sink)
                : configured(new RangeSweep(spec().table(), asked, visited, records, spec().timeoutNanos(), sink));
    }

    private Sweep.Asked asked(int parallel) {
        return new Sweep.Asked(Opcode.RANGE, spec().what(), spec().encoded(), BLOCK_BYTES, parallel);
    }

    @Override
    byte[] arranged(byte[] block, byte @Nullable [] upTo) {
        return block;
    }
}
