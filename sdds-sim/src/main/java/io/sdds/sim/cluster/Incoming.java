package io.sdds.sim.cluster;

import io.sdds.core.node.Connection;
import io.sdds.core.node.IncomingBudget;
import io.sdds.core.node.Link;
import io.sdds.sim.plan.ClusterPlan;
import java.util.HashSet;
import java.util.Set;

/**
 * Sums the bytes of incomplete messages on all links of a brick process after each read, independent of the counter of
 * the brick. Links of other bricks have a separate limit, and are not counted.
 */
final class Incoming {
    private final Set<Link> holding = new HashSet<>();
    private long mostBytes;

    /** A connection of the process has read. */
    void hasRead(Connection.Listener listener) {
        if (listener instanceof Link link && counted(link) > 0) {
            holding.add(link);
        }
        if (!holding.isEmpty()) {
            holding.removeIf(link -> counted(link) == 0);
            mostBytes = Math.max(
                    mostBytes, holding.stream().mapToLong(Incoming::counted).sum());
        }
    }

    private static long counted(Link link) {
        if (!link.isUp() || link.isDialed() || ClusterPlan.isBrick(link.peer().name())) {
            return 0;
        }
        return link.incomingBytes() <= IncomingBudget.FREE_BYTES ? 0 : link.incomingBytes();
    }

    /** The highest sum so far. */
    long mostBytes() {
        return mostBytes;
    }
}
