package io.sdds.core.node;

import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The links to a node whose other ends have not said hello. Their number is limited: a further link takes the place of
 * the link that has been silent for longest. So a peer that says its hello at once gets in, however many others connect
 * and say nothing. Only the node's thread uses it.
 */
public final class PendingHandshakes {
    /** Most links without a hello. A hello takes one round trip, in which so many links connect only in an attack. */
    public static final int MAX = 1024;

    private final Set<Link> links = new LinkedHashSet<>();

    /** A peer has connected. */
    public void opened(Link link) {
        links.add(link);
        if (links.size() > MAX) {
            links.iterator().next().giveUp("no hello came, and " + MAX + " others wait to say theirs");
        }
    }

    /** The peer of a link has said hello, or the link is gone. */
    public void leaves(Link link) {
        links.remove(link);
    }

    /** Number of links without a hello. */
    public int count() {
        return links.size();
    }
}
