package io.sdds.brick.partition;

import io.netty.buffer.ByteBuf;
import io.sdds.core.node.Env;
import io.sdds.core.node.Link;
import io.sdds.core.protocol.RequestFrame;
import java.util.ArrayDeque;

/** Waiting requests, copied out of their receive buffers. Their number and bytes are bounded. */
public final class Parked {
    /** Most requests that may wait for a switch. */
    public static final int SWITCH_EVENTS_MAX = 8192;

    private static final int BYTES_MAX = 16 << 20;

    private final Env env;
    private final int eventsMax;
    private final ArrayDeque<Entry> entries = new ArrayDeque<>();
    private long bytes;

    private record Entry(Link link, ByteBuf frame, long deadlineNanos) {}

    /** Runs a parked frame as if it had just come. */
    public interface Rerun {
        void run(Link link, ByteBuf frame);
    }

    public Parked(Env env, int eventsMax) {
        this.env = env;
        this.eventsMax = eventsMax;
    }

    /** Keeps a copy of a request; false if the limit is reached. */
    public boolean add(Request request) {
        if (entries.size() >= eventsMax || bytes + request.length > BYTES_MAX) {
            return false;
        }
        ByteBuf copy = env.allocate(request.length);
        copy.writeBytes(request.buffer, request.at, request.length);
        entries.add(new Entry(request.link, copy, env.nowNanos() + request.deadlineMillis * 1_000_000L));
        bytes += request.length;
        return true;
    }

    /**
     * Passes on the requests whose deadline has passed, in the order in which they came, and forgets them. Their
     * clients expect an answer.
     */
    public void expire(Rerun overdue) {
        long now = env.nowNanos();
        for (int k = entries.size(); k > 0; k--) {
            Entry entry = entries.remove();
            if (now - entry.deadlineNanos() <= 0) {
                entries.add(entry);
            } else {
                deliver(entry, overdue);
            }
        }
    }

    /** Shortens the time of a request to a millisecond, because nobody waits for its answer any more. */
    public void hurry(Link link, int correlation) {
        for (Entry entry : entries) {
            ByteBuf frame = entry.frame();
            if (entry.link() == link && frame.getIntLE(frame.readerIndex() + RequestFrame.CORRELATION) == correlation) {
                frame.setIntLE(frame.readerIndex() + RequestFrame.DEADLINE_MILLIS, 1);
            }
        }
    }

    public boolean isEmpty() {
        return entries.isEmpty();
    }

    /** Runs all requests in the order in which they came, and forgets them. */
    public void rerun(Rerun rerun) {
        for (int k = entries.size(); k > 0; k--) {
            rerunOne(rerun);
        }
    }

    /** Runs the request that came first, and forgets it. */
    public void rerunOne(Rerun rerun) {
        Entry entry = entries.poll();
        if (entry != null) {
            deliver(entry, rerun);
        }
    }

    private void deliver(Entry entry, Rerun rerun) {
        bytes -= entry.frame().readableBytes();
        if (entry.link().isUp()) {
            rerun.run(entry.link(), entry.frame());
        }
        entry.frame().release();
    }

    public void release() {
        entries.forEach(entry -> entry.frame().release());
        entries.clear();
    }
}
