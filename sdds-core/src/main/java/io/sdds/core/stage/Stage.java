package io.sdds.core.stage;

import io.netty.buffer.ByteBuf;
import io.sdds.core.node.Env;
import io.sdds.core.node.Link;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.ProtocolViolation;
import io.sdds.core.protocol.ReplyFrame;
import io.sdds.core.protocol.RequestFrame;
import io.sdds.core.protocol.Status;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * A stage: three bounded first-in-first-out event queues and the one thread that drains them, with admission control at the door (Gribble et
 * al. 2000; Welsh's SEDA; protocols.md in the design, rules 21 to 24).
 *
 * <p>The protocol queue is drained first and never refused: it is bounded by the credit of those who send. The request queue takes runs of
 * frames as they were received, without a copy; beyond its bounds requests are answered {@code BUSY}. One background slice runs a drain. At its end each link that
 * was written to is flushed once.
 */
public final class Stage {
    private final Env env;
    private final StageLimits limits;
    private final Handler handler;
    private final RunQueue protocol = new RunQueue();
    private final RunQueue requests = new RunQueue();
    private final ArrayDeque<Background> background = new ArrayDeque<>();
    private final List<Link> dirty = new ArrayList<>();
    private final Runnable drain = this::drain;
    private boolean drainScheduled;
    private long accepted;
    private long refused;

    /** What a stage's events mean. */
    public interface Handler {
        /** Runs requests: whole frames in {@code [from, to)}. */
        void onRequests(Link link, ByteBuf frames, int from, int to);

        /** Takes one frame that is no request. */
        void onProtocol(Link link, ByteBuf frames, int index, int length);

        /** After the events of a drain, before links are flushed. */
        default void onDrained() {}
    }

    /** Long work in short slices of at most about 200 µs, bounded by work units and not by the clock. */
    public interface Background {
        /** Does one slice; false when all is done. */
        boolean slice();
    }

    public Stage(Env env, StageLimits limits, Handler handler) {
        this.env = env;
        this.limits = limits;
        this.handler = handler;
    }

    /** Takes received frames, cut into runs of one kind; refuses what is beyond the bounds. */
    public void offer(Link link, ByteBuf frames) {
        int end = frames.writerIndex();
        int run = frames.readerIndex();
        boolean runIsRequests = isRequest(frames, run);
        int events = 0;
        int at = run;
        while (at < end) {
            boolean request = isRequest(frames, at);
            if (request != runIsRequests) {
                offerRun(link, frames, run, at, events, runIsRequests);
                run = at;
                events = 0;
                runIsRequests = request;
            }
            events++;
            at += frames.getIntLE(at);
        }
        offerRun(link, frames, run, end, events, runIsRequests);
        scheduleDrain();
    }

    /** Queues long work, one slice of which runs a drain. */
    public void background(Background work) {
        background.add(work);
        scheduleDrain();
    }

    /** A link was written to: it is flushed at the end of this drain. */
    public void touched(Link link) {
        if (dirty.isEmpty() || dirty.get(dirty.size() - 1) != link) {
            dirty.add(link);
            scheduleDrain();
        }
    }

    /** Requests admitted so far. */
    public long accepted() {
        return accepted;
    }

    /** Requests refused so far. */
    public long refused() {
        return refused;
    }

    /** Requests waiting. */
    public int waitingEvents() {
        return requests.events();
    }

    /** Lets go of all that waits, when the node ends. */
    public void release() {
        protocol.clear();
        requests.clear();
        background.clear();
        dirty.clear();
    }

    private static boolean isRequest(ByteBuf frames, int index) {
        return Opcode.isRequest(frames.getByte(index + RequestFrame.OPCODE));
    }

    private void offerRun(Link link, ByteBuf frames, int from, int to, int events, boolean isRequests) {
        if (!isRequests) {
            protocol.add(link, frames, from, to, events, 0);
            return;
        }
        int admitted = from;
        int admittedEvents = 0;
        if (requests.events() + events <= limits.queueEventsMax()
                && requests.bytes() + to - from <= limits.queueBytesMax()
                && !tooOld()) {
            admitted = to;
            admittedEvents = events;
        } else {
            while (admitted < to && admits(admittedEvents, admitted - from, frames, admitted)) {
                admitted += frames.getIntLE(admitted);
                admittedEvents++;
            }
        }
        if (admittedEvents > 0) {
            accepted += admittedEvents;
            requests.add(link, frames, from, admitted, admittedEvents, env.nowNanos());
        }
        if (admitted < to) {
            refuse(link, frames, admitted, to, events - admittedEvents);
        }
    }

    /** A request that another brick forwarded was admitted there; it is not shed here while there is any room at all. */
    private boolean admits(int events, int bytes, ByteBuf frames, int index) {
        boolean forwarded = frames.getByte(index + RequestFrame.HOPS) != 0;
        int share = forwarded ? 2 : 1;
        return requests.events() + events < share * limits.queueEventsMax()
                && requests.bytes() + bytes < (long) share * limits.queueBytesMax()
                && (forwarded || !tooOld());
    }

    private boolean tooOld() {
        return !requests.isEmpty() && env.nowNanos() - requests.oldestNanos() > limits.sojournNanosMax();
    }

    private void refuse(Link link, ByteBuf frames, int from, int to, int events) {
        refused += events;
        for (int at = from; at < to; at += frames.getIntLE(at)) {
            ByteBuf out = link.claim(ReplyFrame.HEADER + Integer.BYTES);
            ReplyFrame.writeHeader(
                    out,
                    ReplyFrame.HEADER + Integer.BYTES,
                    0,
                    Status.BUSY,
                    0,
                    frames.getIntLE(at + RequestFrame.CORRELATION));
            out.writeIntLE(limits.busyHintMillis());
            link.commit();
        }
        touched(link);
        if (events >= limits.refusalsToPause() && frames.getByte(from + RequestFrame.HOPS) == 0) {
            link.pauseReading();
            env.schedule(limits.busyHintMillis() * 1_000_000L, link::resumeReading);
        }
    }

    private void scheduleDrain() {
        if (!drainScheduled) {
            drainScheduled = true;
            env.defer(drain);
        }
    }

    private void drain() {
        drainScheduled = false;
        while (!protocol.isEmpty()) {
            drainProtocol();
        }
        drainRequests();
        Background work = background.poll();
        if (work != null && work.slice()) {
            background.add(work);
        }
        handler.onDrained();
        for (int k = 0; k < dirty.size(); k++) {
            dirty.get(k).flush();
        }
        dirty.clear();
        if (!requests.isEmpty() || !protocol.isEmpty() || !background.isEmpty()) {
            scheduleDrain();
        }
    }

    private void drainProtocol() {
        Link link = protocol.link();
        ByteBuf frames = protocol.frames();
        int at = protocol.from();
        int to = protocol.to();
        protocol.take();
        while (at < to) {
            int length = frames.getIntLE(at);
            if (link.isUp()) {
                try {
                    handler.onProtocol(link, frames, at, length);
                } catch (ProtocolViolation e) {
                    link.violated(e);
                }
            }
            at += length;
        }
        frames.release();
    }

    private void drainRequests() {
        int budget = limits.drainEventsMax();
        while (budget > 0 && !requests.isEmpty()) {
            Link link = requests.link();
            ByteBuf frames = requests.frames();
            int from = requests.from();
            int events = requests.runEvents();
            int to = requests.to();
            if (events > budget) {
                to = skip(frames, from, budget);
                requests.advance(to, budget);
                frames.retain();
                events = budget;
            } else {
                requests.take();
            }
            budget -= events;
            if (link.isUp()) {
                try {
                    handler.onRequests(link, frames, from, to);
                    touched(link);
                } catch (ProtocolViolation e) {
                    link.violated(e);
                }
            }
            frames.release();
        }
    }

    private static int skip(ByteBuf frames, int from, int events) {
        int at = from;
        for (int k = 0; k < events; k++) {
            at += frames.getIntLE(at);
        }
        return at;
    }
}
