package io.sdds.client.internal.routing;

import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A scan, count or clear of a table or a range of it, in parts that are worked on a few at a time
 * (docs/design/scans.md, rule 17).
 *
 * <p>Used on its node's thread.
 */
public abstract class Sweep {
    /* The whole is cut where the image says that partitions end. Each step asks for a part from where it stands on,
     * addressed by that point; the brick answers for as much of it as it owns and as fits a block, and says how far
     * that is. Steps of a part follow each other, so what they cover never overlaps, and together they tile the part
     * whatever splits or merges meanwhile. Bricks remember nothing between steps.
     */

    private final RoutedTable table;
    private final Asked asked;
    private final long timeoutNanos;
    private final Sink sink;
    private final Set<Part> active = new LinkedHashSet<>();
    private boolean stopped;

    /**
     * What is asked of each part.
     *
     * @param opcode SCAN, SIZE or CLEAR of a hash table, RANGE or RANGE_CLEAR of a range table
     * @param what of a SCAN or RANGE: records, keys or a count
     * @param filter of a SCAN or RANGE, encoded; empty: everything
     * @param blockBytes of a SCAN or RANGE: most bytes of records to answer at a time
     * @param parallel parts worked on at a time
     */
    public record Asked(byte opcode, byte what, byte[] filter, int blockBytes, int parallel) {}

    /** Where results go. */
    public interface Sink {
        /**
         * A part was covered up to some point. Nothing more of it is asked for until {@link Sweep#resume} is called
         * with the part.
         *
         * @param count records that matched, or that there are
         * @param records of a SCAN or RANGE for records or keys, as a reply has them
         */
        void covered(Part part, long count, byte[] records);

        /** Everything was covered. */
        void done();

        /** Something could not be reached. */
        void failed(Failure failure, List<String> missing);
    }

    /** A part being worked on: what is left of it. */
    public abstract static class Part {
        private boolean covered;

        /** Nothing is left of it. */
        final void cover() {
            covered = true;
        }

        /** Whether nothing is left of it. */
        public final boolean isCovered() {
            return covered;
        }
    }

    Sweep(RoutedTable table, Asked asked, long timeoutNanos, Sink sink) {
        this.table = table;
        this.asked = asked;
        this.timeoutNanos = timeoutNanos;
        this.sink = sink;
    }

    /** Cuts off the next part; null when there is none. */
    abstract @Nullable Part nextPart();

    /** The request for the next step of a part. */
    abstract Request<?> request(Part part, long deadlineNanos);

    /** The part that was not begun, in words; null when there is none. */
    abstract @Nullable String rest();

    final RoutedTable table() {
        return table;
    }

    final Asked asked() {
        return asked;
    }

    /** Whether parts may come of something that is under way. */
    boolean isWaiting() {
        return false;
    }

    /** Begins with the first parts. */
    public void start() {
        begin();
    }

    /** Begins with the next parts, as many as may be worked on at a time. */
    final void begin() {
        while (active.size() < asked.parallel() && !stopped) {
            Part part = nextPart();
            if (part == null) {
                return;
            }
            active.add(part);
            step(part);
        }
    }

    /** A part that has begun without a request of its own. */
    final void begun(Part part) {
        active.add(part);
    }

    /** Goes on with a part whose last block has been taken. */
    public final void resume(Part part) {
        if (stopped) {
            return;
        }
        if (!part.covered) {
            step(part);
            return;
        }
        active.remove(part);
        begin();
        endIfDone();
    }

    final void endIfDone() {
        if (active.isEmpty() && !stopped && !isWaiting()) {
            end();
        }
    }

    final void end() {
        stopped = true;
        sink.done();
    }

    /** Asks for nothing more, not what was refused or lost either; the sink hears nothing more. */
    public final void stop() {
        stopped = true;
    }

    final boolean isStopped() {
        return stopped;
    }

    final void step(Part part) {
        ClientNode node = table.node();
        Request<?> request = request(part, node.now() + timeoutNanos);
        node.window().enter(request.windowBytes());
        node.begin(request);
    }

    final void covered(Part part, long count, byte[] records) {
        sink.covered(part, count, records);
    }

    static byte[] bytes(ByteBuf frame, int from, int end) {
        byte[] bytes = new byte[end - from];
        frame.getBytes(from, bytes);
        return bytes;
    }

    void onFailure(Failure failure) {
        if (stopped) {
            return;
        }
        stopped = true;
        List<String> missing = unfinished();
        String rest = rest();
        if (rest != null) {
            missing.add(rest);
        }
        sink.failed(failure, missing);
    }

    /** What has begun and is not covered. */
    final List<String> unfinished() {
        List<String> unfinished = new ArrayList<>();
        for (Part part : active) {
            if (!part.covered) {
                unfinished.add(part.toString());
            }
        }
        return unfinished;
    }
}
