package io.sdds.client.internal.routing;

import io.sdds.core.protocol.ClusterId;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices that another cluster has taken the place of the client's own, because all processes ended and began anew. The
 * client goes there, or refuses all operations at once, as its settings say.
 */
final class ClusterFollower {
    private static final Logger log = LoggerFactory.getLogger(ClusterFollower.class);

    private final ClientNode node;
    private final FollowedCluster followed;

    ClusterFollower(ClientNode node, FollowedCluster followed) {
        this.node = node;
        this.followed = followed;
    }

    /** A link went down. All given addresses may belong to another cluster by now. */
    void onLinkDown() {
        ClusterId other = node.control().otherCluster();
        if (!other.isKnown()) {
            return;
        }
        if (node.settings().followsNewCluster()) {
            follow(other);
        } else {
            refuse();
        }
    }

    private void follow(ClusterId other) {
        ClusterId left = node.cluster().id();
        if (followed.isFirst(other)) {
            warn(left, other);
        }
        String why = "its cluster was made anew: this client has left cluster " + left + " for " + other;
        node.leaveFor(other);
        node.sessions().forget();
        node.control().goOnInNewCluster(why);
        node.router().takeAll().forEach(request -> goOn(request, why));
        node.peers().forget();
        node.startTicking();
    }

    private void warn(ClusterId left, ClusterId other) {
        log.warn(
                "client '{}' goes from cluster {} to cluster {}, which has all its addresses: its tables are opened"
                        + " again by their names, and operations of unknown outcome fail",
                node.settings().name(),
                left,
                other);
    }

    private void refuse() {
        String why = node.peers().foreignTrouble();
        if (why != null) {
            node.router().takeAll().forEach(request -> fail(request, why));
            node.control().failAll(why);
        }
    }

    /** A request that surely had no effect goes on in the new cluster, unless it is a later step of a scan or clear. */
    private void goOn(Request<?> request, String why) {
        if (request.isForAnyTable() && !request.outcomeUnknown()) {
            request.session = null;
            node.router().routeAgain(request);
        } else {
            fail(request, why);
        }
    }

    private void fail(Request<?> request, String why) {
        request.trouble = null;
        node.router().fail(request, Failure.Kind.UNAVAILABLE, why);
    }
}
