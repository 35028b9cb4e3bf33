package io.sdds.brick.migration;

import io.sdds.brick.group.Group.SubsumedState;
import io.sdds.brick.map.BrickMap;
import io.sdds.brick.map.TableView;
import io.sdds.brick.partition.Parked;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.Request;
import io.sdds.brick.stage.Peers;
import io.sdds.brick.stage.StageContext;
import io.sdds.core.control.ControlMessage;
import io.sdds.core.control.ControlMessage.Activate;
import io.sdds.core.control.ControlMessage.Done;
import io.sdds.core.model.Place;
import io.sdds.core.model.Place.Member;
import io.sdds.core.node.Env;
import io.sdds.core.node.Link;
import org.jspecify.annotations.Nullable;

/**
 * A member's copy of a child whose group has committed SUBSUME: it answers no request any more. Requests that come wait
 * until the parent's primary says that it serves. Until then a request that was sent to the parent would only come
 * back.
 */
final class SubsumedPartition {
    /*
     * Each member of the child's group asks by itself, from when it has applied SUBSUME until the answer comes or
     * the child is gone from the map. So none of the members is needed for the parent to hear of it. The map says who
     * leads the parent by then.
     */
    private static final long ASK_NANOS = 5_000_000L;

    private final Env env;
    private final BrickMap map;
    private final Peers peers;
    private final Partition child;
    private final SubsumedState handedBack;
    private final MigrationListener listener;
    private final Parked parked;
    private boolean taken;
    private boolean ended;

    /** The process that has said that the parent serves. */
    private @Nullable Member taker;

    private boolean asking;

    SubsumedPartition(StageContext context, Partition child, SubsumedState handedBack, MigrationListener listener) {
        this.env = context.env();
        this.map = context.map();
        this.peers = context.peers();
        this.child = child;
        this.handedBack = handedBack;
        this.listener = listener;
        this.parked = new Parked(env, Parked.SWITCH_EVENTS_MAX);
    }

    Partition child() {
        return child;
    }

    boolean is(int table, int partition) {
        return child.table() == table && child.number() == partition;
    }

    /** Whether the parent's primary has said that it serves. */
    boolean isTaken() {
        return taken;
    }

    /** Asks the parent's primary to take the records, until it has. */
    void ask() {
        asking = false;
        if (ended) {
            return;
        }
        TableView table = map.table(child.table());
        int parent = parent(table);
        Place place = table == null || parent < 0 ? null : table.place(parent);
        Link link = place == null || place.lost() || place.none() ? null : peers.protocol(place.brick());
        if (link == null || place == null) {
            askLater();
            return;
        }
        Activate activate = new Activate(
                handedBack.keys().migration(),
                0,
                child.table(),
                parent,
                handedBack.keys().level(),
                handedBack.version(),
                handedBack.timeNanos());
        asking = true;
        Member asked = place.primary();
        peers.ask(link, activate, answer -> onAnswer(asked, answer));
    }

    /** The parent of a range partition is its left neighbour. */
    private int parent(@Nullable TableView table) {
        return table == null
                ? -1
                : table.mergesInto(child.number(), handedBack.keys().span());
    }

    private void askLater() {
        asking = true;
        env.schedule(ASK_NANOS, this::ask);
    }

    private void onAnswer(Member asked, @Nullable ControlMessage answer) {
        if (answer instanceof Done && !ended) {
            asking = false;
            taker = asked;
            taken = true;
            learn();
            parked.rerun(listener::rerun);
        } else {
            askLater();
        }
    }

    /** The table has a partition less, whatever the map says yet. */
    void learn() {
        TableView table = map.table(child.table());
        if (taken && table != null) {
            table.merged(parent(table), child.number(), handedBack.keys().span());
        }
    }

    /** Keeps the request until the parent serves; false when no more requests can be kept. */
    boolean park(Request request) {
        return parked.add(request);
    }

    /**
     * Every 100 ms: requests that have waited too long are answered. A later primary of the parent may not know that
     * the one before it took the records, so it is asked, too.
     */
    void tick() {
        parked.expire(listener::overdue);
        if (taken && !asking && map.migration(handedBack.keys().migration()) != null && isAtAnother()) {
            ask();
        }
    }

    private boolean isAtAnother() {
        TableView table = map.table(child.table());
        int parent = parent(table);
        Place place = table == null || parent < 0 ? null : table.place(parent);
        return place != null
                && !place.lost()
                && !place.none()
                && !place.primary().equals(taker);
    }

    /** The copy is gone: the map says where its keys are. */
    void end() {
        ended = true;
        parked.rerun(listener::rerun);
    }

    /** The node ends. */
    void release() {
        ended = true;
        parked.release();
    }
}
