package io.sdds.sim.world;

import io.netty.buffer.ByteBuf;
import io.sdds.core.node.Connection;
import io.sdds.core.node.Datagrams;
import io.sdds.core.node.Env;
import io.sdds.core.node.Link;
import io.sdds.core.node.Node;
import io.sdds.core.node.Timer;
import io.sdds.core.protocol.Hello;
import io.sdds.sim.frame.FrameText;
import java.util.ArrayDeque;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The environment of a node in a simulation: the clock, the turns of its thread, and the buffers. */
public final class SimEnv implements Env {
    /*
     * A turn is the work of an event loop between two selects. The turn takes the arrived events (reads, timers,
     * executed tasks), then runs the deferred tasks. Tasks that are deferred meanwhile wait for the next turn. All
     * outputs of a turn are computed at the virtual instant at which the turn begins. During the turn the clock
     * advances by the charges of the work, and outputs leave at that clock. The next turn begins after the charges of
     * the last turn.
     */
    private static final int TURN_EVENTS_MAX = 256;

    /**
     * Limit of the drift of a clock: a fifth, far more than any real clock, so that code that relies on exact clocks
     * fails.
     */
    public static final long DRIFT_PPM_MAX = 200_000;

    private static final long PPM = 1_000_000;

    private final Simulation simulation;
    private final int index;
    private String name;
    private final SplittableRandom random;
    private final ArrayDeque<Runnable> inbox = new ArrayDeque<>();
    private final ArrayDeque<Runnable> deferred = new ArrayDeque<>();
    private final Runnable turn = this::turn;
    private final ServiceTimes usual;
    private ServiceTimes times;
    private @Nullable Timer nextTurn;
    private Runnable lastWords = () -> {};
    private Runnable onFailure = () -> {};
    private Consumer<Connection.Listener> onRead = listener -> {};
    private boolean goesOn;
    private boolean awake;
    private boolean stopped;
    private boolean isStrained;
    private boolean isStranger;
    private long clockNanos;
    private long clockSetNanos;
    private long driftPpm;
    private long localNanos;
    private long workingUntilNanos;
    private long pausedNanos;
    private long pausedUntilNanos;
    private long pausedSinceNanos;
    private long turns;

    SimEnv(Simulation simulation, int index, String name, ServiceTimes times) {
        this.simulation = simulation;
        this.index = index;
        this.name = name;
        this.usual = times;
        this.times = times;
        this.random = simulation.fork("node " + index + " " + name);
        // Clocks of different nodes have nothing to do with each other; the stages of one brick, begun together, have
        // one.
        this.clockNanos = simulation
                .fork("clock " + name + " from " + simulation.nowNanos())
                .nextLong(1L << 61);
    }

    public String name() {
        return name;
    }

    /**
     * Moves the node to another machine. Network faults for the name of the node do not concern this node from now on.
     */
    public void isOn(String machine) {
        name = machine;
        simulation.network().moved(this);
    }

    public int index() {
        return index;
    }

    public Simulation simulation() {
        return simulation;
    }

    @Override
    public long nowNanos() {
        long worldNanos = localNanos() - clockSetNanos;
        return clockNanos + worldNanos + worldNanos * driftPpm / PPM;
    }

    /** Sets the drift of the clock, in millionths. */
    public void drift(long ppm) {
        if (Math.abs(ppm) > DRIFT_PPM_MAX) {
            throw new IllegalArgumentException("a clock may drift by " + DRIFT_PPM_MAX + " ppm, not by " + ppm);
        }
        setClock(0);
        driftPpm = ppm;
        if (ppm != 0) {
            simulation.coverage().hit(RareEvent.CLOCK_DRIFTED);
        }
    }

    /** Moves the clock ahead, as after the move of a virtual machine. Due timers fire. */
    public void jump(long nanos) {
        setClock(nanos);
        simulation.coverage().hit(RareEvent.CLOCK_JUMPED);
        for (NodeTimer timer : simulation.pending(NodeTimer.class)) {
            timer.earlier(this, nanos);
        }
    }

    /**
     * Advances the clock, but never sets it back, because the charges of the work may have moved it ahead of world
     * time.
     */
    private void setClock(long leapNanos) {
        long atNanos = Math.max(simulation.nowNanos(), localNanos);
        long worldNanos = atNanos - clockSetNanos;
        clockNanos += worldNanos + worldNanos * driftPpm / PPM + leapNanos;
        clockSetNanos = atNanos;
    }

    /** World time in which the clock of this node advances by so much; rounded up. */
    private long worldNanos(long nanos) {
        return driftPpm == 0 ? nanos : (long) (nanos / (1 + driftPpm / (double) PPM)) + 1;
    }

    /** World time, including the charges of the current work of this node. */
    public long localNanos() {
        return simulation.running() == this ? localNanos : simulation.nowNanos();
    }

    @Override
    public Timer schedule(long delayNanos, Runnable task) {
        NodeTimer timer = new NodeTimer(task);
        timer.timeNanos = localNanos() + worldNanos(Math.max(0, delayNanos));
        timer.event = simulation.at(timer.timeNanos, timer);
        return timer;
    }

    /** A timer, which fires into the inbox. The node may run it in a later turn. */
    private final class NodeTimer implements Timer, Runnable {
        private final Runnable task;
        private boolean cancelled;
        private long timeNanos;

        @SuppressWarnings("NullAway.Init") // set right after
        private Timer event;

        NodeTimer(Runnable task) {
            this.task = task;
        }

        private void earlier(SimEnv env, long byNanos) {
            if (env == SimEnv.this && !cancelled) {
                event.cancel();
                timeNanos = Math.max(simulation.nowNanos(), timeNanos - byNanos);
                event = simulation.at(timeNanos, this);
            }
        }

        @Override
        public void run() {
            deliver(this::runTask);
        }

        private void runTask() {
            if (!cancelled) {
                charge(times.taskNanos());
                task.run();
            }
        }

        @Override
        public void cancel() {
            cancelled = true;
            event.cancel();
        }
    }

    @Override
    public void defer(Runnable task) {
        deferred.add(task);
        wake();
    }

    @Override
    public void execute(Runnable task) {
        SimEnv running = simulation.running();
        if (running == this) {
            task.run();
        } else if (running == null) {
            deliver(task);
        } else {
            simulation.at(running.localNanos, () -> deliver(task)); // not before the charged work of the other node
        }
    }

    @Override
    public RandomGenerator random() {
        return random;
    }

    @Override
    public ByteBuf allocate(int capacity) {
        return simulation.buffers().allocate(capacity, index);
    }

    @Override
    public Datagrams datagrams(String group) {
        SimEnv self = this;
        return new Datagrams() {
            @Override
            public boolean send(ByteBuf datagram) {
                simulation.network().datagrams().multicast(self, group, datagram);
                return true;
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public Link dial(String address, Hello hello, Node node) {
        Link link = Link.dialed(this, node, hello.withBuild(SimNetwork.BUILD));
        simulation.network().dial(this, address, link);
        return link;
    }

    /** Pauses the node for so many nanoseconds, as the machine or a garbage collection does. */
    public void pause(long nanos) {
        pausedNanos += nanos;
        pausedSinceNanos = isPaused() ? pausedSinceNanos : simulation.nowNanos();
        pausedUntilNanos = simulation.nowNanos() + nanos;
    }

    /** Whether the node is paused now. */
    public boolean isPaused() {
        return pausedUntilNanos > simulation.nowNanos();
    }

    /** Start of the current pause. */
    long pausedSinceNanos() {
        return pausedSinceNanos;
    }

    /** Upper limit of the total length of all pauses. */
    public long pausedNanos() {
        return pausedNanos;
    }

    /**
     * Ends a pause early. The charges of the last turn still apply: its outputs leave first, and the outputs of the
     * next turn follow.
     */
    public void resume() {
        pausedUntilNanos = 0;
        if (awake && nextTurn != null) {
            nextTurn.cancel();
            awake = false;
            wake();
        }
    }

    /** Sets the charges for the work of the node. */
    public void times(ServiceTimes now) {
        times = now;
        isStrained = true;
    }

    /** Restores the initial charges. */
    public void usualTimes() {
        times = usual;
        isStrained = false;
    }

    ServiceTimes times() {
        return times;
    }

    /** Whether the node is a stranger, whose messages are not checked. */
    boolean isStranger() {
        return isStranger;
    }

    public void isStranger(boolean foreign) {
        isStranger = foreign;
    }

    /** Whether the process of the node has ended. */
    public boolean isStopped() {
        return stopped;
    }

    /** Number of turns. */
    public long turns() {
        return turns;
    }

    /** Ends the drift of the clock. */
    public void heal() {
        resume();
        usualTimes();
        drift(0);
    }

    /** Kills the process: none of its tasks runs any more. The network must break its connections. */
    public void stop() {
        stopped = true;
        inbox.clear();
        deferred.clear();
        simulation.buffers().abandon(index);
    }

    /**
     * Sets the tasks of a node that throws a {@link PlantedFailure}.
     *
     * @param last runs in the same turn; then the node is stopped
     * @param follows runs afterwards
     */
    public void onFailure(Runnable last, Runnable follows) {
        lastWords = last;
        onFailure = follows;
    }

    /**
     * Makes the node continue after a {@link PlantedFailure}, with its current work half done. This is a planted bug.
     */
    public void goesOnAfterFailures() {
        goesOn = true;
    }

    /** Sets the listener that is called after a connection of the node has read and the bytes were handled. */
    public void onRead(Consumer<Connection.Listener> hears) {
        onRead = hears;
    }

    /** A connection of the node has read. */
    void hasRead(Connection.Listener listener) {
        onRead.accept(listener);
    }

    /** Adds an event that the node handles in one of its next turns. */
    void deliver(Runnable event) {
        if (!stopped) {
            if (pausedUntilNanos > simulation.nowNanos()) {
                simulation.coverage().hit(RareEvent.PAUSED);
            }
            inbox.add(event);
            wake();
        }
    }

    /** Charges the node for so much work. */
    void charge(long nanos) {
        if (simulation.running() == this) {
            if (isStrained) {
                simulation.coverage().hit(RareEvent.STRAINED);
            }
            localNanos += nanos;
        }
    }

    private void wake() {
        if (!awake && !stopped) {
            awake = true;
            nextTurn = simulation.at(Math.max(localNanos(), freeAtNanos()), turn);
        }
    }

    /** The instant at which the next turn may begin. */
    private long freeAtNanos() {
        return Math.max(workingUntilNanos, pausedUntilNanos);
    }

    private void turn() {
        awake = false;
        nextTurn = null;
        if (stopped) {
            return;
        }
        if (freeAtNanos() > simulation.nowNanos()) { // the node was paused meanwhile
            wake();
            return;
        }
        turns++;
        localNanos = simulation.nowNanos();
        simulation.running(this);
        awake = true; // events of this turn are handled at its end
        try {
            runTurn();
        } catch (PlantedFailure e) {
            simulation.trace().line(() -> name + " fails: " + e.getMessage());
            if (!goesOn) {
                lastWords.run();
                stop();
                simulation.after(0, onFailure);
            }
        } catch (RuntimeException | Error e) {
            throw new SimulationFailure("node " + name + " threw " + e + " at " + FrameText.time(localNanos), e);
        } finally {
            simulation.running(null);
            awake = false;
            workingUntilNanos = localNanos;
        }
        if (!inbox.isEmpty() || !deferred.isEmpty()) {
            wake();
        }
    }

    private void runTurn() {
        for (int k = Math.min(inbox.size(), TURN_EVENTS_MAX); k > 0 && !stopped; k--) {
            inbox.removeFirst().run();
        }
        for (int k = deferred.size(); k > 0 && !stopped; k--) {
            charge(times.taskNanos());
            deferred.removeFirst().run();
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
