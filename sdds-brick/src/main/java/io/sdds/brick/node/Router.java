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

/** Routes each request to the partition that owns its key: a partition of this stage, or by a forward. */
final class Router {

    /*
     * Server side of LH* addressing (docs/design/addressing.md, rules 15 and 16). An address can be wrong in two ways:
     *
     * - The number is wrong, because the client's image is behind the file. Partition a of level j computes the next
     *   number by the LH* rule. At most two such forwards reach the right partition, unless the file changes meanwhile.
     *   Then the client refreshes its image.
     * - The place is wrong: the partition of this number is on another brick. This brick forwards by its map if the map
     *   is newer than the map by which the request was addressed. A number that the map does not have loses top bits
     *   until the map has it. If the map is not newer, the brick answers REDIRECT, and the client refreshes its image.
     *   The brick also forwards if it knows more than its map: the partition was merged or moved away from here, and
     *   the other brick has confirmed that it serves the keys.
     *
     * The number of a range partition is only a name. Every brick looks for the partition that has the key among the
     * spans of its map (RP*Cu, section 2.1), because the addressed partition may have split or merged since. The map of
     * a brick has all spans that the brick's own partitions have given away.
     *
     * So each forward raises the LH* address or the map version, or comes from a partition that has given the key away.
     * Hence forwarding ends, at the limit on hops at the latest.
     */

    private final Env env;
    private final BrickMap map;
    private final Tables tables;
    private final Migrations migrations;
    private final Peers peers;
    private final Forwards forwards;
    private final Replies replies;
    private final Stage stage;
    private final Degraded degraded;
    private final IntPredicate owned;
    private final int busyHintMillis;
    private int selfNumber = Place.LOST;
    private long addressingForwards;

    /** Takes the requests of degraded columns that a parity member of this brick leads. */
    interface Degraded {
        /** Whether a parity member of this brick leads a partition, so that the request is taken. */
        boolean takes(Request request, int partition);
    }

    Router(StageContext context, Migrations migrations, Forwards forwards, Degraded degraded) {
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
        this.degraded = degraded;
    }

    void self(int number) {
        selfNumber = number;
    }

    /** Number of requests that were forwarded because their partition number was wrong. */
    long addressingForwards() {
        return addressingForwards;
    }

    /** The partition of this stage that is to run a request; null if the request was answered, kept or forwarded. */
    @Nullable
    Partition route(Request request) {
        Partition owner = tables.owner(request);
        return owner == null ? routeOn(request) : owner;
    }

    /** Routes a request that is addressed to no partition here, or to one that does not own its key. */
    private @Nullable Partition routeOn(Request request) {
        Partition partition = find(request.table, request.partition);
        if (partition == null) {
            return routeByMap(request);
        }
        return partition.isClosed() ? keep(partition, request) : forwardAddress(partition, request);
    }

    /** The partition of a number; null if it is not here. An idle column owns no key, and is no partition. */
    private @Nullable Partition find(int table, int number) {
        Partition partition = tables.find(table, number);
        return partition == null || partition.isIdle() ? null : partition;
    }

    private @Nullable Partition keep(Partition closed, Request request) {
        Partition.Mover mover = closed.mover();
        if (mover == null && migrations.isMerged(closed.table(), closed.number())) {
            return routeByMap(request); // to the parent, which has all records of this partition
        }
        if (!(mover == null ? migrations.park(request, closed.number()) : mover.park(request))) {
            replies.busy(request, busyHintMillis);
        }
        return null;
    }

    private @Nullable Partition forwardAddress(Partition partition, Request request) {
        if (request.addressingHops == Limits.ADDRESSING_HOPS_MAX) {
            redirect(request); // the file has changed, or a brick with an old map has sent the request back
            return null;
        }
        int next = partition instanceof HashPartition
                ? LinearHashing.forwardAddress(request.hash, partition.number(), partition.level())
                : partitionInMap(map.table(request.table), request);
        if (next < 0 || next == partition.number()) {
            redirect(request);
            return null;
        }
        addressingForwards++;
        request.addressingHops++;
        Partition here = find(request.table, next);
        if (here != null && runsHere(here, request) && request.hops < Limits.HOPS_MAX) {
            request.hops++;
            request.partition = next;
            return route(request);
        }
        if (!migrations.park(request, next)) {
            TableView table = map.table(request.table);
            if (table == null) {
                replies.status(request, Status.NO_SUCH_TABLE);
            } else {
                sendOn(request, table, next);
            }
        }
        return null;
    }

    /** The partition that has a request's key by the map; -1 if there is none. */
    static int partitionInMap(@Nullable TableView table, Request request) {
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
     * Whether a request is run by this brick. A write of a replica group that another brick leads is not: it is
     * forwarded to the primary by the same hop that raises its address.
     */
    private static boolean runsHere(Partition partition, Request request) {
        return partition.group().leads() || !request.isWrite();
    }

    private @Nullable Partition routeByMap(Request request) {
        if (migrations.park(request, request.partition)) {
            return null;
        }
        TableView table = map.table(request.table);
        if (request.mapVersion > map.version()) {
            redirect(request);
            return null;
        }
        if (table == null) {
            replies.status(request, Status.NO_SUCH_TABLE);
            return null;
        }
        int wanted = partitionInMap(table, request);
        Partition here = find(request.table, wanted);
        if (wanted >= 0 && here != null && request.hops < Limits.HOPS_MAX) {
            request.hops++;
            request.partition = wanted;
            return route(request);
        }
        if (wanted < 0) {
            redirect(request);
        } else if (here != null || !degraded.takes(request, wanted)) {
            leaveHere(request, table, wanted);
        }
        return null;
    }

    /** Forwards a request that no partition of this stage can run. Answers it if it can't be forwarded. */
    private void leaveHere(Request request, TableView table, int wanted) {
        if (request.mapVersion < map.version()
                || migrations.isMerged(request.table, request.partition)
                || hasMoved(request, table, wanted)) {
            sendOn(request, table, wanted);
        } else if (lost(table, wanted)) {
            replies.status(request, Status.LOST);
        } else {
            redirect(request);
        }
    }

    /** Whether this brick has handed the partition over to a brick that still has it, even if the map is older. */
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
            redirect(request); // the map places the partition here, but it has not come yet
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

    /**
     * Forwards a request that only the primary of its partition may run. A client that sends a write here and knows the
     * map as well as this brick must look at the map again. It may send a read to any member.
     */
    void toPrimary(Request request) {
        TableView table = map.table(request.table);
        if (table == null || request.isWrite() && request.mapVersion >= map.version()) {
            redirect(request);
        } else {
            sendOn(request, table, request.partition);
        }
    }

    private void redirect(Request request) {
        replies.redirect(request, map.version());
    }
}
