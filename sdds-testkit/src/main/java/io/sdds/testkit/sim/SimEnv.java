package io.sdds.testkit.sim;

import io.netty.buffer.ByteBuf;
import io.sdds.core.node.Connection;
import io.sdds.core.node.Datagrams;
import io.sdds.core.node.Env;
import io.sdds.core.node.Link;
import io.sdds.core.node.Node;
import io.sdds.core.node.Timer;
import io.sdds.core.protocol.Hello;
import java.util.ArrayDeque;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** A node's environment in a simulation: its clock, its thread's turns, its buffers. */
public final class SimEnv implements Env {
    /*
     * A turn is what an event loop does between two selects: it takes what has come (reads, timers, tasks handed over),
     * then runs the tasks that were deferred; what these defer waits for the next turn. All of a turn's outputs are
     * computed at once, at the virtual instant it begins; the clock goes on inside it by what the work is charged, and
     * outputs leave at that clock. The next turn begins when the last one's charges have passed.
     */
    private static final int TURN_EVENTS_MAX = 256;

    /**
     * A clock's second is as much as a fifth longer or shorter than the world's: far more than any clock's, so that
     * whoever relies on it is found out.
     */
    static final long DRIFT_PPM_MAX = 200_000;

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
     * Its machine is another one to the network from now on: what goes wrong with the ways to those of its name is none
     * of its business.
     */
    void isOn(String machine) {
        name = machine;
        simulation.network().moved(this);
    }

    int index() {
        return index;
    }

    Simulation simulation() {
        return simulation;
    }

    @Override
    public long nowNanos() {
        long worldNanos = localNanos() - clockSetNanos;
        return clockNanos + worldNanos + worldNanos * driftPpm / PPM;
    }

    /** From now on the clock runs so many millionths fast, or slow. */
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

    /** The clock leaps ahead, as after a machine was moved: timers that are due by it fire. */
    public void jump(long nanos) {
        setClock(nanos);
        simulation.coverage().hit(RareEvent.CLOCK_JUMPED);
        for (NodeTimer timer : simulation.pending(NodeTimer.class)) {
            timer.earlier(this, nanos);
        }
    }

    /** Never back: what its work has brought the clock to may be ahead of the world. */
    private void setClock(long leapNanos) {
        long atNanos = Math.max(simulation.nowNanos(), localNanos);
        long worldNanos = atNanos - clockSetNanos;
        clockNanos += worldNanos + worldNanos * driftPpm / PPM + leapNanos;
        clockSetNanos = atNanos;
    }

    /** How long its clock takes, by the world's, to go on by so much; rounded up. */
    private long worldNanos(long nanos) {
        return driftPpm == 0 ? nanos : (long) (nanos / (1 + driftPpm / (double) PPM)) + 1;
    }

    /** The world's time as this node's work has brought it forward. */
    long localNanos() {
        return simulation.running() == this ? localNanos : simulation.nowNanos();
    }

    @Override
    public Timer schedule(long delayNanos, Runnable task) {
        NodeTimer timer = new NodeTimer(task);
        timer.timeNanos = localNanos() + worldNanos(Math.max(0, delayNanos));
        timer.event = simulation.at(timer.timeNanos, timer);
        return timer;
    }

    /** Fires into the inbox; a turn later, perhaps, the node comes to it. */
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
            simulation.at(running.localNanos, () -> deliver(task)); // not before the other's work has come to it
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
        Link link = Link.dialed(this, node, hello);
        simulation.network().dial(this, address, link);
        return link;
    }

    /** The node does nothing before so many nanoseconds have passed: stopped by its machine, collecting garbage. */
    public void pause(long nanos) {
        pausedNanos += nanos;
        pausedSinceNanos = isPaused() ? pausedSinceNanos : simulation.nowNanos();
        pausedUntilNanos = simulation.nowNanos() + nanos;
    }

    /** Whether it is paused now. */
    boolean isPaused() {
        return pausedUntilNanos > simulation.nowNanos();
    }

    /** When its present pause began. */
    long pausedSinceNanos() {
        return pausedSinceNanos;
    }

    /** For how long it was paused in all, at most. */
    public long pausedNanos() {
        return pausedNanos;
    }

    /**
     * A pause ends early. What the last turn's work takes is not cut short: its outputs leave by then, and the next
     * turn's behind them.
     */
    public void resume() {
        pausedUntilNanos = 0;
        if (awake && nextTurn != null) {
            nextTurn.cancel();
            awake = false;
            wake();
        }
    }

    /** From now on the node's work costs this. */
    public void times(ServiceTimes now) {
        times = now;
        isStrained = true;
    }

    /** Its work costs again what it did at first. */
    public void usualTimes() {
        times = usual;
        isStrained = false;
    }

    ServiceTimes times() {
        return times;
    }

    /** Whether it is a program of somebody else's: of what it says and hears nothing is checked. */
    boolean isStranger() {
        return isStranger;
    }

    void isStranger(boolean foreign) {
        isStranger = foreign;
    }

    /** Whether the node's process is gone. */
    public boolean isStopped() {
        return stopped;
    }

    /** Turns taken. */
    public long turns() {
        return turns;
    }

    /** Its clock keeps the world's time again. */
    void heal() {
        resume();
        usualTimes();
        drift(0);
    }

    /** The process is gone at once: nothing of it runs any more. Its connections are the network's to break. */
    public void stop() {
        stopped = true;
        inbox.clear();
        deferred.clear();
        simulation.buffers().abandon(index);
    }

    /** Sets what follows when the node throws a {@link PlantedFailure}, and is stopped. */
    void onFailure(Runnable follows) {
        onFailure = follows;
    }

    /**
     * From now on the node goes on when it throws a {@link PlantedFailure}, with what it was about to do left half
     * done: a planted bug.
     */
    void goesOnAfterFailures() {
        goesOn = true;
    }

    /** Sets who hears when one of the node's connections has read, and what came has been seen to. */
    void onRead(Consumer<Connection.Listener> hears) {
        onRead = hears;
    }

    /** A connection of the node has read. */
    void hasRead(Connection.Listener listener) {
        onRead.accept(listener);
    }

    /** An event that the node comes to in one of its next turns. */
    void deliver(Runnable event) {
        if (!stopped) {
            if (pausedUntilNanos > simulation.nowNanos()) {
                simulation.coverage().hit(RareEvent.PAUSED);
            }
            inbox.add(event);
            wake();
        }
    }

    /** The node has worked so long. */
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

    /** When it may take its next turn. */
    private long freeAtNanos() {
        return Math.max(workingUntilNanos, pausedUntilNanos);
    }

    private void turn() {
        awake = false;
        nextTurn = null;
        if (stopped) {
            return;
        }
        if (freeAtNanos() > simulation.nowNanos()) { // it was paused meanwhile
            wake();
            return;
        }
        turns++;
        localNanos = simulation.nowNanos();
        simulation.running(this);
        awake = true; // what the turn itself brings is seen to at its end
        try {
            runTurn();
        } catch (PlantedFailure e) {
            simulation.trace().line(() -> name + " fails: " + e.getMessage());
            if (!goesOn) {
                stop();
                simulation.after(0, onFailure);
            }
        } catch (RuntimeException | Error e) {
            throw new SimulationFailure("node " + name + " threw " + e + " at " + Trace.time(localNanos), e);
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
