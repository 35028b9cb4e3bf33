package io.sdds.coordinator.state;

import io.sdds.coordinator.state.Result.Applied;
import io.sdds.coordinator.state.Result.Rejected;
import io.sdds.core.control.ControlMessage.MapUpdate;
import io.sdds.core.control.ControlMessage.Refusal;
import io.sdds.core.model.AddressBlock;
import io.sdds.core.model.BrickInfo;
import io.sdds.core.model.KeySpan;
import io.sdds.core.model.LeaveOrder;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.ParityMembers;
import io.sdds.core.model.Place;
import io.sdds.core.model.TableMap;
import io.sdds.core.protocol.ClusterId;
import io.sdds.core.row.Statistics;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The replicated state of the coordinators: bricks with their incarnations, tables and the places of their partitions,
 * migrations under way, sessions. The state is a deterministic state machine: the same commands make the same state, in
 * every process and every version.
 *
 * <p>Used by one thread.
 */
public final class ClusterState {
    /*
     * The map has one version. Each change adds one, and each changed part keeps the version of its last change. So the
     * changes since a version v are the parts with a higher version. Numbers of bricks, tables, streams and sessions
     * only grow; none is given twice.
     *
     * A partition that exists has exactly one place: processes of bricks, or LOST. Only CommitMigration changes M, by
     * one. Several splits of a table may be under way, the splits of n, n + 1, …; they commit in this order, so that
     * the image of LH* stays one integer: a parent hands over only when its split is the first of its table in the map
     * (docs/design/migration.md, rule 14). Hence a split that is not the first can be taken back safely at any time. It
     * is taken back when a split before it ends without a commit, so no split waits for a commit that may never come. A
     * merge is under way alone. The partitions of a range table split and merge independently, each in at most one
     * split or merge at a time. The number of a merged partition is used again. A partition of one copy that moves
     * neither splits nor merges meanwhile. Moves commit in any order, and change only places. A table with parity may
     * have idle columns, which have a place and own no keys; a split gives them keys, and a merge takes all keys. While
     * a table is converted from replicas to parity or back, no partition splits, merges or moves.
     *
     * A command that was decided on an older state does not match the present state. It is rejected and changes
     * nothing.
     */
    private final Cluster cluster = new Cluster();
    private final ParityGroupCommands parityGroups = new ParityGroupCommands(cluster);
    private final ConversionCommands conversions = new ConversionCommands(cluster, parityGroups);
    private final ReplicaAlterationCommands replicas = new ReplicaAlterationCommands(cluster, parityGroups);
    private final BrickCommands brickCommands = new BrickCommands(cluster, conversions);
    private final ParityAlterationCommands parityAlterations = new ParityAlterationCommands(cluster, parityGroups);
    private final SchemaCommands schemas = new SchemaCommands(cluster);
    private final StatisticsCommands statistics = new StatisticsCommands(cluster);
    private final TableCommands tableCommands = new TableCommands(cluster, parityGroups, schemas);
    private final MigrationCommands migrations = new MigrationCommands(cluster, parityGroups, conversions);
    private final MembershipCommands memberships = new MembershipCommands(cluster, conversions);

    // ---- commands

    /** Applies a committed command. A command that no longer fits changes nothing and is {@link Rejected}. */
    public Result apply(Command command) {
        return switch (command) {
            case Command.RegisterBrick register -> brickCommands.registerBrick(register);
            case Command.CreateTable create -> tableCommands.createTable(create);
            case Command.DropTable drop -> tableCommands.dropTable(drop);
            case Command.BeginMigration begin -> migrations.begin(begin);
            case Command.CommitMigration commit -> migrations.commit(commit);
            case Command.AbandonMigration abandon -> migrations.abandon(abandon);
            case Command.OpenSession open -> openSession();
            case Command.EndSessions end -> endSessions(end);
            case Command.AcceptLoss accept -> ofTable(accept.table(), table -> tableCommands.acceptLoss(table, accept));
            case Command.AlterParity alter -> ofTable(alter.table(), table -> parityAlterations.alter(table, alter));
            case Command.ConvertToParity convert ->
                ofTable(convert.table(), table -> conversions.convert(table, convert));
            case Command.EndConversion end -> ofTable(end.table(), table -> endConversion(table, end));
            case Command.AlterReplicas alter -> ofTable(alter.table(), table -> replicas.alter(table, alter));
            case Command.AlterSchema alter -> ofTable(alter.table(), table -> schemas.alter(table, alter));
            case Command.StoreStatistics store -> ofTable(store.table(), table -> statistics.store(table, store));
            case Command.ConvertToReplicas convert ->
                ofTable(convert.table(), table -> replicas.convert(table, convert));
            case Command.ChangeGroups change -> memberships.changeGroups(change);
            case Command.ChangeParityGroups change -> parityGroups.change(change);
            case Command.EndRecovery end -> parityGroups.endRecovery(end);
            case Command.AddColumn add -> ofTable(add.table(), table -> parityGroups.addColumn(table, add));
            case Command.BeginLeave begin -> memberships.beginLeave(begin);
            case Command.DrainBrick drain -> brickCommands.drainBrick(drain);
            case Command.ActivateFeatures activate -> activateFeatures(activate);
            case Command.GrantLeases grant -> grantLeases(grant);
            case Command.BrickEnded ended -> brickCommands.brickEnded(ended);
            case Command.NameCluster name -> nameCluster(name);
        };
    }

    private Result ofTable(int id, Function<Table, Result> change) {
        Table table = cluster.tables.get(id);
        return table == null ? Rejected.noSuchTable(id) : change.apply(table);
    }

    private Result endConversion(Table table, Command.EndConversion end) {
        return table.definition().isConvertingToReplicas() ? replicas.end(table, end) : conversions.end(table, end);
    }

    private Result nameCluster(Command.NameCluster command) {
        if (cluster.id.isKnown()) {
            return Rejected.stale("the cluster has an id: " + cluster.id);
        }
        cluster.id = command.cluster();
        return new Applied(cluster.version);
    }

    private Result openSession() {
        if (cluster.sessions.size() >= StateLimits.SESSIONS_MAX) {
            return new Rejected(
                    Refusal.NOT_READY,
                    StateLimits.SESSIONS_MAX + " sessions are open, and more are not allowed at a time");
        }
        long session = cluster.sessionNext++;
        cluster.sessions.add(session);
        return new Result.SessionOpened(session);
    }

    private Result endSessions(Command.EndSessions command) {
        if (cluster.sessions.removeAll(command.sessions())) {
            cluster.sessionsVersion = ++cluster.version;
        }
        return new Applied(cluster.version);
    }

    private Result grantLeases(Command.GrantLeases command) {
        if (command.millis() <= 0) {
            return new Rejected(Refusal.BAD_REQUEST, "a lease can't last " + command.millis() + " ms");
        }
        cluster.leaseMillis = command.millis();
        cluster.longestLeaseMillis =
                command.longerOnesAreOver() ? command.millis() : Math.max(cluster.longestLeaseMillis, command.millis());
        return new Applied(cluster.version);
    }

    private Result activateFeatures(Command.ActivateFeatures command) {
        if (command.bricksVersion() != bricksVersion()) {
            return Rejected.stale("a brick has registered meanwhile");
        }
        cluster.features |= command.features();
        return new Applied(cluster.version);
    }

    // ---- what is

    /** The features of the cluster that are active. */
    public long features() {
        return cluster.features;
    }

    /** Map version of the last change of a brick's registration; 0 if no brick has registered. */
    public long bricksVersion() {
        return cluster.bricks.values().stream().mapToLong(Brick::version).max().orElse(0);
    }

    /** The length of the leases that are granted now. */
    public long leaseMillis() {
        return cluster.leaseMillis;
    }

    /** The length of the longest leases that may be in force. */
    public long longestLeaseMillis() {
        return cluster.longestLeaseMillis;
    }

    /** The cluster's id; unknown before the first leader's proposal is committed. */
    public ClusterId cluster() {
        return cluster.id;
    }

    /** The map's version: 0 before the first change. */
    public long version() {
        return cluster.version;
    }

    /** All bricks that ever registered, by number. */
    public List<BrickInfo> bricks() {
        List<BrickInfo> infos = new ArrayList<>(cluster.bricks.size());
        for (Brick brick : cluster.bricks.values()) {
            infos.add(brick.info());
        }
        return infos;
    }

    public @Nullable BrickInfo brick(int number) {
        Brick brick = cluster.bricks.get(number);
        return brick == null ? null : brick.info();
    }

    public @Nullable BrickInfo brick(String id) {
        Brick brick = cluster.bricksById.get(id);
        return brick == null ? null : brick.info();
    }

    /** Whether the process that drew a nonce is the brick's present process. */
    public boolean hasNonce(String id, long nonce) {
        Brick brick = cluster.bricksById.get(id);
        return brick != null && brick.nonce() == nonce;
    }

    /** Bytes of records that a brick can hold, as it registered; 0 for an unknown brick. */
    public long memoryLimitBytes(int number) {
        Brick brick = cluster.bricks.get(number);
        return brick == null ? 0 : brick.memoryLimitBytes();
    }

    /** Number of copies that the map places on a brick. */
    public int places(int number) {
        Brick brick = cluster.bricks.get(number);
        return brick == null ? 0 : brick.places();
    }

    /**
     * Whether a brick is a member of a group with other members, or of such a group that a split under way may have
     * begun. The members of a parity group count.
     */
    public boolean isInGroup(int number) {
        for (MigrationOrder split : splits()) {
            if (isInGroup(split.target(), number)) {
                return true;
            }
        }
        for (Table table : cluster.tables.values()) {
            for (int a = 0; table.isReplicated() && a < table.partitions(); a++) {
                if (isInGroup(table.place(a), number)) {
                    return true;
                }
            }
            for (int group = 0; group < table.groups(); group++) {
                if (ParityGroup.of(table, group).processes().stream()
                        .anyMatch(member -> member.brick() == number && isCurrent(number, member.incarnation()))) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean isInGroup(Place place, int number) {
        return !place.backups().isEmpty() && place.members().stream().anyMatch(member -> member.brick() == number);
    }

    public List<TableMap> tables() {
        List<TableMap> maps = new ArrayList<>(cluster.tables.size());
        for (Table table : cluster.tables.values()) {
            maps.add(table.map());
        }
        return maps;
    }

    public @Nullable TableMap table(int id) {
        Table table = cluster.tables.get(id);
        return table == null ? null : table.map();
    }

    public @Nullable TableMap table(String name) {
        Table table = cluster.tablesByName.get(name);
        return table == null ? null : table.map();
    }

    /** The statistics of a table that were stored last, or {@link Statistics#NONE}. */
    public Statistics statistics(int tableId) {
        return cluster.statistics.getOrDefault(tableId, Statistics.NONE);
    }

    /** An address block; null when there is no such table or block. */
    public @Nullable AddressBlock block(int tableId, int number) {
        Table table = cluster.tables.get(tableId);
        return table == null ? null : table.block(number);
    }

    /** The span of an existing partition of a range table. */
    public KeySpan span(int tableId, int partition) {
        return cluster.known(tableId).span(partition);
    }

    /** Whether a table has a partition of this number. */
    public boolean exists(int tableId, int partition) {
        Table table = cluster.tables.get(tableId);
        return table != null && table.exists(partition);
    }

    /** P of a table, a number above the numbers of all partitions and idle columns; 0 when there is no such table. */
    public int columns(int tableId) {
        Table table = cluster.tables.get(tableId);
        return table == null ? 0 : table.columns();
    }

    /** Whether a column of a table with parity owns no keys. */
    public boolean isIdle(int tableId, int column) {
        return cluster.known(tableId).isIdle(column);
    }

    /**
     * The map version in which a column began idle and empty, if no split has named it since, so that it never had a
     * record; else 0.
     */
    public long unusedSince(int tableId, int column) {
        return cluster.known(tableId).unusedSince(column);
    }

    /** Number of the parity groups of a table, those of idle columns included; 0 without parity. */
    public int groups(int tableId) {
        Table table = cluster.tables.get(tableId);
        return table == null ? 0 : table.groups();
    }

    /**
     * Whether two columns of a parity group are at one brick, or led by one parity. It is quicker than a look at the
     * {@link #parityGroup}, for those who look at all groups.
     */
    public boolean sharesBrick(int tableId, int group) {
        return cluster.known(tableId).sharesBrick(group);
    }

    /** Whether a split or merge under way copies the keys of a column of a parity group. */
    public boolean isSendingAny(ParityGroup group) {
        return cluster.known(group.table().id()).isSendingAny(group);
    }

    /** Whether a partition of a table is the one whose keys a split or merge under way copies. */
    public boolean isSending(int tableId, int partition) {
        Table table = cluster.tables.get(tableId);
        return table != null && table.isSending(partition);
    }

    /** The lowest number that no partition of a range table has, and no split under way will give. */
    public int freeNumber(int tableId) {
        return cluster.known(tableId).freeNumber();
    }

    /** Whether a partition of a table splits, merges or moves. */
    public boolean isChanging(int tableId, int partition) {
        Table table = cluster.tables.get(tableId);
        return table != null && table.isChanging(partition);
    }

    /** Whether a partition of a table moves to another brick. */
    public boolean isMoving(int tableId, int partition) {
        Table table = cluster.tables.get(tableId);
        return table != null && table.isMoving(partition);
    }

    /** The splits and merges of a table under way, without moves. */
    public List<MigrationOrder> splitsOf(int tableId) {
        Table table = cluster.tables.get(tableId);
        return table == null ? List.of() : table.splits();
    }

    /** The place of a partition; {@link Place#NOWHERE} for a number that no partition has any more. */
    public Place place(int tableId, int partition) {
        return cluster.known(tableId).place(partition);
    }

    /** A group of a table with parity. */
    public ParityGroup parityGroup(int tableId, int group) {
        return ParityGroup.of(cluster.known(tableId), group);
    }

    /**
     * Whether the partitions of a table are replica groups, or some still are, because the table is being converted or
     * its number of replicas was lowered to one.
     */
    public boolean isReplicated(int tableId) {
        return cluster.known(tableId).isReplicated();
    }

    /** Whether the number of replicas of a table was lowered to one, and backups are left. */
    public boolean becomesOneCopy(int tableId) {
        return cluster.known(tableId).becomesOneCopy();
    }

    /** Whether a partition is a column of a group that stands on parity. */
    public boolean standsOnParity(int tableId, int partition) {
        return cluster.known(tableId).standsOnParity(partition);
    }

    /** The parity group of a recovery or of a parity order. */
    public ParityGroup parityGroupOf(MigrationOrder repair) {
        Table table = cluster.known(repair.table());
        return ParityGroup.of(table, table.definition().parity().group(repair.receiver()));
    }

    /** The parities of a group of a table with parity. */
    public ParityMembers parities(int tableId, int group) {
        return cluster.known(tableId).parities(group);
    }

    /** The migrations under way, by number. */
    public List<MigrationOrder> migrations() {
        return List.copyOf(cluster.migrations.values());
    }

    /** The migration of this number; null when it is not under way. */
    public @Nullable MigrationOrder migration(long id) {
        return cluster.migrations.get(id);
    }

    /** The splits, merges and moves under way, by number. */
    public List<MigrationOrder> splits() {
        return cluster.migrations.values().stream()
                .filter(MigrationOrder::isTransfer)
                .toList();
    }

    /** The recoveries and parity orders under way, by number. */
    public List<MigrationOrder> repairs() {
        return cluster.migrations.values().stream()
                .filter(MigrationOrder::isRepair)
                .toList();
    }

    /** The copies under way to learners, which will become members of groups, by number. */
    public List<MigrationOrder> learners() {
        return cluster.migrations.values().stream()
                .filter(MigrationOrder::isLearner)
                .toList();
    }

    /** The orders for members to leave their groups, by table and partition. */
    public List<LeaveOrder> leaves() {
        return List.copyOf(cluster.leaves.values());
    }

    /** Whether a partition of the table is being merged. */
    public boolean isMerging(int tableId) {
        Table table = cluster.tables.get(tableId);
        return table != null && table.isMerging();
    }

    /** M of a table after all its splits under way have committed; 0 when there is no such table. */
    public int partitionsOrdered(int tableId) {
        Table table = cluster.tables.get(tableId);
        return table == null ? 0 : table.partitionsOrdered();
    }

    /** The split of a table under way that commits next, or its merge. */
    public @Nullable MigrationOrder splitOf(int tableId) {
        Table table = cluster.tables.get(tableId);
        return table == null ? null : table.split();
    }

    /** Whether a brick's present process is being drained and gets no new copies. */
    public boolean drains(int number) {
        return cluster.drains(number);
    }

    /** Whether a brick's present process is this incarnation. */
    public boolean isCurrent(int number, long incarnation) {
        return cluster.isCurrent(number, incarnation);
    }

    /** Whether the first process of a place is the brick's present one, so that it may still run. */
    public boolean isCurrent(Place place) {
        return cluster.isCurrent(place);
    }

    /** Whether a partition's group has an order for a member to join or leave. */
    public boolean isGroupChanging(int tableId, int partition) {
        return cluster.isGroupChanging(tableId, partition);
    }

    /** The order for a member to leave a group; null when there is none. */
    public @Nullable LeaveOrder leave(int table, int partition) {
        return cluster.leave(table, partition);
    }

    /** The map version from which on the map has the order for a member to leave a group; 0 if there is no order. */
    public long leaveSince(int table, int partition) {
        return cluster.leavesSince.getOrDefault(Cluster.key(table, partition), 0L);
    }

    /** Whether the end of a process is not known yet and would change the state. */
    public boolean awaitsEnd(int number, long incarnation) {
        Brick brick = cluster.bricks.get(number);
        boolean present = brick != null && brick.info().incarnation() == incarnation && !brick.ended();
        return present || cluster.lostHolders.contains(number, incarnation);
    }

    /** Whether the present process of a brick is known to have ended. */
    public boolean hasEnded(int number) {
        Brick brick = cluster.bricks.get(number);
        return brick != null && brick.ended();
    }

    /** Number of lost partitions of a table. */
    public int lostPartitions(int tableId) {
        return cluster.lostPartitions(tableId);
    }

    public boolean isActive(long session) {
        return cluster.sessions.contains(session);
    }

    public int sessionCount() {
        return cluster.sessions.size();
    }

    /** The active sessions, ascending. */
    public Collection<Long> sessions() {
        return Collections.unmodifiableCollection(cluster.sessions);
    }

    // ---- what changed

    /**
     * The changes after a version; 0 for the whole map. A node that knows the map at this version knows the map at
     * {@link #version} after it has applied the changes.
     */
    public MapUpdate changesSince(long from) {
        List<BrickInfo> changedBricks = new ArrayList<>();
        for (Brick brick : cluster.bricks.values()) {
            if (brick.version() > from) {
                changedBricks.add(brick.info());
            }
        }
        List<TableMap> changedTables = new ArrayList<>();
        List<AddressBlock> changedBlocks = new ArrayList<>();
        for (Table table : cluster.tables.values()) {
            if (table.version() > from) {
                changedTables.add(table.map());
                addChanged(changedBlocks, table, from);
            }
        }
        boolean sessionsChanged = cluster.sessionsVersion > from;
        return new MapUpdate(
                from,
                cluster.version,
                changedBricks,
                changedTables,
                cluster.dropped.since(from, cluster.tableNext, cluster.tables.keySet()),
                changedBlocks,
                migrations(),
                sessionsChanged ? cluster.sessionNext : 0,
                sessionsChanged ? List.copyOf(cluster.sessions) : List.of(),
                0,
                leaves(),
                cluster.id,
                false,
                cluster.features,
                0,
                false);
    }

    private static void addChanged(List<AddressBlock> changed, Table table, long from) {
        for (AddressBlock block : table.blocks()) {
            if (block.version() > from) {
                changed.add(block);
            }
        }
    }

    // ---- snapshots

    /** A snapshot of the whole state. */
    public ClusterSnapshot snapshot() {
        return Snapshots.of(cluster);
    }

    /** Replaces the whole state by a snapshot. */
    public void restore(ClusterSnapshot snapshot) {
        Snapshots.restore(snapshot, cluster);
    }
}
