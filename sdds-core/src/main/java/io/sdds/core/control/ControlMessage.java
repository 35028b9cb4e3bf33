package io.sdds.core.control;

import io.sdds.core.model.AddressBlock;
import io.sdds.core.model.BrickInfo;
import io.sdds.core.model.BrickWeight;
import io.sdds.core.model.DrainAction;
import io.sdds.core.model.KeySpan;
import io.sdds.core.model.LeaveOrder;
import io.sdds.core.model.MigrationCounters;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.Parity;
import io.sdds.core.model.Place;
import io.sdds.core.model.TableMap;
import io.sdds.core.model.TableSpec;
import io.sdds.core.protocol.ClusterId;
import io.sdds.core.row.Schema;
import io.sdds.core.row.Statistics;
import java.util.List;

/**
 * The messages that are not requests about records. Answers carry the correlation id of their request; notices carry
 * none. The codes of the protocol stand in {@link ControlFrame} and are never reused.
 */
public sealed interface ControlMessage {

    // ---- families, by direction

    /** A request of a client to a brick or a coordinator. */
    sealed interface ClientRequest extends ControlMessage {}

    /** A request of a brick, a coordinator or the launcher to a coordinator. */
    sealed interface CoordinatorRequest extends ControlMessage {}

    /** A request of a brick to another brick, about a migration under way. */
    sealed interface BrickRequest extends ControlMessage {
        /** The id of the migration. */
        long migration();

        /** The partition that takes the records; its stage answers. */
        int partition();
    }

    /** The answer to a request. */
    sealed interface Answer extends ControlMessage {}

    /** A message without an answer. */
    sealed interface Notice extends ControlMessage {}

    // ---- answers that many requests share

    /** The request was carried out, at this map version (0 where there is none). */
    record Done(long mapVersion) implements Answer {}

    /**
     * The request was refused and had no effect.
     *
     * @param retryMillis of {@link Refusal#BUSY}: time after which the sender may try again; else 0
     */
    record Refused(Refusal reason, String text, int retryMillis) implements Answer {
        public Refused(Refusal reason, String text) {
            this(reason, text, 0);
        }
    }

    /** The reason why a control request was refused. */
    enum Refusal {
        /** Ask the coordinator named in the text, or any other when it is empty. */
        NOT_LEADER,
        NO_SUCH_TABLE,
        TABLE_EXISTS,
        /** The text names the fault of the request. */
        BAD_REQUEST,
        /** Not enough bricks are up; trying again later may help. */
        TOO_FEW_BRICKS,
        SESSION_ENDED,
        /** The other end does not know this migration (yet, or any more). */
        UNKNOWN_MIGRATION,
        MEMORY_FULL,
        /** Something is not ready; trying again soon helps. */
        NOT_READY,
        /** A brick with this id has already registered with another process. */
        DUPLICATE_BRICK,
        /**
         * The coordinators have had no leader for a while, because too few run or reach each other. The text names all
         * coordinators. A later retry with any of them helps.
         */
        NO_LEADER,
        /** Too many control requests of clients wait. A retry helps after the time that the refusal names. */
        BUSY,
        /** A reason of a later version. */
        UNKNOWN
    }

    // ---- asked by clients, of a coordinator

    /** Opens a client's session; answered by {@link SessionOpened}. */
    record OpenSession(String client) implements ClientRequest {}

    /** A session has begun. It lives until it is closed or is not renewed for its lease. */
    record SessionOpened(long session, long leaseMillis) implements Answer {}

    record RenewSession(long session) implements ClientRequest {}

    record CloseSession(long session) implements ClientRequest {}

    /**
     * Creates a table; answered by {@link TableFound} once its bricks serve it. The request is not idempotent: a client
     * that repeats it gets {@link Refusal#TABLE_EXISTS}, and then compares the table's definition.
     *
     * @param spec the options of the table. Of a hash table with parity the coordinator rounds the number of partitions
     *     up to full groups ({@link Parity#firstPartitions}); with {@link Parity#auto} the coordinator may choose a
     *     higher k. A schema has version 1
     */
    record CreateTable(String name, TableSpec spec) implements ClientRequest {}

    /**
     * Drops a table; answered by {@link Done} once no live brick knows the table any more.
     *
     * @param table id of the table. A table that was created by that name since is not dropped: the answer is
     *     {@link Refusal#NO_SUCH_TABLE}. 0: whatever table has the name
     */
    record DropTable(String name, int table) implements ClientRequest {
        /** Drops the table that has the name when the coordinator answers. */
        public DropTable(String name) {
            this(name, 0);
        }
    }

    /**
     * Makes the lost partitions of a table empty partitions again; answered by {@link Done}. Refused while the last
     * process of such a partition is not known to have ended, because the process may still serve.
     *
     * @param confirmed whether the sender knows that these processes are gone
     */
    record AcceptLoss(String name, boolean confirmed) implements ClientRequest {}

    /**
     * Changes the number of parities of each parity group of a table, or begins to convert a table from replicas to
     * parity; answered by {@link Done} once every live brick knows the change. New parities are missing at first, and
     * are built while clients go on. With fewer parities the highest indexes leave all groups. The request may be
     * repeated: it asks for a state.
     *
     * @param parity the m that the table has, unless it has replicas, and the k that it is to have. With
     *     {@link Parity#auto} k grows by itself from then on, and is never lowered
     */
    record AlterParity(String name, Parity parity) implements ClientRequest {}

    /**
     * Changes the number of replicas of a table, or begins to convert a table from parity to replicas; answered by
     * {@link Done} once every live brick knows the change. Missing backups are copied while clients go on. The request
     * may be repeated: it asks for a state.
     *
     * @param replicas members that each replica group is to have, at least the table's {@code minCopies}
     */
    record AlterReplicas(String name, int replicas) implements ClientRequest {}

    /**
     * Adds columns to the schema of a table or drops columns; answered by {@link Done} once every live brick knows the
     * change. Rows stay as they are. The request may be repeated: it asks for a state. It is refused if the schema has
     * changed since the sender read it.
     *
     * @param table id of the table; another table that has the name by now is not changed
     * @param schema the whole schema after the change, with the version that follows that of the table's schema
     */
    record AlterSchema(String name, int table, Schema schema) implements ClientRequest {}

    /**
     * Stores the statistics of a table, in the place of earlier ones; answered by {@link Done}. The request may be
     * repeated.
     *
     * @param table id of the table; another table that has the name by now gets no statistics
     */
    record StoreStatistics(String name, int table, Statistics statistics) implements ClientRequest {}

    /** Answered by {@link StatisticsFound}. */
    record FetchStatistics(String name) implements ClientRequest {}

    /** @param statistics the last ones that were stored, or {@link Statistics#NONE} */
    record StatisticsFound(TableMap table, Statistics statistics) implements Answer {}

    /**
     * Drains a brick: its copies move to other bricks, and the brick gets no new copies, until its process ends or the
     * drain is cancelled. Answered by {@link DrainStatus}. The request may be repeated; a client that waits for the end
     * of a drain asks with {@link DrainAction#LOOK}, so that it does not begin a drain again that was cancelled.
     *
     * @param brick id of the brick
     */
    record DrainBrick(String brick, DrainAction action) implements ClientRequest {}

    /**
     * The progress of a drain.
     *
     * @param draining whether the drain was begun and not cancelled; false in the answer to a drain that is refused,
     *     for the reason that {@code obstacle} tells
     * @param partitionsLeft copies that the brick still holds by the map; with none left its process may end
     * @param bytesLeft bytes of records, as last reported
     * @param obstacle the reason why the drain cannot make progress now; empty if there is none
     */
    record DrainStatus(String brick, boolean draining, int partitionsLeft, long bytesLeft, String obstacle)
            implements Answer {}

    /** Answered by {@link ClusterStatus}. */
    record FetchStatus(boolean withPartitions) implements ClientRequest {}

    // ---- asked by clients, of any coordinator or brick

    /** Answered by {@link TableFound}. */
    record FindTable(String name) implements ClientRequest {}

    record TableFound(TableMap table) implements Answer {}

    /** Answered by {@link BlockFetched}. */
    record FetchBlock(int table, int block) implements ClientRequest {}

    /**
     * An address block, with its bricks and the sender's record of the table.
     *
     * @param table with the version of the sender's whole map, at which the number of partitions is valid
     */
    record BlockFetched(TableMap table, AddressBlock block, List<BrickInfo> bricks) implements Answer {}

    /** Answered by {@link Coordinators}. */
    record FindCoordinators(String client) implements ClientRequest {}

    record Coordinators(List<String> addresses) implements Answer {}

    // ---- status

    /**
     * The status for operators. Loads are observations, as old as the last heartbeats.
     *
     * @param checksumFailures links that the leading coordinator closed because a checksum of received bytes was wrong
     * @param idleColumns columns of tables with parity that own no keys, if partitions were asked for; else empty
     * @param features features of the cluster that are active ({@link io.sdds.core.protocol.Features})
     */
    record ClusterStatus(
            long mapVersion,
            String coordinator,
            List<CoordinatorStatus> coordinators,
            List<BrickStatus> bricks,
            List<TableStatus> tables,
            List<SplitStatus> splits,
            List<PartitionStatus> partitions,
            int sessions,
            List<JoinStatus> joins,
            long checksumFailures,
            List<PartitionStatus> idleColumns,
            long features)
            implements Answer {}

    /**
     * A coordinator as the leading coordinator sees it.
     *
     * @param up whether it was heard within an election timeout
     * @param silentMillis time since it was heard
     */
    record CoordinatorStatus(String id, String address, boolean leads, boolean up, long silentMillis) {}

    /**
     * A brick as the leading coordinator sees it.
     *
     * @param records records of all copies that the brick holds
     * @param draining whether the brick is being drained
     * @param erasureKernel name of the code that computes parity in the brick's process; empty if it is not known
     * @param weight the capacity weight of the brick in hundredths; 0 if it is not known
     */
    record BrickStatus(
            BrickInfo brick,
            boolean up,
            long silentMillis,
            long memoryUsedBytes,
            long memoryLimitBytes,
            int partitions,
            long records,
            long bytes,
            boolean draining,
            BrickCounters counters,
            String erasureKernel,
            int weight) {}

    record TableStatus(TableMap table, long records, long bytes, int lostPartitions, TableHealth health) {
        /** The status of a table whose health is not known. */
        public TableStatus(TableMap table, long records, long bytes, int lostPartitions) {
            this(table, records, bytes, lostPartitions, TableHealth.UNKNOWN);
        }
    }

    /**
     * How many more bricks a table can lose, and what its parity groups lack.
     *
     * @param canLose number of bricks, whichever they are, that can fail now without the loss of a record; -1: not
     *     known
     * @param degraded columns that a parity leads, so that writes wait
     * @param filling columns whose spare has not all records yet
     * @param missingParities parities without a process
     * @param lacksSpare whether a column or a parity waits for a brick, because no brick that is up can take it
     * @param bricksToRaise of a table whose k grows by itself: the number of bricks that are missing for the next k,
     *     which the table has grown enough for; 0: nothing waits
     * @param groupsConverted of a table that is being converted: the number of parity groups that are
     * @param groupsToConvert the number of parity groups that still stand on what they are converted from; 0: the table
     *     is not being converted
     * @param obstacle of a table that is being converted, or whose partitions lack copies: the reason why it makes no
     *     progress now; empty if there is none
     * @param missingCopies of a table with replicas, or one that is converted to them: the number of copies that its
     *     partitions lack
     * @param extraCopies the number of copies that its partitions have beyond the table's replicas, and that leave
     * @param columnsToSeparate the number of columns that have to move until no brick holds two columns of a parity
     *     group
     * @param restingPartitions the number of partitions that rest, because a migration of theirs was given up without
     *     progress; it is ordered again later
     */
    record TableHealth(
            int canLose,
            int degraded,
            int filling,
            int missingParities,
            boolean lacksSpare,
            int bricksToRaise,
            int groupsConverted,
            int groupsToConvert,
            String obstacle,
            int missingCopies,
            int extraCopies,
            int columnsToSeparate,
            int restingPartitions) {

        /**
         * The health of a table that is not being converted, whose k waits for no brick and whose copies are complete.
         */
        public TableHealth(int canLose, int degraded, int filling, int missingParities, boolean lacksSpare) {
            this(canLose, degraded, filling, missingParities, lacksSpare, 0, 0, 0, "", 0, 0, 0, 0);
        }

        /** Not known. */
        public static final TableHealth UNKNOWN = new TableHealth(-1, 0, 0, 0, false);
    }

    /**
     * A partition as the leading coordinator sees it.
     *
     * @param span of a range table: the keys of the partition
     * @param backups ids of the bricks that hold the other copies
     * @param members the processes that hold a copy, the primary first, also a process that its brick's next process
     *     has replaced; empty if the partition is lost
     * @param parities of a table with parity: ids of the bricks that hold the parities of the partition's group, in the
     *     order of their indexes; an empty text for a parity that is missing
     */
    record PartitionStatus(
            int table,
            int partition,
            int level,
            String brick,
            boolean lost,
            long records,
            long bytes,
            KeySpan span,
            List<String> backups,
            List<Place.Member> members,
            List<String> parities) {}

    record SplitStatus(MigrationOrder order, String source, String target, long shippedBytes, long totalBytes) {}

    /**
     * A copy of a partition under way to a brick that will hold it.
     *
     * @param bytesPerSecond rate since the leading coordinator first heard of the copy; 0 after the first report
     */
    record JoinStatus(
            MigrationOrder order,
            String source,
            String target,
            long shippedBytes,
            long totalBytes,
            long bytesPerSecond) {
        /** The seconds that the remaining bytes take at {@code bytesPerSecond}; -1 if the rate is not known. */
        public long secondsLeft() {
            return bytesPerSecond <= 0
                    ? -1
                    : (long) Math.ceil((double) Math.max(0, totalBytes - shippedBytes) / bytesPerSecond);
        }
    }

    // ---- brick and coordinator

    /**
     * Registers a brick's process; answered by {@link BrickRegistered}. The same (id, nonce) gets the same incarnation
     * again, so that the request may be repeated after a lost answer.
     *
     * @param nonce drawn once by each process
     * @param erasureKernel name of the code that computes parity in this process, for the status; empty if the brick's
     *     version does not tell it
     * @param weight the capacity weight of the brick in hundredths ({@link BrickWeight}); 0 if the brick's version does
     *     not tell it
     */
    record RegisterBrick(String id, long nonce, String address, long memoryLimitBytes, String erasureKernel, int weight)
            implements CoordinatorRequest {}

    /**
     * A brick's process has ended. The process itself sends this when it serves no more, or the program that started it
     * and saw its end. Answered by {@link Done}.
     */
    record BrickEnded(String id, long incarnation) implements CoordinatorRequest {}

    record BrickRegistered(BrickInfo self) implements Answer {}

    /**
     * A brick lives, knows the map up to a version, and reports; answered by {@link MapUpdate}. Reports are
     * observations: only migrations that ended lead to changes of the map.
     *
     * <p>The loads are a numbered list: all loads, or the changes since the list that the answer before confirmed. A
     * load of a partition that the brick has no more has the level {@link PartitionLoad#GONE}. A list of changes
     * follows only an answer whose {@code loadsKnown} is the number of the list before, over the same link.
     *
     * @param migrations the progress of migrations, from their sources, and their ends, from their targets; HANDED_OVER
     *     of a learner when it has caught up and votes
     * @param missed bricks for whose votes the groups that this brick leads have waited in vain for long, because one
     *     of the two can't reach the other
     * @param loadsNumber number of the list of loads, which grows from list to list of a process; 0: each list has all
     *     loads
     * @param loadsSince number of the list that the changes follow; 0: all loads are listed
     * @param ranked the columns of tables that are being converted whose records all have ranks, as their primaries
     *     report it
     */
    record Heartbeat(
            int brick,
            long incarnation,
            long mapVersion,
            long memoryUsedBytes,
            BrickCounters counters,
            List<PartitionLoad> loads,
            List<SplitWanted> splitsWanted,
            List<MigrationReport> migrations,
            List<Integer> missed,
            long loadsNumber,
            long loadsSince,
            List<Ranked> ranked)
            implements CoordinatorRequest {}

    /**
     * Counts of a brick since its start.
     *
     * @param checksumFailures links that the brick closed because a checksum of received bytes was wrong
     */
    record BrickCounters(
            long operations,
            long addressingForwards,
            long adjustments,
            long refused,
            long checksumFailures,
            MigrationCounters migrations) {
        /** Counts of a brick that has counted nothing. */
        public static final BrickCounters NONE = new BrickCounters(0, 0, 0, 0, 0, MigrationCounters.NONE);

        /** The sums of two counts, such as the counts of two stages. */
        public BrickCounters plus(BrickCounters other) {
            return new BrickCounters(
                    operations + other.operations,
                    addressingForwards + other.addressingForwards,
                    adjustments + other.adjustments,
                    refused + other.refused,
                    checksumFailures + other.checksumFailures,
                    migrations.plus(other.migrations));
        }
    }

    /**
     * The load of a partition on a brick.
     *
     * @param level level of the partition, or {@link #GIVEN_UP}, {@link #STUCK} or {@link #GONE}
     * @param epoch of a copy that was given up: the group's epoch in the map that the brick knows; else 0
     */
    record PartitionLoad(int table, int partition, int level, long records, long bytes, long epoch) {
        /**
         * Instead of a level: the brick has given this copy up on an order to leave the group, and serves it no more.
         */
        public static final int GIVEN_UP = -1;

        /**
         * Instead of a level: this copy has no memory for the next entry of its group's log, and the group waits for
         * it. The copy leaves unless it gets memory.
         */
        public static final int STUCK = -2;

        /** Instead of a level, in a list of changes: the brick has the partition no more. */
        public static final int GONE = -3;

        /** The load of a copy that serves. */
        public PartitionLoad(int table, int partition, int level, long records, long bytes) {
            this(table, partition, level, records, bytes, 0);
        }
    }

    /**
     * The partition with the split token, or any partition of a range table, has reached the load at which it splits.
     *
     * @param span of a range table: the keys that should move
     */
    record SplitWanted(int table, int partition, KeySpan span) {
        /** The wish of a partition of a hash table. */
        public SplitWanted(int table, int partition) {
            this(table, partition, KeySpan.ALL);
        }
    }

    /**
     * A column of a parity group that stands on replicas has a rank for each of its records, and the entries of its log
     * that write records without ranks are committed.
     *
     * @param epoch of the place by which the brick leads the column
     */
    record Ranked(int table, int partition, long epoch) {}

    /**
     * The progress of a migration, from its source, or its end, from its target. A report of an end is repeated until
     * the order has left the map.
     *
     * <p>Of a split the parent's primary, even if an earlier primary began the split, and each member of the child that
     * serves report HANDED_OVER; one report is enough. The parent's primary reports ABANDONED. A target does when the
     * map says that the parent is lost and the target has not received {@link Activate}. Of a merge the members of the
     * parent that have committed ABSORB report HANDED_OVER, or the child's primary if the parent is lost; the child's
     * primary reports ABANDONED, or the parent's if the child is lost. The source of a column's move reports
     * HANDED_OVER once the SEAL is acknowledged. Of a recovery or a parity order the target alone reports.
     */
    record MigrationReport(long migration, MigrationState state, long shippedBytes, long totalBytes) {}

    /** The state of a migration as its source sees it or, once it has ended, its target. */
    enum MigrationState {
        SHIPPING,
        /**
         * HANDOVER is committed and the receiver serves: the map can change. The spare of a recovery reports it when it
         * has the lead's knowledge of the column; the new process of a parity when each column counts its votes.
         */
        HANDED_OVER,
        /**
         * The source gave the migration up, or is lost and had not handed over. Nothing has changed; shipped records
         * may be freed. The target of a recovery or a parity order reports it when it has no memory. A spare that is
         * primary already has stopped to answer before it reports it.
         */
        ABANDONED,
        /** The spare of a recovery, which is primary already, has all records of the column. */
        FILLED,
        /** A state of a later version. */
        UNKNOWN
    }

    /**
     * The changes of the map since {@code fromVersion}; also sent as a notice after each change. The lists contain the
     * changes, except {@code migrations} and {@code leaves}, which always contain all orders under way. A brick can
     * apply an update only if it knows the map at least up to {@code fromVersion}.
     *
     * @param leaves members that must give their copies up, in the epoch named
     * @param sessionNext sessions below it and not in {@code sessionsActive} have ended; 0: unchanged
     * @param features features of the cluster that are active ({@link io.sdds.core.protocol.Features})
     * @param leaseMillis in the answer to a heartbeat: the time from the heartbeat's sending for which the brick may
     *     answer reads by its copies, by the map that it knows with this update. 0: no lease is granted
     * @param cluster id of the cluster that the map belongs to
     * @param drains in the answer to a heartbeat: whether the brick's process is being drained, or was
     * @param loadsKnown in the answer to a heartbeat: the number of the last list of loads that the coordinator has; 0:
     *     the brick must send all loads
     * @param confirm whether the brick should send a heartbeat at once after it has taken the update, because a client
     *     waits until the bricks know the map
     */
    record MapUpdate(
            long fromVersion,
            long toVersion,
            List<BrickInfo> bricks,
            List<TableMap> tables,
            List<Integer> droppedTables,
            List<AddressBlock> blocks,
            List<MigrationOrder> migrations,
            long sessionNext,
            List<Long> sessionsActive,
            long leaseMillis,
            List<LeaveOrder> leaves,
            ClusterId cluster,
            boolean drains,
            long features,
            long loadsKnown,
            boolean confirm)
            implements Answer, Notice {

        /** An update of the map alone. */
        public MapUpdate(
                long fromVersion,
                long toVersion,
                List<BrickInfo> bricks,
                List<TableMap> tables,
                List<Integer> droppedTables,
                List<AddressBlock> blocks,
                List<MigrationOrder> migrations,
                long sessionNext,
                List<Long> sessionsActive) {
            this(
                    fromVersion,
                    toVersion,
                    bricks,
                    tables,
                    droppedTables,
                    blocks,
                    migrations,
                    sessionNext,
                    sessionsActive,
                    0,
                    List.of(),
                    ClusterId.UNKNOWN,
                    false,
                    0,
                    0,
                    false);
        }

        /** This update with a lease. */
        public MapUpdate withLease(long millis) {
            return inAnswer(millis, drains, loadsKnown, confirm);
        }

        /** This update as a notice. */
        public MapUpdate inNotice(boolean confirms) {
            return inAnswer(leaseMillis, drains, loadsKnown, confirms);
        }

        /** This update in the answer to a heartbeat, with a lease. */
        public MapUpdate inAnswer(long millis, boolean brickDrains, long listKnown, boolean confirms) {
            return new MapUpdate(
                    fromVersion,
                    toVersion,
                    bricks,
                    tables,
                    droppedTables,
                    blocks,
                    migrations,
                    sessionNext,
                    sessionsActive,
                    millis,
                    leaves,
                    cluster,
                    brickDrains,
                    features,
                    listKnown,
                    confirms);
        }
    }

    // ---- coordinator and coordinator

    /**
     * Asks a coordinator to describe itself; answered by {@link CoordinatorDescribed}, or NOT_READY while it is
     * starting.
     */
    record DescribeCoordinator(String id) implements CoordinatorRequest {}

    /**
     * The identity of a coordinator, and the end of its log.
     *
     * @param clusterHigh with {@code clusterLow} the identity of its cluster, or of the cluster that it would begin
     * @param member whether it takes part in a cluster; otherwise its directory was empty, and it asks whether there is
     *     one
     * @param term the latest term that it knows
     * @param lastTerm term of the last entry of its log; 0 when there is none
     * @param lastIndex index of that entry; -1 when there is none
     */
    record CoordinatorDescribed(
            String id, long clusterHigh, long clusterLow, boolean member, long term, long lastTerm, long lastIndex)
            implements Answer {}

    // ---- brick and brick: migrations

    /**
     * The source of a migration opens an attempt to copy the records, or goes on with an attempt whose link was lost.
     * The target answers {@link SnapshotOpened}. The target refuses when it has no room, is not ready, or does not have
     * the slices of an attempt that is to go on.
     *
     * @param attempt 1, 2, …: a later attempt begins with the first record again
     * @param resumption 0 opens the attempt; 1, 2, … goes on with it over this link. A request with a lower number is
     *     late, over a link that is gone
     * @param receiver the partition that gets the records
     * @param level of the receiver, once it has them
     * @param bytes of the records
     */
    record SnapshotOpen(long migration, int attempt, int resumption, int table, int receiver, int level, long bytes)
            implements BrickRequest {
        @Override
        public int partition() {
            return receiver;
        }
    }

    /**
     * The target takes slices of this attempt over this link.
     *
     * @param creditBytes how many bytes may be ahead of the acknowledgements
     * @param applied the last slice that the target has applied
     * @param timeNanos of a merge: the logical time of the parent, by which expiries are to be sent. The copy to the
     *     parent's primary is opened first, because its time counts
     */
    record SnapshotOpened(long migration, int attempt, int creditBytes, long applied, long timeNanos)
            implements Answer {}

    /**
     * Notice: the target has applied all slices up to {@code slice}, and knows the map up to {@code mapVersion}. The
     * target sends it again when either moves on. A negative {@code slice} says that the target has no memory left.
     */
    record SnapshotAck(long migration, int attempt, long slice, long mapVersion) implements Notice {}

    /**
     * The keys are handed over: the receiver serves them from now on. Answered by {@link Done}; the source sends it
     * until the answer comes. In a merge each member of the child that has applied SUBSUME sends it to the leader of
     * the parent, which answers NOT_READY until the parent's group has committed ABSORB. A member that the map names
     * when the order is gone serves without it.
     *
     * @param version no version that the receiver gives is below this one
     * @param timeNanos the source's logical time, of a merge in the receiver's reckoning; the receiver's goes on from
     *     there
     */
    record Activate(long migration, int attempt, int table, int receiver, int level, long version, long timeNanos)
            implements BrickRequest {
        @Override
        public int partition() {
            return receiver;
        }
    }
}
