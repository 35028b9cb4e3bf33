package io.sdds.core.stage;

import io.netty.buffer.ByteBuf;
import io.sdds.core.control.ControlFrame;
import io.sdds.core.node.Env;
import io.sdds.core.node.Link;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.ProtocolViolation;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The control requests of clients that wait at a node, and the rule by which they run. Requests beyond the bounds are
 * answered {@link io.sdds.core.control.ControlMessage.Refusal#BUSY} with the time after which the client may try again.
 * Used by its node's thread alone.
 */
public final class ControlQueue {
    /*
     * Room. A link may have an eighth of the events and bytes that are left waiting (Choudhury and Hahne's dynamic
     * thresholds, 1998), and one request in any case while the bytes suffice. Frames are copied, because a waiting
     * request must not keep the buffer of a whole read.
     *
     * Order. Links take turns, a request each, so that a client that sends many requests delays only its own.
     *
     * Time. A control request costs as much as hundreds of reads. So control requests have a credit of time. The credit
     * grows by a share of the passing time, and pays for each request: its processor time, and an estimate of the
     * network's time for its answer. By the clock a request takes many times as long on a busy machine, and would pay
     * for what other processes did. Without credit no request runs. The debt is bounded, because pauses count where the
     * processor time is not known. A turn runs few requests in any case.
     *
     * Price of refusals. Each refusal takes REFUSAL_NANOS of a clock that all links share. While that clock is ahead by
     * more than OWED_NANOS_MAX, a link that was refused is not read, so that TCP holds the flood back.
     */
    private static final int SHARES = 8;
    private static final int BUFFER_BYTES = 512;
    private static final long EVENT_NANOS = 2_000;
    private static final long REFUSAL_NANOS = 20_000;
    private static final long OWED_NANOS_MAX = 2_000_000;
    private static final long PAUSE_NANOS_MAX = 1_000_000_000L;
    private static final long DEBT_NANOS_MAX = 20_000_000;
    private static final int PERCENT = 100;
    private static final int SMOOTHING = 8;

    private final Env env;
    private final ControlLimits limits;
    private final Runnable wake;
    private final ControlRefusal refusal = new ControlRefusal();
    private final Map<Link, Waiting> waiting = new LinkedHashMap<>();
    private final ArrayDeque<Waiting> turns = new ArrayDeque<>();
    private int events;
    private long bytes;
    private int mostEvents;
    private long mostBytes;
    private long refused;
    private long creditNanos;
    private long creditedNanos;
    private double meanNanos = EVENT_NANOS;
    private long paidNanos;
    private boolean wakes;

    /** Runs requests. */
    public interface Handler {
        /**
         * Runs the control request at {@code index} of {@code frames}, which are valid during the call.
         *
         * @return bytes of its answer, as far as it was given
         */
        int onControl(Link link, ByteBuf frames, int index, int length);

        /** Whether a link's requests may run now. Otherwise they wait until {@link #goOn}. */
        default boolean takes(Link link) {
            return !link.isFull();
        }
    }

    /** The requests of one link. */
    private static final class Waiting {
        private final Link link;
        private final ByteBuf frames;
        private int events;

        /** Whether its link takes no turns, because it does not read its answers, say. */
        private boolean parked;

        Waiting(Link link, ByteBuf frames) {
            this.link = link;
            this.frames = frames;
        }
    }

    /** @param wake has {@link #run} called soon: requests may run that had to wait */
    public ControlQueue(Env env, ControlLimits limits, Runnable wake) {
        this.env = env;
        this.limits = limits;
        this.wake = wake;
        creditNanos = limits.burstNanos();
        creditedNanos = env.nowNanos();
        paidNanos = creditedNanos;
        env.cpuNanos(); // The first call loads classes. Later it would hold up the node's thread.
    }

    /**
     * Takes the control requests of a client in {@code [from, to)}. Requests beyond the bounds are refused.
     *
     * @return number of refused requests; the caller flushes the link
     * @throws ProtocolViolation when the bytes contain another frame
     */
    public int offer(Link link, ByteBuf frames, int from, int to) {
        int refusedHere = 0;
        int length;
        for (int at = from; at < to; at += length) {
            length = frames.getIntLE(at);
            check(frames, at, length);
            if (!add(link, frames, at, length)) {
                refuse(link, frames, at);
                refusedHere++;
            }
        }
        if (refusedHere > 0) {
            chargeRefusals(link, refusedHere);
        }
        return refusedHere;
    }

    private void check(ByteBuf frames, int at, int length) {
        byte opcode = frames.getByte(at + Integer.BYTES);
        if (opcode != Opcode.CONTROL) {
            throw new ProtocolViolation("a client sends no frames of opcode " + opcode);
        }
        if (length < ControlFrame.BODY || frames.getByte(at + ControlFrame.KIND) != ControlFrame.REQUEST) {
            throw new ProtocolViolation("of control messages a client sends requests alone");
        }
        if (length > limits.requestBytesMax()) {
            throw new ProtocolViolation("control request of " + length + " bytes; at most " + limits.requestBytesMax());
        }
    }

    private boolean add(Link link, ByteBuf frames, int at, int length) {
        Waiting mine = waiting.get(link);
        if (!hasRoom(mine, length)) {
            return false;
        }
        if (mine == null) {
            mine = new Waiting(link, env.allocate(BUFFER_BYTES));
            waiting.put(link, mine);
            turns.add(mine);
        }
        mine.frames.discardSomeReadBytes();
        mine.frames.writeBytes(frames, at, length);
        mine.events++;
        events++;
        bytes += length;
        mostEvents = Math.max(mostEvents, events);
        mostBytes = Math.max(mostBytes, bytes);
        return true;
    }

    private boolean hasRoom(@Nullable Waiting mine, int length) {
        if (mine == null) {
            return bytes + length <= limits.bytesMax();
        }
        return mine.events < (limits.eventsMax() - events) / SHARES
                && mine.frames.readableBytes() + length <= (limits.bytesMax() - bytes) / SHARES;
    }

    private void refuse(Link link, ByteBuf frames, int at) {
        refused++;
        refusal.write(link, frames.getIntLE(at + ControlFrame.CORRELATION), hintNanos());
    }

    /** Time until all waiting requests have run. */
    private long hintNanos() {
        return (long) (events * meanNanos - creditNanos) * PERCENT / limits.sharePercent();
    }

    private void chargeRefusals(Link link, int count) {
        long now = env.nowNanos();
        paidNanos = Math.max(paidNanos, now) + count * REFUSAL_NANOS;
        long owed = Math.min(paidNanos - now, PAUSE_NANOS_MAX);
        if (owed > OWED_NANOS_MAX || link.isFull()) {
            link.pauseReading();
            env.schedule(Math.max(owed, OWED_NANOS_MAX), link::resumeReading);
        }
    }

    /**
     * Runs requests as far as one turn may. The caller flushes the links; afterwards {@link #isReady} tells whether the
     * next turn has any.
     */
    public void run(Handler handler) {
        earnCredit();
        int ran = 0;
        int answered = 0;
        while (ran < limits.turnEventsMax() && answered < limits.turnBytesMax() && isReady()) {
            Waiting next = turns.remove();
            if (!next.link.isUp()) {
                linkDown(next.link);
            } else if (!handler.takes(next.link)) {
                next.parked = true;
            } else {
                answered += runFirst(next, handler);
                ran++;
            }
        }
        wakeWithCredit();
    }

    /** Runs a link's first request; returns the bytes of the answer. */
    private int runFirst(Waiting of, Handler handler) {
        ByteBuf frames = of.frames.retain();
        int index = frames.readerIndex();
        int length = frames.getIntLE(index);
        long start = env.cpuNanos();
        int answered = 0;
        removeFirst(of, length);
        try {
            if (of.link.admits(Link.PENDING_BYTES_FULL)) {
                answered = handler.onControl(of.link, frames, index, length);
            } else {
                refuse(of.link, frames, index);
            }
        } catch (ProtocolViolation e) {
            of.link.violated(e);
        } finally {
            frames.release();
        }
        pay(env.cpuNanos() - start + EVENT_NANOS + answered);
        return answered;
    }

    /**
     * The link's first request does not wait any more. The next one takes its turn after the requests of the other
     * links.
     */
    private void removeFirst(Waiting of, int length) {
        events--;
        bytes -= length;
        if (--of.events > 0) {
            of.frames.skipBytes(length);
            turns.add(of);
        } else {
            waiting.remove(of.link);
            of.frames.release();
        }
    }

    /** Requests took processor time, and had so many bytes of answers, after {@link Handler#onControl} had returned. */
    public void took(long nanos, long answeredBytes) {
        charge(nanos + answeredBytes);
        meanNanos += (double) (nanos + answeredBytes) / SMOOTHING;
    }

    private void pay(long nanos) {
        charge(nanos);
        meanNanos += (nanos - meanNanos) / SMOOTHING;
    }

    private void charge(long nanos) {
        creditNanos = Math.max(-Math.min(limits.burstNanos(), DEBT_NANOS_MAX), creditNanos - nanos);
    }

    private void earnCredit() {
        long now = env.nowNanos();
        long earned = (now - creditedNanos) * limits.sharePercent() / PERCENT;
        creditNanos = Math.min(limits.burstNanos(), creditNanos + earned);
        creditedNanos = now;
    }

    private void wakeWithCredit() {
        if (creditNanos <= 0 && !turns.isEmpty() && !wakes) {
            wakes = true;
            // Rounded up: an instant too early there would be no credit, and the next wait would begin anew.
            env.schedule((1 - creditNanos) * PERCENT / limits.sharePercent() + 1, () -> {
                wakes = false;
                wake.run();
            });
        }
    }

    /** Whether a request may run in the next turn. */
    public boolean isReady() {
        return creditNanos > 0 && !turns.isEmpty();
    }

    /** Whether no request waits. */
    public boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** The reason that kept a link's requests waiting may be over: the link takes turns again. */
    public void goOn(Link link) {
        Waiting mine = waiting.get(link);
        if (mine != null && mine.parked) {
            mine.parked = false;
            turns.add(mine);
            wake.run();
        }
    }

    /** A link is down: its requests are dropped. */
    public void linkDown(Link link) {
        Waiting gone = waiting.remove(link);
        if (gone != null) {
            turns.remove(gone);
            events -= gone.events;
            bytes -= gone.frames.readableBytes();
            gone.frames.release();
        }
    }

    /** Drops all requests, when the node ends. */
    public void release() {
        waiting.values().forEach(of -> of.frames.release());
        waiting.clear();
        turns.clear();
        events = 0;
        bytes = 0;
    }

    /** Number of requests refused so far. */
    public long refused() {
        return refused;
    }

    /** Number of requests that wait. */
    public int waitingEvents() {
        return events;
    }

    /** Most requests that have waited at a time. */
    public int mostWaitingEvents() {
        return mostEvents;
    }

    /** Most bytes of requests that have waited at a time. */
    public long mostWaitingBytes() {
        return mostBytes;
    }
}
