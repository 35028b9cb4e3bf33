package io.sdds.client.internal.routing;

import io.sdds.core.control.ControlFrame;
import io.sdds.core.control.ControlMessage;
import io.sdds.core.node.Link;
import io.sdds.core.protocol.ClusterId;
import io.sdds.core.protocol.Hello;
import io.sdds.core.protocol.RequestFrame;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A brick or coordinator at an address, with its link if there is one, the requests in flight on the link, and the
 * requests that wait for it. The peer is dialed when it is needed. A peer that cannot be reached is dialed again with
 * growing pauses.
 */
final class Peer {
    private static final long SILENCE_NANOS = 3_000_000_000L;

    /** After so long a silence the client asks other members of a group, and looks up the map. */
    private static final long DOUBT_NANOS = 400_000_000L;

    private final ClientNode node;
    private final String address;
    private final InFlight<Request<?>> inFlight = new InFlight<>();
    private final WaitingRequests waiting = new WaitingRequests();
    private final Map<Integer, ControlCall> calls = new LinkedHashMap<>();
    private final FlowControl flow;
    private @Nullable Link link;
    private boolean up;
    private boolean coordinator;
    private boolean foreign;
    private ClusterId foreignCluster = ClusterId.UNKNOWN;
    private boolean touched;
    private boolean draining;
    private long flushesCounted;
    private int dialFailures;

    private long dialNotBeforeNanos;
    private long dialedNanos;
    /** Begin of the present silence; valid while {@link #expecting}. */
    private long silentSinceNanos;

    private boolean expecting;
    private long doubtedNanos;

    /** Whether any frames have come over the link. */
    private boolean worked;

    private final LossLog losses = new LossLog();

    /** The reason why this end closes the link; null when this end does not. */
    private @Nullable String closing;

    private int nextCall = 1;
    private @Nullable String trouble;

    Peer(ClientNode node, String address) {
        this.node = node;
        this.address = address;
        this.flow = new FlowControl(
                node.settings().windowRequests(), node.now(), node.env().random());
        this.dialNotBeforeNanos = node.now();
    }

    String address() {
        return address;
    }

    boolean isUp() {
        return up;
    }

    /** Whether the link is up and the peer answers requests. */
    boolean answers() {
        return up && !isSilent(node.now());
    }

    /** Whether requests or the dial stay unanswered. A paused process accepts connections and sends nothing. */
    private boolean isSilent(long now) {
        return up ? expecting && now - silentSinceNanos > DOUBT_NANOS : link != null && now - dialedNanos > DOUBT_NANOS;
    }

    /** Whether a coordinator answered at this address. */
    boolean isCoordinator() {
        return coordinator;
    }

    /** Whether the peer is being dialed, and no dial has failed since frames last came from it. */
    boolean isDialedFirst() {
        return link != null && !up && dialFailures == 0;
    }

    /** Whether the peer belonged to another cluster when its last link ended. */
    boolean isForeign() {
        return foreign;
    }

    /** The other cluster that the peer belonged to when its last link ended; unknown if there is none. */
    ClusterId foreignCluster() {
        return foreignCluster;
    }

    /** The reason why a peer that is not up cannot be reached. */
    String trouble() {
        return trouble == null ? address + " does not answer" : trouble;
    }

    // ---- the link

    /** Dials, unless there is a link or the pause after a failed dial is not over. */
    void dial(long now) {
        if (link == null && now - dialNotBeforeNanos >= 0 && !node.isClosed()) {
            Hello hello = Hello.of(Hello.Role.CLIENT, node.settings().name(), node.token())
                    .withCluster(node.cluster().id());
            Link dialed = node.env().dial(address, hello, node);
            dialed.attach(this);
            link = dialed;
            dialedNanos = now;
            flushesCounted = 0;
        }
    }

    void onLinkUp(Link opened) {
        if (opened != link) {
            opened.close();
            return;
        }
        if (isForeign(opened)) {
            opened.refuseForeign(node.cluster().id());
            return;
        }
        up = true;
        foreign = false;
        foreignCluster = ClusterId.UNKNOWN;
        worked = false;
        trouble = null;
        coordinator = opened.peer().role() == Hello.Role.COORDINATOR;
        losses.onConnected(opened);
        expecting = false;
        drain();
    }

    /** Whether the peer belongs to another cluster than the first peer that named its cluster. */
    private boolean isForeign(Link opened) {
        ClusterId theirs = opened.peer().cluster();
        node.cluster().learn(theirs);
        return theirs.conflictsWith(node.cluster().id());
    }

    void onLinkDown(Link closed, String reason) {
        if (closed != link) {
            return;
        }
        String why = closing == null ? reason : closing;
        closing = null;
        if (up) {
            losses.onLost(closed, why, node.now());
        }
        boolean dialFailed = !up || !worked; // a peer that closes before it has sent frames is not dialed again at once
        node.counters().linksLost += up ? 1 : 0;
        dialFailures += dialFailed ? 1 : 0;
        link = null;
        up = false;
        trouble = address + ": " + why;
        foreign = closed.isForeign();
        foreignCluster = foreign ? closed.peer().cluster() : ClusterId.UNKNOWN;
        dialNotBeforeNanos = node.now()
                + (dialFailures == 0
                        ? 0
                        : Backoff.nanos(2 + dialFailures, node.env().random()));
        loseInFlight(trouble, closed.blamesRequests());
        waiting.forgetRefusals();
        if (dialFailed) {
            refreshWaiting();
        }
    }

    /** Frames have come in and were processed, so the peer lives. */
    void heard(long now) {
        dialFailures = 0;
        worked = true;
        silentSinceNanos = now;
        expecting = inFlight.size() > 0 || !calls.isEmpty();
    }

    private void expect() {
        if (!expecting) {
            expecting = true;
            silentSinceNanos = node.now();
        }
    }

    /**
     * Sends the requests in flight again. A repeated read or numbered write does no harm.
     *
     * @param blamed whether each of them may be the cause for which the brick has failed
     */
    private void loseInFlight(String reason, boolean blamed) {
        flow.onLost();
        inFlight.drainTo(request -> {
            request.wasRefused = false;
            request.mayHaveRun |= request.isWrite();
            request.trouble = reason;
            if (blamed) {
                node.router().onFatal(request);
            } else {
                node.router().retryLater(request);
            }
        });
        List<ControlCall> lost = new ArrayList<>(calls.values());
        calls.clear();
        for (ControlCall call : lost) {
            node.control().onLost(call, this, reason);
        }
    }

    /** Has the map looked up for waiting requests, because a newer map may name another brick. */
    private void refreshWaiting() {
        waiting.forEachUnseen(request -> {
            request.trouble = trouble();
            node.router().refresh(request);
        });
    }

    /** Called once a tick. Dials again if requests wait, and gives a silent link up if answers are due. */
    void tick(long now) {
        if (!waiting.isEmpty()) {
            dial(now);
            drain();
        }
        if (isSilent(now) && now - doubtedNanos > DOUBT_NANOS) {
            doubtedNanos = now;
            refreshWaiting();
            inFlight.forEach(node.router()::refresh);
            takeElsewhere();
        }
        if (up && link != null && expecting && now - silentSinceNanos > SILENCE_NANOS) {
            expecting = false;
            closing = "no answer for " + SILENCE_NANOS / 1_000_000_000 + " s";
            link.close();
        }
    }

    void close() {
        if (link != null) {
            link.close();
        }
    }

    // ---- requests

    /** Sends a request, or keeps the request until it can be sent. */
    void offer(Request<?> request, int partition, long version, boolean waited) {
        if ((waited || isNext()) && canSend()) {
            send(request, partition, version);
        } else if (request.isImpatient() && !canSend() && isCrowded()) {
            node.router().refuse(request, this);
        } else {
            waiting.add(request);
            if (up) {
                drain();
            } else {
                dial(node.now());
            }
        }
    }

    /**
     * Whether a new request need not wait for others. If callers always sent a new request in place of an answered one,
     * they would fill the window, and refused requests would never be sent again.
     */
    private boolean isNext() {
        return !waiting.hasUnseen() && (!waiting.hasRefused() || flow.isPausing());
    }

    private boolean isCrowded() {
        return up && flow.isCrowded(waiting.size(), node.now());
    }

    /** Whether a request could be sent now. */
    boolean canSend() {
        return up && flow.hasRoom() && inFlight.hasRoom() && link != null && !link.isFull();
    }

    private void send(Request<?> request, int partition, long version) {
        Link to = link;
        if (to == null) {
            throw new IllegalStateException("no link to " + address);
        }
        expect();
        request.correlation = inFlight.add(request);
        node.counters().retries += request.wasRefused ? 1 : 0;
        request.partition = partition;
        flow.onSent(request);
        write(to, request, request.correlation, request.flags(), partition, version);
        request.peer = this;
    }

    /** Tells the brick that nobody needs the answer to a request in flight any more. */
    void cancel(Request<?> request) {
        Link to = link;
        if (to != null && up && !to.isFull()) {
            RequestFrame.writeCancel(to.claim(RequestFrame.READ_BODY), request.correlation);
            to.commit();
            touch();
        }
    }

    /** Sends a copy of a request to all bricks. Returns false when the copy cannot be sent now. */
    boolean sendCopy(Request<?> request, int correlation, int flags, long version) {
        Link to = link;
        if (to == null || !canSend()) {
            if (!up) {
                dial(node.now());
            }
            return false;
        }
        write(to, request, correlation, flags, 0, version);
        return true;
    }

    private void write(Link to, Request<?> request, int correlation, int flags, int partition, long version) {
        request.writtenTo(to);
        request.writeTo(to.claim(request.frameLength()), correlation, flags, partition, version);
        to.commit();
        touch();
    }

    /** The request that a reply answers; null when it was given up before. */
    @Nullable
    Request<?> take(int correlation) {
        Request<?> request = inFlight.take(correlation);
        if (request != null) {
            request.peer = null;
            flow.onEnded(request);
        }
        return request;
    }

    /** The brick answered a request, with another status than BUSY. */
    void onAnswer(Request<?> request) {
        flow.onAnswer(request, waiting.hasUnseen(), node.now());
    }

    /** The brick refused a request. The request is sent to the brick again. */
    void onBusy(Request<?> request, int hintMillis) {
        waiting.addRefused(request);
        long pauseNanos = flow.onBusy(request, hintMillis, node.now());
        if (pauseNanos > 0) {
            node.env().schedule(pauseNanos, () -> {
                flow.onPauseOver();
                drain();
            });
        }
    }

    /**
     * Sends refused and waiting requests, as many as can be sent. A request that ends meanwhile may bring others, which
     * this call sends, too.
     */
    void drain() {
        if (draining) {
            return;
        }
        draining = true;
        try {
            drainQueues();
        } finally {
            draining = false;
        }
    }

    private void drainQueues() {
        if (flow.isTurnOfNew() && waiting.hasUnseen() && canSend()) {
            flow.onTurnOfNew();
            node.router().routeWaited(waiting.removeUnseen());
        }
        for (int again = flow.retriesInARow(); again > 0 && hasRetry(); again--) {
            node.router().routeWaited(waiting.removeRefused());
        }
        while (waiting.hasUnseen() && canSend()) {
            node.router().routeWaited(waiting.removeUnseen());
        }
    }

    private boolean hasRetry() {
        return waiting.hasRefused() && canSend() && flow.hasRoomForRetry(node.now());
    }

    /** Addresses all waiting requests again, because the image has changed, or the brick has another address. */
    void reroute() {
        waiting.takeAll().forEach(node.router()::routeAgain);
    }

    /** Sends requests again that other bricks can answer. The copies in flight to this peer may run or not. */
    void takeElsewhere() {
        if (!up) {
            return;
        }
        List<Request<?>> elsewhere = new ArrayList<>();
        inFlight.giveUpIf(request -> node.router().isElsewhere(request, this), elsewhere::add);
        for (Request<?> request : elsewhere) {
            flow.onEnded(request);
            request.wasRefused = false;
            request.mayHaveRun |= request.isWrite();
            request.trouble = address + " does not answer";
            node.router().retryLater(request);
        }
        if (!elsewhere.isEmpty()) {
            reroute();
        }
    }

    /** Moves requests that are over to a list. Returns the next deadline, at most {@code earliest}. */
    long expire(long now, List<Request<?>> expired, long earliest) {
        long[] next = {earliest};
        inFlight.giveUpIf(
                request -> {
                    boolean over = request.isOver(now);
                    next[0] = over ? next[0] : Math.min(next[0], request.deadlineNanos);
                    return over;
                },
                request -> {
                    flow.onEnded(request);
                    expired.add(request);
                });
        int sent = expired.size();
        next[0] = waiting.expire(now, expired, next[0]);
        boolean answers = answers();
        expired.subList(sent, expired.size()).forEach(request -> request.waitsForRoom = answers);
        return next[0];
    }

    /** Moves all requests to a list, when the node closes. */
    void giveUpAll(List<Request<?>> all) {
        inFlight.giveUpIf(request -> true, all::add);
        all.addAll(waiting.takeAll());
    }

    // ---- control

    void sendCall(ControlCall call) {
        call.correlation = sendControl(call.message);
        calls.put(call.correlation, call);
        expect();
    }

    /** Sends a control request. Returns its correlation id. */
    int sendControl(ControlMessage message) {
        Link to = link;
        if (to == null) {
            throw new IllegalStateException("no link to " + address);
        }
        int correlation = nextCall++;
        ControlFrame.write(to.claim(0), ControlFrame.REQUEST, correlation, message);
        to.commit();
        touch();
        return correlation;
    }

    @Nullable
    ControlCall takeCall(int correlation) {
        return calls.remove(correlation);
    }

    // ---- flushing

    private void touch() {
        if (!touched) {
            touched = true;
            node.touched(this);
        }
    }

    void flush() {
        touched = false;
        if (link != null && up) {
            link.flush();
            node.counters().flushes += link.flushes() - flushesCounted;
            flushesCounted = link.flushes();
        }
    }
}
