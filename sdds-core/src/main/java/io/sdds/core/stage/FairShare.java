package io.sdds.core.stage;

import io.sdds.core.node.Link;
import org.jspecify.annotations.Nullable;

/**
 * Shares a standing queue out among the links that bring requests between two drains, so that no link takes all of it.
 * Sockets are read in the same order again and again. If the first link took all the room, the last link would be
 * refused each time, would have a window of one request, and would get nothing while the load lasts. One thread uses
 * it.
 */
final class FairShare {
    private @Nullable Link current;
    private int taken;
    private int links;
    private int linksBefore = 1;

    /**
     * Number of requests that a link may have waiting. A link's requests of one read come in a row.
     *
     * @param room number of requests that all links may have waiting
     */
    @SuppressWarnings("ReferenceEquality") // a link is what it is
    int take(Link link, int events, int room) {
        if (link != current) {
            current = link;
            taken = 0;
            links++;
        }
        int share = Math.max(1, room / Math.max(linksBefore, links));
        int admitted = Math.min(events, Math.max(0, share - taken));
        taken += admitted;
        return admitted;
    }

    /** All requests that had come have run. */
    void drained() {
        if (links > 0) {
            linksBefore = links;
            links = 0;
            current = null;
        }
    }
}
