package io.sdds.client.internal.routing;

import io.netty.buffer.ByteBuf;
import io.sdds.core.model.KeySpan;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A range query or count that goes to all bricks of the table at once. Each partition answers for its own keys (RP*,
 * section 2.1). The sweep ends with either termination of RP*.
 *
 * <p>Deterministic: every partition that has keys of the range answers, with its span. The sweep ends when the spans
 * cover the range. The sweep asks the bricks that the map names for the keys that no partition has answered for.
 * Probabilistic: only partitions that have records answer, and the sweep ends after a time.
 */
public final class ScatterSweep extends RangeSweep {
    /*
     * An answer makes its partition's keys a part. The part goes on as any part does, so that splits and merges
     * meanwhile add steps and no gaps. An answer counts only if no partition has answered for any of its keys, because
     * after a split both the old and the new partition may have answered.
     */

    private static final int DIALS_MAX = 20;
    private static final long DIAL_NANOS = 2_000_000;
    private static final int FIRST_BYTES_MIN = 1 << 10;

    /** Bytes of records in all first answers together. */
    private static final int FIRST_BYTES = 8 << 20;

    private final KeyBounds bounds;
    private final long timeoutNanos;
    private final long withinNanos;

    /** The keys that no partition has answered for, in the order of the walk. */
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

    /** A sweep with deterministic termination. */
    public static ScatterSweep deterministic(
            RoutedTable table, Asked asked, KeyBounds bounds, long recordsMax, long timeoutNanos, Sink sink) {
        return new ScatterSweep(table, asked, bounds, recordsMax, timeoutNanos, 0, sink);
    }

    /**
     * A sweep with probabilistic termination. It never fails.
     *
     * @param withinNanos time after which the sweep ends
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

    /** Sends the query once all bricks are connected or the dials have had enough time. */
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

    /** Whether the answers cover every key of the range, so that all records have come. */
    public boolean isComplete() {
        return gaps.isEmpty() && unfinished().isEmpty();
    }

    /** The ranges of keys of which some records came, and not all. */
    public List<String> left() {
        return unfinished();
    }

    @Override
    boolean isWaiting() {
        return !gaps.isEmpty() && (waiting || isProbabilistic());
    }

    /** Makes the next gap a part, after all partitions had time to answer. */
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

    /** No partition has answered for a while. */
    void onSilence() {
        waiting = false;
        if (!isStopped()) {
            begin();
            endIfDone();
        }
    }

    /** Ignores failures of a sweep that ends after a time. */
    @Override
    void onFailure(Failure failure) {
        if (!isProbabilistic()) {
            super.onFailure(failure);
        }
    }
}
