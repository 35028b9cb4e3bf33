package io.sdds.sim.fault;

import io.sdds.coordinator.state.ClusterState;
import io.sdds.coordinator.state.Command;
import io.sdds.coordinator.state.Result;
import io.sdds.sim.cluster.SimBrick;
import io.sdds.sim.cluster.SimCluster;
import io.sdds.sim.cluster.SimLog;
import io.sdds.sim.plan.ClusterPlan;
import io.sdds.sim.plan.Fault;
import io.sdds.sim.plan.TablePlan;
import io.sdds.sim.watch.ParityRecoveries;
import io.sdds.sim.world.NetworkModel;
import io.sdds.sim.world.RareEvent;
import io.sdds.sim.world.SimEnv;
import io.sdds.sim.world.SimNetwork;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A cluster to which the faults of its plan happen, and whose bricks and tables operators change, as the plan says. */
public final class FaultyCluster extends SimCluster {
    private static final long LOOK_NANOS = 10_000_000L;

    private final SplitCrashes splitCrashes;
    private final CopyCuts copyCuts;
    private final ParityFaults parityFaults;
    private final ColumnSplitFaults columnSplitFaults;
    private final Survivors survivors;
    private final ParityRecoveries recoveries;
    private final Drains drains;
    private final Alterations alterations = new Alterations(this);
    private final Conversions conversions = new Conversions(this);
    private final SchemaChanges schemaChanges = new SchemaChanges(this);
    private final OldProcesses oldProcesses;
    private final Losses losses = new Losses(this);
    private final GroupLosses groupLosses;
    private final LossesInTurn lossesInTurn;
    private boolean reportsEnds;
    private Consumer<Fault.Crash> clientCrashes = crash -> {};

    /** A cluster in which nothing has been started. */
    public FaultyCluster(ClusterPlan plan) {
        super(plan);
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
        simulation().network().watch(survivors::noteHeartbeat);
        simulation().network().watch(drains);
    }

    @Override
    protected Result applied(@Nullable ClusterState state, Command command, Supplier<Result> applies) {
        return losses.applied(state, command, applies);
    }

    @Override
    public boolean isAboutALoss(String message) {
        return losses.isAboutALoss(message);
    }

    /** The faults of the plan happen, counted from now. */
    public void letFaultsHappen() {
        for (SimBrick from : bricks()) {
            for (SimBrick to : bricks()) {
                simulation().network().delay(from.name(), to.name(), plan().brickDelayNanos());
            }
        }
        for (Fault fault : plan().faults().faults()) {
            simulation().after(fault.atNanos(), () -> happen(fault));
        }
        if (plan().faults().losesMemory()) {
            simulation().network().watch(splitCrashes);
        }
        simulation().network().watch(copyCuts);
        plan().tables().stream().filter(TablePlan::converts).forEach(conversions::begin);
        plan().tables().stream().filter(table -> table.workload().hasRows()).forEach(schemaChanges::begin);
        if (plan().hasParity()) {
            simulation().network().watch(parityFaults);
            simulation().network().watch(columnSplitFaults);
        }
        if (plan().acceptsLosses() && !plan().acceptsLossesLate()) {
            losses.begin();
        }
    }

    /** Who accepts losses, where that is so. */
    public Losses losses() {
        return losses;
    }

    /** Nothing goes wrong but what the plan says: no crash is aimed at splits, no link of a copy is cut. */
    public void aimNoFaults() {
        splitCrashes.end();
        copyCuts.end();
        parityFaults.end();
        columnSplitFaults.end();
    }

    /** From now on the coordinators are told of each brick whose process has crashed. */
    public void reportEnds() {
        reportsEnds = true;
    }

    /** Everything that is wrong ends; a process that is down comes back when it was to. */
    public void heal() {
        simulation().trace().line(() -> "all faults end");
        aimNoFaults();
        simulation().network().model(NetworkModel.CALM);
        simulation().network().heal();
        for (SimEnv env : simulation().envs()) {
            env.heal();
        }
        bricks().forEach(SimBrick::relieve);
        oldProcesses.heal();
    }

    /** A fault happens after a time, unless all faults have ended by then. */
    void happenAfter(long nanos, Fault fault) {
        simulation().after(nanos, () -> {
            if (!simulation().network().isHealed()) {
                happen(fault);
            }
        });
    }

    public void happen(Fault fault) {
        simulation().trace().line(() -> "fault: " + fault);
        SimNetwork network = simulation().network();
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
                simulation().coverage().hit(RareEvent.STRANGER);
                Stranger.comes(simulation(), stranger, plan().hasParity());
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
                    env.times(plan().work().times(strain.factor()));
                    simulation().after(strain.forNanos(), env::usualTimes);
                });
            case Fault.Squeeze squeeze ->
                bricks().stream()
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
                SimLog quorum = quorum();
                if (quorum != null) {
                    quorum.electAnother(elect.staleNanos());
                }
            }
            default -> throw new IllegalArgumentException("no node suffers from " + fault);
        }
    }

    /** The processes of a name that run now. */
    private List<SimEnv> running(String name) {
        return simulation().envs().stream()
                .filter(env -> env.name().equals(name) && !env.isStopped())
                .toList();
    }

    /** Nothing is left on a brick: its process ends, whatever goes on elsewhere. */
    void endDrained(Fault.Drain drain) {
        for (SimBrick brick : bricks()) {
            if (brick.name().equals(drain.node()) && !brick.nodes().isEmpty()) {
                recoveries.ends(brick);
                brick.crash();
                simulation().after(drain.backAfterNanos(), brick::start);
            }
        }
    }

    private void crash(Fault.Crash crash) {
        crashBrick(crash.node(), crash.backAfterNanos());
        if (end(crash.node())) {
            simulation().coverage().hit(RareEvent.COORDINATOR_CRASHED);
            simulation().after(crash.backAfterNanos(), () -> startCoordinator(crash.node()));
        }
        if (ClusterPlan.isClient(crash.node())) {
            clientCrashes.accept(crash);
        }
    }

    /** Crashes a brick, if that may be; whether it did. */
    private boolean crashBrick(String name, long backAfterNanos) {
        for (SimBrick brick : bricks()) {
            if (brick.name().equals(name) && !brick.nodes().isEmpty() && survivors.mayCrash(brick)) {
                simulation().coverage().hit(anyBrickIsDown() ? RareEvent.TWO_BRICKS_DOWN : RareEvent.BRICK_CRASHED);
                recoveries.crashes(brick);
                recoveries.ends(brick);
                long incarnation = brick.nodes().get(0).hello().incarnation();
                brick.crash();
                if (reportsEnds && incarnation > 0) {
                    Operator.sendFor(this, new EndReport(name, incarnation));
                }
                simulation().after(backAfterNanos, brick::start);
                return true;
            }
        }
        return false;
    }

    private void partCoordinators(Fault.Headless headless) {
        List<String> names = ClusterPlan.names("c", plan().coordinators());
        for (String one : names) {
            names.stream()
                    .filter(other -> !other.equals(one))
                    .forEach(other -> simulation().network().part(one, other, headless.forNanos()));
        }
        survivors.parted();
        simulation().after(headless.forNanos(), survivors::reunited);
        crashWhenNobodyLeads(headless, simulation().nowNanos() + headless.forNanos());
    }

    private void crashWhenNobodyLeads(Fault.Headless headless, long untilNanos) {
        if (simulation().network().isHealed() || simulation().nowNanos() >= untilNanos) {
            return;
        }
        if (coordinatorIsUp()) {
            simulation().after(LOOK_NANOS, () -> crashWhenNobodyLeads(headless, untilNanos));
        } else if (crashBrick(headless.node(), headless.backAfterNanos())) {
            simulation().coverage().hit(RareEvent.CRASHED_WITHOUT_LEADER);
        }
    }

    private void takeOver(Fault.TakeOver takeOver) {
        bricks().replaceAll(
                        brick -> brick.name().equals(takeOver.node()) && brick.isReady() && survivors.mayCrash(brick)
                                ? oldProcesses.begin(brick, takeOver)
                                : brick);
    }

    /** Bricks in whose places others have come, and that run all the same. */
    public List<SimBrick> oldProcesses() {
        return oldProcesses.running();
    }

    /** Sets who lets clients crash: they are not the cluster's own. */
    public void onClientCrash(Consumer<Fault.Crash> crashes) {
        clientCrashes = crashes;
    }

    /** Counts the rare events in the recovery of parity groups. */
    public ParityRecoveries recoveries() {
        return recoveries;
    }

    /** Whether no operator drains a brick, alters the table or its schema, or waits for its conversions. */
    @Override
    protected boolean operatorsAreDone() {
        return drains.areOver() && alterations.areOver() && conversions.areOver() && schemaChanges.areOver();
    }

    Alterations alterations() {
        return alterations;
    }

    Survivors survivors() {
        return survivors;
    }

    @Override
    public void close() {
        oldProcesses.running().forEach(SimBrick::release);
        super.close();
    }
}
