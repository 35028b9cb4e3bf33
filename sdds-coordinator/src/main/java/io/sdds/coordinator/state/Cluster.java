package io.sdds.coordinator.state;

import io.sdds.core.model.AddressBlock;
import io.sdds.core.model.BrickInfo;
import io.sdds.core.model.LeaveOrder;
import io.sdds.core.model.MigrationKind;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.Place;
import io.sdds.core.protocol.ClusterId;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What the state consists of, and what the commands share. Only they change it, and each wholly or not at all. */
final class Cluster {
    ClusterId id = ClusterId.UNKNOWN;
    long version;
    int brickNext = 1;
    int tableNext = 1;
    long streamNext = 1;
    long sessionNext = 1;
    long sessionsVersion;
    int partitionsTotal;
    long features;

    /** How long leases are that are granted from now on, and how long the longest may be that are in force. */
    long leaseMillis = StateLimits.LEASE_MILLIS;

    long longestLeaseMillis = StateLimits.LEASE_MILLIS;
    final TreeMap<Integer, Brick> bricks = new TreeMap<>();
    final TreeMap<String, Brick> bricksById = new TreeMap<>();
    final TreeMap<Integer, Table> tables = new TreeMap<>();
    final TreeMap<String, Table> tablesByName = new TreeMap<>();
    final TreeMap<Long, MigrationOrder> migrations = new TreeMap<>();

    /** By table and partition. */
    final TreeMap<Long, LeaveOrder> leaves = new TreeMap<>();

    /** The same: map versions that had the orders, as old as is known. */
    final TreeMap<Long, Long> leavesSince = new TreeMap<>();

    final TreeSet<Long> sessions = new TreeSet<>();
    final DroppedTables dropped = new DroppedTables();
    final LostHolders lostHolders = new LostHolders();

    /** Whether a brick's present process is to be emptied, and given nothing. */
    boolean drains(int number) {
        Brick brick = bricks.get(number);
        return brick != null && brick.drains();
    }

    /** Whether a brick's present process is this incarnation. */
    boolean isCurrent(int number, long incarnation) {
        Brick brick = bricks.get(number);
        return brick != null && brick.info().incarnation() == incarnation;
    }

    /** Whether the process that a place names still runs, as far as is known. */
    boolean isCurrent(Place place) {
        return isCurrent(place.brick(), place.incarnation());
    }

    /** Whether a brick is to become a member of a partition's group, or a member is to leave it. */
    boolean isGroupChanging(int tableId, int partition) {
        return leave(tableId, partition) != null
                || migrations.values().stream().anyMatch(order -> isLearnerOf(order, tableId, partition));
    }

    private static boolean isLearnerOf(MigrationOrder order, int table, int partition) {
        return order.isLearner() && order.table() == table && order.receiver() == partition;
    }

    /** Nobody is to become a member of a partition's group any more. */
    void dropLearners(int table, int partition) {
        migrations.values().removeIf(order -> isLearnerOf(order, table, partition));
    }

    /** How many partitions will come to be by the splits under way. */
    int splitsUnderWay() {
        return (int) migrations.values().stream()
                .filter(order -> order.kind() == MigrationKind.SPLIT)
                .count();
    }

    /** The member that is to leave a group; null when none is. */
    @Nullable
    LeaveOrder leave(int table, int partition) {
        return leaves.get(key(table, partition));
    }

    /** How many partitions of a table are lost. */
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

    /** Whether nobody has any more what a split ships. */
    boolean sourceIsGone(Table table, MigrationOrder split) {
        return table.definition().isReplicated() ? table.place(split.sender()).lost() : !isCurrent(split.source());
    }

    /** Whether nobody has any more what came of it. */
    boolean targetIsGone(Table table, MigrationOrder split) {
        return split.isMerge() && table.definition().isReplicated()
                ? table.place(split.receiver()).lost()
                : !anyIsCurrent(split.target());
    }

    /** Whether any member of a place still runs, as far as is known. */
    boolean anyIsCurrent(Place place) {
        return place.members().stream().anyMatch(member -> isCurrent(member.brick(), member.incarnation()));
    }

    /** Of {@link #leaves}. */
    static long key(int table, int partition) {
        return (long) table << Integer.SIZE | partition;
    }

    /** An order is void in any epoch but its own, and when its joiner's process is gone. */
    void dropVoidOrders() {
        leaves.values().removeIf(leave -> {
            Table table = tables.get(leave.table());
            return table == null
                    || leave.partition() >= table.partitions()
                    || table.place(leave.partition()).epoch() != leave.epoch();
        });
        leavesSince.keySet().retainAll(leaves.keySet());
        migrations.values().removeIf(order -> order.isLearner() && isVoid(order));
    }

    private boolean isVoid(MigrationOrder learner) {
        Table table = tables.get(learner.table());
        return table == null
                || learner.receiver() >= table.partitions()
                || table.place(learner.receiver()).epoch() != learner.sourceEpoch()
                || table.place(learner.receiver()).lost()
                || !isCurrent(learner.target());
    }

    /** Processes as the members of a group. */
    static List<Place.Member> members(List<Command.Host> hosts) {
        return hosts.stream()
                .map(host -> new Place.Member(host.brick(), host.incarnation()))
                .toList();
    }

    /** Whether a brick's process may be given something: a drain may have begun since it was chosen. */
    boolean canServe(int brick, long incarnation) {
        return isCurrent(brick, incarnation) && !drains(brick);
    }

    /** The same of all. */
    boolean allCanServe(List<Command.Host> hosts) {
        return hosts.stream().allMatch(host -> canServe(host.brick(), host.incarnation()));
    }

    /** Whether a group is the one of this epoch, and nobody is to come or go. */
    boolean isInEpoch(Table table, int partition, long epoch) {
        Place place = table.place(partition);
        return !place.lost()
                && place.epoch() == epoch
                && !isGroupChanging(table.definition().id(), partition);
    }

    /** The partition after the last comes to be. */
    void append(Table table, Place place, long now) {
        table.append(place, now);
        count(place, 1);
        partitionsTotal++;
    }

    /** A partition is lost, with a process that may still run; null: with one that has ended. */
    void lose(Table table, int partition, @Nullable BrickInfo holder) {
        if (holder == null) {
            lostHolders.forget(table.definition().id(), partition);
        } else {
            lostHolders.lost(table.definition().id(), partition, holder);
        }
    }

    /** Adds to the partitions of each member's brick. */
    void count(Place place, int change) {
        for (Place.Member member : place.members()) {
            Brick brick = bricks.get(member.brick());
            if (brick != null) {
                brick.addPlaces(change);
            }
        }
    }

    /** An order ends without effect, and those of its table that would have followed it. */
    void takeBackFrom(Table table, MigrationOrder order) {
        table.takeBackFrom(order).forEach(taken -> migrations.remove(taken.id()));
    }

    /** A table that exists, as orders under way are only of such. */
    Table known(int id) {
        Table table = tables.get(id);
        if (table == null) {
            throw new IllegalStateException("a migration of table " + id + ", which does not exist");
        }
        return table;
    }
}
