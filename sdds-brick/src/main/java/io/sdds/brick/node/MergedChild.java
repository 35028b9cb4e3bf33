package io.sdds.brick.node;

import io.sdds.brick.group.Group.HandedBack;
import io.sdds.brick.map.BrickMap;
import io.sdds.brick.map.TableView;
import io.sdds.brick.partition.Parked;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.Request;
import io.sdds.brick.ship.SplitSource;
import io.sdds.brick.stage.Peers;
import io.sdds.core.control.ControlMessage;
import io.sdds.core.control.ControlMessage.Activate;
import io.sdds.core.control.ControlMessage.Done;
import io.sdds.core.model.Place;
import io.sdds.core.node.Env;
import io.sdds.core.node.Link;
import org.jspecify.annotations.Nullable;

/**
 * A copy of a child whose group has handed back all it had: it answers nobody any more. What comes waits until the
 * parent's primary says that it serves; until then a request that were sent there would only come back.
 */
final class MergedChild {
    /*
     * Each member of the child's group asks by itself, from when it has applied HANDOVER_ALL until the answer comes or
     * the map has the child no more: so none of them is needed for the parent to hear of it. The parent's primary is
     * whoever the map says it is by then.
     */
    private static final long ASK_NANOS = 5_000_000L;

    private final Env env;
    private final BrickMap map;
    private final Peers peers;
    private final Partition child;
    private final HandedBack word;
    private final SplitSource.Listener listener;
    private final Parked parked;
    private boolean taken;
    private boolean ended;

    MergedChild(Env env, BrickMap map, Peers peers, Partition child, HandedBack word, SplitSource.Listener listener) {
        this.env = env;
        this.map = map;
        this.peers = peers;
        this.child = child;
        this.word = word;
        this.listener = listener;
        this.parked = new Parked(env, Parked.SWITCH_EVENTS_MAX);
    }

    Partition child() {
        return child;
    }

    boolean is(int table, int partition) {
        return child.table() == table && child.number() == partition;
    }

    /** Whether the parent serves, by the word of its primary. */
    boolean isTaken() {
        return taken;
    }

    /** Asks the parent's primary to take what was shipped to its group, until it has. */
    void ask() {
        if (ended || taken) {
            return;
        }
        TableView table = map.table(child.table());
        int parent = parent(table);
        Place place = table == null || parent < 0 ? null : table.place(parent);
        Link link = place == null || place.lost() || place.none() ? null : peers.protocol(place.brick());
        if (link == null) {
            env.schedule(ASK_NANOS, this::ask);
            return;
        }
        Activate handOver = new Activate(
                word.keys().stream(), 0, child.table(), parent, word.keys().level(), word.version(), word.timeNanos());
        peers.ask(link, handOver, this::onAnswer);
    }

    /** Of a range partition its left neighbour. */
    private int parent(@Nullable TableView table) {
        return table == null ? -1 : table.mergesInto(child.number(), word.keys().span());
    }

    private void onAnswer(@Nullable ControlMessage answer) {
        if (answer instanceof Done && !ended) {
            taken = true;
            learn();
            parked.rerun(listener::rerun);
        } else {
            env.schedule(ASK_NANOS, this::ask);
        }
    }

    /** The table has a partition less, whatever the map says yet. */
    void learn() {
        TableView table = map.table(child.table());
        if (taken && table != null) {
            table.merged(parent(table), child.number(), word.keys().span());
        }
    }

    /** Keeps the request until the parent serves; false when no more can be kept. */
    boolean park(Request request) {
        return parked.add(request);
    }

    /** Now and then: requests that wait too long are answered. */
    void tick() {
        parked.expire(listener::overdue);
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
