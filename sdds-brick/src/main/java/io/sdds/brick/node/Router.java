package io.sdds.brick.node;

import io.sdds.brick.map.BrickMap;
import io.sdds.brick.map.TableView;
import io.sdds.brick.migration.Migrations;
import io.sdds.brick.partition.HashPartition;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.Replies;
import io.sdds.brick.partition.Request;
import io.sdds.brick.partition.Tables;
import io.sdds.brick.stage.Peers;
import io.sdds.brick.stage.StageContext;
import io.sdds.core.addressing.LinearHashing;
import io.sdds.core.model.Place;
import io.sdds.core.model.TableKind;
import io.sdds.core.node.Env;
import io.sdds.core.node.Link;
import io.sdds.core.protocol.Limits;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.Status;
import io.sdds.core.stage.Stage;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** Brings each request to the partition that owns its pseudo-key: here, or by a forward. */
final class Router {

    /*
     * Server side of LH* addressing, and location (docs/design/addressing.md, rules 15 and 16). Two things can be wrong
     * with an address:
     *
     * - the number: the client's image is behind the file. Partition a of level j computes the next number by the LH*
     * rule; at most two such forwards
     *   reach the right one, unless the file changes meanwhile: then the client refreshes.
     * - the place: the number is right but its partition is elsewhere. The brick forwards by its map, if that is newer
     * than the map the request was
     *   addressed by, with numbers it does not know stripped of top bits; else it answers REDIRECT and the client
     *   refreshes. A number that was merged away here is known to be, even before the map says so: its parent's brick
     *   has confirmed that it serves. So is one that has moved away.
     *
     * Of a range table the number is only a name: whichever brick a request comes to looks for the partition that has
     * its key among the spans it knows (RP*Cu, section 2.1: the one that was addressed has split, or merged, since). A
     * partition knows what it gave away, by its brick's map.
     *
     * So each forward raises the LH* address or the map version, or comes from a partition that has given the key away,
     * and forwarding ends; else at the bound on hops.
     */

    private final Env env;
    private final BrickMap map;
    private final Tables tables;
    private final Migrations migrations;
    private final Peers peers;
    private final Forwards forwards;
    private final Replies replies;
    private final Stage stage;
    private final Serving serving;
    private final IntPredicate owned;
    private final int busyHintMillis;
    private int selfNumber = Place.LOST;
    private long addressingForwards;

    /** Runs a request on the partition that owns its pseudo-key. */
    interface Serving {
        void serve(Partition partition, Request request);
    }

    Router(StageContext context, Migrations migrations, Forwards forwards, Serving serving) {
        this.env = context.env();
        this.map = context.map();
        this.tables = context.tables();
        this.migrations = migrations;
        this.peers = context.peers();
        this.forwards = forwards;
        this.replies = context.replies();
        this.stage = context.stage();
        this.owned = context.owned();
        this.busyHintMillis = context.busyHintMillis();
        this.serving = serving;
    }

    void self(int number) {
        selfNumber = number;
    }

    /** Requests sent on because their number was wrong. */
    long addressingForwards() {
        return addressingForwards;
    }

    void route(Request request) {
        Partition partition = tables.find(request.table, request.partition);
        if (partition == null) {
            routeByMap(request);
        } else if (partition.owns(request)) {
            serving.serve(partition, request);
        } else if (partition.isClosed()) {
            keep(partition, request);
        } else {
            forwardAddress(partition, request);
        }
    }

    private void keep(Partition closed, Request request) {
        Partition.Mover mover = closed.mover();
        if (mover == null && migrations.isMerged(closed.table(), closed.number())) {
            routeByMap(request); // to the parent: it has all that this one had
        } else if (!(mover == null ? migrations.park(request, closed.number()) : mover.park(request))) {
            replies.busy(request, busyHintMillis);
        }
    }

    private void forwardAddress(Partition partition, Request request) {
        if (request.addressingHops == Limits.ADDRESSING_HOPS_MAX) {
            redirect(request); // the file has changed, or a brick that has not heard of a split sent it back
            return;
        }
        int next = partition instanceof HashPartition
                ? LinearHashing.forwardAddress(request.hash, partition.number(), partition.level())
                : right(map.table(request.table), request);
        if (next < 0 || next == partition.number()) {
            redirect(request);
            return;
        }
        addressingForwards++;
        request.addressingHops++;
        Partition here = tables.find(request.table, next);
        if (here != null && runsHere(here, request) && request.hops < Limits.HOPS_MAX) {
            request.hops++;
            request.partition = next;
            route(request);
        } else if (!migrations.park(request, next)) {
            TableView table = map.table(request.table);
            if (table == null) {
                replies.status(request, Status.NO_SUCH_TABLE);
            } else {
                sendOn(request, table, next);
            }
        }
    }

    /** The partition that the map gives a request's key; -1 when it gives none. */
    static int right(@Nullable TableView table, Request request) {
        if (table == null) {
            return -1;
        }
        if (table.definition().kind() == TableKind.HASH) {
            return LinearHashing.address(request.hash, table.partitions());
        }
        if (Opcode.isOfKey(request.opcode)) {
            return table.spans().holding(request.key());
        }
        if (request.isDescending()) {
            return request.keyLength == 0 ? table.spans().last() : table.spans().holding(request.key());
        }
        return request.includesKey() && request.keyLength > 0
                ? table.spans().holding(request.key())
                : table.spans().holdingAbove(request.key());
    }

    /**
     * Not a write of a replica group that another brick leads: it goes there at once, while it has the address to
     * raise.
     */
    private static boolean runsHere(Partition partition, Request request) {
        return partition.group().leads() || !request.isWrite();
    }

    private void routeByMap(Request request) {
        if (migrations.park(request, request.partition)) {
            return;
        }
        TableView table = map.table(request.table);
        if (request.mapVersion > map.version()) {
            redirect(request);
        } else if (table == null) {
            replies.status(request, Status.NO_SUCH_TABLE);
        } else {
            int right = right(table, request);
            Partition here = tables.find(request.table, right);
            if (right < 0) {
                redirect(request);
            } else if (here != null && request.hops < Limits.HOPS_MAX) {
                request.hops++;
                request.partition = right;
                route(request);
            } else if (request.mapVersion < map.version()
                    || migrations.isMerged(request.table, request.partition)
                    || hasMoved(request, table, right)) {
                sendOn(request, table, right);
            } else if (lost(table, right)) {
                replies.status(request, Status.LOST);
            } else {
                redirect(request);
            }
        }
    }

    /** Whether it was handed over here to a brick that has it still, whatever the map says yet. */
    private boolean hasMoved(Request request, TableView table, int partition) {
        Place place = table.place(partition);
        return place != null && migrations.isMoved(request.table, partition) && !map.isReplaced(place);
    }

    private static boolean lost(TableView table, int partition) {
        Place place = table.place(partition);
        return place != null && place.lost();
    }

    private void sendOn(Request request, TableView table, int wanted) {
        int known = table.knownAncestor(wanted);
        Place place = table.place(known);
        if (place == null || place.none() || request.hops >= Limits.HOPS_MAX) {
            redirect(request);
        } else if (place.lost()) {
            replies.status(request, Status.LOST);
        } else if (place.brick() == selfNumber && owned.test(known)) {
            redirect(request); // the map says here, but it has not come yet
        } else {
            sendOver(request, peers.protocol(place.brick()), known);
        }
    }

    private void sendOver(Request request, @Nullable Link next, int partition) {
        if (next == null) {
            redirect(request);
        } else if (next.isFull()
                || !request.isWrite() && !request.link.admits(Limits.MESSAGE_BYTES_MAX)
                || !forwards.forward(request, next, partition, request.addressingHops, map.version(), env.nowNanos())) {
            replies.busy(request, busyHintMillis);
        } else {
            stage.touched(next);
        }
    }

    /** A request that only the primary of its partition serves has come to another member. */
    void toPrimary(Request request) {
        TableView table = map.table(request.table);
        if (table == null || request.mapVersion >= map.version()) {
            redirect(request);
        } else {
            sendOn(request, table, request.partition);
        }
    }

    void redirect(Request request) {
        replies.number(request, Status.REDIRECT, map.version());
    }
}
