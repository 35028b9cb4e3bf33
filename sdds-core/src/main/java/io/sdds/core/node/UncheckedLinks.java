package io.sdds.core.node;

import io.sdds.core.protocol.ClusterId;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Links that came up before this process knew its cluster, so that their ends could not compare ids. Used by the node's
 * thread alone.
 */
public final class UncheckedLinks {
    private final Set<Link> links = new LinkedHashSet<>();

    /** A link is up; {@code cluster} is what this process knows. */
    public void up(Link link, ClusterId cluster) {
        if (!cluster.isKnown()) {
            links.add(link);
        }
    }

    public void down(Link link) {
        links.remove(link);
    }

    /**
     * This process knows its cluster from now on. Whoever did not name that one is disconnected, and may come again
     * with its hello.
     */
    public void learnt(ClusterId cluster) {
        List<Link> unchecked = List.copyOf(links);
        links.clear();
        for (Link link : unchecked) {
            if (cluster.conflictsWith(link.peer().cluster())) {
                link.refuseForeign(cluster);
            } else if (!link.peer().cluster().isKnown()) {
                link.close();
            }
        }
    }
}
