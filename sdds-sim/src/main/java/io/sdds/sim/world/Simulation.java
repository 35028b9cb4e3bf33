package io.sdds.sim.world;

import io.sdds.core.node.Timer;
import io.sdds.sim.frame.FrameText;
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
     * A heap holds the events, ordered by time and then by creation. The events of a node do not run at their time.
     * They go into the inbox of the node, and run in a turn of the node, as on a thread (SimEnv). Randomness is forked
     * by name, so that the draws of one component do not shift the draws of another.
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

    /** An event at an instant. */
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

    /** Virtual nanoseconds since the start. */
    public long nowNanos() {
        return nowNanos;
    }

    /** Number of events so far. */
    public long fired() {
        return fired;
    }

    public Trace trace() {
        return trace;
    }

    public SimNetwork network() {
        return network;
    }

    /** Counters of rare events. */
    public Coverage coverage() {
        return coverage;
    }

    /** Counter of the changes by a planted bug. */
    public Tampering tampering() {
        return tampering;
    }

    /** All environments so far, including those of crashed nodes. */
    public List<SimEnv> envs() {
        return envs;
    }

    /** Number of buffers that live nodes hold or that are on the wire. */
    public SimBuffers buffers() {
        return buffers;
    }

    /** A source of randomness for one component, which depends only on the seed and the name. */
    public SplittableRandom fork(String component) {
        return new SplittableRandom(Trace.mix(seed, Trace.hashOf(component)));
    }

    /** Creates an environment for one node, which corresponds to one thread. */
    public SimEnv env(String name, ServiceTimes times) {
        SimEnv env = new SimEnv(this, envs.size(), name, times);
        envs.add(env);
        return env;
    }

    /** Schedules an event of the world after a delay. */
    public Timer after(long delayNanos, Runnable action) {
        return at(nowNanos + Math.max(0, delayNanos), action);
    }

    /** The scheduled events whose action has a class, in the order of their execution. */
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

    /** Runs all events within the next so many nanoseconds. */
    public void runFor(long nanos) {
        long endNanos = nowNanos + nanos;
        runUntil(() -> false, nanos);
        nowNanos = endNanos;
    }

    /**
     * Runs events until a condition holds.
     *
     * @return false if the condition did not hold within the given time
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
                    throw new SimulationFailure("more than " + EVENTS_MAX + " events by " + FrameText.time(nowNanos)
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

    /** Ends all nodes and connections without a notification, and releases the buffers on the wire. */
    @Override
    public void close() {
        for (SimEnv env : envs) {
            env.stop();
        }
        network.close();
        events.clear();
    }
}
