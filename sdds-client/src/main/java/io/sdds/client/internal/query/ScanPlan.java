package io.sdds.client.internal.query;

import io.sdds.client.Cursor;
import io.sdds.client.internal.TableContext;
import io.sdds.client.internal.routing.CursorToken;
import io.sdds.client.internal.routing.HashSweep;
import io.sdds.client.internal.routing.KeyBounds;
import io.sdds.client.internal.routing.RoutedTable;
import io.sdds.client.internal.routing.ScanBlock;
import io.sdds.client.internal.routing.Sweep;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.ReplyFrame;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** A query of a hash table. */
public final class ScanPlan<K, V> extends QueryPlan<K, V> {

    public ScanPlan(QuerySpec<K, V> spec) {
        super(spec);
    }

    /** The number of records of a hash table. */
    public static CompletableFuture<Long> size(TableContext<?, ?> context) {
        return Aggregation.of(
                context,
                sink -> new HashSweep(context.table(), Aggregation.SIZE, context.timeoutNanos(), sink),
                count -> count);
    }

    /** Removes all records of a hash table. */
    public static CompletableFuture<Void> clear(TableContext<?, ?> context) {
        return Aggregation.of(
                context,
                sink -> new HashSweep(context.table(), Aggregation.CLEAR, context.timeoutNanos(), sink),
                nothing -> null);
    }

    @Override
    public CompletableFuture<Long> countAsync() {
        CompiledQuery program = spec().program();
        if (program != null) {
            return RowCount.of(program.limited(spec().limit()), this);
        }
        Sweep.Asked asked = Aggregation.count(Opcode.SCAN, spec().encoded());
        long limit = spec().limit();
        return Aggregation.of(
                spec().context(), sink -> sweep(asked, sink, spec().keys()), count -> Math.min(count, limit));
    }

    /**
     * Passes the records of a uniform sample to the consumer, on the loop.
     *
     * @param fraction of the records that are in the sample, above 0; 1: all of them
     */
    public CompletableFuture<Void> forEachSampledAsync(double fraction, BiConsumer<? super K, ? super V> consumer) {
        Sweep.Asked asked = asked(Aggregation.PARALLEL);
        return new Delivery<>(
                        spec(),
                        sink -> fraction < 1
                                ? new HashSweep(spec().table(), asked, spec().timeoutNanos(), sink, fraction)
                                : sweep(asked, sink, KeyBounds.ALL),
                        entries(consumer),
                        false)
                .start();
    }

    @Override
    public Cursor<K, V> open() {
        return begun(new BlockCursor<>(this));
    }

    @Override
    int check() {
        return CursorToken.check(spec().what(), spec().encoded());
    }

    @Override
    QueryPlan<K, Void> keys() {
        return new ScanPlan<>(spec().keysOnly());
    }

    @Override
    Sweep unorderedSweep(Sweep.Sink sink) {
        return sweep(sink);
    }

    @Override
    Sweep sweep(Sweep.Sink sink) {
        return sweep(asked(Aggregation.PARALLEL), sink, spec().keys());
    }

    @Override
    Sweep sweep(CompiledQuery query, Sweep.Sink sink) {
        return sweep(asked(Opcode.SCAN, query, Aggregation.PARALLEL), sink, query.keys());
    }

    @Override
    Sweep sweepBehind(byte @Nullable [] key, Sweep.Sink sink) {
        return key == null
                ? sweep(asked(1), sink, spec().keys())
                : configured(new HashSweep(spec().table(), asked(1), spec().timeoutNanos(), sink, key));
    }

    /** @param keys that records in the result can have: a sweep looks at all points, or at that of the only key */
    private Sweep sweep(Sweep.Asked asked, Sweep.Sink sink, KeyBounds keys) {
        RoutedTable table = spec().table();
        long timeoutNanos = spec().timeoutNanos();
        byte[] key = keys.onlyKey();
        if (key != null) {
            return configured(HashSweep.ofKey(table, asked, timeoutNanos, sink, key));
        }
        return configured(
                keys.isEmpty()
                        ? HashSweep.ofNothing(table, asked, timeoutNanos, sink)
                        : new HashSweep(table, asked, timeoutNanos, sink));
    }

    private Sweep.Asked asked(int parallel) {
        return new Sweep.Asked(Opcode.SCAN, spec().what(), spec().encoded(), BLOCK_BYTES, parallel);
    }

    @Override
    byte[] arranged(byte[] block, byte @Nullable [] upTo) {
        return ScanBlock.inOrder(block, ReplyFrame.scanRecordHeader(spec().part()), upTo);
    }
}
