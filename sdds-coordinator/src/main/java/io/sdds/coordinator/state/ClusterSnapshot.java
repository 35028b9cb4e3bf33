package io.sdds.coordinator.state;

import io.sdds.core.model.AddressBlock;
import io.sdds.core.model.BrickInfo;
import io.sdds.core.model.LeaveOrder;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.TableMap;
import io.sdds.core.protocol.ClusterId;
import io.sdds.core.row.Statistics;
import java.util.List;

/**
 * All data of a {@link ClusterState} at one moment.
 *
 * @param sessionsVersion map version at which a session last ended
 * @param droppedHorizon map version up to which dropped tables are no longer listed one by one
 * @param leaseMillis length of the leases that are granted
 * @param longestLeaseMillis length of the longest leases that may be in force
 * @param lostHolders the last holders of lost partitions that are not known to have ended
 * @param features features of the cluster that are active
 * @param cluster the id; unknown before the first leader has proposed one
 */
public record ClusterSnapshot(
        long version,
        int brickNext,
        int tableNext,
        long streamNext,
        long sessionNext,
        long sessionsVersion,
        long droppedHorizon,
        List<BrickEntry> bricks,
        List<TableEntry> tables,
        List<MigrationOrder> migrations,
        List<Long> sessions,
        List<DroppedTable> dropped,
        List<LeaveOrder> leaves,
        long leaseMillis,
        long longestLeaseMillis,
        ClusterId cluster,
        List<LostHolder> lostHolders,
        long features) {

    /**
     * A brick.
     *
     * @param version map version of the brick's last change
     * @param drains whether the present process is being drained
     * @param ended whether the present process is known to have ended
     */
    public record BrickEntry(
            BrickInfo info, long nonce, long memoryLimitBytes, long version, boolean drains, boolean ended) {}

    /** The last process that held a lost partition. */
    public record LostHolder(int table, int partition, BrickInfo holder) {}

    /**
     * A table.
     *
     * @param unused the columns that never had a record
     * @param statistics those that were stored last, or {@link Statistics#NONE}
     */
    public record TableEntry(
            TableMap map, List<AddressBlock> blocks, List<UnusedColumn> unused, Statistics statistics) {}

    /**
     * A column that began idle and empty, and that no split has named since.
     *
     * @param since the map version in which it began
     */
    public record UnusedColumn(int column, long since) {}

    /** @param version map version at which the table was dropped */
    public record DroppedTable(int id, long version) {}
}
