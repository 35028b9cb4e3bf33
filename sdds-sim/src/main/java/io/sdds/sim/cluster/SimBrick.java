package io.sdds.sim.cluster;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.memory.MemoryBudget;
import io.sdds.brick.memory.PoisoningMemorySource;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.node.BrickListener;
import io.sdds.brick.node.BrickNode;
import io.sdds.brick.node.BrickSettings;
import io.sdds.brick.node.StageGroup;
import io.sdds.brick.partition.HashPartition;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.RangePartition;
import io.sdds.brick.range.KeyRange;
import io.sdds.core.node.ClusterIdentity;
import io.sdds.core.node.ForwardingNode;
import io.sdds.core.node.Link;
import io.sdds.core.node.Node;
import io.sdds.core.protocol.ClusterId;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.RequestFrame;
import io.sdds.core.stage.Stage;
import io.sdds.sim.check.PlacementChecker;
import io.sdds.sim.check.QueueChecker;
import io.sdds.sim.check.RangePlacementChecker;
import io.sdds.sim.check.RestChecker;
import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.plan.Fault;
import io.sdds.sim.world.RareEvent;
import io.sdds.sim.world.SimEnv;
import io.sdds.sim.world.SimMemory;
import io.sdds.sim.world.Simulation;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A brick of a simulated cluster: its stages, each on a thread of its own, and the memory that dies with its process.
 */
public final class SimBrick {
    public static final String MULTICAST_GROUP = "239.255.74.74:7474";

    /** Longer than any run. */
    private static final long AWAY_NANOS = 1L << 50;

    private static final long RESPAWN_NANOS = 1_000_000_000L;
    private static final long LAST_WORDS_NANOS = 1_000_000;

    /** More clients than are connected in any run. */
    private static final int CLIENTS_MAX = 100;

    private final SimCluster cluster;
    private final Simulation simulation;
    private final ClusterPlan plan;
    private final String name;
    private final List<SimEnv> envs = new ArrayList<>();
    private final List<BrickNode> nodes = new ArrayList<>();
    private final List<SimMemory> memory = new ArrayList<>();
    private final List<String> wrongOfCrashed;
    private Arrivals arrivals;
    private ClusterId directory = ClusterId.UNKNOWN;
    private @Nullable String refusal;
    private MemoryBudget budget;
    private long squeezedBytes;
    private long offered;

    /** Of what it sends nobody knows how much is a request. */
    private boolean strangerCame;

    private Incoming incoming = new Incoming();
    private QueueChecker.Waiting parkedMost = new QueueChecker.Waiting(0, 0);

    public SimBrick(SimCluster cluster, String name) {
        this(cluster, name, new ArrayList<>());
    }

    private SimBrick(SimCluster cluster, String name, List<String> wrongOfCrashed) {
        this.wrongOfCrashed = wrongOfCrashed;
        this.cluster = cluster;
        this.simulation = cluster.simulation();
        this.plan = cluster.plan();
        this.name = name;
        this.budget = newBudget();
        this.arrivals = new Arrivals(simulation.coverage(), this);
    }

    public String name() {
        return name;
    }

    public String address() {
        return SimCluster.address(name);
    }

    /** Its stages; of its present process. */
    public List<BrickNode> nodes() {
        return nodes;
    }

    /** The stage of its present process with an environment; null if there is none. */
    @Nullable
    public BrickNode nodeOf(SimEnv env) {
        int stage = envs.indexOf(env);
        return stage < 0 ? null : nodes.get(stage);
    }

    /** Whether its process runs and is registered. */
    public boolean isReady() {
        return !nodes.isEmpty() && nodes.get(0).isReady();
    }

    public MemoryBudget budget() {
        return budget;
    }

    private MemoryBudget newBudget() {
        return new MemoryBudget(plan.memoryBytes(name), cluster.incomingBytesMax());
    }

    /** A process starts, unless one runs already: it listens, and looks for the coordinators. */
    public void start() {
        if (!nodes.isEmpty()) {
            return;
        }
        budget = newBudget();
        Incoming itsIncoming = new Incoming();
        incoming = itsIncoming;
        arrivals = new Arrivals(simulation.coverage(), this);
        BrickSettings settings = new BrickSettings(
                        name,
                        address(),
                        cluster.coordinatorAddresses(),
                        BrickSettings.HEARTBEAT_NANOS,
                        cluster.limits())
                .withWeight(plan.weight(name))
                .withLogBytesMax(plan.logBytesMax());
        StageGroup group = new StageGroup(plan.stages(), new ClusterIdentity(directory, learnt -> directory = learnt));
        BrickListener listener = listener();
        for (int k = 0; k < plan.stages(); k++) {
            SimEnv env = simulation.env(name, plan.work());
            env.onRead(itsIncoming::hasRead);
            SimMemory source = new SimMemory(budget);
            envs.add(env);
            memory.add(source);
            BrickNode node = new BrickNode(env, settings, new PoisoningMemorySource(source), budget, group, listener);
            nodes.add(node);
            env.onFailure(node::fail, this::failed);
        }
        simulation.network().listen(address(), envs, nodes.get(0)::hello, this::accepting);
        simulation.network().datagrams().join(MULTICAST_GROUP, envs.get(0), nodes.get(0)::onDatagram);
        for (int k = 0; k < envs.size(); k++) {
            envs.get(k).execute(nodes.get(k)::start);
        }
    }

    /**
     * Nobody is told when the brick's process starts again: this one goes on, on another machine.
     *
     * @return the brick, with no process yet
     */
    public SimBrick leaveBehind(String machine) {
        envs.forEach(env -> env.isOn(machine));
        SimBrick next = new SimBrick(cluster, name, wrongOfCrashed);
        next.directory = directory;
        return next;
    }

    /** Its present process is paused, or nobody can reach it, until it {@link #comesBack}. */
    public void isAway(boolean paused) {
        if (paused) {
            envs.forEach(env -> env.pause(AWAY_NANOS));
        } else {
            simulation.network().partition(List.of(envs.get(0).name()), false, AWAY_NANOS);
        }
    }

    public void comesBack() {
        envs.forEach(SimEnv::resume);
        envs.forEach(simulation.network()::rejoin);
    }

    /** A brick that its coordinators refuse, or whose name another process has, ends at once. */
    private BrickListener listener() {
        MemoryBudget process = budget;
        return new BrickListener() {
            @Override
            public void onReady() {}

            @Override
            public void onForeign(String line) {
                refusal = line;
                end();
            }

            @Override
            public void onReplaced(String line) {
                end();
            }

            private void end() {
                envs.forEach(SimEnv::stop);
                simulation.after(0, () -> {
                    if (budget == process && !nodes.isEmpty()) {
                        crash();
                    }
                });
            }
        };
    }

    /** Why its last process ended that found all coordinators to be of another cluster; null: none did. */
    @Nullable
    public String refusal() {
        return refusal;
    }

    /** The node that hears what comes over one more connection. */
    private Node accepting(SimEnv env) {
        return cluster.interposed(env, new Counting(nodes.get(envs.indexOf(env)), arrivals.connection()));
    }

    /** Something else takes its memory but for so much, for a time. */
    public void squeeze(long freeBytes, long forNanos) {
        MemoryBudget squeezed = budget;
        long bytes = squeezed.limitBytes() - squeezed.usedBytes() - freeBytes;
        if (squeezedBytes == 0 && bytes > 0 && !nodes.isEmpty() && squeezed.reserve(bytes)) {
            squeezedBytes = bytes;
            simulation.coverage().hit(RareEvent.SQUEEZED);
            simulation.after(forNanos, () -> {
                if (budget == squeezed) {
                    relieve();
                }
            });
        }
    }

    /** Nothing else takes its memory any more. */
    public void relieve() {
        budget.release(squeezedBytes);
        squeezedBytes = 0;
    }

    /** Its process is gone at once, and what was in its memory. */
    public void crash() {
        wrongOfCrashed.addAll(queuesBeyondBounds());
        if (plan.stages() == 1) { // else some may be between two
            wrongOfCrashed.addAll(RestChecker.requestsMiscounted(List.of(requests())));
        }
        parkedMost = new QueueChecker.Waiting(0, 0);
        simulation.network().crash(envs);
        memory.forEach(SimMemory::release);
        envs.clear();
        nodes.clear();
        memory.clear();
        offered = 0;
        strangerCame = false;
        squeezedBytes = 0;
    }

    /** One of its stages has failed: the others say so, the process ends, and is started again a second later. */
    private void failed() {
        List<BrickNode> ending = List.copyOf(nodes);
        for (int k = 0; k < ending.size(); k++) {
            envs.get(k).execute(ending.get(k)::fail);
        }
        simulation.after(ending.size() > 1 ? LAST_WORDS_NANOS : 0, () -> {
            if (!nodes.isEmpty() && nodes.equals(ending)) {
                crash();
                simulation.after(RESPAWN_NANOS, this::start);
            }
        });
    }

    /** Ends in an orderly way. */
    void close() {
        for (int k = 0; k < envs.size(); k++) {
            envs.get(k).execute(nodes.get(k)::close);
        }
    }

    /** Its memory goes. */
    public void release() {
        memory.forEach(SimMemory::release);
        memory.clear();
    }

    /**
     * Requests that came over the connections of others, or as datagrams, which go to every stage; and what its stages
     * did with them.
     */
    public RestChecker.Requests requests() {
        long datagrams = 0;
        long accepted = 0;
        long refused = 0;
        for (BrickNode node : nodes) {
            datagrams += node.datagramsTaken();
            accepted += node.stage().accepted();
            refused += node.stage().refused();
        }
        long asked = strangerCame ? accepted + refused : offered + datagrams * nodes.size();
        return new RestChecker.Requests(name, asked, accepted, refused);
    }

    /** Whether it holds a record that expires, or has and is not freed. */
    public boolean holdsExpiring() {
        boolean[] any = new boolean[1];
        nodes.forEach(node -> node.tables().forEach(partition -> any[0] |= holdsExpiring(node.store(), partition)));
        return any[0];
    }

    /**
     * Of a copy that follows, what counts is its records: before when none of them expires is known to each copy by its
     * own sweeps, and is not looked for anew while its primary knows of none.
     */
    private static boolean holdsExpiring(RecordStore store, Partition partition) {
        boolean may = partition.bucket().mayExpire();
        if (!may || !follows(partition) || partition.bucket().mayHoldExpired()) {
            return may;
        }
        boolean[] any = new boolean[1];
        PartitionRecords.forEach(partition, ref -> any[0] |= store.expiry(ref) != RecordStore.NO_EXPIRY);
        return any[0];
    }

    private static boolean follows(Partition partition) {
        return !partition.group().leads();
    }

    /** What is wrong with its queues. */
    public List<String> queuesBeyondBounds() {
        List<String> wrong = new ArrayList<>();
        nodes.forEach(node -> {
            wrong.addAll(QueueChecker.beyondBounds(peaks(node.stage()), plan.limits()));
            wrong.addAll(QueueChecker.beyondBounds(
                    name, controls(node.stage()), CLIENTS_MAX, plan.limits().control()));
        });
        // A stage closes links of its own at once, those of other stages a moment later.
        wrong.addAll(QueueChecker.incomingBeyondBounds(
                name, incoming.mostBytes(), plan.stages() * SimCluster.INCOMING_BYTES_MAX));
        return wrong;
    }

    private static QueueChecker.Waiting controls(Stage stage) {
        return new QueueChecker.Waiting(
                stage.control().mostWaitingEvents(), stage.control().mostWaitingBytes());
    }

    /** What was wrong with the figures of its processes that have crashed. */
    public List<String> wrongOfCrashed() {
        return wrongOfCrashed;
    }

    private QueueChecker.Peaks peaks(Stage stage) {
        return new QueueChecker.Peaks(
                name,
                new QueueChecker.Waiting(stage.mostWaitingEvents(), stage.mostWaitingBytes()),
                new QueueChecker.Waiting(stage.mostWaitingEventsOfClients(), stage.mostWaitingBytesOfClients()),
                parkedMost);
    }

    /** Between two of its events, when links that brought too much have been given up. */
    private void lookAtParked(Stage stage) {
        if (stage.parkedEvents() > parkedMost.events() || stage.parkedBytes() > parkedMost.bytes()) {
            parkedMost = new QueueChecker.Waiting(
                    Math.max(parkedMost.events(), stage.parkedEvents()),
                    Math.max(parkedMost.bytes(), stage.parkedBytes()));
        }
    }

    /** The records of the stage on which a partition is. */
    public RecordStore store(Partition partition) {
        for (BrickNode node : nodes) {
            if (node.tables().find(partition.table(), partition.number()) == partition) {
                return node.store();
            }
        }
        throw new IllegalArgumentException("not here");
    }

    /** What it holds of a table, of replica groups what it leads: to be called while nothing is under way. */
    public List<PlacementChecker.Held> held(int table) {
        List<PlacementChecker.Held> held = new ArrayList<>();
        for (BrickNode node : nodes) {
            node.tables().forEach(partition -> {
                if (isOwner(partition, table) && partition instanceof HashPartition hashed) {
                    held.add(new PlacementChecker.Held(name, hashed.number(), hashed.level(), pseudoKeys(hashed)));
                }
            });
        }
        return held;
    }

    /** The same of a range table. */
    public List<RangePlacementChecker.Held> heldRanges(int table) {
        List<RangePlacementChecker.Held> held = new ArrayList<>();
        for (BrickNode node : nodes) {
            node.tables().forEach(partition -> {
                if (isOwner(partition, table) && partition instanceof RangePartition range) {
                    held.add(new RangePlacementChecker.Held(name, range.number(), range.span(), keys(range)));
                }
            });
        }
        return held;
    }

    /** Whether a partition of a table owns keys, and this brick leads it. */
    private static boolean isOwner(Partition partition, int table) {
        return partition.table() == table && !partition.isIdle() && !follows(partition);
    }

    private static List<byte[]> keys(RangePartition partition) {
        List<byte[]> keys = new ArrayList<>();
        RecordStore store = partition.bucket().store();
        partition.bucket().ascend(new KeyRange(), ref -> {
            byte[] key = store.key(ref);
            return partition.bucket().ranks().areGiven() && !partition.span().holds(key) || keys.add(key);
        });
        return keys;
    }

    private static List<Long> pseudoKeys(HashPartition partition) {
        List<Long> pseudoKeys = new ArrayList<>();
        PartitionRecords.forEach(partition, (ref, hash) -> {
            if (!partition.isWide() || partition.owns(hash)) {
                pseudoKeys.add(hash);
            }
        });
        return pseudoKeys;
    }

    /** A stage as a connection sees it: counts the requests that come. */
    private final class Counting extends ForwardingNode {
        private final BrickNode node;
        private final int connection;

        Counting(BrickNode node, int connection) {
            super(node);
            this.node = node;
            this.connection = connection;
        }

        @Override
        public void onLinkUp(Link link) {
            strangerCame |= link.peer().name().startsWith(Fault.Stranger.NAME);
            super.onLinkUp(link);
        }

        @Override
        public void onFrames(Link link, ByteBuf frames) {
            lookAtParked(node.stage());
            for (int at = frames.readerIndex(); at < frames.writerIndex(); at += frames.getIntLE(at)) {
                if (Opcode.isRequest(frames.getByte(at + 4))) {
                    boolean toAllStages = frames.getIntLE(at) >= RequestFrame.READ_BODY
                            && (frames.getByte(at + RequestFrame.FLAGS) & RequestFrame.FLAG_MULTICAST) != 0;
                    offered += toAllStages ? nodes.size() : 1;
                    arrivals.request(connection, frames, at);
                }
            }
            super.onFrames(link, frames);
        }
    }
}
