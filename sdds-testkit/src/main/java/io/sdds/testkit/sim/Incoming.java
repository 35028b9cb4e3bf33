package io.sdds.testkit.sim;

import io.sdds.core.node.Connection;
import io.sdds.core.node.IncomingBudget;
import io.sdds.core.node.Link;
import java.util.HashSet;
import java.util.Set;

/**
 * What the links of a brick's process hold together of messages of which not all bytes have come, added up anew after
 * each read, whatever the brick counts itself. Links of other bricks have room of their own, and are left out.
 */
final class Incoming {
    private final Set<Link> holding = new HashSet<>();
    private long mostBytes;

    /** One of the process's connections has read. */
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

    /** The most that they held at a time. */
    long mostBytes() {
        return mostBytes;
    }
}
