package io.sdds.brick.node;

import io.sdds.core.control.ControlMessage;
import io.sdds.core.control.ControlMessage.BrickEnded;
import io.sdds.core.control.ControlMessage.BrickRegistered;
import io.sdds.core.control.ControlMessage.Heartbeat;
import io.sdds.core.control.ControlMessage.MapUpdate;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.control.ControlMessage.Refused;
import io.sdds.core.control.ControlMessage.RegisterBrick;
import io.sdds.core.model.BrickInfo;
import io.sdds.core.node.Env;
import io.sdds.core.node.Link;
import io.sdds.core.node.Node;
import io.sdds.core.node.Readiness;
import io.sdds.core.protocol.ClusterId;
import io.sdds.core.protocol.Hello;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The brick's client of the coordinators. It registers the brick on each new link, then sends heartbeats and takes the
 * map from the answers. To find the leader it tries one coordinator after the other. Without a leader the brick goes on
 * with its last map.
 */
final class HeartbeatClient {
    /** The pause before the next coordinator is dialed. */
    private static final long REDIAL_NANOS = 100_000_000L;

    /** The pause after a link to a coordinator of another cluster. */
    private static final long REDIAL_FOREIGN_NANOS = 1_000_000_000L;

    /** Heartbeats in the time of a lease. One or two of them may be late, and the brick still holds a lease. */
    private static final int HEARTBEATS_A_LEASE = 4;

    /** A link is closed if the coordinator has not answered for the time of so many heartbeats. */
    private static final int ANSWER_HEARTBEATS_MAX = 5;

    private static final long NANOS_PER_MILLI = 1_000_000L;

    /**
     * Nanoseconds of a lease that the brick uses for each millisecond that is granted. The lease begins when the
     * heartbeat is sent, and is a fifth shorter than granted. So the lease ends on the brick before it ends on the
     * coordinator, as long as the clocks drift by less than a fifth.
     */
    private static final long LEASE_NANOS_PER_MILLI = 800_000L;

    private final Env env;
    private final Node node;
    private final BrickSettings settings;
    private final Supplier<Hello> hello;
    private final PendingCalls calls;
    private final Consumer<Link> touched;
    private final Listener listener;
    private final long nonce;

    private final List<String> coordinators;
    private final LeaderContact contact;

    /** Time between heartbeats: the setting, or less if leases are short. */
    private long heartbeatNanos;

    /**
     * Coordinators of another cluster that were dialed since this brick last reached a coordinator of its own cluster.
     */
    private final Set<String> foreign = new TreeSet<>();

    /** Index of the coordinator that is dialed; modulo the number of coordinators. */
    private int next;

    /** Index of the leader that the last coordinator named; -1 if unknown. The leader is dialed next. */
    private int leader = -1;

    private @Nullable Link link;
    private @Nullable BrickInfo self;
    private boolean registered;
    private boolean awaitsAnswer;
    private long sentNanos;
    private boolean sendPending;
    private boolean sendAgain;
    private boolean redirected;
    private boolean wasRedirected;
    private boolean replaced;
    private boolean closed;

    /** Whether the coordinators drain this process. */
    private boolean isDraining;

    /** The brick, as this client sees it. */
    interface Listener {
        /** The brick has its number and incarnation, and can take part. */
        void registered(BrickInfo self);

        /** All coordinators belong to another cluster. */
        void foreign(String line);

        /**
         * Another process has registered in this one's place. When nothing is served here any more, {@link #close}
         * tells the coordinator so.
         */
        void replaced(String why);

        /** @param leaseUntilNanos end of the lease on this brick's clock, if the update grants a lease */
        void mapUpdate(MapUpdate update, long leaseUntilNanos);

        Heartbeat heartbeat(BrickInfo self);

        /** Bytes of memory that the brick's records may take. */
        long memoryLimitBytes();
    }

    HeartbeatClient(
            Env env,
            Node node,
            BrickSettings settings,
            Supplier<Hello> hello,
            PendingCalls calls,
            Consumer<Link> touched,
            Listener listener) {
        this.env = env;
        this.node = node;
        this.settings = settings;
        this.hello = hello;
        this.calls = calls;
        this.touched = touched;
        this.listener = listener;
        this.nonce = env.random().nextLong();
        this.coordinators = settings.coordinators();
        this.contact = new LeaderContact(env, settings.id());
        this.heartbeatNanos = settings.heartbeatNanos();
    }

    void start() {
        contact.start();
        dial();
        env.schedule(heartbeatNanos, this::tick);
    }

    void close() {
        closed = true;
        sendEnded();
        if (link != null) {
            link.close();
        }
    }

    /**
     * Tells the coordinator that this process serves no more. Copies that only this process had may be given up then.
     */
    private void sendEnded() {
        Link up = link;
        BrickInfo me = self;
        if (up != null && up.isUp() && me != null) {
            calls.call(up, new BrickEnded(me.id(), me.incarnation()), answer -> {});
            up.flush();
        }
    }

    boolean isCoordinator(Link other) {
        return other == link;
    }

    void linkUp() {
        foreign.clear();
        registered = false; // the coordinator at the other end of this link does not know this brick yet
        send();
    }

    void linkDown(Link lost, String reason) {
        link = null;
        awaitsAnswer = false;
        contact.lost(coordinator() + ": " + reason);
        if (lost.isForeign()) {
            onForeign(lost.peer().cluster());
        }
        next = leader >= 0 ? leader : next + 1;
        leader = -1;
        wasRedirected = redirected;
        redirected = false;
        if (wasRedirected) {
            env.defer(this::dial);
        } else if (!closed) {
            env.schedule(lost.isForeign() ? REDIAL_FOREIGN_NANOS : REDIAL_NANOS, this::dial);
        }
    }

    /**
     * A coordinator belongs to another cluster. If only some do, these coordinators may be wrong. If all do, this brick
     * is wrong, and must end.
     */
    private void onForeign(ClusterId theirs) {
        foreign.add(coordinator());
        if (foreign.size() == coordinators.size()) {
            listener.foreign("brick '" + settings.id() + "' belongs to cluster "
                    + hello.get().cluster() + ", the coordinator at " + coordinator() + " to cluster " + theirs);
        }
    }

    private String coordinator() {
        return coordinators.get(next % coordinators.size());
    }

    /** Sends a heartbeat at the end of this turn, because something urgent is to be reported. */
    void soon() {
        if (!sendPending) {
            sendPending = true;
            env.defer(() -> {
                sendPending = false;
                send();
            });
        }
    }

    private void tick() {
        if (!closed) {
            send();
            contact.tick(self != null);
            env.schedule(heartbeatNanos, this::tick);
        }
    }

    /** Whether clients should be sent to this brick. Without coordinators the brick goes on serving. */
    Readiness readiness() {
        if (self != null && isDraining) {
            return Readiness.no("draining: its partitions go to other bricks");
        }
        return contact.readiness(self != null);
    }

    private void dial() {
        if (!closed && link == null) {
            link = env.dial(coordinator(), hello.get(), node);
        }
    }

    private void send() {
        Link up = link;
        if (up == null || !up.isUp() || replaced) {
            return;
        }
        if (awaitsAnswer) {
            sendAgain = true;
            if (env.nowNanos() - sentNanos > ANSWER_HEARTBEATS_MAX * heartbeatNanos) {
                up.close();
            }
            return;
        }
        awaitsAnswer = true;
        sentNanos = env.nowNanos();
        BrickInfo me = self;
        calls.call(
                up,
                me == null || !registered ? registration() : listener.heartbeat(me),
                answer -> onAnswer(up, answer));
        touched.accept(up);
    }

    private RegisterBrick registration() {
        return new RegisterBrick(
                settings.id(),
                nonce,
                settings.address(),
                listener.memoryLimitBytes(),
                settings.kernel().toString(),
                settings.weight());
    }

    private void onAnswer(Link from, @Nullable ControlMessage answer) {
        if (from != link) {
            return;
        }
        awaitsAnswer = false;
        wasRedirected &= answer instanceof Refused;
        switch (answer) {
            case BrickRegistered accepted -> {
                if (self != null && self.incarnation() != accepted.self().incarnation()) {
                    replaced("this process was registered again, as if it had lost its records");
                    return;
                }
                contact.accepted();
                registered = true;
                self = accepted.self();
                listener.registered(accepted.self());
                sendAgain = true;
            }
            case MapUpdate update -> {
                contact.accepted();
                isDraining = update.drains();
                deriveHeartbeat(update.leaseMillis());
                listener.mapUpdate(update, sentNanos + update.leaseMillis() * LEASE_NANOS_PER_MILLI);
                sendAgain |= update.confirm();
            }
            case Refused refused -> onRefused(from, refused);
            case null, default -> {}
        }
        if (sendAgain) {
            sendAgain = false;
            send();
        }
    }

    /** Derives the heartbeat interval from the lease. The length of a lease is set in the coordinators' log alone. */
    private void deriveHeartbeat(long leaseMillis) {
        if (leaseMillis > 0) {
            heartbeatNanos = Math.min(settings.heartbeatNanos(), leaseMillis * NANOS_PER_MILLI / HEARTBEATS_A_LEASE);
        }
    }

    private void onRefused(Link from, Refused refused) {
        sendAgain = false;
        contact.lost("no coordinator leads: " + refused.text());
        if (refused.reason() == Refusal.NOT_LEADER) {
            leader = coordinators.indexOf(refused.text());
            // The named leader is dialed at once, but not in a loop between two coordinators that are wrong.
            redirected = leader >= 0 && !wasRedirected;
            from.close();
        } else if (refused.reason() == Refusal.NO_LEADER) {
            from.close();
        } else if (refused.reason() == Refusal.DUPLICATE_BRICK && self != null) {
            replaced(refused.text());
        } else {
            registered &= refused.reason() != Refusal.NOT_READY; // the coordinator wants this brick to register again
            contact.refused(refused);
        }
    }

    private void replaced(String why) {
        replaced = true;
        listener.replaced(why);
    }
}
