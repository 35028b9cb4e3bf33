package io.sdds.client;

import io.sdds.client.internal.routing.Failure;
import io.sdds.client.internal.routing.Sweep;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.RequestFrame;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.LongFunction;

/** Sweeps that add up: how many records there are or match; also clearing, which adds up nothing. */
final class Tally<T> implements Sweep.Sink {
    static final int PARALLEL = 8;
    static final Sweep.Asked SIZE = new Sweep.Asked(Opcode.SIZE, (byte) 0, new byte[0], 0, PARALLEL);
    static final Sweep.Asked CLEAR = new Sweep.Asked(Opcode.CLEAR, (byte) 0, new byte[0], 0, PARALLEL);
    static final Sweep.Asked CLEAR_RANGE = new Sweep.Asked(Opcode.RANGE_CLEAR, (byte) 0, new byte[0], 0, PARALLEL);

    private final CompletableFuture<T> total = new CompletableFuture<>();
    private final LongFunction<T> result;
    private final Sweep sweep;
    private long sum;

    @SuppressWarnings("this-escape")
    private Tally(Function<Sweep.Sink, Sweep> made, LongFunction<T> result) {
        this.result = result;
        this.sweep = made.apply(this);
    }

    /** Counts the records that pass a filter. */
    static Sweep.Asked count(byte opcode, byte[] filter) {
        return new Sweep.Asked(opcode, RequestFrame.SCAN_COUNT, filter, 0, PARALLEL);
    }

    /**
     * Begins one. When its future is cancelled nothing more is asked for.
     *
     * @param timeoutNanos how long to wait for room in the window
     * @param made the sweep that counts into a sink
     * @param result what the future ends with, of the sum
     */
    static <T> CompletableFuture<T> of(
            Shell shell, long timeoutNanos, Function<Sweep.Sink, Sweep> made, LongFunction<T> result) {
        Tally<T> tally = new Tally<>(made, result);
        tally.total.whenComplete((sum, failure) -> shell.executeIfOpen(tally.sweep::stop));
        try {
            shell.startSweep(tally.sweep, timeoutNanos);
        } catch (SddsException e) {
            tally.total.completeExceptionally(e);
        }
        return tally.total;
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
        total.completeExceptionally(IncompleteRangeException.of(failure, missing));
    }
}
