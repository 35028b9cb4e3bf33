package io.sdds.brick.group;

import io.sdds.brick.partition.Request;
import io.sdds.core.node.Link;
import io.sdds.core.protocol.RequestFrame;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The requests that wait at the primary until their entry is committed. An entry has one request, and more when clients
 * have sent the same write again. The first request of an entry takes no object.
 */
final class PendingReplies {
    private static final int FIRST_PLACES = 64;
    private static final int DUPLICATES_MAX = 1024;

    private @Nullable Link[] links = new Link[FIRST_PLACES];
    private int[] correlations = new int[FIRST_PLACES];
    private int[] routes = new int[FIRST_PLACES];
    private final List<Duplicate> duplicates = new ArrayList<>();
    private final Request answered = new Request();

    private record Duplicate(long seq, Link link, int correlation, int route) {}

    /**
     * Adds the request whose write is the entry of a seq.
     *
     * @param committed seq of the last committed entry
     */
    void add(long seq, Request request, long committed) {
        while (seq - committed > links.length) {
            grow(committed, seq);
        }
        int place = (int) seq & links.length - 1;
        links[place] = request.link;
        correlations[place] = request.correlation;
        routes[place] = route(request);
    }

    /** Adds a request that repeats a write; false if too many wait. */
    boolean addDuplicate(long seq, Request request) {
        return duplicates.size() < DUPLICATES_MAX
                && duplicates.add(new Duplicate(seq, request.link, request.correlation, route(request)));
    }

    /** How the request was forwarded, and whether its reply is to carry an image adjustment. */
    private static int route(Request request) {
        return (request.flags & RequestFrame.FLAG_TEACH) << 16 | request.addressingHops << 8 | request.hops;
    }

    /**
     * Removes a request of a seq, and returns it.
     *
     * @return valid until the next call, and only the fields that a reply needs are set; null if no more requests wait
     */
    @Nullable
    Request next(long seq) {
        int place = (int) seq & links.length - 1;
        Link first = links[place];
        if (first != null) {
            links[place] = null;
            if (first.isUp()) {
                return answered(first, correlations[place], routes[place]);
            }
        }
        for (int k = 0; k < duplicates.size(); k++) {
            Duplicate waiting = duplicates.get(k);
            if (waiting.seq() == seq) {
                duplicates.remove(k--);
                if (waiting.link().isUp()) {
                    return answered(waiting.link(), waiting.correlation(), waiting.route());
                }
            }
        }
        return null;
    }

    private Request answered(Link link, int correlation, int route) {
        answered.link = link;
        answered.correlation = correlation;
        answered.flags = route >>> 16;
        answered.addressingHops = route >>> 8 & 0xff;
        answered.hops = route & 0xff;
        return answered;
    }

    private void grow(long committed, long seq) {
        int size = links.length;
        Link[] largerLinks = new Link[2 * size];
        int[] largerCorrelations = new int[2 * size];
        int[] largerRoutes = new int[2 * size];
        for (long s = committed + 1; s < seq && s <= committed + size; s++) {
            int from = (int) s & size - 1;
            int to = (int) s & 2 * size - 1;
            largerLinks[to] = links[from];
            largerCorrelations[to] = correlations[from];
            largerRoutes[to] = routes[from];
        }
        links = largerLinks;
        correlations = largerCorrelations;
        routes = largerRoutes;
    }
}
