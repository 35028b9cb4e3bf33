package io.sdds.core.control;

import io.sdds.core.model.AddressBlock;
import io.sdds.core.model.BrickInfo;
import io.sdds.core.model.KeySpan;
import io.sdds.core.model.LeaveOrder;
import io.sdds.core.model.MigrationCounters;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.Place;
import io.sdds.core.model.Routing;
import io.sdds.core.model.SplitPolicy;
import io.sdds.core.model.TableKind;
import io.sdds.core.model.TableMap;
import io.sdds.core.protocol.ClusterId;
import java.util.List;

/**
 * Everything that is not a request about records. Answers carry the correlation id of what they answer; notices carry
 * none. The codes on the wire stand in {@link ControlFrame} and are never reused.
 */
public sealed interface ControlMessage {

    // ---- families, by direction

    /** What a client asks a brick or a coordinator. */
    sealed interface ClientRequest extends ControlMessage {}

    /** What a brick, a coordinator or the launcher asks a coordinator. */
    sealed interface CoordinatorRequest extends ControlMessage {}

    /** What a brick asks another one, of a copy that is under way. */
    sealed interface BrickRequest extends ControlMessage {
        /** Which copy: the order's number. */
        long migration();

        /** The partition that takes the copy; its stage answers. */
        int partition();
    }

    /** What answers a request. */
    sealed interface Answer extends ControlMessage {}

    /** What nobody answers. */
    sealed interface Notice extends ControlMessage {}

    // ---- answers that many requests share

    /** Done as asked, at this map version (0 where there is none). */
    record Done(long mapVersion) implements Answer {}

    /**
     * Not done, and no effect.
     *
     * @param retryMillis of {@link Refusal#BUSY}: after which the sender may try again; else 0
     */
    record Refused(Refusal reason, String text, int retryMillis) implements Answer {
        public Refused(Refusal reason, String text) {
            this(reason, text, 0);
        }
    }

    /** Why a control request was refused. */
    enum Refusal {
        /** Ask the coordinator named in the text, or any other when it is empty. */
        NOT_LEADER,
        NO_SUCH_TABLE,
        TABLE_EXISTS,
        /** The text says what was wrong with the request. */
        BAD_REQUEST,
        /** Not enough bricks are up; trying again later may help. */
        TOO_FEW_BRICKS,
        SESSION_ENDED,
        /** The other end does not know this shipping (yet, or any more). */
        UNKNOWN_STREAM,
        MEMORY_FULL,
        /** Something is not ready; trying again soon helps. */
        NOT_READY,
        /** A brick that calls itself so is already here with another process. */
        DUPLICATE_BRICK,
        /**
         * The coordinators have had no leader for a while: too few run, or reach each other; the text says which there
         * are. Asking any again helps later.
         */
        NO_LEADER,
        /** Too many control requests of clients wait. Trying again helps, after the time that the refusal names. */
        BUSY,
        /** A reason of a later version. */
        UNKNOWN
    }

    // ---- asked by clients, of a coordinator

    /** Opens a client's session; answered by {@link SessionOpened}. */
    record OpenSession(String client) implements ClientRequest {}

    /** A session: lives until it is closed or was not renewed for its lease. */
    record SessionOpened(long session, long leaseMillis) implements Answer {}

    record RenewSession(long session) implements ClientRequest {}

    record CloseSession(long session) implements ClientRequest {}

    /**
     * Creates a table; answered by {@link TableFound} once its bricks serve it. Idempotent by name and definition only
     * for the client that finds {@link Refusal#TABLE_EXISTS}.
     *
     * @param ttlMillis as in {@link io.sdds.core.model.TableDefinition}, as {@code replicas}, {@code minCopies} and
     *     {@code routing} are
     * @param partitions that it begins with
     */
    record CreateTable(
            String name,
            TableKind kind,
            SplitPolicy split,
            long capacityRecords,
            long capacityBytes,
            long ttlMillis,
            int replicas,
            int minCopies,
            int partitions,
            Routing routing)
            implements ClientRequest {
        /** A table that clients address by an image. */
        public CreateTable(
                String name,
                TableKind kind,
                SplitPolicy split,
                long capacityRecords,
                long capacityBytes,
                long ttlMillis,
                int replicas,
                int minCopies,
                int partitions) {
            this(
                    name,
                    kind,
                    split,
                    capacityRecords,
                    capacityBytes,
                    ttlMillis,
                    replicas,
                    minCopies,
                    partitions,
                    Routing.IMAGE);
        }

        /** A table of one partition of one copy. */
        public CreateTable(
                String name,
                TableKind kind,
                SplitPolicy split,
                long capacityRecords,
                long capacityBytes,
                long ttlMillis) {
            this(name, kind, split, capacityRecords, capacityBytes, ttlMillis, 1, 1, 1);
        }
    }

    /**
     * Drops a table; answered by {@link Done} once no brick that is heard knows it any more.
     *
     * @param table its id: a table that has been created by that name since is not dropped, but
     *     {@link Refusal#NO_SUCH_TABLE}; 0: whatever table has the name
     */
    record DropTable(String name, int table) implements ClientRequest {
        /** The table that has a name when this is answered. */
        public DropTable(String name) {
            this(name, 0);
        }
    }

    /**
     * Makes lost partitions of a table empty ones again; answered by {@link Done}. Refused while a process that was the
     * last to hold one of them is not known to have ended, since it may still serve.
     *
     * @param confirmed whether the asker knows that these processes are gone
     */
    record AcceptLoss(String name, boolean confirmed) implements ClientRequest {
        /** Of a version that does not confirm. */
        public AcceptLoss(String name) {
            this(name, false);
        }
    }

    /**
     * A brick is to be emptied: what it holds goes to others, and nothing new comes; until its process ends, or the
     * drain is cancelled. Answered by {@link DrainStatus}, as often as it is asked.
     *
     * @param brick its id
     * @param cancel the brick is to take part again; what has gone stays where it is
     */
    record DrainBrick(String brick, boolean cancel) implements ClientRequest {}

    /**
     * How a drain goes.
     *
     * @param draining whether it was begun and not cancelled; false in the answer to a drain: it is refused, for the
     *     reason that {@code obstacle} tells
     * @param partitionsLeft copies that the brick still holds by the map; with none left its process may end
     * @param bytesLeft of records, as last reported
     * @param obstacle why it can't go on as things are; empty: it can
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
     * An address block, with the bricks it names and the table as the answerer knows it.
     *
     * @param table with the version of the answerer's whole map: what is told of its size holds as of then
     */
    record BlockFetched(TableMap table, AddressBlock block, List<BrickInfo> bricks) implements Answer {}

    /** Answered by {@link Coordinators}. */
    record FindCoordinators(String client) implements ClientRequest {}

    record Coordinators(List<String> addresses) implements Answer {}

    // ---- status

    /**
     * What an operator sees; loads are observations, as old as the last heartbeat.
     *
     * @param checksumFailures links that the coordinator that leads closed because what came over them was not what was
     *     sent
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
            long checksumFailures)
            implements Answer {
        /** Of a version that does not count damaged bytes. */
        public ClusterStatus(
                long mapVersion,
                String coordinator,
                List<CoordinatorStatus> coordinators,
                List<BrickStatus> bricks,
                List<TableStatus> tables,
                List<SplitStatus> splits,
                List<PartitionStatus> partitions,
                int sessions,
                List<JoinStatus> joins) {
            this(mapVersion, coordinator, coordinators, bricks, tables, splits, partitions, sessions, joins, 0);
        }
    }

    /**
     * A coordinator as the one that leads sees it.
     *
     * @param up whether it was heard within an election timeout
     * @param silentMillis since it was heard
     */
    record CoordinatorStatus(String id, String address, boolean leads, boolean up, long silentMillis) {}

    /**
     * @param records of all copies that the brick holds
     * @param draining whether what it holds is being moved to others
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
            BrickCounters counters) {}

    record TableStatus(TableMap table, long records, long bytes, int lostPartitions) {}

    /**
     * @param span of a range table: its keys
     * @param backups ids of the bricks that hold the other copies
     * @param members the processes that hold a copy, primary first, also one that its brick's next process has
     *     replaced; empty: lost, or told by a version that does not say
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
            List<Place.Member> members) {}

    record SplitStatus(MigrationOrder order, String source, String target, long shippedBytes, long totalBytes) {}

    /**
     * A copy of a partition on its way to a brick that is to hold one.
     *
     * @param bytesPerSecond shipped since the leading coordinator first heard of it; 0 when it heard once
     */
    record JoinStatus(
            MigrationOrder order,
            String source,
            String target,
            long shippedBytes,
            long totalBytes,
            long bytesPerSecond) {
        /** How long it will take if it goes on as it did; -1 when nobody can say. */
        public long secondsLeft() {
            return bytesPerSecond <= 0
                    ? -1
                    : (long) Math.ceil((double) Math.max(0, totalBytes - shippedBytes) / bytesPerSecond);
        }
    }

    // ---- brick and coordinator

    /**
     * A brick's process says that it is here; answered by {@link BrickRegistered}. The same (id, nonce) gets the same
     * incarnation again, so that a lost answer can be asked for once more.
     *
     * @param nonce drawn once by each process
     */
    record RegisterBrick(String id, long nonce, String address, long memoryLimitBytes) implements CoordinatorRequest {}

    /**
     * A brick's process has ended: said by itself when it serves no more, or by who started it and saw its end.
     * Answered by {@link Done}.
     */
    record BrickEnded(String id, long incarnation) implements CoordinatorRequest {}

    record BrickRegistered(BrickInfo self) implements Answer {}

    /**
     * A brick lives, knows the map up to a version, and reports; answered by {@link MapUpdate}. Reports are
     * observations: only splits that ended lead to changes of the map.
     *
     * <p>The loads are a numbered list: all of them, or those that have changed since the list that the answer before
     * confirmed. Of what has gone the level is {@link PartitionLoad#GONE}.
     *
     * @param migrations how they go, by their sources, and how they ended, by their targets: HANDED_OVER of a learner
     *     when it has caught up and votes
     * @param missed bricks whose votes the groups that this one leads have waited for in vain for long: it can't reach
     *     them, or they it
     * @param loadsNumber of the list of loads; grows from one to the next of a process; 0: of a version that lists all
     * @param loadsSince the number of the list that these are the changes of; 0: all are listed
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
            long loadsSince)
            implements CoordinatorRequest {
        /** Of a version that lists all loads each time. */
        public Heartbeat(
                int brick,
                long incarnation,
                long mapVersion,
                long memoryUsedBytes,
                BrickCounters counters,
                List<PartitionLoad> loads,
                List<SplitWanted> splitsWanted,
                List<MigrationReport> migrations,
                List<Integer> missed) {
            this(
                    brick,
                    incarnation,
                    mapVersion,
                    memoryUsedBytes,
                    counters,
                    loads,
                    splitsWanted,
                    migrations,
                    missed,
                    0,
                    0);
        }

        /** Of a brick that misses nobody. */
        public Heartbeat(
                int brick,
                long incarnation,
                long mapVersion,
                long memoryUsedBytes,
                BrickCounters counters,
                List<PartitionLoad> loads,
                List<SplitWanted> splitsWanted,
                List<MigrationReport> migrations) {
            this(brick, incarnation, mapVersion, memoryUsedBytes, counters, loads, splitsWanted, migrations, List.of());
        }
    }

    /** @param checksumFailures links that were closed because what came over them was not what was sent */
    record BrickCounters(
            long operations,
            long addressingForwards,
            long adjustments,
            long refused,
            long checksumFailures,
            MigrationCounters migrations) {
        /** Of a brick that has counted nothing. */
        public static final BrickCounters NONE = new BrickCounters(0, 0, 0, 0, 0, MigrationCounters.NONE);

        /** The sum of two. */
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
     * What a brick holds of a partition.
     *
     * @param level of the partition, or {@link #GIVEN_UP}, {@link #STUCK} or {@link #GONE}
     * @param epoch of a copy that was given up: the group's, by the map that the brick knows; else 0
     */
    record PartitionLoad(int table, int partition, int level, long records, long bytes, long epoch) {
        /** Instead of a level: this copy was to leave the group, and serves no more. */
        public static final int GIVEN_UP = -1;

        /**
         * Instead of a level: this copy has no memory for what its group is to decide, which waits for it: it leaves,
         * unless it gets some.
         */
        public static final int STUCK = -2;

        /** Instead of a level, in a list of changes: the brick has the partition no more. */
        public static final int GONE = -3;

        /** Of a copy that serves. */
        public PartitionLoad(int table, int partition, int level, long records, long bytes) {
            this(table, partition, level, records, bytes, 0);
        }
    }

    /**
     * The partition with the split token, or any of a range table, has reached the load at which it splits.
     *
     * @param span of a range table: the keys that shall move
     */
    record SplitWanted(int table, int partition, KeySpan span) {
        /** Of a hash table. */
        public SplitWanted(int table, int partition) {
            this(table, partition, KeySpan.ALL);
        }
    }

    /** How a migration goes, from its source; and how it ended, from its target. */
    record MigrationReport(long migration, MigrationState state, long shippedBytes, long totalBytes) {}

    /** The state of a migration as its source sees it or, once it has ended, its target. */
    enum MigrationState {
        SHIPPING,
        /** HANDOVER is committed and the receiver serves: the map can change. */
        HANDED_OVER,
        /**
         * The source gave it up, or is lost and had not handed over: nothing changed, what was shipped may be freed.
         */
        ABANDONED,
        /** A state of a later version. */
        UNKNOWN
    }

    /**
     * What changed in the map since {@code fromVersion}; also sent as a notice, when something changed. Lists name what
     * changed, but for {@code migrations} and {@code leaves}, which always name all that are under way. To take it, a
     * brick must know the map at least up to {@code fromVersion}.
     *
     * @param leaves members that are to give their copies up, in the epoch named
     * @param sessionNext sessions below it and not in {@code sessionsActive} have ended; 0: unchanged
     * @param features of the cluster that are active ({@link io.sdds.core.protocol.Features})
     * @param leaseMillis in the answer to a heartbeat: for so long from the heartbeat's sending the brick may answer
     *     reads by its copies, by the map that it knows with this. 0: no lease is granted
     * @param cluster whose map it is
     * @param drains in the answer to a heartbeat: whether the brick's process is being emptied, or was
     * @param loadsKnown in the answer to a heartbeat: the number of the list of loads up to which the coordinator knows
     *     the brick's loads; 0: it wants all
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
            long loadsKnown)
            implements Answer, Notice {
        /** Without a lease, and without orders to leave. */
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
                    0);
        }

        /** The same, with a lease. */
        public MapUpdate withLease(long millis) {
            return inAnswer(millis, drains, loadsKnown);
        }

        /** The same in the answer to a heartbeat, with a lease. */
        public MapUpdate inAnswer(long millis, boolean brickDrains, long listKnown) {
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
                    listKnown);
        }
    }

    // ---- coordinator and coordinator

    /** Answered by {@link CoordinatorDescribed}; NOT_READY before it knows. */
    record DescribeCoordinator(String id) implements CoordinatorRequest {}

    /**
     * Who a coordinator is, and what it has of the log.
     *
     * @param clusterHigh with {@code clusterLow} the identity of its cluster, or of the one it would begin
     * @param member whether it takes part in a cluster; else its directory was empty, and it asks whether there is one
     * @param term the latest it has heard of
     * @param lastTerm of the last entry of its log; 0 when there is none
     * @param lastIndex of that entry; -1 when there is none
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
     * @param timeNanos of a merge: the logical time of the parent, by which expiries are to be sent
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
     * until the answer comes. In a merge each member of the child sends it to the leader of the parent, until the
     * parent's group has committed TAKE.
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
