package io.sdds.sim.cluster;

import io.sdds.client.internal.routing.ClientNode;
import io.sdds.coordinator.control.CoordinatorNode;
import io.sdds.coordinator.control.base.CommandLog;
import io.sdds.coordinator.control.base.CoordinatorSettings;
import io.sdds.coordinator.control.base.InMemoryLog;
import io.sdds.coordinator.state.ClusterSnapshot;
import io.sdds.coordinator.state.ClusterState;
import io.sdds.coordinator.state.Command;
import io.sdds.coordinator.state.Result;
import io.sdds.core.model.KeySpan;
import io.sdds.core.model.TableMap;
import io.sdds.core.node.Node;
import io.sdds.core.protocol.Hello;
import io.sdds.core.stage.StageLimits;
import io.sdds.sim.check.RangePlacementChecker;
import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.world.RareEvent;
import io.sdds.sim.world.SimEnv;
import io.sdds.sim.world.Simulation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The real nodes of a whole cluster, in a simulation. */
public class SimCluster implements AutoCloseable {
    /**
     * Of messages that are not whole, at a brick: several of the largest that clients send, and little enough that
     * strangers reach it.
     */
    static final long INCOMING_BYTES_MAX = 8L << 20;

    private static final String ALONE = "c1";

    private final ClusterPlan plan;
    private final Simulation simulation;
    private CommandLog log;
    private @Nullable SimLog quorum;
    private final Map<String, Coordinator> coordinators = new TreeMap<>();
    private final List<SimBrick> bricks = new ArrayList<>();
    private final Quiescence quiescence = new Quiescence(this);
    private StageLimits limits;
    private boolean poisoned;
    private long incomingBytesMax = INCOMING_BYTES_MAX;
    private UnaryOperator<Hello> hellos = hello -> hello;
    private Consumer<ClientNode> scansAbandoned = client -> {};
    private BiFunction<SimEnv, Node, Node> interposed = (env, node) -> node;

    /** A coordinator's present process. */
    private record Coordinator(SimEnv env, CoordinatorNode node) {}

    /** A cluster in which nothing has been started. */
    public SimCluster(ClusterPlan plan) {
        this.plan = plan;
        this.limits = plan.limits();
        this.simulation = new Simulation(plan.seed(), plan.network());
        this.log = newLog();
        this.quorum = plan.coordinators() == 1 ? null : newQuorum();
        for (String name : ClusterPlan.names("b", plan.bricks())) {
            bricks.add(new SimBrick(this, name));
        }
    }

    public ClusterPlan plan() {
        return plan;
    }

    public Simulation simulation() {
        return simulation;
    }

    public List<SimBrick> bricks() {
        return bricks;
    }

    /** The coordinator that leads now. */
    public CoordinatorNode coordinator() {
        Coordinator leads = leader();
        if (leads == null) {
            throw new IllegalStateException("no coordinator leads");
        }
        return leads.node();
    }

    public boolean coordinatorIsUp() {
        return leader() != null;
    }

    private @Nullable Coordinator leader() {
        if (quorum == null) {
            return coordinators.get(ALONE);
        }
        SimReplica serving = quorum.serving();
        return serving == null ? null : coordinators.get(serving.name());
    }

    /** What is committed; null while nobody knows. */
    @Nullable
    public ClusterState truth() {
        Coordinator leads = leader();
        return quorum != null
                ? quorum.truth()
                : leads == null ? null : leads.node().state();
    }

    /** Whether a client's session has ended, as far as anybody may know. */
    public boolean anySessionHasEnded() {
        ClusterState state = truth();
        return state == null || state.changesSince(0).sessionNext() != 0;
    }

    /** The log of several coordinators; null with one. */
    @Nullable
    public SimLog quorum() {
        return quorum;
    }

    /** Coordinators that have applied all that is committed, and have come to another state than the log makes. */
    public List<String> coordinatorsThatDiffer() {
        List<String> differ = new ArrayList<>();
        SimLog common = quorum;
        if (common != null) {
            ClusterSnapshot committed = common.snapshot();
            coordinators.forEach((name, each) -> {
                if (common.hasAppliedAll(name)
                        && !each.node().state().snapshot().equals(committed)) {
                    differ.add(name + " is " + each.node().state().snapshot() + ", the log makes " + committed);
                }
            });
        }
        return differ;
    }

    /**
     * What is wrong with the places of the keys of a range table, at rest.
     *
     * @param lost its lost partitions
     */
    public List<String> misplacedKeys(TableMap table, Set<Integer> lost) {
        int id = table.definition().id();
        List<RangePlacementChecker.Held> held = new ArrayList<>();
        bricks.forEach(brick -> held.addAll(brick.heldRanges(id)));
        Map<Integer, KeySpan> spans = new TreeMap<>();
        ClusterState state = coordinator().state();
        for (int number = 0; number < table.partitions(); number++) {
            if (state.exists(id, number)) {
                spans.put(number, state.span(id, number));
            }
        }
        return RangePlacementChecker.check(spans, lost, held);
    }

    /** host:port of all that clients may be told. */
    public List<String> addresses() {
        List<String> addresses = new ArrayList<>();
        addresses.addAll(coordinatorAddresses());
        bricks.forEach(brick -> addresses.add(brick.address()));
        return addresses;
    }

    public List<String> coordinatorAddresses() {
        return ClusterPlan.names("c", plan.coordinators()).stream()
                .map(SimCluster::address)
                .toList();
    }

    public static String address(String node) {
        return node + ":7000";
    }

    /**
     * All coordinators end and lose their disks; others start in their places after a time, with which another cluster
     * begins.
     */
    public void wipeCoordinators(long backAfterNanos) {
        for (String name : List.copyOf(coordinators.keySet())) {
            end(name);
            simulation.after(backAfterNanos, () -> startCoordinator(name));
        }
        log = newLog();
        if (quorum != null) {
            quorum = newQuorum();
            quorum.start();
        }
    }

    private CommandLog newLog() {
        return new InMemoryLog(plan.commitNanos(), (command, applies) -> applied(truth(), command, applies));
    }

    private SimLog newQuorum() {
        SimLog made = new SimLog(simulation, ClusterPlan.names("c", plan.coordinators()), plan.commitNanos());
        made.watch((command, applies) -> applied(made.truth(), command, applies));
        return made;
    }

    /**
     * Applies a command that is committed.
     *
     * @param state the state before; null while nobody knows it
     */
    protected Result applied(@Nullable ClusterState state, Command command, Supplier<Result> applies) {
        return applies.get();
    }

    /** Whether a message names a partition that is lost, or was. */
    public boolean isAboutALoss(String message) {
        return false;
    }

    /** Coordinators started from now on say something else of themselves: a planted bug. */
    public void coordinatorsSay(UnaryOperator<Hello> changed) {
        hellos = changed;
    }

    /** All processes start, at about the same time. */
    public void start() {
        var random = simulation.fork("start");
        for (String name : ClusterPlan.names("c", plan.coordinators())) {
            simulation.after(random.nextLong(50_000_000L), () -> startCoordinator(name));
        }
        if (quorum != null) {
            quorum.start();
        }
        for (SimBrick brick : bricks) {
            simulation.after(random.nextLong(50_000_000L), brick::start);
        }
        simulation.runFor(50_000_000L);
    }

    /** A coordinator's process is gone; whether there was one of that name. */
    protected final boolean end(String name) {
        Coordinator victim = coordinators.remove(name);
        if (victim == null) {
            return false;
        }
        simulation.network().crash(List.of(victim.env()));
        if (quorum != null) {
            quorum.crashed(name);
        }
        return true;
    }

    /**
     * Puts something between the network and the bricks' nodes, for what comes over connections that they accept: a
     * planted bug.
     */
    public void interpose(BiFunction<SimEnv, Node, Node> between) {
        interposed = between;
    }

    /** A request of this cluster ends each brick that runs it. */
    public void isPoisoned(boolean poisoned) {
        this.poisoned = poisoned;
    }

    public boolean isPoisoned() {
        return poisoned;
    }

    /** Bricks started from now on have these bounds instead of the plan's: a planted bug. */
    public void limits(StageLimits other) {
        limits = other;
    }

    StageLimits limits() {
        return limits;
    }

    /** Links of bricks started from now on may hold so much of messages that are not whole: a planted bug. */
    public void incomingBytesMax(long other) {
        incomingBytesMax = other;
    }

    long incomingBytesMax() {
        return incomingBytesMax;
    }

    Node interposed(SimEnv env, Node node) {
        return interposed.apply(env, node);
    }

    /** Sets who hears of each scan that a client leaves half way: a planted bug. */
    public void onScanAbandoned(Consumer<ClientNode> listener) {
        scansAbandoned = listener;
    }

    public void scanAbandoned(ClientNode client) {
        simulation.coverage().hit(RareEvent.SCAN_ABANDONED);
        scansAbandoned.accept(client);
    }

    /** A process of a coordinator starts. */
    protected final void startCoordinator(String name) {
        CoordinatorSettings defaults = CoordinatorSettings.of(name, coordinatorAddresses());
        CoordinatorSettings settings = new CoordinatorSettings(
                defaults.id(),
                defaults.coordinators(),
                plan.silenceNanos(name, defaults.silenceNanos()),
                plan.sessionLeaseNanos(),
                defaults.createPatienceNanos(),
                defaults.avoidTargetNanos(),
                plan.mergeAfterNanos(),
                plan.rebalanceAfterNanos(),
                plan.indexCapacityRecords());
        SimEnv env = simulation.env(name, plan.work());
        CoordinatorNode node = new CoordinatorNode(env, settings, quorum == null ? log : quorum.member(name));
        simulation.network().listen(address(name), env, () -> hellos.apply(node.hello()), () -> node);
        env.execute(node::start);
        coordinators.put(name, new Coordinator(env, node));
    }

    /** Whether the cluster has done all that is due. */
    public Quiescence quiescence() {
        return quiescence;
    }

    public boolean anyBrickIsDown() {
        return bricks.stream().anyMatch(brick -> brick.nodes().isEmpty());
    }

    /** Whether nobody changes the cluster or its tables. */
    protected boolean operatorsAreDone() {
        return true;
    }

    /** All processes end in an orderly way. */
    public void shutDown() {
        bricks.forEach(SimBrick::close);
        coordinators.values().forEach(each -> each.env().execute(each.node()::close));
    }

    @Override
    public void close() {
        simulation.close();
        bricks.forEach(SimBrick::release);
    }
}
