package io.sdds.brick.node;

import io.sdds.brick.map.BrickMap;
import io.sdds.brick.memory.MemoryBudget;
import io.sdds.core.model.BrickInfo;
import io.sdds.core.node.IncomingBudget;
import io.sdds.core.node.Link;
import io.sdds.core.node.PendingHandshakes;
import io.sdds.core.node.UncheckedLinks;
import io.sdds.core.node.UnreadBudget;
import io.sdds.core.protocol.ClusterId;
import io.sdds.core.protocol.Hello.Role;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Limits the connections to a stage. A connection is a stranger until its hello has come. Then it is a brick, if the
 * map has a brick of this name, and else a guest. Guests are clients, and all other processes, whatever role their
 * hello claims. The number of guests is limited. Guests share one budget for responses that they have not read, and one
 * for messages that they have begun to send. Bricks have a limit of their own.
 */
final class ConnectionLimiter {
    private final StageGroup group;
    private final int stage;
    private final BrickSettings settings;
    private final BrickMap map;
    private final UnreadBudget unread;
    private final IncomingBudget incoming;
    private final PendingHandshakes strangers = new PendingHandshakes();
    private final UncheckedLinks unchecked = new UncheckedLinks();
    private final Set<Link> guests = new LinkedHashSet<>();
    private final Set<Link> bricks = new LinkedHashSet<>();

    ConnectionLimiter(StageGroup group, int stage, BrickSettings settings, BrickMap map, MemoryBudget budget) {
        this.group = group;
        this.stage = stage;
        this.settings = settings;
        this.map = map;
        this.unread = budget.unread();
        this.incoming = budget.incoming();
    }

    void opened(Link link) {
        strangers.opened(link);
    }

    /** The hello of a connection has come. Returns whether the connection may stay; else it has been closed. */
    boolean admits(Link link) {
        strangers.leaves(link);
        boolean admitted = isOfMap(link) ? admitsBrick(link) : admitsGuest(link);
        if (admitted) {
            unchecked.up(link, group.cluster().id());
        }
        return admitted;
    }

    /** The brick has learnt its cluster: links to other clusters are closed. */
    void learnt(ClusterId cluster) {
        unchecked.learnt(cluster);
    }

    /**
     * Whether the map has the brick of a link. A brick that is not in the map yet is a guest until it connects again.
     */
    private boolean isOfMap(Link link) {
        Role role = link.peer().role();
        if (role == Role.BRICK || role == Role.BRICK_BULK) {
            for (BrickInfo brick : map.bricks()) {
                if (brick.id().equals(link.peer().name())) {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean admitsBrick(Link link) {
        if (!group.admitBrick()) {
            link.giveUp("too many connections of bricks: " + StageGroup.BRICK_LINKS_MAX);
            return false;
        }
        return bricks.add(link);
    }

    private boolean admitsGuest(Link link) {
        if (!group.admitClient(settings.clientsMax())) {
            link.giveUp("too many clients: " + settings.clientsMax() + " are connected to brick " + settings.id()
                    + "; close some, or raise its setting clients");
            return false;
        }
        link.holdWithin(unread);
        link.receiveWithin(incoming);
        if (link.peer().role() == Role.CLIENT) {
            group.senders().add(stage, link);
        }
        return guests.add(link);
    }

    /** Closes all connections, because the brick fails. */
    void fail(boolean blamesRequests) {
        String reason = "brick " + settings.id() + " failed; its log has the cause";
        guests.forEach(link -> link.fail(reason, blamesRequests));
        bricks.forEach(link -> link.fail(reason, blamesRequests));
    }

    void leaves(Link link) {
        strangers.leaves(link);
        unchecked.down(link);
        if (bricks.remove(link)) {
            group.brickGone();
        }
        if (guests.remove(link)) {
            group.clientGone();
            if (link.peer().role() == Role.CLIENT) {
                group.senders().remove(stage, link);
            }
        }
    }
}
