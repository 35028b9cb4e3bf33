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
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * This brick's side of its talk with the coordinators: it registers on each link, then sends heartbeats and takes the
 * map from the answers. It finds the leader by trying one coordinator after the other; without any it goes on with the
 * map it has.
 */
final class HeartbeatClient {
    /** The pause before a coordinator is dialed again. */
    private static final long REDIAL_NANOS = 100_000_000L;

    /** The pause before a coordinator of another cluster is dialed again. */
    private static final long REDIAL_FOREIGN_NANOS = 1_000_000_000L;

    /** So many heartbeats leave in the time of a lease: one or two may be late, and the brick still holds a lease. */
    private static final int HEARTBEATS_A_LEASE = 4;

    /** A coordinator that has not answered for so many heartbeats' time is left for the next one. */
    private static final int ANSWER_HEARTBEATS_MAX = 5;

    private static final long NANOS_PER_MILLI = 1_000_000L;

    /**
     * A lease is counted from the heartbeat's sending, and a fifth short: whatever the two clocks do, it is over here
     * before it is there.
     */
    private static final long LEASE_NANOS_PER_MILLI = 800_000L;

    private final Env env;
    private final Node node;
    private final BrickSettings settings;
    private final Supplier<Hello> hello;
    private final PendingCalls calls;
    private final Consumer<Link> touched;
    private final LongSupplier memoryLimitBytes;
    private final Listener listener;
    private final long nonce;

    private final List<String> coordinators;
    private final LeaderContact contact;

    /** Between heartbeats: as the settings say, or less, since leases are short. */
    private long heartbeatNanos;

    /** Coordinators that belong to another cluster, since one of this brick's was heard. */
    private final Set<String> foreign = new TreeSet<>();

    private int next;

    /** Who leads, as the last coordinator said, to be dialed next; -1: unknown. */
    private int leader = -1;

    private @Nullable Link link;
    private @Nullable BrickInfo self;
    private boolean registered;
    private boolean asking;
    private long askedNanos;
    private boolean soon;
    private boolean again;
    private boolean sentOn;
    private boolean wasSentOn;
    private boolean replaced;
    private boolean closed;

    /** Whether the coordinators have this process emptied. */
    private boolean drains;

    /** What the brick does with what the coordinators say. */
    interface Listener {
        /** The brick has its number and incarnation: it can take part. */
        void registered(BrickInfo self);

        /** All coordinators belong to another cluster. */
        void foreign(String line);

        /**
         * Another process has registered in this one's place: {@link #close} tells the coordinator once nothing is
         * served here any more.
         */
        void replaced(String why);

        /** @param leaseUntilNanos by this brick's clock, if the update grants a lease */
        void mapUpdate(MapUpdate update, long leaseUntilNanos);

        Heartbeat heartbeat(BrickInfo self);
    }

    HeartbeatClient(
            Env env,
            Node node,
            BrickSettings settings,
            Supplier<Hello> hello,
            PendingCalls calls,
            Consumer<Link> touched,
            LongSupplier memoryLimitBytes,
            Listener listener) {
        this.env = env;
        this.node = node;
        this.settings = settings;
        this.hello = hello;
        this.calls = calls;
        this.touched = touched;
        this.memoryLimitBytes = memoryLimitBytes;
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
        sayEnded();
        if (link != null) {
            link.close();
        }
    }

    /** The process serves no more: what it alone held may be given up. */
    private void sayEnded() {
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
        registered = false; // this link's other end does not know yet who this is
        say();
    }

    void linkDown(Link lost, String reason) {
        link = null;
        asking = false;
        contact.lost(coordinator() + ": " + reason);
        if (lost.isForeign()) {
            onForeign(lost.peer().cluster());
        }
        next = leader >= 0 ? leader : next + 1;
        leader = -1;
        wasSentOn = sentOn;
        sentOn = false;
        if (wasSentOn) {
            env.defer(this::dial);
        } else if (!closed) {
            env.schedule(lost.isForeign() ? REDIAL_FOREIGN_NANOS : REDIAL_NANOS, this::dial);
        }
    }

    /**
     * One coordinator of another cluster may be a mistake of that one; with all of them, this brick is in the wrong
     * place.
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

    /** Something urgent is to be reported: a heartbeat leaves at the end of this turn. */
    void soon() {
        if (!soon) {
            soon = true;
            env.defer(() -> {
                soon = false;
                say();
            });
        }
    }

    private void tick() {
        if (!closed) {
            say();
            contact.tick(self != null);
            env.schedule(heartbeatNanos, this::tick);
        }
    }

    /** Whether clients should be sent to this brick. Without coordinators the brick goes on serving. */
    Readiness readiness() {
        if (self != null && drains) {
            return Readiness.no("draining: what it holds goes to other bricks");
        }
        return contact.readiness(self != null);
    }

    private void dial() {
        if (!closed && link == null) {
            link = env.dial(coordinator(), hello.get(), node);
        }
    }

    private void say() {
        Link up = link;
        if (up == null || !up.isUp() || replaced) {
            return;
        }
        if (asking) {
            again = true;
            if (env.nowNanos() - askedNanos > ANSWER_HEARTBEATS_MAX * heartbeatNanos) {
                up.close();
            }
            return;
        }
        asking = true;
        askedNanos = env.nowNanos();
        BrickInfo me = self;
        calls.call(
                up,
                me == null || !registered
                        ? new RegisterBrick(settings.id(), nonce, settings.address(), memoryLimitBytes.getAsLong())
                        : listener.heartbeat(me),
                answer -> onAnswer(up, answer));
        touched.accept(up);
    }

    private void onAnswer(Link from, @Nullable ControlMessage answer) {
        if (from != link) {
            return;
        }
        asking = false;
        wasSentOn &= answer instanceof Refused;
        switch (answer) {
            case BrickRegistered accepted -> {
                if (self != null && self.incarnation() != accepted.self().incarnation()) {
                    replaced("this process was registered anew, as if it had lost what it holds");
                    return;
                }
                contact.accepted();
                registered = true;
                self = accepted.self();
                listener.registered(accepted.self());
                again = true;
            }
            case MapUpdate update -> {
                contact.accepted();
                drains = update.drains();
                deriveHeartbeat(update.leaseMillis());
                listener.mapUpdate(update, askedNanos + update.leaseMillis() * LEASE_NANOS_PER_MILLI);
            }
            case Refused refused -> onRefused(from, refused);
            case null, default -> {}
        }
        if (again) {
            again = false;
            say();
        }
    }

    /** How long a lease is stands in the coordinators' log; the brick has no setting that could contradict it. */
    private void deriveHeartbeat(long leaseMillis) {
        if (leaseMillis > 0) {
            heartbeatNanos = Math.min(settings.heartbeatNanos(), leaseMillis * NANOS_PER_MILLI / HEARTBEATS_A_LEASE);
        }
    }

    private void onRefused(Link from, Refused refused) {
        again = false;
        contact.lost("no coordinator leads: " + refused.text());
        if (refused.reason() == Refusal.NOT_LEADER) {
            leader = coordinators.indexOf(refused.text());
            sentOn = leader >= 0 && !wasSentOn; // at once, but not round and round between two who are wrong
            from.close();
        } else if (refused.reason() == Refusal.NO_LEADER) {
            from.close();
        } else if (refused.reason() == Refusal.DUPLICATE_BRICK && self != null) {
            replaced(refused.text());
        } else {
            registered &= refused.reason() != Refusal.NOT_READY; // it wants to hear again who this is
            contact.refused(refused);
        }
    }

    private void replaced(String why) {
        replaced = true;
        listener.replaced(why);
    }
}
