package io.sdds.client.internal.routing;

import io.sdds.core.model.BrickInfo;
import io.sdds.core.node.Link;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** All bricks and coordinators that a client knows, by address and by brick number. */
final class Peers {
    private static final int BRICK_NUMBER_MAX = 1 << 20;

    private final ClientNode node;
    private final Map<String, Peer> byAddress = new LinkedHashMap<>();
    private @Nullable Peer[] byBrick = new Peer[16];
    private long[] incarnations = new long[16];

    Peers(ClientNode node) {
        this.node = node;
    }

    /** A copy of the peers known now. New peers may come while a caller walks the list. */
    List<Peer> all() {
        return new ArrayList<>(byAddress.values());
    }

    Collection<Peer> known() {
        return byAddress.values();
    }

    /** The trouble of the first peer that belongs to another cluster, when no peer can be reached; else null. */
    @Nullable
    String foreignTrouble() {
        String first = null;
        for (Peer peer : byAddress.values()) {
            if (peer.isUp()) {
                return null;
            }
            first = first == null && peer.isForeign() ? peer.trouble() : first;
        }
        return first;
    }

    /** The peer at an address; a new peer if the address is new. */
    Peer at(String address) {
        return byAddress.computeIfAbsent(address, unknown -> new Peer(node, unknown));
    }

    /** Forgets all peers and closes their links. */
    void forget() {
        List<Peer> left = all();
        byAddress.clear();
        Arrays.fill(byBrick, null);
        Arrays.fill(incarnations, 0);
        left.forEach(Peer::close);
    }

    /** The peer of a link. */
    static Peer of(Link link) {
        if (link.attachment() instanceof Peer peer) {
            return peer;
        }
        throw new IllegalStateException("a link that this client did not dial");
    }

    /** The peer of a brick; null when the brick's address is not known. */
    @Nullable
    Peer ofBrick(int number) {
        return number < byBrick.length ? byBrick[number] : null;
    }

    /**
     * Stores a brick's address, unless a newer address is known. Requests that wait at the old address are addressed
     * again.
     */
    void learn(BrickInfo brick) {
        int number = brick.number();
        if (number < 0 || number > BRICK_NUMBER_MAX) {
            return;
        }
        if (number >= byBrick.length) {
            int size = Math.max(number + 1, 2 * byBrick.length);
            byBrick = Arrays.copyOf(byBrick, size);
            incarnations = Arrays.copyOf(incarnations, size);
        }
        Peer old = byBrick[number];
        if (old != null && brick.incarnation() < incarnations[number]) {
            return;
        }
        incarnations[number] = brick.incarnation();
        Peer now = at(brick.address());
        byBrick[number] = now;
        if (old != null && old != now) {
            old.reroute();
        }
    }
}
