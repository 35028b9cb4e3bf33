package io.sdds.client.internal.query;

import io.sdds.client.SddsException;
import io.sdds.client.internal.Failures;
import io.sdds.client.internal.TableContext;
import io.sdds.client.internal.routing.Failure;
import io.sdds.client.internal.routing.Sweep;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.RequestFrame;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.LongFunction;

/** Adds up the counts of a sweep: the records that exist or match. A clear is also such a sweep, with counts of 0. */
final class Aggregation<T> implements Sweep.Sink {
    static final int PARALLEL = 8;
    static final Sweep.Asked SIZE = new Sweep.Asked(Opcode.SIZE, (byte) 0, new byte[0], 0, PARALLEL);
    static final Sweep.Asked CLEAR = new Sweep.Asked(Opcode.CLEAR, (byte) 0, new byte[0], 0, PARALLEL);
    static final Sweep.Asked CLEAR_RANGE = new Sweep.Asked(Opcode.RANGE_CLEAR, (byte) 0, new byte[0], 0, PARALLEL);

    private final CompletableFuture<T> total = new CompletableFuture<>();
    private final LongFunction<T> result;
    private final Sweep sweep;
    private long sum;

    @SuppressWarnings("this-escape")
    private Aggregation(Function<Sweep.Sink, Sweep> made, LongFunction<T> result) {
        this.result = result;
        this.sweep = made.apply(this);
    }

    /** The question of a sweep that counts the records that pass a filter. */
    static Sweep.Asked count(byte opcode, byte[] filter) {
        return new Sweep.Asked(opcode, RequestFrame.SCAN_COUNT, filter, 0, PARALLEL);
    }

    /**
     * Begins a sweep. After the future is cancelled, the sweep sends no more requests.
     *
     * @param made makes the sweep that counts into a sink
     * @param result makes the future's result of the sum
     */
    static <T> CompletableFuture<T> of(
            TableContext<?, ?> context, Function<Sweep.Sink, Sweep> made, LongFunction<T> result) {
        Aggregation<T> aggregation = new Aggregation<>(made, result);
        aggregation.total.whenComplete((sum, failure) -> context.runtime().executeIfOpen(aggregation.sweep::stop));
        try {
            context.runtime().startSweep(aggregation.sweep, context.timeoutNanos());
        } catch (SddsException e) {
            aggregation.total.completeExceptionally(e);
        }
        return aggregation.total;
    }

    @Override
    public void covered(Sweep.Part part, long count, byte[] records) {
        sum += count;
        if (!total.isDone()) {
            sweep.resume(part);
        }
    }

    @Override
    public void done() {
        total.complete(result.apply(sum));
    }

    @Override
    public void failed(Failure failure, List<String> missing) {
        total.completeExceptionally(Failures.incomplete(failure, missing));
    }
}
