package io.sdds.sim.world;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.sdds.core.node.Link;
import io.sdds.core.node.Node;
import io.sdds.core.protocol.Hello;
import io.sdds.sim.frame.FrameText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The network between simulated nodes: listening addresses, byte connections, and their faults. */
public final class SimNetwork {
    /** Of connections that vanish: both ends must detect the loss by themselves. */
    public static final long NEVER_HEARD = Long.MAX_VALUE;

    /**
     * Version and build in the hellos of all simulated processes. The real ones would make a run depend on who compiled
     * the code, because a longer hello takes longer.
     */
    static final String BUILD = "0.1-simulation build 00000000";

    private static final long CONNECT_TIMEOUT_NANOS = 2_000_000_000L;

    private final Simulation simulation;
    private final SplittableRandom random;
    private final Map<String, Listening> listening = new TreeMap<>();
    private final Map<Long, SimConnection> connections = new TreeMap<>();
    private final Map<String, SimPath> paths = new TreeMap<>();
    private final List<SimConnection> vanished = new ArrayList<>();
    private final List<SimConnection> heardInTime = new ArrayList<>();
    private final List<Dial> unanswered = new ArrayList<>();
    private final List<FrameWatch> watches = new ArrayList<>();
    private final Map<String, Long> stalls = new TreeMap<>();
    private final SimDatagrams datagrams;
    private NetworkModel model;
    private @Nullable FrameFilter filter;
    private long connectionNext = 1;
    private long lost;
    private boolean healed;

    /** Dials that have failed, and whose failure is not reported yet. */
    private record Dial(SimEnv env, Link link, String address) {}

    SimNetwork(Simulation simulation, NetworkModel model) {
        this.simulation = simulation;
        this.model = model;
        this.random = simulation.fork("network");
        this.datagrams = new SimDatagrams(this);
    }

    /**
     * Sees each frame that leaves a node, in its order, before anybody tampers with it; of a message in fragments its
     * beginning.
     */
    public interface FrameWatch {
        /** @param connection its number, never used again */
        void onFrame(long connection, SimEnv from, SimEnv to, ByteBuf frame, int index, int length);

        /** Sees a request that leaves as a datagram. */
        default void onDatagram(SimEnv from, ByteBuf frame, int index, int length) {}
    }

    /** Changes frames when they are sent. This is a planted bug. */
    public interface FrameFilter {
        /**
         * Decides on the frame at the index. The bytes can be read only: another frame is sent in the place of one that
         * is to change.
         */
        Fate fate(SimEnv from, SimEnv to, ByteBuf frame, int index, int length);
    }

    /**
     * What a {@link FrameFilter} does with a frame.
     *
     * @param way how the frame is sent
     * @param instead whole frames that are sent in its place; null: the frame itself
     */
    public record Fate(Way way, @Nullable ByteBuf instead) {
        /** How a frame is sent. */
        public enum Way {
            SENT,
            LOST,
            /** Behind the frame that is sent next. */
            OVERTAKEN
        }

        public static final Fate SENT = new Fate(Way.SENT, null);
        public static final Fate LOST = new Fate(Way.LOST, null);
        public static final Fate OVERTAKEN = new Fate(Way.OVERTAKEN, null);

        /** Whole frames are sent in the place of the frame. */
        public static Fate replacedBy(ByteBuf frames) {
            return new Fate(Way.SENT, frames);
        }

        /** Whether the receiver gets other bytes than those of the frame, or none. */
        boolean changes(ByteBuf frame) {
            return way != Way.SENT || instead != null && !ByteBufUtil.equals(instead, frame);
        }

        /** For the trace. */
        String text() {
            return instead == null ? way.toString() : FrameText.of(instead, 0, instead.readableBytes());
        }
    }

    private record Listening(List<SimEnv> envs, Supplier<Hello> hello, Function<SimEnv, Node> nodes) {}

    public NetworkModel model() {
        return model;
    }

    /** Sets the behaviour of the network without faults. */
    public void model(NetworkModel now) {
        model = now;
    }

    /** Adds a watch over all frames. */
    public void watch(FrameWatch watch) {
        watches.add(watch);
    }

    /** Tampers with all frames from now on. */
    public void filter(FrameFilter planted) {
        filter = planted;
    }

    @Nullable
    FrameFilter filter() {
        return filter;
    }

    List<FrameWatch> watches() {
        return watches;
    }

    Simulation simulation() {
        return simulation;
    }

    /** Number of lost connections so far. */
    public long lost() {
        return lost;
    }

    /** Connections of which at least one end has not heard that they are closed. */
    public int open() {
        return connections.size();
    }

    /** Connections that vanished, and that an end still takes for whole. */
    private List<String> halfOpen() {
        return vanished.stream()
                .flatMap(end -> Stream.of(end, end.peer()))
                .filter(end -> !end.isClosed() && !end.env().isStopped())
                .map(end -> end.env() + " still has its end of connection " + end + ", which vanished")
                .toList();
    }

    /** Whether a connection exists for both of its ends. */
    public boolean isWhole(long connection) {
        SimConnection end = connections.get(connection);
        return end != null && end.isWhole();
    }

    /** Connections that should not be there any more. */
    public List<String> stale() {
        return Stream.concat(halfOpen().stream(), damaged().stream()).toList();
    }

    /** Connections over which flipped bits came, and that are still used. */
    private List<String> damaged() {
        return connections.values().stream()
                .flatMap(end -> Stream.of(end, end.peer()))
                .filter(end -> end.isWhole() && end.isDamaged())
                .map(end -> end.env() + " still uses connection " + end + ", over which a flipped bit came")
                .toList();
    }

    /** Lets a node accept what is dialed to an address, in place of whoever did before. */
    public void listen(String address, SimEnv env, Supplier<Hello> hello, Supplier<Node> nodes) {
        listen(address, List.of(env), hello, any -> nodes.get());
    }

    /** The same for a node of several environments: a connection falls to one of them by chance. */
    public void listen(String address, List<SimEnv> envs, Supplier<Hello> hello, Function<SimEnv, Node> nodes) {
        listening.put(address, new Listening(List.copyOf(envs), hello, nodes));
    }

    /** The network of datagrams. */
    public SimDatagrams datagrams() {
        return datagrams;
    }

    /** Flips one random bit. */
    void flipBit(byte[] bytes, SplittableRandom draws) {
        int bit = draws.nextInt(bytes.length * Byte.SIZE);
        bytes[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
        simulation.coverage().hit(RareEvent.FLIPPED);
    }

    // ---- faults

    /** Bytes from one node to another always take so much longer, until all is healed. */
    public void delay(String from, String to, long extraNanos) {
        path(from, to).usualExtraNanos = extraNanos;
    }

    /** Bytes from one node to another take so much longer, for a time. */
    public void slow(String from, String to, long extraNanos, long forNanos) {
        SimPath path = path(from, to);
        path.slowExtraNanos = extraNanos;
        path.slowUntilNanos = simulation.nowNanos() + forNanos;
    }

    /** Nothing leaves from one node to another for a time; it waits at its sender. */
    public void clog(String from, String to, long forNanos) {
        path(from, to).cloggedUntilNanos = simulation.nowNanos() + forNanos;
    }

    /** One bit of what is sent next from one node to another is flipped on its way. */
    public void flip(String from, String to) {
        path(from, to).flips++;
    }

    /** Whether a bit of what is sent now is to be flipped: who asks flips it in place of the network. */
    public boolean takesFlip(SimEnv from, SimEnv to) {
        return path(from.name(), to.name()).takesFlip();
    }

    /** One node's dials to another are refused, for a time. */
    public void refuse(String from, String to, long forNanos) {
        path(from, to).refusedUntilNanos = simulation.nowNanos() + forNanos;
    }

    /**
     * Nothing passes between some nodes and all others for a time; or, one way, from some nodes to the others. Dials
     * are not answered meanwhile.
     */
    public void partition(List<String> side, boolean oneWay, long forNanos) {
        Set<String> names = new TreeSet<>();
        simulation.envs().forEach(env -> names.add(env.name()));
        side.forEach(names::remove);
        for (String inside : side) {
            for (String outside : names) {
                partition(path(inside, outside), oneWay, forNanos);
                if (!oneWay) {
                    partition(path(outside, inside), false, forNanos);
                }
            }
        }
    }

    /** Nothing passes between two nodes for a time; dials are not answered meanwhile. */
    public void part(String one, String other, long forNanos) {
        partition(path(one, other), false, forNanos);
        partition(path(other, one), false, forNanos);
    }

    /** Moves a node to another machine. */
    void moved(SimEnv env) {
        connectionsOf(env).forEach(SimConnection::moved);
    }

    /** Nothing is wrong any more with the ways between a node and the others. */
    public void rejoin(SimEnv env) {
        String name = env.name();
        paths.forEach((way, path) -> {
            if (way.startsWith(name + ">") || way.endsWith(">" + name)) {
                path.heal();
            }
        });
        for (SimConnection end : connectionsOf(env)) {
            end.unclog();
            end.peer().unclog();
        }
    }

    private List<SimConnection> connectionsOf(SimEnv env) {
        return connections.values().stream()
                .filter(end -> end.env() == env || end.peer().env() == env)
                .toList();
    }

    private void partition(SimPath path, boolean oneWay, long forNanos) {
        path.oneWay = oneWay;
        path.partitionedUntilNanos = Math.max(path.partitionedUntilNanos, simulation.nowNanos() + forNanos);
    }

    /** A node is paused for so long as soon as a connection to it is full. */
    public void stall(String node, long forNanos) {
        stalls.put(node, forNanos);
    }

    void onFull(SimEnv receiver) {
        simulation.coverage().hit(RareEvent.LINK_FULL);
        Long forNanos = stalls.remove(receiver.name());
        if (forNanos != null) {
            receiver.pause(forNanos);
        }
    }

    /**
     * All connections between two nodes are gone, and their ends hear of it only after a time, if at all
     * ({@link #NEVER_HEARD}).
     */
    public void vanish(String one, String other, long unheardNanos) {
        for (SimConnection end : List.copyOf(connections.values())) {
            if (end.isBetween(one, other) && end.breaks()) {
                lost++;
                simulation.coverage().hit(RareEvent.VANISHED);
                simulation.trace().line(() -> "connection " + end + " vanishes");
                vanished.add(end);
                if (unheardNanos != NEVER_HEARD) {
                    heardInTime.add(end);
                    simulation.after(unheardNanos, () -> hearBoth(end, "connection timed out"));
                }
            }
        }
    }

    private static void hearBoth(SimConnection end, String reason) {
        end.hears(reason);
        end.peer().hears(reason);
    }

    /**
     * Breaks all connections between two nodes: what is on the way may be lost, and the ends hear of it in their own
     * time.
     */
    public void lose(String one, String other) {
        for (SimConnection end : List.copyOf(connections.values())) {
            if (end.isBetween(one, other)) {
                lose(end);
            }
        }
    }

    /** Breaks a connection, if the connection still exists. */
    public void lose(long connection) {
        SimConnection end = connections.get(connection);
        if (end != null) {
            lose(end);
        }
    }

    /** A process has ended, and its connections break. What it sent before it closed one arrives. */
    public void crash(List<SimEnv> process) {
        simulation.trace().line(() -> process.get(0) + " crashes");
        for (SimConnection end : List.copyOf(connections.values())) {
            if (process.contains(end.env()) && !end.isClosing()
                    || process.contains(end.peer().env()) && !end.peer().isClosing()) {
                lose(end);
            }
        }
        process.forEach(SimEnv::stop);
        listening.values().removeIf(at -> process.contains(at.envs().get(0)));
    }

    /**
     * Everything that is wrong ends, but for what nobody hears. A process that ends later, after a drain say, is heard
     * to be gone at once.
     */
    public void heal() {
        healed = true;
        stalls.clear();
        paths.values().forEach(SimPath::heal);
        heardInTime.forEach(end -> hearBoth(end, "connection timed out"));
        List.copyOf(unanswered).forEach(this::endUnanswered);
        for (SimConnection end : List.copyOf(connections.values())) {
            end.unclog();
            end.peer().unclog();
        }
    }

    public boolean isHealed() {
        return healed;
    }

    private void lose(SimConnection end) {
        if (end.breaks()) {
            lost++;
            simulation.coverage().hit(RareEvent.CONNECTION_LOST);
            simulation.trace().line(() -> "connection " + end + " is lost");
            end.peer().hearsLater("connection reset");
            end.hearsLater("connection reset");
        }
    }

    public SimPath path(String from, String to) {
        return paths.computeIfAbsent(from + ">" + to, name -> new SimPath());
    }

    // ---- dialing

    void dial(SimEnv env, String address, Link link) {
        simulation.at(env.localNanos() + delayNanos(random), () -> knock(env, address, link));
    }

    private void knock(SimEnv env, String address, Link link) {
        Listening server = listening.get(address);
        if (env.isStopped()) {
            return;
        }
        if (server == null) {
            boolean silent = random.nextInt(4) == 0; // the machine of the node is down too
            failDial(env, link, address, silent);
            return;
        }
        String there = server.envs().get(0).name();
        long now = simulation.nowNanos();
        if (path(env.name(), there).partitionedUntilNanos > now
                || path(there, env.name()).partitionedUntilNanos > now) {
            failDial(env, link, address, true);
        } else if (path(env.name(), there).refusedUntilNanos > now) {
            failDial(env, link, address, false);
        } else {
            connect(env, server, address, link);
        }
    }

    private void failDial(SimEnv env, Link link, String address, boolean silent) {
        simulation.coverage().hit(silent ? RareEvent.DIAL_UNANSWERED : RareEvent.DIAL_REFUSED);
        long afterNanos = silent ? CONNECT_TIMEOUT_NANOS : delayNanos(random);
        simulation.trace().line(() -> env + " can't reach " + address);
        Dial dial = new Dial(env, link, address);
        unanswered.add(dial);
        simulation.after(afterNanos, () -> endUnanswered(dial));
    }

    private void endUnanswered(Dial dial) {
        if (unanswered.remove(dial)) {
            dial.env().deliver(() -> dial.link().onClosed("can't connect to " + dial.address()));
        }
    }

    private void connect(SimEnv env, Listening server, String address, Link link) {
        long number = connectionNext++;
        SimEnv serving = server.envs()
                .get(
                        server.envs().size() == 1
                                ? 0
                                : random.nextInt(server.envs().size()));
        Link accepted = Link.accepted(
                serving,
                server.nodes().apply(serving),
                () -> server.hello().get().withBuild(BUILD));
        SimConnection near = new SimConnection(this, env, link, number, address, random.split());
        SimConnection far = new SimConnection(this, serving, accepted, number, env.name(), random.split());
        near.join(far);
        connections.put(number, near);
        simulation.trace().line(() -> "connection " + near + " opens");
        far.opens();
        simulation.after(delayNanos(random), near::opens);
    }

    /** Both ends have learned of the end of a connection. */
    void forget(long number) {
        connections.remove(number);
    }

    /** The current delay of a path. */
    long delayNanos(SplittableRandom draws) {
        return model.delayNanosMin() + (long) (-Math.log(1 - draws.nextDouble()) * model.delayNanosMean());
    }

    void close() {
        for (SimConnection end : List.copyOf(connections.values())) {
            end.drop();
            end.peer().drop();
        }
        connections.clear();
        listening.clear();
    }
}
