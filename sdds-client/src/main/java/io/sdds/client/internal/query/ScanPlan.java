package io.sdds.client.internal.query;

import io.sdds.client.Cursor;
import io.sdds.client.internal.TableContext;
import io.sdds.client.internal.routing.CursorToken;
import io.sdds.client.internal.routing.HashSweep;
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
        Sweep.Asked asked = Aggregation.count(Opcode.SCAN, spec().filter());
        long limit = spec().limit();
        return Aggregation.of(spec().context(), sink -> sweep(asked, sink, null), count -> Math.min(count, limit));
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
                                : sweep(asked, sink, null),
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
    Sweep sweep(Sweep.Sink sink) {
        return sweep(asked(Aggregation.PARALLEL), sink, null);
    }

    @Override
    Sweep sweep(CompiledQuery query, Sweep.Sink sink) {
        return sweep(asked(Opcode.SCAN, query, Aggregation.PARALLEL), sink, null);
    }

    @Override
    Sweep sweep(Sweep.Sink sink, CursorToken from) {
        return sweep(asked(1), sink, from.key());
    }

    private Sweep sweep(Sweep.Asked asked, Sweep.Sink sink, byte @Nullable [] behind) {
        return configured(new HashSweep(spec().table(), asked, spec().timeoutNanos(), sink, behind));
    }

    private Sweep.Asked asked(int parallel) {
        return new Sweep.Asked(Opcode.SCAN, spec().what(), spec().encoded(), BLOCK_BYTES, parallel);
    }

    @Override
    byte[] arranged(byte[] block, byte @Nullable [] upTo) {
        return ScanBlock.inOrder(block, ReplyFrame.scanRecordHeader(spec().part()), upTo);
    }
}
