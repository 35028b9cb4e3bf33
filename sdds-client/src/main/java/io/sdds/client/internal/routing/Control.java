package io.sdds.client.internal.routing;

import io.netty.buffer.ByteBuf;
import io.sdds.core.control.ControlFrame;
import io.sdds.core.control.ControlMessage;
import io.sdds.core.control.ControlMessage.Coordinators;
import io.sdds.core.control.ControlMessage.FindCoordinators;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.control.ControlMessage.Refused;
import io.sdds.core.control.Roles;
import io.sdds.core.protocol.Hello;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Control requests: finding who can answer, asking until it is answered or late, and knowing the coordinators. */
final class Control {
    private static final long ATTEMPT_NANOS = 1_000_000_000L;
    private static final long DISCOVERY_NANOS = 1_000_000_000L;
    private static final int BUSY_HINT_MILLIS_MAX = 1000;

    private final ClientNode node;
    private final Set<String> seeds;
    private Set<String> coordinators = new LinkedHashSet<>();
    private @Nullable String leader;
    private final List<ControlCall> calls = new ArrayList<>();
    private boolean discovering;
    private long discoveredNanos;

    Control(ClientNode node, List<String> seeds) {
        this.node = node;
        this.seeds = new LinkedHashSet<>(seeds);
        this.discoveredNanos = node.now() - DISCOVERY_NANOS;
    }

    /** Asks whoever can answer; the handler hears once. */
    void ask(ControlMessage message, boolean leaderOnly, long timeoutNanos, Consumer<ControlCall> handler) {
        begin(new ControlCall(message, leaderOnly, node.now() + timeoutNanos, handler));
    }

    /** Asks a certain peer first, and then whoever can answer. */
    void askFirst(@Nullable Peer peer, ControlMessage message, long timeoutNanos, Consumer<ControlCall> handler) {
        ControlCall call = new ControlCall(message, false, node.now() + timeoutNanos, handler);
        call.preferred = peer;
        begin(call);
    }

    /** Sends to a coordinator that can be reached at once, and does not wait for the answer. */
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
        if (call != null) {
            call.peer = null;
            onAnswer(call, peer, answer);
        }
    }

    /** A link is up, or one is down: calls may go, or have to go elsewhere. */
    void onLinkChange() {
        pump(node.now());
    }

    /** The link on which a call waited for its answer is gone. */
    void onLost(ControlCall call, String reason) {
        call.peer = null;
        call.mayHaveRun = true;
        again(call, reason);
    }

    /** Sends what can be sent, gives up what is late. */
    void pump(long now) {
        for (ControlCall call : List.copyOf(calls)) {
            if (now >= call.deadlineNanos) {
                giveUp(call);
            } else if (call.peer == null) {
                send(call, now);
            } else if (call.idempotent() && now - call.sentNanos > ATTEMPT_NANOS) {
                String silent = call.peer.address() + " does not answer";
                call.peer.forgetCall(call);
                call.peer = null;
                call.mayHaveRun = true;
                leader = null;
                again(call, silent);
                send(call, now);
            }
        }
    }

    /** Fails everything, at the node's end. */
    void close() {
        List<ControlCall> open = List.copyOf(calls);
        calls.clear();
        for (ControlCall call : open) {
            call.fail(new Failure(
                    Failure.Kind.UNAVAILABLE, "the client is closed", call.mayHaveRun || call.peer != null));
        }
    }

    /** Where coordinators are said to be. */
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
        calls.add(call);
        node.startTicking();
        send(call, node.now());
    }

    private void send(ControlCall call, long now) {
        if (now < call.notBeforeNanos) {
            return;
        }
        Peer peer = choose(call, now);
        if (peer != null) {
            call.peer = peer;
            call.sentNanos = now;
            peer.sendCall(call);
        }
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
            call.trouble = call.peer.address() + " does not answer";
            call.peer.forgetCall(call);
        }
        if (call.lastResort != null) {
            call.answer(call.lastResort);
            return;
        }
        String foreign = node.peers().foreignTrouble();
        String why = foreign != null ? foreign : call.trouble == null ? nobody(call) : call.trouble;
        String text = call.task() + ": " + why;
        call.fail(new Failure(Failure.Kind.UNAVAILABLE, text + (unknown ? "; outcome unknown" : ""), unknown));
    }

    /** Why nobody could be asked. */
    private String nobody(ControlCall call) {
        StringBuilder text =
                new StringBuilder(call.leaderOnly ? "no coordinator can be reached" : "nobody can be reached");
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
                    send(call, call.notBeforeNanos);
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
     * The call waits for the time that the refusal names, and up to half as long again, so that clients that were
     * refused together come apart.
     */
    private void onBusy(ControlCall call, Peer from, Refused refused) {
        again(call, from.address() + ": " + refused.text());
        long hintNanos = Math.max(1, Math.min(BUSY_HINT_MILLIS_MAX, refused.retryMillis())) * 1_000_000L;
        long waitNanos = hintNanos + node.env().random().nextLong(hintNanos / 2);
        call.notBeforeNanos = Math.max(call.notBeforeNanos, node.now() + waitNanos);
    }

    /** A brick may know less than a coordinator does. */
    private void onNoSuchTable(ControlCall call, Peer from, Refused refused) {
        if (from.isCoordinator()) {
            end(call, refused);
        } else {
            call.lastResort = refused;
            again(call, refused.text());
        }
    }

    /** Whom to ask now; null when links have to come up first. */
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
        Peer brick = call.leaderOnly || call.lastResort != null ? null : pick(call, false);
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

    /** One of the peers of that role that are up, another at each attempt. */
    private @Nullable Peer pick(ControlCall call, boolean coordinator) {
        List<Peer> up = new ArrayList<>();
        for (Peer peer : node.peers().all()) {
            if (peer.isUp() && peer.isCoordinator() == coordinator) {
                up.add(peer);
            }
        }
        return up.isEmpty() ? null : up.get(call.attempts % up.size());
    }

    /** Dials them; whether one of these is being dialed that has not failed yet. */
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

    /** Asks again where the coordinators are, when none of the known ones can be reached. */
    private void discover(long now) {
        if (!discovering && now - discoveredNanos >= DISCOVERY_NANOS && anyUp()) {
            discovering = true;
            discoveredNanos = now;
            ask(new FindCoordinators(node.settings().name()), false, ATTEMPT_NANOS, call -> {
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

    /** Failures as answers make them. */
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
