package io.sdds.client.internal.routing;

import io.netty.buffer.ByteBuf;
import io.sdds.core.control.ControlFrame;
import io.sdds.core.control.ControlMessage;
import io.sdds.core.control.ControlMessage.Coordinators;
import io.sdds.core.control.ControlMessage.FindCoordinators;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.control.ControlMessage.Refused;
import io.sdds.core.control.Roles;
import io.sdds.core.protocol.ClusterId;
import io.sdds.core.protocol.Hello;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The control requests of a client. Finds a process that can answer, repeats a request until an answer or the deadline
 * comes, and keeps the addresses of the coordinators.
 */
final class Control {
    private static final long DISCOVERY_NANOS = 1_000_000_000L;
    private static final int BUSY_HINT_MILLIS_MAX = 1000;

    /**
     * Largest number of the application's requests that are sent and not answered. Further ones wait here, so that a
     * coordinator refuses none of them: it lets 113 of one client wait, and each creation is followed by a look-up of
     * the map. The client's own requests do not wait behind them.
     */
    private static final int SENT_MAX = 48;

    private final ClientNode node;
    private final Set<String> seeds;
    private Set<String> coordinators = new LinkedHashSet<>();
    private @Nullable String leader;

    /** Where new calls begin among the peers of a role: behind those that have not answered in time. */
    private int turn;

    private final List<ControlCall> calls = new ArrayList<>();

    /** The application's requests that wait until others are answered. */
    private final Queue<ControlCall> waiting = new ArrayDeque<>();

    private int sent;
    private boolean discovering;
    private long discoveredNanos;

    Control(ClientNode node, List<String> seeds) {
        this.node = node;
        this.seeds = new LinkedHashSet<>(seeds);
        this.discoveredNanos = node.now() - DISCOVERY_NANOS;
    }

    /** Sends a request to any process that can answer. The handler is called once. */
    void ask(ControlMessage message, boolean leaderOnly, long timeoutNanos, Consumer<ControlCall> handler) {
        begin(new ControlCall(message, leaderOnly, node.now(), timeoutNanos, handler));
    }

    /** Sends a request to a preferred peer first, and then to any process that can answer. */
    void askFirst(@Nullable Peer peer, ControlMessage message, long timeoutNanos, Consumer<ControlCall> handler) {
        ControlCall call = new ControlCall(message, false, node.now(), timeoutNanos, handler);
        call.preferred = peer;
        begin(call);
    }

    /** Sends a message to a coordinator whose link is up, if there is one, and does not wait for the answer. */
    void tell(ControlMessage message) {
        for (Peer peer : node.peers().all()) {
            if (peer.isUp() && peer.isCoordinator()) {
                peer.sendControl(message);
                return;
            }
        }
    }

    boolean isIdle() {
        return calls.isEmpty();
    }

    /** Takes a control frame. */
    void onFrame(Hello.Role sender, Peer peer, ByteBuf frame, int index, int length) {
        ControlMessage answer = Roles.read(Hello.Role.CLIENT, sender, frame, index, length);
        ControlCall call = peer.takeCall(frame.getIntLE(index + ControlFrame.CORRELATION));
        if (call != null && isExpected(call, peer, answer)) {
            left(call);
            onAnswer(call, peer, answer);
            sendWaiting(node.now());
        }
    }

    /**
     * Whether an answer counts. An answer that comes after the request went to another process is as good, but a
     * refusal is not: the other process may know better.
     */
    private boolean isExpected(ControlCall call, Peer from, ControlMessage answer) {
        return call.peer == from || calls.contains(call) && !(answer instanceof Refused);
    }

    /** A link came up or went down, so that calls can be sent or must be sent to another process. */
    void onLinkChange() {
        pump(node.now());
    }

    /** The link to a peer that has not answered a call was lost. */
    void onLost(ControlCall call, Peer peer, String reason) {
        if (call.peer != peer) {
            return; // the call is over, or waits for another peer
        }
        left(call);
        call.mayHaveRun = true;
        again(call, reason);
    }

    /** Sends the calls that can be sent, and gives up calls whose deadline has passed. */
    void pump(long now) {
        for (ControlCall call : List.copyOf(calls)) {
            if (now >= call.deadlineNanos) {
                giveUp(call);
            } else if (call.peer == null) {
                sendOrWait(call, now);
            } else if (call.idempotent() && now - call.sentNanos > call.attemptNanos) {
                String trouble = onSilence(call, call.peer);
                left(call);
                call.mayHaveRun = true;
                again(call, trouble);
                sendOrWait(call, now);
            }
        }
        sendWaiting(now);
    }

    /**
     * The other cluster that the process at each given address belongs to, if no process of this client's cluster is
     * known to be up; else unknown.
     */
    ClusterId otherCluster() {
        ClusterId other = ClusterId.UNKNOWN;
        for (String seed : seeds) {
            ClusterId theirs = node.peers().at(seed).foreignCluster();
            if (!theirs.isKnown() || theirs.conflictsWith(other)) {
                return ClusterId.UNKNOWN;
            }
            other = theirs;
        }
        return anyUp() ? ClusterId.UNKNOWN : other;
    }

    /** The client goes to another cluster: calls that mean the same there go on, and all others fail. */
    void goOnInNewCluster(String why) {
        coordinators = new LinkedHashSet<>();
        leader = null;
        for (ControlCall call : List.copyOf(calls)) {
            call.preferred = null;
            call.notBeforeNanos = node.now();
            if (!call.isForAnyCluster()) {
                fail(call, why);
            }
        }
    }

    /** Fails all calls. */
    void failAll(String why) {
        List.copyOf(calls).forEach(call -> fail(call, why));
    }

    private void fail(ControlCall call, String why) {
        calls.remove(call);
        boolean unknown = call.changes() && call.mayHaveRun;
        String text = call.task() + ": " + why + (unknown ? "; outcome unknown" : "");
        call.fail(new Failure(Failure.Kind.UNAVAILABLE, text, unknown));
    }

    /** Fails all calls, when the node closes. */
    void close() {
        List<ControlCall> open = List.copyOf(calls);
        calls.clear();
        waiting.clear();
        for (ControlCall call : open) {
            call.fail(new Failure(
                    Failure.Kind.UNAVAILABLE, "the client is closed", call.mayHaveRun || call.peer != null));
        }
    }

    /** Takes the addresses of the coordinators from an answer. */
    void learn(List<String> addresses) {
        if (!addresses.isEmpty()) {
            coordinators = new LinkedHashSet<>(addresses);
        }
    }

    private void begin(ControlCall call) {
        if (node.isClosed()) {
            call.fail(Failure.of(Failure.Kind.UNAVAILABLE, "the client is closed"));
            return;
        }
        call.turn = turn;
        calls.add(call);
        node.startTicking();
        sendOrWait(call, node.now());
    }

    private void sendOrWait(ControlCall call, long now) {
        if (call.waits) {
            return;
        }
        if (call.isOfApplication() && sent >= SENT_MAX) {
            call.waits = true;
            waiting.add(call);
        } else {
            send(call, now);
        }
    }

    private void sendWaiting(long now) {
        while (sent < SENT_MAX && !waiting.isEmpty()) {
            ControlCall next = waiting.remove();
            next.waits = false;
            if (calls.contains(next)) {
                send(next, now);
            }
        }
    }

    private void send(ControlCall call, long now) {
        if (now < call.notBeforeNanos) {
            return;
        }
        Peer peer = choose(call, now);
        if (peer != null) {
            call.peer = peer;
            call.sentNanos = now;
            sent += call.isOfApplication() ? 1 : 0;
            peer.sendCall(call);
        }
    }

    /** A call does not wait for the peer any more to which it was sent. */
    private void left(ControlCall call) {
        sent -= call.peer != null && call.isOfApplication() ? 1 : 0;
        call.peer = null;
    }

    /**
     * A peer has not answered a call in time, so new calls begin with another peer. Returns the reason for the error.
     */
    private String onSilence(ControlCall call, Peer peer) {
        leader = null;
        turn += call.turn == turn ? 1 : 0;
        return peer.address() + " does not answer";
    }

    private void again(ControlCall call, String trouble) {
        call.trouble = trouble;
        call.preferred = null;
        call.notBeforeNanos =
                node.now() + Backoff.nanos(2 + call.attempts++, node.env().random());
    }

    private void end(ControlCall call, ControlMessage answer) {
        calls.remove(call);
        call.answer(answer);
    }

    private void giveUp(ControlCall call) {
        calls.remove(call);
        boolean unknown = call.changes() && (call.mayHaveRun || call.peer != null);
        if (call.peer != null) {
            call.trouble = onSilence(call, call.peer);
            call.peer.takeCall(call.correlation);
            left(call);
        }
        String foreign = node.peers().foreignTrouble();
        String why = foreign != null ? foreign : call.trouble == null ? nobody(call) : call.trouble;
        String text = call.task() + ": " + why;
        call.fail(new Failure(Failure.Kind.UNAVAILABLE, text + (unknown ? "; outcome unknown" : ""), unknown));
    }

    /** The reason why no process was asked. */
    private String nobody(ControlCall call) {
        if (call.waits) {
            return "the coordinators have not answered this client's earlier requests";
        }
        StringBuilder text =
                new StringBuilder(call.leaderOnly ? "no coordinator can be reached" : "no process can be reached");
        for (Peer peer : node.peers().all()) {
            if (!peer.isUp()) {
                text.append("; ").append(peer.trouble());
            }
        }
        return text.toString();
    }

    private void onAnswer(ControlCall call, Peer from, ControlMessage answer) {
        if (!(answer instanceof Refused refused)) {
            end(call, answer);
            return;
        }
        switch (refused.reason()) {
            case NOT_LEADER -> {
                leader = refused.text().isEmpty() ? null : refused.text();
                again(call, from.address() + " does not lead the coordinators");
                if (leader != null && call.attempts == 1) {
                    call.notBeforeNanos = node.now();
                    sendOrWait(call, call.notBeforeNanos);
                }
            }
            case NO_LEADER -> {
                leader = null;
                again(call, refused.text());
            }
            case NOT_READY, TOO_FEW_BRICKS -> again(call, refused.text());
            case BUSY -> onBusy(call, from, refused);
            case NO_SUCH_TABLE -> onNoSuchTable(call, from, refused);
            default -> end(call, refused);
        }
    }

    /**
     * Lets the call wait for the time that the refusal names, and up to half as long again, so that clients that were
     * refused together do not come back together.
     */
    private void onBusy(ControlCall call, Peer from, Refused refused) {
        again(call, from.address() + ": " + refused.text());
        long hintNanos = Math.max(1, Math.min(BUSY_HINT_MILLIS_MAX, refused.retryMillis())) * 1_000_000L;
        long waitNanos = hintNanos + node.env().random().nextLong(hintNanos / 2);
        call.notBeforeNanos = Math.max(call.notBeforeNanos, node.now() + waitNanos);
    }

    /** Ends the call if a coordinator has refused. A brick that was just started may not know a table that exists. */
    private void onNoSuchTable(ControlCall call, Peer from, Refused refused) {
        if (from.isCoordinator()) {
            end(call, refused);
        } else {
            again(call, from.address() + ": " + refused.text() + ", and no coordinator has answered");
        }
    }

    /** The peer to ask now; null when a link has to come up first. */
    private @Nullable Peer choose(ControlCall call, long now) {
        if (call.preferred != null && call.preferred.isUp()) {
            return call.preferred;
        }
        if (leader != null) {
            Peer peer = node.peers().at(leader);
            if (peer.isUp()) {
                return peer;
            }
            peer.dial(now);
        }
        if (call.leaderOnly && call.attempts > 0) {
            dialAll(coordinators, now);
        }
        Peer coordinator = pick(call, true);
        Peer brick = call.leaderOnly ? null : pick(call, false);
        if (coordinator != null) {
            return brick != null && (call.attempts & 1) == 1 ? brick : coordinator;
        }
        boolean fresh = dialAll(coordinators, now);
        if (brick != null) {
            return fresh ? null : brick;
        }
        dialAll(seeds, now);
        dialKnown(now);
        discover(now);
        return null;
    }

    /** A peer of the role whose link is up, another peer at each attempt; null when there is none. */
    private @Nullable Peer pick(ControlCall call, boolean coordinator) {
        List<Peer> up = new ArrayList<>();
        for (Peer peer : node.peers().all()) {
            if (peer.isUp() && peer.isCoordinator() == coordinator) {
                up.add(peer);
            }
        }
        return up.isEmpty() ? null : up.get(Math.floorMod(call.turn + call.attempts, up.size()));
    }

    /** Dials the addresses. Returns whether the first dial of one of them is still under way. */
    private boolean dialAll(Set<String> addresses, long now) {
        boolean fresh = false;
        for (String address : addresses) {
            Peer peer = node.peers().at(address);
            peer.dial(now);
            fresh |= peer.isDialedFirst();
        }
        return fresh;
    }

    private void dialKnown(long now) {
        for (Peer peer : node.peers().all()) {
            peer.dial(now);
        }
    }

    /** Asks for the addresses of the coordinators again, because no known coordinator can be reached. */
    private void discover(long now) {
        if (!discovering && now - discoveredNanos >= DISCOVERY_NANOS && anyUp()) {
            discovering = true;
            discoveredNanos = now;
            ask(new FindCoordinators(node.settings().name()), false, DISCOVERY_NANOS, call -> {
                discovering = false;
                if (call.answer() instanceof Coordinators found) {
                    learn(found.addresses());
                }
            });
        }
    }

    private boolean anyUp() {
        for (Peer peer : node.peers().known()) {
            if (peer.isUp()) {
                return true;
            }
        }
        return false;
    }

    /** The failure that a refusal means. */
    static Failure failure(Refused refused) {
        Failure.Kind kind = switch (refused.reason()) {
            case NO_SUCH_TABLE -> Failure.Kind.NO_SUCH_TABLE;
            case TABLE_EXISTS -> Failure.Kind.TABLE_EXISTS;
            case MEMORY_FULL -> Failure.Kind.MEMORY_FULL;
            case BAD_REQUEST -> Failure.Kind.PROTOCOL;
            default -> Failure.Kind.UNAVAILABLE;
        };
        return Failure.of(kind, refused.text().isEmpty() ? word(refused.reason()) : refused.text());
    }

    private static String word(Refusal reason) {
        return reason.name().toLowerCase(java.util.Locale.ROOT).replace('_', ' ');
    }
}
