package io.sdds.brick.group;

import io.sdds.brick.partition.Request;
import io.sdds.core.node.Link;
import io.sdds.core.protocol.RequestFrame;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Who waits at the primary for the decision on an entry: one writer an entry, and those who sent the same write again.
 * No object a writer.
 */
final class PendingReplies {
    private static final int FIRST_PLACES = 64;
    private static final int AGAIN_MAX = 1024;

    private @Nullable Link[] links = new Link[FIRST_PLACES];
    private int[] correlations = new int[FIRST_PLACES];
    private int[] ways = new int[FIRST_PLACES];
    private final List<Again> again = new ArrayList<>();
    private final Request answered = new Request();

    private record Again(long seq, Link link, int correlation, int way) {}

    /** A writer waits for a seq; entries behind {@code decided} are undecided. */
    void add(long seq, Request request, long decided) {
        while (seq - decided > links.length) {
            grow(decided, seq);
        }
        int place = (int) seq & links.length - 1;
        links[place] = request.link;
        correlations[place] = request.correlation;
        ways[place] = way(request);
    }

    /** Another copy of the write waits too; false when no more may. */
    boolean addAgain(long seq, Request request) {
        return again.size() < AGAIN_MAX && again.add(new Again(seq, request.link, request.correlation, way(request)));
    }

    /** By which way it came, and whether it is to be taught a better one. */
    private static int way(Request request) {
        return (request.flags & RequestFrame.FLAG_TEACH) << 16 | request.addressingHops << 8 | request.hops;
    }

    /** Hands over whoever waits for a seq: as a request of which only what a reply needs is set. */
    void take(long seq, Consumer<Request> answer) {
        int place = (int) seq & links.length - 1;
        Link link = links[place];
        if (link != null) {
            links[place] = null;
            hand(link, correlations[place], ways[place], answer);
        }
        for (int k = 0; k < again.size(); k++) {
            Again waiting = again.get(k);
            if (waiting.seq() == seq) {
                again.remove(k--);
                hand(waiting.link(), waiting.correlation(), waiting.way(), answer);
            }
        }
    }

    private void hand(Link link, int correlation, int way, Consumer<Request> answer) {
        if (link.isUp()) {
            answered.link = link;
            answered.correlation = correlation;
            answered.flags = way >>> 16;
            answered.addressingHops = way >>> 8 & 0xff;
            answered.hops = way & 0xff;
            answer.accept(answered);
        }
    }

    private void grow(long decided, long seq) {
        int size = links.length;
        Link[] largerLinks = new Link[2 * size];
        int[] largerCorrelations = new int[2 * size];
        int[] largerWays = new int[2 * size];
        for (long s = decided + 1; s < seq && s <= decided + size; s++) {
            int from = (int) s & size - 1;
            int to = (int) s & 2 * size - 1;
            largerLinks[to] = links[from];
            largerCorrelations[to] = correlations[from];
            largerWays[to] = ways[from];
        }
        links = largerLinks;
        correlations = largerCorrelations;
        ways = largerWays;
    }
}
