package io.sdds.client.routing;

import io.netty.buffer.ByteBuf;
import io.sdds.core.addressing.LinearHashing;
import io.sdds.core.addressing.ScanOrder;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.ProtocolViolation;
import io.sdds.core.protocol.RequestFrame;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A scan, count or clear of a whole hash table, in intervals of scan order (protocols.md in the design, rule 17).
 *
 * <p>Used on its node's thread.
 */
public final class Sweep {
    /* The space of points is cut where the image says that partitions end, and a few of the intervals are worked on at a time. Each step asks for an
     * interval from the point reached on, addressed by that point; the brick answers for as much of it as it owns and as fits a block, and says
     * how far that is. Steps of an interval follow each other, so what they cover never overlaps, and together they tile the interval whatever
     * splits meanwhile: a child's points are the upper half of its parent's, and are reached when the parent's answer ends before them. Bricks
     * remember nothing between steps.
     */

    private final RoutedTable table;
    private final Asked asked;
    private final long timeoutNanos;
    private final Sink sink;
    private final Set<Part> active = new LinkedHashSet<>();
    private long nextFrom;
    private boolean allBegun;
    private boolean stopped;

    /**
     * What is asked of each interval.
     *
     * @param opcode SCAN, SIZE or CLEAR
     * @param what of a SCAN: records, keys or a count
     * @param filter of a SCAN, encoded; empty: everything
     * @param blockBytes of a SCAN: most bytes of records to answer at a time
     * @param parallel intervals worked on at a time
     */
    public record Asked(byte opcode, byte what, byte[] filter, int blockBytes, int parallel) {}

    /** Where results go. */
    public interface Sink {
        /**
         * An interval was covered up to some point. Nothing more of it is asked for until {@link Sweep#resume} is called with the part.
         *
         * @param count records that matched, or that there are
         * @param records of a SCAN for records or keys, as a reply has them
         */
        void covered(Part part, long count, byte[] records);

        /** Everything was covered. */
        void done();

        /** Something could not be reached. */
        void failed(Failure failure, List<String> missing);
    }

    /** An interval being worked on: what is left of it. */
    public static final class Part {
        private long from;
        private final long end;
        private boolean covered;

        private Part(long from, long end) {
            this.from = from;
            this.end = end;
        }

        long from() {
            return from;
        }

        long end() {
            return end;
        }

        /** Takes note of the point reached, which must lie behind the last one and not behind the end. */
        private void reach(long point) {
            boolean isEnd = point == end;
            if (!isEnd && (point == 0 || !ScanOrder.before(point, end) || Long.compareUnsigned(point, from) <= 0)) {
                throw new ProtocolViolation("interval " + this + " was answered up to " + Long.toHexString(point));
            }
            from = point;
            covered = isEnd;
        }

        @Override
        public String toString() {
            return "%016x-%s".formatted(from, end == 0 ? "end" : "%016x".formatted(end));
        }
    }

    public Sweep(RoutedTable table, Asked asked, long timeoutNanos, Sink sink) {
        this(table, asked, timeoutNanos, sink, 0);
    }

    /** @param from the point to begin at; what lies before it is left out */
    public Sweep(RoutedTable table, Asked asked, long timeoutNanos, Sink sink, long from) {
        this.nextFrom = from;
        this.table = table;
        this.asked = asked;
        this.timeoutNanos = timeoutNanos;
        this.sink = sink;
    }

    RoutedTable table() {
        return table;
    }

    Asked asked() {
        return asked;
    }

    /** Begins with the first intervals. */
    public void start() {
        while (active.size() < asked.parallel() && !allBegun && !stopped) {
            Part part = nextPart();
            active.add(part);
            step(part);
        }
    }

    /** Goes on with a part whose last block has been taken. */
    public void resume(Part part) {
        if (stopped) {
            return;
        }
        if (!part.covered) {
            step(part);
            return;
        }
        active.remove(part);
        start();
        if (active.isEmpty() && !stopped) {
            stopped = true;
            sink.done();
        }
    }

    /** Asks for nothing more, not what was refused or lost either; the sink hears nothing more. */
    public void stop() {
        stopped = true;
    }

    boolean isStopped() {
        return stopped;
    }

    /** What is left of the partition, as the image has it, that owns the next point. */
    private Part nextPart() {
        int partitions = table.imagePartitions();
        int a = LinearHashing.address(ScanOrder.point(nextFrom), partitions);
        long end = ScanOrder.end(a, LinearHashing.levelOf(a, partitions));
        Part part = new Part(nextFrom, end);
        nextFrom = end;
        allBegun = end == 0;
        return part;
    }

    private void step(Part part) {
        ClientNode node = table.node();
        IntervalRequest request = new IntervalRequest(this, part, node.now() + timeoutNanos);
        node.window().enter(request.windowBytes());
        node.begin(request);
    }

    void onAnswer(Part part, ByteBuf frame, int body, int end) {
        if (stopped) {
            return;
        }
        boolean counts = asked.opcode() != Opcode.CLEAR;
        int records = body + (counts ? 2 * Long.BYTES : Long.BYTES);
        if (records > end) {
            throw new ProtocolViolation("answer about an interval without its end");
        }
        part.reach(frame.getLongLE(body));
        byte[] block =
                new byte[asked.opcode() == Opcode.SCAN && asked.what() != RequestFrame.SCAN_COUNT ? end - records : 0];
        frame.getBytes(records, block);
        sink.covered(part, counts ? frame.getLongLE(body + Long.BYTES) : 0, block);
    }

    void onFailure(Failure failure) {
        if (stopped) {
            return;
        }
        stopped = true;
        List<String> missing = new ArrayList<>();
        for (Part part : active) {
            if (!part.covered) {
                missing.add(part.toString());
            }
        }
        if (!allBegun) {
            missing.add(new Part(nextFrom, 0).toString());
        }
        sink.failed(failure, missing);
    }
}
