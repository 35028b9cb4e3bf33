package io.sdds.core.stage;

import io.sdds.core.node.Link;
import org.jspecify.annotations.Nullable;

/**
 * Shares a standing queue out among the links that come to it between two drains, so that none has it to itself.
 * Sockets are read in the same order again and again: if the first to come had all the room, the last would be refused
 * each time, have windows of one request, and get nothing for as long as the load lasts. One thread.
 */
final class Shares {
    private @Nullable Link current;
    private int taken;
    private int links;
    private int linksBefore = 1;

    /**
     * How many of its requests a link may have waiting; what it brings at once comes in a row.
     *
     * @param room what all links may have waiting
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

    /** What had come has run. */
    void drained() {
        if (links > 0) {
            linksBefore = links;
            links = 0;
            current = null;
        }
    }
}
