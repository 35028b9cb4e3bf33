package io.sdds.coordinator.state;

import io.sdds.coordinator.state.ClusterSnapshot.BrickEntry;
import io.sdds.coordinator.state.ClusterSnapshot.TableEntry;
import io.sdds.core.model.LeaveOrder;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.row.Statistics;
import java.util.ArrayList;
import java.util.List;

/** Converts the state to snapshots and back. */
final class Snapshots {
    private Snapshots() {}

    /** A snapshot of the whole state. */
    static ClusterSnapshot of(Cluster cluster) {
        List<BrickEntry> brickEntries = new ArrayList<>();
        for (Brick brick : cluster.bricks.values()) {
            brickEntries.add(new BrickEntry(
                    brick.info(),
                    brick.nonce(),
                    brick.memoryLimitBytes(),
                    brick.version(),
                    brick.drains(),
                    brick.ended()));
        }
        List<TableEntry> tableEntries = new ArrayList<>();
        for (Table table : cluster.tables.values()) {
            int id = table.definition().id();
            tableEntries.add(new TableEntry(
                    table.map(), table.blocks(), table.unused(), cluster.statistics.getOrDefault(id, Statistics.NONE)));
        }
        return new ClusterSnapshot(
                cluster.version,
                cluster.brickNext,
                cluster.tableNext,
                cluster.streamNext,
                cluster.sessionNext,
                cluster.sessionsVersion,
                cluster.dropped.horizon(),
                brickEntries,
                tableEntries,
                List.copyOf(cluster.migrations.values()),
                List.copyOf(cluster.sessions),
                cluster.dropped.list(),
                List.copyOf(cluster.leaves.values()),
                cluster.leaseMillis,
                cluster.longestLeaseMillis,
                cluster.id,
                cluster.lostHolders.list(),
                cluster.features);
    }

    /** Replaces the whole state by a snapshot. */
    static void restore(ClusterSnapshot snapshot, Cluster cluster) {
        cluster.id = snapshot.cluster();
        cluster.features = snapshot.features();
        cluster.version = snapshot.version();
        cluster.lostHolders.restore(snapshot.lostHolders());
        cluster.brickNext = snapshot.brickNext();
        cluster.tableNext = snapshot.tableNext();
        cluster.streamNext = snapshot.streamNext();
        cluster.sessionNext = snapshot.sessionNext();
        cluster.sessionsVersion = snapshot.sessionsVersion();
        cluster.leaseMillis = snapshot.leaseMillis();
        cluster.longestLeaseMillis = snapshot.longestLeaseMillis();
        cluster.sessions.clear();
        cluster.sessions.addAll(snapshot.sessions());
        cluster.dropped.restore(snapshot.dropped(), snapshot.droppedHorizon());
        restoreBricks(snapshot, cluster);
        restoreTables(snapshot, cluster);
    }

    private static void restoreBricks(ClusterSnapshot snapshot, Cluster cluster) {
        cluster.bricks.clear();
        cluster.bricksById.clear();
        for (BrickEntry entry : snapshot.bricks()) {
            Brick brick = new Brick(entry.info(), entry.nonce(), entry.memoryLimitBytes(), entry.version());
            brick.drains(entry.drains());
            brick.ended(entry.ended());
            cluster.bricks.put(entry.info().number(), brick);
            cluster.bricksById.put(entry.info().id(), brick);
        }
    }

    private static void restoreTables(ClusterSnapshot snapshot, Cluster cluster) {
        cluster.tables.clear();
        cluster.tablesByName.clear();
        cluster.migrations.clear();
        cluster.statistics.clear();
        cluster.partitionsTotal = 0;
        for (TableEntry entry : snapshot.tables()) {
            Table table = new Table(entry.map(), entry.blocks(), entry.unused());
            cluster.tables.put(table.definition().id(), table);
            cluster.tablesByName.put(table.definition().name(), table);
            if (entry.statistics().exists()) {
                cluster.statistics.put(table.definition().id(), entry.statistics());
            }
            cluster.partitionsTotal += table.columns();
            cluster.count(table, 1);
        }
        cluster.leaves.clear();
        cluster.leavesSince.clear();
        for (LeaveOrder order : snapshot.leaves()) {
            long key = Cluster.key(order.table(), order.partition());
            cluster.leaves.put(key, order);
            cluster.leavesSince.put(key, snapshot.version());
        }
        for (MigrationOrder order : snapshot.migrations()) {
            cluster.migrations.put(order.id(), order);
            cluster.known(order.table()).begin(order);
        }
    }
}
