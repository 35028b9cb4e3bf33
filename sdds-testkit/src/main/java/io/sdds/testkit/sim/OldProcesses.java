package io.sdds.testkit.sim;

import java.util.ArrayList;
import java.util.List;

/**
 * Processes of bricks in whose place others have started while they were cut off or paused, and which come back beside
 * these. Each is to end as soon as it hears of the other one.
 */
final class OldProcesses {
    private static final long LOOK_NANOS = 10_000_000L;

    private final SimCluster cluster;
    private final List<Old> all = new ArrayList<>();
    private boolean over;

    private record Old(SimBrick brick, SimBrick successor) {}

    OldProcesses(SimCluster cluster) {
        this.cluster = cluster;
    }

    /**
     * The process of a brick goes away, and another one starts in its place.
     *
     * @return the brick, with no process yet
     */
    SimBrick begin(SimBrick brick, Fault.TakeOver takeOver) {
        SimBrick successor = brick.leaveBehind(brick.name() + "-old" + (all.size() + 1));
        brick.isAway(takeOver.isPaused());
        cluster.simulation().after(takeOver.startsAfterNanos(), successor::start);
        Old old = new Old(brick, successor);
        all.add(old);
        awaitSuccessor(old, takeOver.backAfterNanos());
        return successor;
    }

    private void awaitSuccessor(Old old, long backAfterNanos) {
        Simulation simulation = cluster.simulation();
        if (old.successor.isReady()) {
            simulation.after(backAfterNanos, () -> comesBack(old));
        } else if (!over) {
            simulation.after(LOOK_NANOS, () -> awaitSuccessor(old, backAfterNanos));
        }
    }

    private void comesBack(Old old) {
        if (!over && !old.brick.nodes().isEmpty()) {
            cluster.simulation().coverage().hit(RareEvent.OLD_PROCESS_BACK);
            cluster.simulation().trace().line(() -> "the old process of " + old.brick.name() + " is back");
            old.brick.comesBack();
        }
    }

    /**
     * All are back that have been replaced. An operator ends the others, without which no process can take their
     * places.
     */
    void heal() {
        for (Old old : all) {
            if (old.successor.isReady()) {
                comesBack(old);
            } else if (!old.brick.nodes().isEmpty()) {
                old.brick.crash();
            }
        }
        over = true;
    }

    /** Those that still run. */
    List<SimBrick> running() {
        return all.stream()
                .map(Old::brick)
                .filter(brick -> !brick.nodes().isEmpty())
                .toList();
    }
}
