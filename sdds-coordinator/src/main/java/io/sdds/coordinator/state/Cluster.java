package io.sdds.coordinator.state;

import io.sdds.core.model.AddressBlock;
import io.sdds.core.model.BrickInfo;
import io.sdds.core.model.LeaveOrder;
import io.sdds.core.model.MigrationKind;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.ParityMembers;
import io.sdds.core.model.Place;
import io.sdds.core.protocol.ClusterId;
import io.sdds.core.row.Statistics;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The data of the replicated state, shared by the commands. Only commands change the data, and each command takes
 * effect as a whole or not at all.
 */
final class Cluster {
    ClusterId id = ClusterId.UNKNOWN;
    long version;
    int brickNext = 1;
    int tableNext = 1;
    long streamNext = 1;
    long sessionNext = 1;
    long sessionsVersion;
    /** Number of the partitions and idle columns of all tables. */
    int partitionsTotal;

    long features;

    /**
     * The length of leases granted from now on. {@link #longestLeaseMillis} is the longest length that may be in force.
     */
    long leaseMillis = StateLimits.LEASE_MILLIS;

    long longestLeaseMillis = StateLimits.LEASE_MILLIS;
    final TreeMap<Integer, Brick> bricks = new TreeMap<>();
    final TreeMap<String, Brick> bricksById = new TreeMap<>();
    final TreeMap<Integer, Table> tables = new TreeMap<>();
    final TreeMap<String, Table> tablesByName = new TreeMap<>();
    /** The statistics of the tables that have some, by the ids of the tables. */
    final TreeMap<Integer, Statistics> statistics = new TreeMap<>();

    final TreeMap<Long, MigrationOrder> migrations = new TreeMap<>();

    /** The orders to leave, by table and partition. */
    final TreeMap<Long, LeaveOrder> leaves = new TreeMap<>();

    /** The oldest known map version that has each order of {@link #leaves}, by the same keys. */
    final TreeMap<Long, Long> leavesSince = new TreeMap<>();

    final TreeSet<Long> sessions = new TreeSet<>();
    final DroppedTables dropped = new DroppedTables();
    final LostHolders lostHolders = new LostHolders();

    /** Whether a brick's present process is being drained and gets no new copies. */
    boolean drains(int number) {
        Brick brick = bricks.get(number);
        return brick != null && brick.drains();
    }

    /** Whether a brick's present process is this incarnation. */
    boolean isCurrent(int number, long incarnation) {
        Brick brick = bricks.get(number);
        return brick != null && brick.info().incarnation() == incarnation;
    }

    /** Whether a process is the present one of its brick. */
    boolean isCurrent(Place.Member process) {
        return isCurrent(process.brick(), process.incarnation());
    }

    /** Whether the first process of a place is the brick's present one, so that it may still run. */
    boolean isCurrent(Place place) {
        return isCurrent(place.brick(), place.incarnation());
    }

    /** Whether a partition's group has an order for a member to join or leave. */
    boolean isGroupChanging(int tableId, int partition) {
        return leave(tableId, partition) != null
                || migrations.values().stream().anyMatch(order -> isLearnerOf(order, tableId, partition));
    }

    private static boolean isLearnerOf(MigrationOrder order, int table, int partition) {
        return order.isLearner() && order.table() == table && order.receiver() == partition;
    }

    /** Drops the orders for members to join a partition's group. */
    void dropLearners(int table, int partition) {
        migrations.values().removeIf(order -> isLearnerOf(order, table, partition));
    }

    /**
     * Number of partitions that the splits under way will add. The children of tables with parity are columns already.
     */
    int splitsUnderWay() {
        return (int) migrations.values().stream()
                .filter(order -> order.kind() == MigrationKind.SPLIT
                        && !known(order.table()).definition().hasParity())
                .count();
    }

    /** The order for a member to leave a group; null when there is none. */
    @Nullable
    LeaveOrder leave(int table, int partition) {
        return leaves.get(key(table, partition));
    }

    /** Number of lost partitions of a table. */
    int lostPartitions(int tableId) {
        Table table = tables.get(tableId);
        int lost = 0;
        for (AddressBlock block : table == null ? List.<AddressBlock>of() : table.blocks()) {
            for (Place place : block.places()) {
                lost += place.lost() ? 1 : 0;
            }
        }
        return lost;
    }

    /**
     * Whether no process has the source records of a migration any more. In a table with parity a process that is gone
     * is followed by a parity, until the column is lost.
     */
    boolean sourceIsGone(Table table, MigrationOrder split) {
        return isGroup(table) ? table.place(split.sender()).lost() : !isCurrent(split.source());
    }

    /**
     * Whether no process has the target records of a migration any more. In a table with parity a process that follows
     * the target of a split does not know whether the target served before.
     */
    boolean targetIsGone(Table table, MigrationOrder split) {
        if (split.isMerge() && isGroup(table)) {
            return table.place(split.receiver()).lost();
        }
        boolean follows = split.kind() == MigrationKind.SPLIT
                && table.definition().hasParity()
                && !table.place(split.receiver())
                        .primary()
                        .equals(split.target().primary());
        return follows || !anyIsCurrent(split.target());
    }

    /** Whether the partitions of a table outlive the process that leads them. */
    private static boolean isGroup(Table table) {
        return table.isReplicated() || table.definition().hasParity();
    }

    /**
     * Takes back the splits and merges whose end no process can tell. A split that does not commit next is taken back
     * when its source is gone, because its target does not serve yet.
     */
    void dropUndecidable(Table table) {
        table.splits().stream()
                .filter(split -> sourceIsGone(table, split))
                .filter(split -> !table.isRange() && split != table.split() || targetIsGone(table, split))
                .limit(table.isRange() ? Long.MAX_VALUE : 1)
                .forEach(split -> takeBackFrom(table, split));
    }

    /** Whether any member of a place is the present process of its brick, so that it may still run. */
    boolean anyIsCurrent(Place place) {
        return place.members().stream().anyMatch(member -> isCurrent(member.brick(), member.incarnation()));
    }

    /** The key of a partition in {@link #leaves}. */
    static long key(int table, int partition) {
        return (long) table << Integer.SIZE | partition;
    }

    /**
     * Drops the orders to join or leave, and the repairs and moves in parity groups, that are void. An order to join or
     * leave is void in any other epoch than its own, when the partition is no more, and when the joining process is
     * gone; {@link ParityGroup#isVoid} tells of the others.
     */
    void dropVoidOrders() {
        leaves.values().removeIf(leave -> {
            Table table = tables.get(leave.table());
            return table == null
                    || leave.partition() >= table.partitions()
                    || table.place(leave.partition()).none()
                    || table.place(leave.partition()).epoch() != leave.epoch();
        });
        leavesSince.keySet().retainAll(leaves.keySet());
        migrations.values().removeIf(order -> order.isLearner() && isVoid(order));
        for (Table table : tables.values()) {
            if (table.definition().hasParity()) {
                dropVoidOrders(table);
            }
        }
    }

    /** Drops the repairs and moves of a table with parity that are void. */
    private void dropVoidOrders(Table table) {
        List<MigrationOrder> orders = new ArrayList<>(table.repairs());
        orders.addAll(table.moves());
        for (MigrationOrder order : orders) {
            int group = table.definition().parity().group(order.sender());
            if (ParityGroup.of(table, group).isVoid(order, this::isCurrent)) {
                takeBackFrom(table, order);
            }
        }
    }

    private boolean isVoid(MigrationOrder learner) {
        Table table = tables.get(learner.table());
        return table == null
                || learner.receiver() >= table.partitions()
                || table.place(learner.receiver()).epoch() != learner.sourceEpoch()
                || table.place(learner.receiver()).lost()
                || !isCurrent(learner.target());
    }

    /** Converts processes to the members of a group. */
    static List<Place.Member> members(List<Command.Host> hosts) {
        return hosts.stream()
                .map(host -> new Place.Member(host.brick(), host.incarnation()))
                .toList();
    }

    /** Whether the cluster has as many partitions as it may have, those of the splits under way included. */
    boolean isFull() {
        return partitionsTotal + splitsUnderWay() >= StateLimits.PARTITIONS_MAX;
    }

    /** Whether a brick's process can still take new copies. A drain may have begun since the process was chosen. */
    boolean canServe(int brick, long incarnation) {
        return isCurrent(brick, incarnation) && !drains(brick);
    }

    /** Whether all processes can still take new copies. */
    boolean allCanServe(List<Command.Host> hosts) {
        return hosts.stream().allMatch(host -> canServe(host.brick(), host.incarnation()));
    }

    /** Whether a group is in an epoch and has no order for a member to join or leave. */
    boolean isInEpoch(Table table, int partition, long epoch) {
        Place place = table.place(partition);
        return !place.lost()
                && place.epoch() == epoch
                && !isGroupChanging(table.definition().id(), partition);
    }

    /** Adds a partition behind the last one. */
    void append(Table table, Place place, long now) {
        table.append(place, now);
        count(place, 1);
        partitionsTotal++;
    }

    /** Adds an idle column behind the last column of a table. */
    void appendIdle(Table table, Place place, long now) {
        table.appendIdle(place, now);
        count(place, 1);
        partitionsTotal++;
    }

    /** Adds the parities of the last group, of which a column has been added. */
    void appendParities(Table table, ParityMembers parities, long now) {
        table.appendParities(parities, now);
        count(parities, 1);
    }

    /**
     * A partition is lost.
     *
     * @param holder the process that held the partition last and may still run; null if it has ended
     */
    void lose(Table table, int partition, @Nullable BrickInfo holder) {
        if (holder == null) {
            lostHolders.forget(table.definition().id(), partition);
        } else {
            lostHolders.lost(table.definition().id(), partition, holder);
        }
    }

    /**
     * The processes that hold a partition's group: its members, or its primary and the parities of its parity group. A
     * backup of a column that stands on parity cannot go on alone.
     */
    static Set<Place.Member> holders(Table table, int partition) {
        List<Place.Member> members = table.place(partition).members();
        if (!table.standsOnParity(partition) || members.isEmpty()) {
            return new LinkedHashSet<>(members);
        }
        Set<Place.Member> holders = new LinkedHashSet<>(members.subList(0, 1));
        int group = table.definition().parity().group(partition);
        holders.addAll(table.parities(group).present());
        return holders;
    }

    /** Adds to the number of copies on each member's brick. */
    void count(Place place, int change) {
        count(place.members(), change);
    }

    /** Adds the parities of a group to the number of copies on their bricks. */
    void count(ParityMembers parities, int change) {
        count(parities.present(), change);
    }

    /** Adds all copies and parities of a table to the numbers of copies on their bricks. */
    void count(Table table, int change) {
        for (int partition = 0; partition < table.columns(); partition++) {
            count(table.place(partition), change);
        }
        for (int group = 0; group < table.groups(); group++) {
            count(table.parities(group), change);
        }
    }

    private void count(List<Place.Member> members, int change) {
        for (Place.Member member : members) {
            Brick brick = bricks.get(member.brick());
            if (brick != null) {
                brick.addPlaces(change);
            }
        }
    }

    /** Ends an order without effect, together with the orders of its table that can only commit after it. */
    void takeBackFrom(Table table, MigrationOrder order) {
        table.takeBackFrom(order).forEach(taken -> migrations.remove(taken.id()));
    }

    /** A table that must exist, because every order under way has an existing table. */
    Table known(int id) {
        Table table = tables.get(id);
        if (table == null) {
            throw new IllegalStateException("a migration of table " + id + ", which does not exist");
        }
        return table;
    }
}
