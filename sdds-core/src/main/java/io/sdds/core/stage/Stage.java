package io.sdds.core.stage;

import io.netty.buffer.ByteBuf;
import io.sdds.core.node.Env;
import io.sdds.core.node.Link;
import io.sdds.core.protocol.Hello;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.ProtocolViolation;
import io.sdds.core.protocol.ReplyFrame;
import io.sdds.core.protocol.RequestFrame;
import io.sdds.core.protocol.Status;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * A stage: bounded event queues and the one thread that drains them, with admission control at the door (Gribble et al.
 * 2000; Welsh's SEDA; docs/design/overload.md, rules 21, 23 and 24).
 *
 * <p>The protocol queue is drained first, and its frames are never refused: only bricks and coordinators fill it, and
 * their credit bounds it. Control requests of clients have a queue of their own ({@link ControlQueue}), and each drain
 * runs a few of them. The request queue takes runs of frames as they were received, without a copy. Requests beyond its
 * bounds are answered {@code BUSY}. Answers leave in batches during a drain. When all its answers have left, a drain
 * runs one background slice, but while requests wait only after as many requests as a drain may have.
 */
public final class Stage {
    /** Most requests of a link that run in one turn. */
    private static final int TURN_EVENTS = 128;

    /** A write costs about as much as so many reads. */
    private static final int WRITE_WORK = 4;

    private final Env env;
    private final StageLimits limits;
    private final Handler handler;
    private final RunQueue protocol = new RunQueue();
    private final RequestQueue requests = new RequestQueue();
    private final RequestQueue parked = new RequestQueue();
    private final Admission admission;
    private final ControlQueue control;
    private final PausedLinks paused;
    private final ArrayDeque<Background> background = new ArrayDeque<>();
    private final List<Link> dirty = new ArrayList<>();
    private final Runnable drain = this::drain;
    private boolean drainScheduled;
    private boolean draining;
    private int workLeft;
    private int ranSinceSlice;
    private long accepted;
    private long refused;
    private int mostEvents;
    private long mostBytes;
    private int mostEventsOfClients;
    private long mostBytesOfClients;

    /** Runs the events of a stage. */
    public interface Handler extends ControlQueue.Handler {
        /**
         * Runs requests: whole frames in {@code [from, to)}. May stop early when the link {@link Link#isFull}.
         *
         * @return where it stopped: the index of the first frame that did not run, or {@code to}
         */
        int onRequests(Link link, ByteBuf frames, int from, int to);

        /** Takes one frame of a brick or coordinator that is not a request. */
        void onProtocol(Link link, ByteBuf frames, int index, int length);

        /** Runs after the events of a drain, and once more after its background slice, before the links are flushed. */
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
        this.admission = new Admission(limits);
        this.paused = new PausedLinks(env, () -> requests.events() <= limits.drainEventsMax());
        this.control = new ControlQueue(env, limits.control(), this::scheduleDrain);
    }

    /**
     * Takes received frames, cuts them into runs of one kind, and refuses requests beyond the bounds. A frame that a
     * client may not send closes its link.
     */
    public void offer(Link link, ByteBuf frames) {
        try {
            offerRuns(link, frames);
        } catch (ProtocolViolation e) {
            link.violated(e);
        }
        scheduleDrain();
    }

    private void offerRuns(Link link, ByteBuf frames) {
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
    }

    /** Queues long work. Each drain runs one slice of the queued work. */
    public void background(Background work) {
        background.add(work);
        scheduleDrain();
    }

    /** Schedules a drain, because the handler has something to do in {@link Handler#onDrained}. */
    public void drainSoon() {
        scheduleDrain();
    }

    /** A link was written to. The link is flushed at the end of this drain, or of a drain that is scheduled for it. */
    public void touched(Link link) {
        if (dirty.isEmpty() || dirty.get(dirty.size() - 1) != link) {
            dirty.add(link);
            if (!draining) {
                scheduleDrain();
            }
        }
    }

    /** Number of requests admitted so far. */
    public long accepted() {
        return accepted;
    }

    /** Number of requests refused so far. */
    public long refused() {
        return refused;
    }

    /** Number of requests that wait. */
    public int waitingEvents() {
        return requests.events();
    }

    /** Most requests that have waited at a time. */
    public int mostWaitingEvents() {
        return mostEvents;
    }

    /** Most bytes of waiting requests at a time, when more than one request waited. */
    public long mostWaitingBytes() {
        return mostBytes;
    }

    /** Most requests that have waited right after a client's request was admitted, with that request. */
    public int mostWaitingEventsOfClients() {
        return mostEventsOfClients;
    }

    /**
     * Most bytes of waiting requests right after a client's request was admitted, when more than one request waited.
     */
    public long mostWaitingBytesOfClients() {
        return mostBytesOfClients;
    }

    /** The queue of control requests of clients. */
    public ControlQueue control() {
        return control;
    }

    /** Number of requests that are parked because their links do not read answers. */
    public int parkedEvents() {
        return parked.events();
    }

    /** Bytes of the parked requests. */
    public long parkedBytes() {
        return parked.bytes();
    }

    /** The other end of a link reads again, so the parked requests of the link go on. */
    public void writable(Link link) {
        if (!parked.isEmpty() && !link.isFull()) {
            letGoOn(link);
        }
        control.goOn(link);
    }

    /**
     * A link is down, so nobody waits for the answers to its requests any more. The replies that have come over the
     * link are still taken, because their requests have run.
     */
    public void linkDown(Link link) {
        parked.drop(link);
        control.linkDown(link);
        if (!protocol.isEmpty()) {
            takeReplies(link);
        }
    }

    private void takeReplies(Link link) {
        RunQueue last = new RunQueue();
        protocol.move(link, last, env.nowNanos());
        while (!last.isEmpty()) {
            ByteBuf frames = last.frames();
            int at = last.from();
            int to = last.to();
            last.take();
            try {
                for (; at < to; at += frames.getIntLE(at)) {
                    if (frames.getByte(at + RequestFrame.OPCODE) == Opcode.REPLY) {
                        handler.onProtocol(link, frames, at, frames.getIntLE(at));
                    }
                }
            } catch (ProtocolViolation e) {
                link.violated(e);
            } finally {
                frames.release();
            }
        }
    }

    private void letGoOn(Link link) {
        int before = parked.events();
        parked.move(link, requests, env.nowNanos());
        if (parked.events() < before) {
            if (isClient(link)) {
                link.resumeReading();
            }
            scheduleDrain();
        }
    }

    /** Drops all waiting requests and work, when the node ends. */
    public void release() {
        protocol.clear();
        parked.clear();
        requests.clear();
        control.release();
        background.clear();
        dirty.clear();
    }

    private static boolean isRequest(ByteBuf frames, int index) {
        return Opcode.isRequest(frames.getByte(index + RequestFrame.OPCODE));
    }

    private void offerRun(Link link, ByteBuf frames, int from, int to, int events, boolean isRequests) {
        if (!isRequests) {
            offerProtocol(link, frames, from, to, events);
            return;
        }
        long now = env.nowNanos();
        int room = admission.admits(requests, link, events, now);
        int admitted = from;
        int admittedEvents = 0;
        if (room == events
                && requests.events() + events <= limits.queueEventsMax()
                && requests.bytes() + to - from <= limits.queueBytesMax()) {
            admitted = to;
            admittedEvents = events;
        } else {
            boolean trusted = !isClient(link);
            while (admitted < to && admits(admittedEvents < room, trusted, admittedEvents, frames, from, admitted)) {
                admitted += frames.getIntLE(admitted);
                admittedEvents++;
            }
        }
        if (admittedEvents > 0) {
            accepted += admittedEvents;
            add(link, frames, from, admitted, admittedEvents, now);
        }
        if (admitted < to) {
            refuse(link, frames, admitted, to, events - admittedEvents, now);
        }
    }

    private void offerProtocol(Link link, ByteBuf frames, int from, int to, int events) {
        if (!isClient(link)) {
            protocol.add(link, frames, from, to, events, 0);
        } else if (control.offer(link, frames, from, to) > 0) {
            touched(link);
        }
    }

    /** Queues admitted requests. Those of a link whose earlier requests are parked wait behind these. */
    private void add(Link link, ByteBuf frames, int from, int to, int events, long now) {
        if (parked.has(link)) {
            parked.add(link, frames, from, to, events, now);
            boundParked(link);
        } else {
            requests.add(link, frames, from, to, events, now);
            noteMost(isClient(link));
        }
    }

    private void noteMost(boolean ofClient) {
        int events = requests.events();
        long bytes = events == 1 ? 0 : requests.bytes();
        mostEvents = Math.max(mostEvents, events);
        mostBytes = Math.max(mostBytes, bytes);
        if (ofClient) {
            mostEventsOfClients = Math.max(mostEventsOfClients, events);
            mostBytesOfClients = Math.max(mostBytesOfClients, bytes);
        }
    }

    /**
     * Whether a request is admitted. A request that another brick forwarded was admitted there, so it is not refused
     * here while there is any room. A request larger than the bound of the queue is admitted alone.
     *
     * @param trusted whether the request's count of forwards is believed; a client forwards nothing and is not believed
     */
    private boolean admits(boolean room, boolean trusted, int events, ByteBuf frames, int from, int index) {
        boolean forwarded = trusted && frames.getByte(index + RequestFrame.HOPS) != 0;
        int most = forwarded ? 2 * limits.queueEventsMax() : room ? limits.queueEventsMax() : 0;
        long mostBytes = forwarded ? 2L * limits.queueBytesMax() : limits.queueBytesMax();
        long bytes = requests.bytes() + index + frames.getIntLE(index) - from;
        return requests.events() + events < most && (bytes <= mostBytes || requests.isEmpty() && events == 0);
    }

    private void refuse(Link link, ByteBuf frames, int from, int to, int events, long now) {
        refused += events;
        long pauseNanos = admission.refused(events, now);
        int hintMillis = (int) ((pauseNanos + 999_999) / 1_000_000);
        for (int at = from; at < to; at += frames.getIntLE(at)) {
            if (frames.getIntLE(at) < RequestFrame.READ_BODY) {
                throw new ProtocolViolation("request of " + frames.getIntLE(at) + " bytes");
            }
            if (frames.getByte(at + RequestFrame.OPCODE) == Opcode.CANCEL) {
                continue; // has no answer
            }
            ByteBuf out = link.claim(ReplyFrame.HEADER + Integer.BYTES);
            ReplyFrame.writeHeader(
                    out,
                    ReplyFrame.HEADER + Integer.BYTES,
                    0,
                    Status.BUSY,
                    0,
                    frames.getIntLE(at + RequestFrame.CORRELATION));
            out.writeIntLE(hintMillis);
            link.commit();
        }
        touched(link);
        if ((events >= limits.refusalsToPause() || link.isFull()) && isClient(link)) {
            paused.pause(link, pauseNanos);
        }
    }

    /** Whether a link may be paused. Bricks are always read, because their frames belong to admitted requests. */
    private static boolean isClient(Link link) {
        return link.peer().role() == Hello.Role.CLIENT;
    }

    private void scheduleDrain() {
        if (!drainScheduled) {
            drainScheduled = true;
            env.defer(drain);
        }
    }

    private void drain() {
        drainScheduled = false;
        draining = true;
        try {
            runOnce();
        } finally {
            draining = false;
        }
        if (!requests.isEmpty()
                || !protocol.isEmpty()
                || !background.isEmpty()
                || !dirty.isEmpty()
                || control.isReady()) {
            scheduleDrain();
        }
    }

    private void runOnce() {
        while (!protocol.isEmpty()) {
            drainProtocol();
        }
        if (!control.isEmpty()) {
            control.run(handler);
        }
        long start = env.nowNanos();
        int ran = drainRequests();
        long nanos = env.nowNanos() - start;
        handler.onDrained();
        start = env.nowNanos();
        flushDirty();
        admission.ran(ran, nanos + env.nowNanos() - start);
        if (ran > 0) {
            paused.resumeOne();
        }
        ranSinceSlice += ran;
        if (requests.isEmpty() || ranSinceSlice >= limits.drainEventsMax()) {
            ranSinceSlice = 0;
            runBackground();
        }
    }

    /** Runs a slice of background work. The answers made before it have left, so that they do not wait for it. */
    private void runBackground() {
        Background work = background.poll();
        if (work == null) {
            return;
        }
        if (work.slice()) {
            background.add(work);
        }
        handler.onDrained();
        flushDirty();
    }

    private void flushDirty() {
        for (int k = 0; k < dirty.size(); k++) {
            dirty.get(k).flush();
        }
        dirty.clear();
    }

    private void drainProtocol() {
        Link link = protocol.link();
        ByteBuf frames = protocol.frames();
        int at = protocol.from();
        int to = protocol.to();
        protocol.take();
        try {
            while (at < to && link.isUp()) {
                int length = frames.getIntLE(at);
                handler.onProtocol(link, frames, at, length);
                at += length;
            }
        } catch (ProtocolViolation e) {
            link.violated(e);
        } finally {
            frames.release();
        }
    }

    /* Links take turns, so that a request of one link does not wait for all that another has sent. After some work
     * the sockets are read again, because they may hold requests of other links. A standing queue is short, and is
     * shared out already, so it runs as a whole. The answers of a turn leave while those of the next are made: if a
     * drain answered all requests before it sent any answer, clients would have no work meanwhile, and clients and
     * brick would take turns. */
    private int drainRequests() {
        int ran = 0;
        workLeft = admission.drainEventsMax(requests);
        if (admission.isStanding()) {
            workLeft *= WRITE_WORK;
        }
        while (workLeft > 0 && !requests.isEmpty()) {
            Link link = requests.next().link();
            if (!link.isUp()) {
                requests.drop(link);
            } else if (isUnread(link)) {
                park(link);
            } else {
                ran += drainTurn(link);
            }
        }
        return ran;
    }

    /** Runs requests of a link, until the other end is behind with reading its answers. */
    private int drainTurn(Link link) {
        int ran = 0;
        while (ran < TURN_EVENTS && workLeft > 0 && requests.has(link) && !(link.isUp() && link.isFull())) {
            ran += drainRun(link, TURN_EVENTS - ran);
        }
        if (requests.has(link)) {
            requests.endTurn();
        }
        link.endBatch();
        return ran;
    }

    /** Runs up to {@code most} events of the first run; returns how many it ran. */
    private int drainRun(Link link, int most) {
        RunQueue runs = requests.next();
        ByteBuf frames = runs.frames();
        int from = runs.from();
        int to = from;
        int events = 0;
        while (to < runs.to() && events < most && workLeft > 0) {
            workLeft -= Opcode.isWrite(frames.getByte(to + RequestFrame.OPCODE)) ? WRITE_WORK : 1;
            to += frames.getIntLE(to);
            events++;
        }
        int ran = to;
        if (link.isUp()) {
            try {
                ran = handler.onRequests(link, frames, from, to);
                touched(link);
            } catch (ProtocolViolation e) {
                link.violated(e);
            }
        }
        if (ran < to) {
            events = count(frames, from, ran);
        }
        if (ran == runs.to()) {
            requests.take();
            frames.release();
        } else {
            requests.advance(ran, events);
        }
        return events;
    }

    /**
     * Whether the other end is behind with reading its answers, even after those of this drain have been given to the
     * network.
     */
    private static boolean isUnread(Link link) {
        if (!link.isFull()) {
            return false;
        }
        link.flush();
        return link.isUp() && link.isFull();
    }

    /**
     * Parks the requests of a link until its answers are read. The link is not read meanwhile. Parked requests have the
     * same bounds as the queue.
     */
    private void park(Link link) {
        if (!parked.has(link) && isClient(link)) {
            link.pauseReading();
        }
        requests.move(link, parked, env.nowNanos());
        boundParked(link);
    }

    /** Closes a link if more requests are parked than the queue may have. */
    private void boundParked(Link link) {
        if (parked.events() > limits.queueEventsMax() || parked.bytes() > limits.queueBytesMax()) {
            link.giveUp("the other end does not read its answers");
        }
    }

    private static int count(ByteBuf frames, int from, int to) {
        int events = 0;
        for (int at = from; at < to; at += frames.getIntLE(at)) {
            events++;
        }
        return events;
    }
}
