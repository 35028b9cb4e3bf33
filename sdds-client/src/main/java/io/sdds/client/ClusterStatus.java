package io.sdds.client;

import io.sdds.core.model.KeySpan;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The cluster as its leading coordinator sees it. Loads are observations, as old as the bricks' last heartbeats.
 *
 * @param mapVersion version of the map of all partitions
 * @param coordinator id of the coordinator that leads
 * @param coordinators all coordinators
 * @param bricks all bricks that are known
 * @param tables all tables
 * @param splits splits, merges and moves of partitions that are under way
 * @param partitions all partitions, if they were asked for; else empty
 * @param sessions sessions of clients
 * @param joins copies of partitions that are on their way to bricks that are to hold one
 * @param checksumFailures connections that the leading coordinator closed because a checksum of received frames was
 *     wrong
 * @param repairs partitions and parities of tables with parity that are being rebuilt on other bricks
 * @param idleColumns columns of tables with parity that are no partitions, because they own no keys now, if partitions
 *     were asked for; else empty. They belong to parity groups as partitions do, and the table grows into them
 */
public record ClusterStatus(
        long mapVersion,
        String coordinator,
        List<CoordinatorStatus> coordinators,
        List<BrickStatus> bricks,
        List<TableInfo> tables,
        List<SplitStatus> splits,
        List<PartitionStatus> partitions,
        int sessions,
        List<JoinStatus> joins,
        long checksumFailures,
        List<RepairStatus> repairs,
        List<PartitionStatus> idleColumns) {

    /** A cluster without repairs and idle columns. */
    public ClusterStatus(
            long mapVersion,
            String coordinator,
            List<CoordinatorStatus> coordinators,
            List<BrickStatus> bricks,
            List<TableInfo> tables,
            List<SplitStatus> splits,
            List<PartitionStatus> partitions,
            int sessions,
            List<JoinStatus> joins,
            long checksumFailures) {
        this(
                mapVersion,
                coordinator,
                coordinators,
                bricks,
                tables,
                splits,
                partitions,
                sessions,
                joins,
                checksumFailures,
                List.of(),
                List.of());
    }

    public ClusterStatus {
        coordinators = List.copyOf(coordinators);
        bricks = List.copyOf(bricks);
        tables = List.copyOf(tables);
        splits = List.copyOf(splits);
        partitions = List.copyOf(partitions);
        joins = List.copyOf(joins);
        repairs = List.copyOf(repairs);
        idleColumns = List.copyOf(idleColumns);
    }

    /**
     * A coordinator.
     *
     * @param id the operator's name for it
     * @param address its {@code host:port}
     * @param leads whether it leads
     * @param up whether it was heard within an election timeout
     * @param silent time since it was heard
     */
    public record CoordinatorStatus(String id, String address, boolean leads, boolean up, Duration silent) {}

    /**
     * A brick.
     *
     * @param id the operator's name for it
     * @param number the number by which the map names it
     * @param incarnation grows with each process of the brick
     * @param address its {@code host:port}
     * @param up whether its lease holds
     * @param silent time since its last heartbeat
     * @param memoryUsedBytes bytes of memory that records take
     * @param memoryLimitBytes bytes of memory that records may take
     * @param partitions copies of partitions, and parity partitions, that it holds
     * @param records records in these copies
     * @param bytes bytes of these records
     * @param operations operations that it has executed
     * @param addressingForwards requests that it forwarded because the client's image was wrong
     * @param adjustments image adjustments that it sent
     * @param refused requests that it refused because it was busy
     * @param draining whether its copies are being moved to other bricks
     * @param checksumFailures connections that it closed because a checksum of received frames was wrong
     * @param migrations the costs of the migrations that it was the source of
     * @param erasureKernel name of the code that computes parity in its process: {@code isal}, {@code vector},
     *     {@code reed-solomon} or one of a later version; empty if it is not known
     * @param weight its capacity weight: a brick of weight 2 gets twice the load of a brick of weight 1
     */
    public record BrickStatus(
            String id,
            int number,
            long incarnation,
            String address,
            boolean up,
            Duration silent,
            long memoryUsedBytes,
            long memoryLimitBytes,
            int partitions,
            long records,
            long bytes,
            long operations,
            long addressingForwards,
            long adjustments,
            long refused,
            boolean draining,
            long checksumFailures,
            MigrationTotals migrations,
            String erasureKernel,
            double weight) {}

    /**
     * The costs of the migrations whose source was a brick and that have ended: splits, merges, moves and copies for
     * new members of replica groups together.
     *
     * @param committed migrations that handed keys over, or made another member
     * @param abandoned migrations that were given up
     * @param records records that were sent; changes of records that were sent do not count
     * @param bytes bytes sent, of the last attempt of each migration
     * @param rounds attempts, of all receiving bricks together
     * @param writesWaited how long writes to moving keys waited for a switch, in total
     * @param longestWait longest of these waits
     * @param requestsParked requests that waited for a switch
     * @param requestsRefused requests that were refused for now because of a migration; clients send them again
     * @param switchTimeouts switches that were put off because a receiver was too slow
     */
    public record MigrationTotals(
            long committed,
            long abandoned,
            long records,
            long bytes,
            long rounds,
            Duration writesWaited,
            Duration longestWait,
            long requestsParked,
            long requestsRefused,
            long switchTimeouts) {}

    /**
     * A partition.
     *
     * @param table number of its table
     * @param partition its number
     * @param level its level, of a hash table
     * @param brick id of the brick that leads its writes
     * @param lost whether its only memory is gone
     * @param records records that it holds
     * @param bytes bytes of these records
     * @param span its keys, of a range table
     * @param backups ids of the bricks that hold the other copies
     * @param members the processes that hold a copy, the primary first, also one that its brick's next process has
     *     replaced; empty if the partition is lost
     * @param parities of a table with parity: ids of the bricks that hold the parities of the partition's group, in the
     *     order of their indexes; an empty text for a parity that is missing. Else empty
     */
    public record PartitionStatus(
            int table,
            int partition,
            int level,
            String brick,
            boolean lost,
            long records,
            long bytes,
            KeySpan span,
            List<String> backups,
            List<Member> members,
            List<String> parities) {

        public PartitionStatus {
            backups = List.copyOf(backups);
            members = List.copyOf(members);
            parities = List.copyOf(parities);
        }
    }

    /**
     * A process of a brick.
     *
     * @param brick number of the brick
     * @param incarnation of the process
     */
    public record Member(int brick, long incarnation) {}

    /**
     * A split, merge or move of a partition that is under way.
     *
     * @param table number of the table
     * @param parent number of the partition that splits, or that takes the records of a merge; of a move the partition
     * @param child number of the partition that a split makes, or that a merge ends; of a move the partition
     * @param merge whether it is a merge
     * @param source id of the brick whose records are shipped
     * @param target id of the brick that takes them
     * @param targetMembers the processes that will hold the records
     * @param shippedBytes bytes of records shipped so far
     * @param totalBytes bytes of records to ship, as last estimated
     */
    public record SplitStatus(
            int table,
            int parent,
            int child,
            boolean merge,
            String source,
            String target,
            List<Member> targetMembers,
            long shippedBytes,
            long totalBytes) {

        public SplitStatus {
            targetMembers = List.copyOf(targetMembers);
        }

        /** The number of the partition whose records are shipped. */
        public int sender() {
            return merge ? child : parent;
        }

        /** The number of the partition that takes the records. */
        public int receiver() {
            return merge ? parent : child;
        }
    }

    /**
     * A copy of a partition on its way to a brick that is to hold one.
     *
     * @param table number of the table
     * @param partition number of the partition
     * @param source id of the brick that ships the copy
     * @param target id of the brick that takes it
     * @param shippedBytes bytes of records shipped so far
     * @param totalBytes bytes of records to ship, as last estimated
     * @param bytesPerSecond since the leading coordinator first heard of it; 0 when it heard once
     */
    public record JoinStatus(
            int table,
            int partition,
            String source,
            String target,
            long shippedBytes,
            long totalBytes,
            long bytesPerSecond) {

        /** The time that the remaining bytes take at {@code bytesPerSecond}; null if the rate is not known. */
        public @Nullable Duration timeLeft() {
            return bytesPerSecond <= 0
                    ? null
                    : Duration.ofSeconds(
                            (long) Math.ceil((double) Math.max(0, totalBytes - shippedBytes) / bytesPerSecond));
        }
    }

    /**
     * A repair of a parity group: a lost partition gets a new brick, or a lost parity is rebuilt on another brick.
     *
     * @param table number of the table
     * @param partition number of the lost partition; of a lost parity the number of the first partition of its group
     * @param parity index of the lost parity; -1 if a partition is lost
     * @param target id of the brick that takes the partition or the parity
     * @param done records that the partition has on its new brick; of a parity the bytes that are built
     * @param total records that the partition had when it was lost; of a parity the bytes to build, estimated from the
     *     partitions of the group
     * @param donePerSecond growth of {@code done} since the leading coordinator first heard of the repair; 0 when it
     *     heard once
     */
    public record RepairStatus(
            int table, int partition, int parity, String target, long done, long total, long donePerSecond) {
        /** Whether a parity is rebuilt. Else a partition gets a new brick. */
        public boolean isOfParity() {
            return parity >= 0;
        }

        /** What is left to rebuild: records, or bytes of a parity. */
        public long left() {
            return Math.max(0, total - done);
        }
    }
}
