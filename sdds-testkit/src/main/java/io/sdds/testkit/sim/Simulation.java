package io.sdds.testkit.sim;

import io.sdds.core.node.Timer;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A world of nodes in virtual time: a discrete-event simulation, every choice of which comes from one seed. The same
 * seed gives the same run, event by event, in any JVM; {@link Trace#hash} tells whether it did.
 *
 * <p>Single-threaded.
 */
public final class Simulation implements AutoCloseable {
    /*
     * Events lie in a heap by (time, order of their making). A node's events don't run when they happen but when the
     * node comes to them: they go into its inbox, and it takes its turns as a thread of its own would (SimEnv).
     * Randomness is forked by name, so that one component's draws don't shift those of another.
     */
    private static final long EVENTS_MAX = 20_000_000;

    private final long seed;
    private final PriorityQueue<Event> events = new PriorityQueue<>(1024);
    private final List<SimEnv> envs = new ArrayList<>();
    private final Trace trace = new Trace(this);
    private final SimBuffers buffers = new SimBuffers();
    private final Coverage coverage = new Coverage();
    private final Tampering tampering = new Tampering(trace);
    private final SimNetwork network;
    private long nowNanos;
    private long sequence;
    private long fired;
    private @Nullable SimEnv running;

    public Simulation(long seed, NetworkModel networkModel) {
        this.seed = seed;
        this.network = new SimNetwork(this, networkModel);
    }

    /** Something that happens at an instant. */
    private static final class Event implements Comparable<Event>, Timer {
        private final long timeNanos;
        private final long order;
        private @Nullable Runnable action;

        Event(long timeNanos, long order, Runnable action) {
            this.timeNanos = timeNanos;
            this.order = order;
            this.action = action;
        }

        @Override
        public int compareTo(Event other) {
            int byTime = Long.compare(timeNanos, other.timeNanos);
            return byTime != 0 ? byTime : Long.compare(order, other.order);
        }

        @Override
        public void cancel() {
            action = null;
        }
    }

    public long seed() {
        return seed;
    }

    /** Virtual nanoseconds since the beginning. */
    public long nowNanos() {
        return nowNanos;
    }

    /** Events that have happened. */
    public long fired() {
        return fired;
    }

    public Trace trace() {
        return trace;
    }

    public SimNetwork network() {
        return network;
    }

    /** What has happened so far of all that seldom does. */
    public Coverage coverage() {
        return coverage;
    }

    /** What a planted bug has changed so far. */
    Tampering tampering() {
        return tampering;
    }

    /** Every environment made so far, those of crashed nodes too. */
    public List<SimEnv> envs() {
        return envs;
    }

    /** Buffers in the hands of live nodes or on the wire. */
    public SimBuffers buffers() {
        return buffers;
    }

    /** A component's own source of randomness: depends on the seed and the name alone. */
    public SplittableRandom fork(String component) {
        return new SplittableRandom(Trace.mix(seed, Trace.hashOf(component)));
    }

    /** An environment for one node: a thread of its own, so to speak. */
    public SimEnv env(String name, ServiceTimes times) {
        SimEnv env = new SimEnv(this, envs.size(), name, times);
        envs.add(env);
        return env;
    }

    /** Lets something happen to the world after a delay. */
    public Timer after(long delayNanos, Runnable action) {
        return at(nowNanos + Math.max(0, delayNanos), action);
    }

    /** The events that are still to come and whose action is of a kind, in the order in which they would happen. */
    <T extends Runnable> List<T> pending(Class<T> kind) {
        return events.stream()
                .sorted()
                .map(event -> event.action)
                .filter(kind::isInstance)
                .map(kind::cast)
                .toList();
    }

    Timer at(long timeNanos, Runnable action) {
        if (timeNanos < nowNanos) {
            throw new IllegalStateException("an event at " + timeNanos + ", it is " + nowNanos + " already");
        }
        Event event = new Event(timeNanos, sequence++, action);
        events.add(event);
        return event;
    }

    /** Lets everything happen that does within the next so many nanoseconds. */
    public void runFor(long nanos) {
        long endNanos = nowNanos + nanos;
        runUntil(() -> false, nanos);
        nowNanos = endNanos;
    }

    /**
     * Goes on until a condition holds.
     *
     * @return false when it did not within the given time
     */
    public boolean runUntil(BooleanSupplier condition, long patienceNanos) {
        long endNanos = nowNanos + patienceNanos;
        while (!condition.getAsBoolean()) {
            if (!fireNext(endNanos)) {
                nowNanos = endNanos;
                return condition.getAsBoolean();
            }
        }
        return true;
    }

    private boolean fireNext(long endNanos) {
        while (true) {
            Event event = events.peek();
            if (event == null || event.timeNanos > endNanos) {
                return false;
            }
            events.poll();
            Runnable action = event.action;
            if (action != null) {
                nowNanos = event.timeNanos;
                if (++fired > EVENTS_MAX) {
                    throw new SimulationFailure("more than " + EVENTS_MAX + " events by " + Trace.time(nowNanos)
                            + ": something goes round in circles");
                }
                action.run();
                return true;
            }
        }
    }

    /** The node whose turn it is, if any. */
    @Nullable
    SimEnv running() {
        return running;
    }

    void running(@Nullable SimEnv env) {
        running = env;
    }

    /** Ends all nodes and connections without telling them, and lets go of what is on the wire. */
    @Override
    public void close() {
        for (SimEnv env : envs) {
            env.stop();
        }
        network.close();
        events.clear();
    }
}
