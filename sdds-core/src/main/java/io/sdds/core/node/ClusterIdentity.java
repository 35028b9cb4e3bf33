package io.sdds.core.node;

import io.sdds.core.protocol.ClusterId;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Tells which cluster a process belongs to. The process learns its cluster once, unless its directory names the cluster
 * from the start. The cluster never changes. Any thread may call.
 */
public final class ClusterIdentity {
    private final Consumer<ClusterId> keeper;
    private final CompletableFuture<Void> known = new CompletableFuture<>();
    private volatile ClusterId id;

    /** The identity of a process that has no directory: it learns its cluster from others. */
    public ClusterIdentity() {
        this(ClusterId.UNKNOWN, learnt -> {});
    }

    /**
     * @param id what the process's directory names; {@link ClusterId#UNKNOWN} when it names none
     * @param keeper hears the id when it is learnt, on the thread that learns it, and before anybody else can see it
     */
    public ClusterIdentity(ClusterId id, Consumer<ClusterId> keeper) {
        this.id = id;
        this.keeper = keeper;
        if (id.isKnown()) {
            known.complete(null);
        }
    }

    /** The cluster, as far as it is known. */
    public ClusterId id() {
        return id;
    }

    /** Done once the cluster is known. */
    public CompletableFuture<Void> known() {
        return known.copy();
    }

    /**
     * Takes the cluster from a node that must know it; returns whether this process did not know its cluster before.
     */
    public synchronized boolean learn(ClusterId cluster) {
        if (id.isKnown() || !cluster.isKnown()) {
            return false;
        }
        keeper.accept(cluster);
        id = cluster;
        known.complete(null);
        return true;
    }
}
