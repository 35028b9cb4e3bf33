package io.sdds.client.internal.routing;

import io.sdds.core.protocol.ClusterId;
import java.util.concurrent.atomic.AtomicReference;

/** The cluster that a client has followed last. All nodes of the client share it. Thread-safe. */
public final class FollowedCluster {
    private final AtomicReference<ClusterId> last = new AtomicReference<>(ClusterId.UNKNOWN);

    /** A node follows a cluster. Returns whether it is the first node of the client that does so. */
    boolean isFirst(ClusterId other) {
        return !other.equals(last.getAndSet(other));
    }
}
