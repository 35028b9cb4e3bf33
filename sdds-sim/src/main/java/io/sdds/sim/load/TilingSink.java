package io.sdds.sim.load;

import io.sdds.client.internal.routing.Failure;
import io.sdds.client.internal.routing.HashSweep.Interval;
import io.sdds.client.internal.routing.KeyBounds;
import io.sdds.client.internal.routing.RangeSweep.Range;
import io.sdds.client.internal.routing.Sweep;
import io.sdds.sim.check.TilingChecker;
import io.sdds.sim.check.TilingChecker.Stretch;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Forwards the results of a sweep, and checks at its end that its steps tile the requested space. */
final class TilingSink implements Sweep.Sink {
    private final Sweep.Sink sink;
    private final Stretch whole;
    private final BooleanSupplier complete;
    private final Consumer<String> complaints;
    private final List<Stretch> covered = new ArrayList<>();

    /** @param complete whether the finished sweep has covered the whole space */
    TilingSink(Sweep.Sink sink, Stretch whole, BooleanSupplier complete, Consumer<String> complaints) {
        this.sink = sink;
        this.whole = whole;
        this.complete = complete;
        this.complaints = complaints;
    }

    @Override
    public void covered(Sweep.Part part, long count, byte[] records) {
        if (part instanceof Interval interval) {
            covered.add(Stretch.ofPoints(interval.stepFrom(), interval.from()));
        } else if (part instanceof Range range) {
            KeyBounds step = range.step();
            if (step != null) {
                covered.add(Stretch.ofKeys(step));
            }
        }
        sink.covered(part, count, records);
    }

    @Override
    public void done() {
        check(complete.getAsBoolean());
        sink.done();
    }

    @Override
    public void failed(Failure failure, List<String> missing) {
        check(false);
        sink.failed(failure, missing);
    }

    private void check(boolean isComplete) {
        TilingChecker.check(whole, covered, isComplete).forEach(line -> complaints.accept("a scan's steps: " + line));
    }
}
