package io.sdds.core.stage;

import io.netty.buffer.ByteBuf;
import io.sdds.core.node.Link;
import java.util.ArrayDeque;

/**
 * A first-in-first-out queue of runs: frames of one link that lie one after the other in a received buffer, which it
 * retains.
 */
final class RunQueue {
    private static final int SPARES_MAX = 256;

    private final ArrayDeque<Run> runs = new ArrayDeque<>();
    private final ArrayDeque<Run> spares = new ArrayDeque<>();
    private int events;
    private long bytes;

    private static final class Run {
        @SuppressWarnings("NullAway.Init") // null only while the run is a spare
        Link link;

        @SuppressWarnings("NullAway.Init")
        ByteBuf frames;

        int from;
        int to;
        int events;
        long arrivedNanos;

        @SuppressWarnings("NullAway") // as above
        void forget() {
            link = null;
            frames = null;
        }
    }

    void add(Link link, ByteBuf frames, int from, int to, int runEvents, long arrivedNanos) {
        Run run = spares.isEmpty() ? new Run() : spares.poll();
        run.link = link;
        run.frames = frames.retain();
        run.from = from;
        run.to = to;
        run.events = runEvents;
        run.arrivedNanos = arrivedNanos;
        runs.add(run);
        events += runEvents;
        bytes += to - from;
    }

    boolean isEmpty() {
        return runs.isEmpty();
    }

    int events() {
        return events;
    }

    long bytes() {
        return bytes;
    }

    long oldestNanos() {
        return runs.getFirst().arrivedNanos;
    }

    Link link() {
        return runs.getFirst().link;
    }

    ByteBuf frames() {
        return runs.getFirst().frames;
    }

    int from() {
        return runs.getFirst().from;
    }

    int to() {
        return runs.getFirst().to;
    }

    int runEvents() {
        return runs.getFirst().events;
    }

    /** Moves the first run to the end of another queue. */
    void moveFirst(RunQueue to) {
        Run run = runs.removeFirst();
        events -= run.events;
        bytes -= run.to - run.from;
        to.runs.add(run);
        to.events += run.events;
        to.bytes += run.to - run.from;
    }

    @SuppressWarnings("ReferenceEquality") // a link is what it is
    boolean has(Link link) {
        for (Run run : runs) {
            if (run.link == link) {
                return true;
            }
        }
        return false;
    }

    /** Moves all runs of a link to the end of another queue, where they count as arrived now. */
    @SuppressWarnings("ReferenceEquality") // a link is what it is
    void move(Link link, RunQueue to, long nowNanos) {
        for (int k = runs.size(); k > 0; k--) {
            if (link() == link) {
                runs.getFirst().arrivedNanos = nowNanos;
                moveFirst(to);
            } else {
                moveFirst(this);
            }
        }
    }

    /** Removes the first events of the first run, which have run. */
    void advance(int from, int doneEvents) {
        Run run = runs.getFirst();
        events -= doneEvents;
        bytes -= from - run.from;
        run.events -= doneEvents;
        run.from = from;
    }

    /** Removes the first run. Its reference to the buffer passes to the caller. */
    void take() {
        Run run = runs.removeFirst();
        events -= run.events;
        bytes -= run.to - run.from;
        run.forget();
        if (spares.size() < SPARES_MAX) {
            spares.add(run);
        }
    }

    void clear() {
        while (!runs.isEmpty()) {
            ByteBuf frames = frames();
            take();
            frames.release();
        }
    }
}
