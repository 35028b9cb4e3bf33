package io.sdds.sim.fault;

import io.sdds.sim.cluster.SimBrick;
import io.sdds.sim.plan.Fault;
import io.sdds.sim.world.RareEvent;
import io.sdds.sim.world.Simulation;
import java.util.ArrayList;
import java.util.List;

/**
 * Processes of bricks in whose place others have started while they were cut off or paused, and which come back beside
 * these. Each is to end as soon as it hears of the other one.
 */
final class OldProcesses {
    private static final long LOOK_NANOS = 10_000_000L;

    private final FaultyCluster cluster;
    private final Survivors survivors;
    private final List<Old> all = new ArrayList<>();
    private boolean over;

    private record Old(SimBrick brick, SimBrick successor) {}

    OldProcesses(FaultyCluster cluster, Survivors survivors) {
        this.cluster = cluster;
        this.survivors = survivors;
    }

    /**
     * The process of a brick goes away, and another one starts in its place.
     *
     * @return the brick, with no process yet
     */
    SimBrick begin(SimBrick brick, Fault.TakeOver takeOver) {
        SimBrick successor = brick.leaveBehind(brick.name() + "-old" + (all.size() + 1));
        brick.isAway(takeOver.isPaused());
        Old old = new Old(brick, successor);
        all.add(old);
        cluster.simulation().after(takeOver.startsAfterNanos(), () -> awaitSuccessor(old, takeOver.backAfterNanos()));
        return successor;
    }

    private void awaitSuccessor(Old old, long backAfterNanos) {
        Simulation simulation = cluster.simulation();
        if (old.successor.isReady()) {
            simulation.after(backAfterNanos, () -> comesBack(old));
        } else if (!over) {
            startIfSpared(old);
            simulation.after(LOOK_NANOS, () -> awaitSuccessor(old, backAfterNanos));
        }
    }

    /**
     * The successor runs only while its registration, which ends the old process, loses nothing: other members may be
     * removed from their groups before the successor registers. Whether the old process can be spared.
     */
    private boolean startIfSpared(Old old) {
        boolean spared = over ? survivors.canSpareButTheIndex(old.successor) : survivors.canSpare(old.successor);
        if (spared) {
            old.successor.start();
        } else {
            end(old.successor);
        }
        return spared;
    }

    private void comesBack(Old old) {
        if (!over && !old.brick.nodes().isEmpty()) {
            cluster.simulation().coverage().hit(RareEvent.OLD_PROCESS_BACK);
            cluster.simulation().trace().line(() -> "the old process of " + old.brick.name() + " is back");
            old.brick.comesBack();
        }
    }

    /**
     * All are back. An operator ends those that have not been replaced, without which no process can take their places,
     * as soon as nothing is lost by that: others may have been removed from their groups meanwhile.
     */
    void heal() {
        all.stream().filter(old -> old.successor.isReady()).forEach(this::comesBack);
        over = true;
        all.forEach(this::endNotReplaced);
    }

    private void endNotReplaced(Old old) {
        if (old.successor.isReady()) {
            return;
        }
        if (startIfSpared(old)) {
            end(old.brick);
        } else {
            old.brick.comesBack();
            cluster.simulation().after(LOOK_NANOS, () -> endNotReplaced(old));
        }
    }

    private static void end(SimBrick brick) {
        if (!brick.nodes().isEmpty()) {
            brick.crash();
        }
    }

    /** Those that still run. */
    List<SimBrick> running() {
        return all.stream()
                .map(Old::brick)
                .filter(brick -> !brick.nodes().isEmpty())
                .toList();
    }
}
