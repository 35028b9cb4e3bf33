package io.sdds.core.node;

import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The links to a node whose other ends have not said who they are, so many at most. One more takes the place of the one
 * that has been silent for longest: however many connect and say nothing, whoever says its hello at once gets in. Used
 * by the node's thread alone.
 */
public final class Strangers {
    /** A hello takes a round trip; so many are connected within one only where somebody means harm. */
    public static final int MAX = 1024;

    private final Set<Link> links = new LinkedHashSet<>();

    /** Somebody has connected. */
    public void opened(Link link) {
        links.add(link);
        if (links.size() > MAX) {
            links.iterator().next().giveUp("no hello came, and " + MAX + " others wait to say theirs");
        }
    }

    /** It has said who it is, or is gone. */
    public void leaves(Link link) {
        links.remove(link);
    }

    /** How many there are. */
    public int count() {
        return links.size();
    }
}
