package io.sdds.core.node;

import io.sdds.core.protocol.ClusterId;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Links that came up before this process knew its cluster, so that their ends could not compare ids. Only the node's
 * thread uses it.
 */
public final class UncheckedLinks {
    private final Set<Link> links = new LinkedHashSet<>();

    /** A link is up; {@code cluster} is the cluster as this process knows it. */
    public void up(Link link, ClusterId cluster) {
        if (!cluster.isKnown()) {
            links.add(link);
        }
    }

    public void down(Link link) {
        links.remove(link);
    }

    /**
     * This process has learnt its cluster. Links whose other ends did not name this cluster are closed; such peers may
     * connect again.
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
