package io.sdds.client;

import io.sdds.client.routing.Failure;
import io.sdds.client.routing.Sweep;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.RequestFrame;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Sweeps that add up: how many records there are or match; also clearing, which adds up nothing. */
final class Tally implements Sweep.Sink {
    static final int PARALLEL = 8;
    static final Sweep.Asked SIZE = new Sweep.Asked(Opcode.SIZE, (byte) 0, new byte[0], 0, PARALLEL);
    static final Sweep.Asked CLEAR = new Sweep.Asked(Opcode.CLEAR, (byte) 0, new byte[0], 0, PARALLEL);

    private final CompletableFuture<Long> total = new CompletableFuture<>();
    private final Sweep sweep;
    private long sum;

    @SuppressWarnings("this-escape")
    private Tally(Function<Sweep.Sink, Sweep> made) {
        this.sweep = made.apply(this);
    }

    static final Sweep.Asked CLEAR_RANGE = new Sweep.Asked(Opcode.RANGE_CLEAR, (byte) 0, new byte[0], 0, PARALLEL);

    /** Counts the records that pass a filter. */
    static Sweep.Asked count(byte opcode, byte[] filter) {
        return new Sweep.Asked(opcode, RequestFrame.SCAN_COUNT, filter, 0, PARALLEL);
    }

    /** @param made the sweep that counts into a sink */
    static CompletableFuture<Long> of(Shell shell, Function<Sweep.Sink, Sweep> made) {
        Tally tally = new Tally(made);
        try {
            shell.startSweep(tally.sweep);
        } catch (SddsException e) {
            tally.total.completeExceptionally(e);
        }
        return tally.total;
    }

    @Override
    public void covered(Sweep.Part part, long count, byte[] records) {
        sum += count;
        sweep.resume(part);
    }

    @Override
    public void done() {
        total.complete(sum);
    }

    @Override
    public void failed(Failure failure, List<String> missing) {
        total.completeExceptionally(IncompleteRangeException.of(failure, missing));
    }
}
