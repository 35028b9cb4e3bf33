package io.sdds.client.internal.routing;

import io.netty.buffer.ByteBuf;
import io.sdds.core.model.KeySpan;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A range query or count that goes to all bricks of the table at once, whose partitions answer each for its own keys
 * (RP*, section 2.1), with either termination of RP*.
 *
 * <p>Deterministic: every partition that has keys of the range answers, with its span; the end comes when the spans
 * cover the range. What nobody has answered for is asked again of whom the map names. Probabilistic: only partitions
 * that have records answer, and the end comes with a time, whatever has come by then.
 */
public final class ScatterSweep extends RangeSweep {
    /* An answer makes its partition's keys a part, which goes on from there as any part does, so that splits and merges
     * meanwhile add steps and no gaps. An answer counts only if nobody has answered for any of its keys: after a split
     * both the old and the new partition may have answered. */

    private static final int DIALS_MAX = 20;
    private static final long DIAL_NANOS = 2_000_000;
    private static final int FIRST_BYTES_MIN = 1 << 10;

    /** Of the first answers, all together. */
    private static final int FIRST_BYTES = 8 << 20;

    private final KeyBounds bounds;
    private final long timeoutNanos;
    private final long withinNanos;

    /** What nobody has answered for, in the order of the walk. */
    private final List<KeyBounds> gaps = new ArrayList<>();

    private boolean waiting = true;

    private ScatterSweep(
            RoutedTable table,
            Asked asked,
            KeyBounds bounds,
            long recordsMax,
            long timeoutNanos,
            long withinNanos,
            Sink sink) {
        super(table, asked, bounds, recordsMax, timeoutNanos, sink);
        this.bounds = bounds;
        this.timeoutNanos = timeoutNanos;
        this.withinNanos = withinNanos;
        gaps.add(bounds);
    }

    /** One with deterministic termination. */
    public static ScatterSweep deterministic(
            RoutedTable table, Asked asked, KeyBounds bounds, long recordsMax, long timeoutNanos, Sink sink) {
        return new ScatterSweep(table, asked, bounds, recordsMax, timeoutNanos, 0, sink);
    }

    /**
     * One with probabilistic termination: never fails.
     *
     * @param withinNanos after which it ends
     */
    public static ScatterSweep probabilistic(
            RoutedTable table, Asked asked, KeyBounds bounds, long recordsMax, long withinNanos, Sink sink) {
        return new ScatterSweep(table, asked, bounds, recordsMax, withinNanos, withinNanos, sink);
    }

    @Override
    public void start() {
        ClientNode node = table().node();
        if (isProbabilistic()) {
            node.env().schedule(withinNanos, () -> {
                if (!isStopped()) {
                    end();
                }
            });
        }
        scatter(DIALS_MAX);
    }

    /** Sends it, once all bricks are connected or enough time was theirs. */
    private void scatter(int dialsLeft) {
        ClientNode node = table().node();
        if (isStopped()) {
            return;
        }
        if (dialsLeft > 0 && !node.router().connects(table())) {
            node.env().schedule(DIAL_NANOS, () -> scatter(dialsLeft - 1));
            return;
        }
        Request<?> all = new ScatterRequest(this, bounds, node.now() + timeoutNanos);
        node.window().enter(all.windowBytes());
        node.begin(all);
    }

    boolean isProbabilistic() {
        return withinNanos > 0;
    }

    /** Most bytes of records in the first answer of a partition. */
    int firstBytes() {
        return Math.max(FIRST_BYTES_MIN, Math.min(asked().blockBytes(), FIRST_BYTES / table().partitions()));
    }

    /** Whether every key of the range is accounted for: what came is all there is. */
    public boolean isComplete() {
        return gaps.isEmpty() && unfinished().isEmpty();
    }

    /** Of what has begun to come: what has not. */
    public List<String> left() {
        return unfinished();
    }

    @Override
    boolean isWaiting() {
        return !gaps.isEmpty() && (waiting || isProbabilistic());
    }

    /** What nobody has answered for becomes a part when everybody could have. */
    @Override
    @Nullable
    Part nextPart() {
        return waiting || isProbabilistic() || gaps.isEmpty() ? null : new Range(gaps.remove(0));
    }

    @Override
    @Nullable
    String rest() {
        return gaps.isEmpty()
                ? null
                : String.join(", ", gaps.stream().map(KeyBounds::toString).toList());
    }

    /** A partition has answered for its part of the range. */
    void onAnswer(KeySpan span, ByteBuf frame, int body, int end) {
        KeyBounds answered = bounds.within(span);
        for (int k = 0; k < gaps.size() && !isStopped(); k++) {
            if (gaps.get(k).within(span).equals(answered) && !answered.isEmpty()) {
                cut(k, answered);
                Range part = new Range(answered);
                begun(part);
                onAnswer(part, frame, body, end);
                return;
            }
        }
    }

    private void cut(int index, KeyBounds answered) {
        KeyBounds gap = gaps.remove(index);
        KeyBounds behind = gap.behind(answered);
        if (behind != null) {
            gaps.add(index, behind);
        }
        KeyBounds before = gap.before(answered);
        if (before != null) {
            gaps.add(index, before);
        }
    }

    /** Nobody answers any more. */
    void onSilence() {
        waiting = false;
        if (!isStopped()) {
            begin();
            endIfDone();
        }
    }

    /** One that ends with a time has what it has. */
    @Override
    void onFailure(Failure failure) {
        if (!isProbabilistic()) {
            super.onFailure(failure);
        }
    }
}
