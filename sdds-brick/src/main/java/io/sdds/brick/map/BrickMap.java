package io.sdds.brick.map;

import io.sdds.core.control.ControlMessage.MapUpdate;
import io.sdds.core.model.AddressBlock;
import io.sdds.core.model.BrickInfo;
import io.sdds.core.model.LeaveOrder;
import io.sdds.core.model.MigrationKind;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.Place;
import io.sdds.core.model.Place.Member;
import io.sdds.core.model.TableKind;
import io.sdds.core.model.TableMap;
import io.sdds.core.protocol.ClusterId;
import io.sdds.core.protocol.Hello;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** The coordinators' map as far as this brick knows it. The version of the map only rises. */
public final class BrickMap {
    /** Most sessions that may have begun since the last update: more than a coordinator opens in seconds. */
    private static final long SESSIONS_AHEAD_MAX = 10_000;

    private long version;
    private long features;
    private final List<BrickInfo> bricks = new ArrayList<>();
    private @Nullable TableView[] tables = new TableView[8];
    private List<MigrationOrder> migrations = List.of();
    private List<LeaveOrder> leaves = List.of();
    private boolean converting;
    private long sessionNext;
    private long sessionsVersion;
    private long[] sessionsActive = {};

    public long version() {
        return version;
    }

    /**
     * Takes an update. An update that begins above the known version is not taken; the next heartbeat then asks for all
     * changes since the known version.
     *
     * @param dropped is called with the id of each table that was dropped
     * @return whether the update was taken
     */
    public boolean apply(MapUpdate update, IntConsumer dropped) {
        if (update.fromVersion() > version || update.toVersion() < version) {
            return false;
        }
        version = update.toVersion();
        features = update.features();
        update.bricks().forEach(this::takeBrick);
        update.tables().forEach(table -> takeTable(table, update.cluster()));
        update.blocks().forEach(this::takeBlock);
        for (int id : update.droppedTables()) {
            if (id < tables.length && tables[id] != null) {
                tables[id] = null;
                dropped.accept(id);
            }
        }
        converting = tables().stream().anyMatch(table -> table.definition().isConverting());
        migrations = update.migrations();
        leaves = update.leaves();
        if (update.sessionNext() != 0) {
            sessionNext = update.sessionNext();
            sessionsVersion = version;
            sessionsActive = update.sessionsActive().stream()
                    .mapToLong(Long::longValue)
                    .sorted()
                    .toArray();
        }
        return true;
    }

    /** Whether a table is being converted to parity. */
    public boolean isConverting() {
        return converting;
    }

    /** Whether the coordinators have activated a feature of the cluster. */
    public boolean uses(long feature) {
        return (features & feature) != 0;
    }

    private void takeBrick(BrickInfo changed) {
        bricks.removeIf(known -> known.number() == changed.number());
        bricks.add(changed);
    }

    private void takeTable(TableMap table, ClusterId cluster) {
        if (table.definition().kind() == TableKind.UNKNOWN) {
            return; // a kind of a later version: this brick gets no partition of the table
        }
        int id = table.definition().id();
        if (id >= tables.length) {
            tables = Arrays.copyOf(tables, Math.max(id + 1, tables.length * 2));
        }
        TableView known = tables[id];
        if (known == null) {
            tables[id] = new TableView(table, cluster);
        } else {
            known.take(table);
        }
    }

    private void takeBlock(AddressBlock block) {
        TableView table = table(block.table());
        if (table != null) {
            table.take(block);
        }
    }

    public @Nullable TableView table(int id) {
        return id >= 0 && id < tables.length ? tables[id] : null;
    }

    /** The table of this name. */
    public @Nullable TableView table(String name) {
        for (TableView table : tables) {
            if (table != null && table.definition().name().equals(name)) {
                return table;
            }
        }
        return null;
    }

    /** Every table known, by id. */
    public List<TableView> tables() {
        List<TableView> known = new ArrayList<>();
        for (TableView table : tables) {
            if (table != null) {
                known.add(table);
            }
        }
        return known;
    }

    /** The brick of this number, if it is known. */
    public @Nullable BrickInfo brick(int number) {
        for (int k = 0; k < bricks.size(); k++) {
            if (bricks.get(k).number() == number) {
                return bricks.get(k);
            }
        }
        return null;
    }

    /**
     * Whether a member of a group is the process that sent a hello. A process that sent its hello before it was
     * registered is recognised by its name alone.
     */
    public boolean isProcess(Member member, Hello peer) {
        BrickInfo brick = brick(member.brick());
        return brick != null
                && brick.id().equals(peer.name())
                && (peer.incarnation() == 0 || peer.incarnation() == member.incarnation());
    }

    /** Whether one of the members is the process that sent a hello. */
    public boolean isAmong(List<Member> members, Hello peer) {
        for (int k = 0; k < members.size(); k++) {
            if (isProcess(members.get(k), peer)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether the process that sent a hello takes part in a migration: it holds the source or the target, by the order
     * or by the map. The answer is true for a migration that is not under way, of which the map knows nothing.
     */
    public boolean mayShip(long migration, Hello peer) {
        MigrationOrder order = migration(migration);
        if (order != null && order.isLearner()) {
            return isAmong(members(order.table(), order.sender()), peer);
        }
        if (order != null && order.isRepair()) {
            return isAmong(order.target().members(), peer) || isInGroupOf(order, peer);
        }
        if (order != null) {
            return isAmong(order.source().members(), peer)
                    || isAmong(order.target().members(), peer)
                    || isAmong(members(order.table(), order.sender()), peer)
                    || isAmong(members(order.table(), order.receiver()), peer);
        }
        return true;
    }

    /** Whether the process that sent a hello is a member of the parity group that an order repairs. */
    private boolean isInGroupOf(MigrationOrder order, Hello peer) {
        TableView view = table(order.table());
        int columns = view == null ? 0 : view.parity().columns();
        int first = view == null ? 0 : view.parity().group(order.sender()) * columns;
        for (int column = first; column < first + columns; column++) {
            if (isAmong(members(order.table(), column), peer)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Members of a partition's group, as far as the map has them: the primary first, then its backups, or the parities
     * of its group. Empty while the place or the parities are not known.
     */
    public List<Member> members(int table, int partition) {
        TableView view = table(table);
        Place place = view == null ? null : view.groupPlace(partition);
        return place == null ? List.of() : place.members();
    }

    public List<BrickInfo> bricks() {
        return List.copyOf(bricks);
    }

    /** Whether the brick of a place runs a later process, so that the records of the place are gone. */
    public boolean isReplaced(Place place) {
        BrickInfo brick = brick(place.brick());
        return brick != null && brick.incarnation() > place.incarnation();
    }

    /** Every migration under way. */
    public List<MigrationOrder> migrations() {
        return migrations;
    }

    /** The migration of this number, if it is under way. */
    public @Nullable MigrationOrder migration(long id) {
        for (MigrationOrder order : migrations) {
            if (order.id() == id) {
                return order;
            }
        }
        return null;
    }

    /** Every order to a member to leave its group. */
    public List<LeaveOrder> leaves() {
        return leaves;
    }

    /** Whether a split commits next in its table, because all splits ordered before it have committed. */
    public boolean isNext(MigrationOrder split) {
        TableView table = table(split.table());
        if (split.isMove() || table != null && table.definition().kind() == TableKind.RANGE) {
            return true; // the partitions of a range table split each by itself
        }
        for (MigrationOrder order : migrations) {
            boolean changesM = order.kind() == MigrationKind.SPLIT || order.isMerge();
            if (changesM && order.table() == split.table() && order.child() < split.child()) {
                return false;
            }
        }
        return true;
    }

    /** M of a table, once all its splits under way have committed. */
    public int partitionsOrdered(TableView table) {
        int partitions = table.partitions();
        for (MigrationOrder order : migrations) {
            if (order.table() == table.definition().id()) {
                partitions = Math.max(partitions, order.child() + 1);
            }
        }
        return partitions;
    }

    /**
     * Whether a session's number is so high that no coordinator can have given it out yet. Such a session never ends in
     * the map, so its results would be kept for ever.
     */
    public boolean sessionNotIssued(long session) {
        return session >= sessionNext + SESSIONS_AHEAD_MAX;
    }

    /**
     * The map version of the last update about sessions. This brick has dropped the results of the sessions that ended
     * by then. A brick that gets a partition from here must know the map up to this version, because it might otherwise
     * run a write of such a session again.
     */
    public long sessionsVersion() {
        return sessionsVersion;
    }

    /** Whether the map lists the session as ended. */
    public boolean sessionEnded(long session) {
        return session < sessionNext && Arrays.binarySearch(sessionsActive, session) < 0;
    }
}
