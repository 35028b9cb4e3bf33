package io.sdds.testkit.sim;

import io.sdds.client.internal.routing.ClientNode;
import io.sdds.coordinator.control.CommandLog;
import io.sdds.coordinator.control.CoordinatorNode;
import io.sdds.coordinator.control.CoordinatorSettings;
import io.sdds.coordinator.control.InMemoryLog;
import io.sdds.coordinator.state.ClusterSnapshot;
import io.sdds.coordinator.state.ClusterState;
import io.sdds.core.node.Node;
import io.sdds.core.protocol.Hello;
import io.sdds.core.stage.StageLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The real nodes of a whole cluster, in a simulation. */
public final class SimCluster implements AutoCloseable {
    /**
     * Of messages that are not whole, at a brick: several of the largest that clients send, and little enough that
     * strangers reach it.
     */
    static final long INCOMING_BYTES_MAX = 8L << 20;

    private static final String ALONE = "c1";

    private static final long LOOK_NANOS = 10_000_000L;

    private final ClusterPlan plan;
    private final Simulation simulation;
    private CommandLog log;
    private @Nullable SimLog quorum;
    private final SplitCrashes splitCrashes;
    private final CopyCuts copyCuts;
    private final ParityFaults parityFaults;
    private final ColumnSplitFaults columnSplitFaults;
    private final Map<String, Coordinator> coordinators = new TreeMap<>();
    private final List<SimBrick> bricks = new ArrayList<>();
    private final Survivors survivors;
    private final ParityRecoveries recoveries;
    private final Quiescence quiescence = new Quiescence(this);
    private final Drains drains;
    private final Alterations alterations = new Alterations(this);
    private final Conversions conversions = new Conversions(this);
    private final SchemaChanges schemaChanges = new SchemaChanges(this);
    private final OldProcesses oldProcesses;
    private final Losses losses;
    private final GroupLosses groupLosses;
    private final LossesInTurn lossesInTurn;
    private StageLimits limits;
    private boolean poisoned;
    private boolean reportsEnds;
    private long incomingBytesMax = INCOMING_BYTES_MAX;
    private UnaryOperator<Hello> hellos = hello -> hello;
    private Consumer<Fault.Crash> clientCrashes = crash -> {};
    private Consumer<ClientNode> scansAbandoned = client -> {};
    private BiFunction<SimEnv, Node, Node> interposed = (env, node) -> node;

    /** A coordinator's present process. */
    private record Coordinator(SimEnv env, CoordinatorNode node) {}

    /** A cluster in which nothing has been started. */
    public SimCluster(ClusterPlan plan) {
        this.plan = plan;
        this.limits = plan.limits();
        this.simulation = new Simulation(plan.seed(), plan.network());
        this.losses = new Losses(this);
        this.log = newLog();
        this.quorum = plan.coordinators() == 1 ? null : newQuorum();
        this.splitCrashes = new SplitCrashes(this);
        this.copyCuts = new CopyCuts(this);
        this.parityFaults = new ParityFaults(this);
        this.columnSplitFaults = new ColumnSplitFaults(this);
        this.drains = new Drains(this);
        this.survivors = new Survivors(this);
        this.oldProcesses = new OldProcesses(this, survivors);
        this.recoveries = new ParityRecoveries(this);
        this.groupLosses = new GroupLosses(this);
        this.lossesInTurn = new LossesInTurn(this);
        simulation.network().watch(survivors::noteHeartbeat);
        simulation.network().watch(drains);
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
    ClusterState truth() {
        Coordinator leads = leader();
        return quorum != null
                ? quorum.truth()
                : leads == null ? null : leads.node().state();
    }

    /** Whether a client's session has ended, as far as anybody may know. */
    boolean anySessionHasEnded() {
        ClusterState state = truth();
        return state == null || state.changesSince(0).sessionNext() != 0;
    }

    /** The log of several coordinators; null with one. */
    @Nullable
    SimLog quorum() {
        return quorum;
    }

    /** Coordinators that have applied all that is committed, and have come to another state than the log makes. */
    List<String> coordinatorsThatDiffer() {
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

    /** host:port of all that clients may be told. */
    public List<String> addresses() {
        List<String> addresses = new ArrayList<>();
        addresses.addAll(coordinatorAddresses());
        bricks.forEach(brick -> addresses.add(brick.address()));
        return addresses;
    }

    List<String> coordinatorAddresses() {
        return ClusterPlan.names("c", plan.coordinators()).stream()
                .map(SimCluster::address)
                .toList();
    }

    static String address(String node) {
        return node + ":7000";
    }

    /**
     * All coordinators end and lose their disks; others start in their places after a time, with which another cluster
     * begins.
     */
    void wipeCoordinators(long backAfterNanos) {
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
        return new WatchedLog(
                new InMemoryLog(plan.commitNanos()), (command, applies) -> losses.applied(truth(), command, applies));
    }

    private SimLog newQuorum() {
        SimLog made = new SimLog(simulation, ClusterPlan.names("c", plan.coordinators()), plan.commitNanos());
        made.watch((command, applies) -> losses.applied(made.truth(), command, applies));
        return made;
    }

    /** Coordinators started from now on say something else of themselves: a planted bug. */
    void coordinatorsSay(UnaryOperator<Hello> changed) {
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

    /** The faults of the plan happen, counted from now. */
    public void letFaultsHappen() {
        for (SimBrick from : bricks) {
            for (SimBrick to : bricks) {
                simulation.network().delay(from.name(), to.name(), plan.brickDelayNanos());
            }
        }
        for (Fault fault : plan.faults().faults()) {
            simulation.after(fault.atNanos(), () -> happen(fault));
        }
        if (plan.faults().losesMemory()) {
            simulation.network().watch(splitCrashes);
        }
        simulation.network().watch(copyCuts);
        plan.tables().stream().filter(TablePlan::converts).forEach(conversions::begin);
        plan.tables().stream().filter(table -> table.workload().hasRows()).forEach(schemaChanges::begin);
        if (plan.hasParity()) {
            simulation.network().watch(parityFaults);
            simulation.network().watch(columnSplitFaults);
        }
        if (plan.acceptsLosses() && !plan.acceptsLossesLate()) {
            losses.begin();
        }
    }

    /** Who accepts losses, where that is so. */
    Losses losses() {
        return losses;
    }

    /** Nothing goes wrong but what the plan says: no crash is aimed at splits, no link of a copy is cut. */
    void aimNoFaults() {
        splitCrashes.end();
        copyCuts.end();
        parityFaults.end();
        columnSplitFaults.end();
    }

    /** From now on the coordinators are told of each brick whose process has crashed. */
    void reportEnds() {
        reportsEnds = true;
    }

    /** Everything that is wrong ends; a process that is down comes back when it was to. */
    public void heal() {
        simulation.trace().line(() -> "all faults end");
        aimNoFaults();
        simulation.network().model(NetworkModel.CALM);
        simulation.network().heal();
        for (SimEnv env : simulation.envs()) {
            env.heal();
        }
        bricks.forEach(SimBrick::relieve);
        oldProcesses.heal();
    }

    void happen(Fault fault) {
        simulation.trace().line(() -> "fault: " + fault);
        SimNetwork network = simulation.network();
        switch (fault) {
            case Fault.Slow slow -> network.slow(slow.from(), slow.to(), slow.extraNanos(), slow.forNanos());
            case Fault.Clog clog -> network.clog(clog.from(), clog.to(), clog.forNanos());
            case Fault.Lose lose -> {
                network.refuse(lose.one(), lose.other(), lose.refusedForNanos());
                network.refuse(lose.other(), lose.one(), lose.refusedForNanos());
                network.lose(lose.one(), lose.other());
            }
            case Fault.Partition partition ->
                network.partition(partition.side(), partition.oneWay(), partition.forNanos());
            case Fault.Stranger stranger -> {
                simulation.coverage().hit(RareEvent.STRANGER);
                Stranger.comes(simulation, stranger, plan.hasParity());
            }
            case Fault.Flip flip -> network.flip(flip.from(), flip.to());
            case Fault.Apart apart -> network.part(apart.one(), apart.other(), apart.forNanos());
            case Fault.Stall stall -> network.stall(stall.node(), stall.forNanos());
            case Fault.Vanish vanish -> network.vanish(vanish.one(), vanish.other(), vanish.unheardNanos());
            default -> happenToNode(fault);
        }
    }

    private void happenToNode(Fault fault) {
        switch (fault) {
            case Fault.Drift drift -> running(drift.node()).forEach(env -> env.drift(drift.ppm()));
            case Fault.Jump jump -> running(jump.node()).forEach(env -> env.jump(jump.byNanos()));
            case Fault.Pause pause -> running(pause.node()).forEach(env -> env.pause(pause.forNanos()));
            case Fault.Strain strain ->
                running(strain.node()).forEach(env -> {
                    env.times(plan.work().times(strain.factor()));
                    simulation.after(strain.forNanos(), env::usualTimes);
                });
            case Fault.Squeeze squeeze ->
                bricks.stream()
                        .filter(brick -> brick.name().equals(squeeze.node()))
                        .forEach(brick -> brick.squeeze(squeeze.freeBytes(), squeeze.forNanos()));
            case Fault.Crash crash -> crash(crash);
            case Fault.TakeOver takeOver -> takeOver(takeOver);
            case Fault.Headless headless -> partCoordinators(headless);
            case Fault.Drain drain -> drains.begin(drain);
            case Fault.Alter alter -> alterations.begin(alter);
            case Fault.LoseGroup lost -> groupLosses.begin(lost);
            case Fault.LoseInTurn lost -> lossesInTurn.begin(lost);
            case Fault.Elect elect -> {
                if (quorum != null) {
                    quorum.electAnother(elect.staleNanos());
                }
            }
            default -> throw new IllegalArgumentException("no node suffers from " + fault);
        }
    }

    /** The processes of a name that run now. */
    private List<SimEnv> running(String name) {
        return simulation.envs().stream()
                .filter(env -> env.name().equals(name) && !env.isStopped())
                .toList();
    }

    /** Nothing is left on a brick: its process ends, whatever goes on elsewhere. */
    void endDrained(Fault.Drain drain) {
        for (SimBrick brick : bricks) {
            if (brick.name().equals(drain.node()) && !brick.nodes().isEmpty()) {
                recoveries.ends(brick);
                brick.crash();
                simulation.after(drain.backAfterNanos(), brick::start);
            }
        }
    }

    private void crash(Fault.Crash crash) {
        crashBrick(crash.node(), crash.backAfterNanos());
        if (end(crash.node())) {
            simulation.coverage().hit(RareEvent.COORDINATOR_CRASHED);
            simulation.after(crash.backAfterNanos(), () -> startCoordinator(crash.node()));
        }
        if (ClusterPlan.isClient(crash.node())) {
            clientCrashes.accept(crash);
        }
    }

    /** Crashes a brick, if that may be; whether it did. */
    private boolean crashBrick(String name, long backAfterNanos) {
        for (SimBrick brick : bricks) {
            if (brick.name().equals(name) && !brick.nodes().isEmpty() && survivors.mayCrash(brick)) {
                simulation.coverage().hit(anyBrickIsDown() ? RareEvent.TWO_BRICKS_DOWN : RareEvent.BRICK_CRASHED);
                recoveries.crashes(brick);
                recoveries.ends(brick);
                long incarnation = brick.nodes().get(0).hello().incarnation();
                brick.crash();
                if (reportsEnds && incarnation > 0) {
                    Operator.sendFor(this, new EndReport(name, incarnation));
                }
                simulation.after(backAfterNanos, brick::start);
                return true;
            }
        }
        return false;
    }

    private void partCoordinators(Fault.Headless headless) {
        List<String> names = ClusterPlan.names("c", plan.coordinators());
        for (String one : names) {
            names.stream()
                    .filter(other -> !other.equals(one))
                    .forEach(other -> simulation.network().part(one, other, headless.forNanos()));
        }
        survivors.parted();
        simulation.after(headless.forNanos(), survivors::reunited);
        crashWhenNobodyLeads(headless, simulation.nowNanos() + headless.forNanos());
    }

    private void crashWhenNobodyLeads(Fault.Headless headless, long untilNanos) {
        if (simulation.network().isHealed() || simulation.nowNanos() >= untilNanos) {
            return;
        }
        if (coordinatorIsUp()) {
            simulation.after(LOOK_NANOS, () -> crashWhenNobodyLeads(headless, untilNanos));
        } else if (crashBrick(headless.node(), headless.backAfterNanos())) {
            simulation.coverage().hit(RareEvent.CRASHED_WITHOUT_LEADER);
        }
    }

    private void takeOver(Fault.TakeOver takeOver) {
        bricks.replaceAll(brick -> brick.name().equals(takeOver.node()) && brick.isReady() && survivors.mayCrash(brick)
                ? oldProcesses.begin(brick, takeOver)
                : brick);
    }

    /** Bricks in whose places others have come, and that run all the same. */
    List<SimBrick> oldProcesses() {
        return oldProcesses.running();
    }

    /** A coordinator's process is gone; whether there was one of that name. */
    private boolean end(String name) {
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

    /** Sets who lets clients crash: they are not the cluster's own. */
    void onClientCrash(Consumer<Fault.Crash> crashes) {
        clientCrashes = crashes;
    }

    /**
     * Puts something between the network and the bricks' nodes, for what comes over connections that they accept: a
     * planted bug.
     */
    public void interpose(BiFunction<SimEnv, Node, Node> between) {
        interposed = between;
    }

    /** A request of this cluster ends each brick that runs it. */
    void isPoisoned(boolean poisoned) {
        this.poisoned = poisoned;
    }

    boolean isPoisoned() {
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
    void incomingBytesMax(long other) {
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

    void scanAbandoned(ClientNode client) {
        simulation.coverage().hit(RareEvent.SCAN_ABANDONED);
        scansAbandoned.accept(client);
    }

    private void startCoordinator(String name) {
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

    /** Counts the rare events in the recovery of parity groups. */
    ParityRecoveries recoveries() {
        return recoveries;
    }

    /** Whether the cluster has done all that is due. */
    Quiescence quiescence() {
        return quiescence;
    }

    boolean anyBrickIsDown() {
        return bricks.stream().anyMatch(brick -> brick.nodes().isEmpty());
    }

    /** Whether no operator drains a brick, alters the table or its schema, or waits for its conversions. */
    boolean operatorsAreDone() {
        return drains.areOver() && alterations.areOver() && conversions.areOver() && schemaChanges.areOver();
    }

    Alterations alterations() {
        return alterations;
    }

    Survivors survivors() {
        return survivors;
    }

    /** All processes end in an orderly way. */
    public void shutDown() {
        bricks.forEach(SimBrick::close);
        coordinators.values().forEach(each -> each.env().execute(each.node()::close));
    }

    @Override
    public void close() {
        simulation.close();
        oldProcesses.running().forEach(SimBrick::release);
        bricks.forEach(SimBrick::release);
    }
}
