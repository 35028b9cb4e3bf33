package io.sdds.client.internal.routing;

import io.sdds.core.node.Link;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs the losses of connections to one address, at most once a minute, and the connection that follows a logged loss.
 */
final class LossLog {
    private static final long INTERVAL_NANOS = 60_000_000_000L;

    private static final Logger log = LoggerFactory.getLogger(LossLog.class);

    /** Losses since the last loss that was logged. */
    private int notLogged;

    private long loggedNanos;

    /** Whether a loss was logged, and no connection came up since. */
    private boolean lossIsLast;

    void onConnected(Link opened) {
        if (lossIsLast) {
            lossIsLast = false;
            log.info("connected again to {}", opened.remote());
        }
    }

    void onLost(Link lost, String why, long now) {
        if (loggedNanos != 0 && now - loggedNanos < INTERVAL_NANOS) {
            notLogged++;
            return;
        }
        String more = notLogged == 0 ? "" : " (and " + notLogged + " more times since the last such message)";
        log.info("lost the connection to {}: {}{}", lost.remote(), why, more);
        loggedNanos = now;
        notLogged = 0;
        lossIsLast = true;
    }
}
