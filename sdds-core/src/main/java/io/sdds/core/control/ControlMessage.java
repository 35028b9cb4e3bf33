package io.sdds.core.control;

import io.sdds.core.model.AddressBlock;
import io.sdds.core.model.BrickInfo;
import io.sdds.core.model.KeySpan;
import io.sdds.core.model.SplitOrder;
import io.sdds.core.model.SplitPolicy;
import io.sdds.core.model.TableKind;
import io.sdds.core.model.TableMap;
import java.util.List;

/**
 * Everything that is not a request about records. Answers carry the correlation id of what they answer; notices carry none. The
 * codes on the wire stand in {@link ControlFrame} and are never reused.
 */
public sealed interface ControlMessage {

    // ---- answers that many requests share

    /** Done as asked, at this map version (0 where there is none). */
    record Done(long mapVersion) implements ControlMessage {}

    /** Not done, and no effect. */
    record Refused(Refusal reason, String text) implements ControlMessage {}

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
        DUPLICATE_BRICK
    }

    // ---- asked by clients, of a coordinator

    /** Opens a client's session; answered by {@link SessionOpened}. */
    record OpenSession(String client) implements ControlMessage {}

    /** A session: lives until it is closed or was not renewed for its lease. */
    record SessionOpened(long session, long leaseMillis) implements ControlMessage {}

    record RenewSession(long session) implements ControlMessage {}

    record CloseSession(long session) implements ControlMessage {}

    /**
     * Creates a table of one partition; answered by {@link TableFound} once its brick serves it. Idempotent by name and definition only for
     * the client that finds {@link Refusal#TABLE_EXISTS}.
     *
     * @param ttlMillis as in {@link io.sdds.core.model.TableDefinition}
     */
    record CreateTable(
            String name, TableKind kind, SplitPolicy split, long capacityRecords, long capacityBytes, long ttlMillis)
            implements ControlMessage {}

    record DropTable(String name) implements ControlMessage {}

    /** Makes lost partitions of a table empty ones again; answered by {@link Done}. */
    record AcceptLoss(String name) implements ControlMessage {}

    /** Answered by {@link ClusterStatus}. */
    record FetchStatus(boolean withPartitions) implements ControlMessage {}

    // ---- asked by clients, of any coordinator or brick

    /** Answered by {@link TableFound}. */
    record FindTable(String name) implements ControlMessage {}

    record TableFound(TableMap table) implements ControlMessage {}

    /** Answered by {@link BlockFetched}. */
    record FetchBlock(int table, int block) implements ControlMessage {}

    /**
     * An address block, with the bricks it names and the table as the answerer knows it.
     *
     * @param table with the version of the answerer's whole map: what is told of its size holds as of then
     */
    record BlockFetched(TableMap table, AddressBlock block, List<BrickInfo> bricks) implements ControlMessage {}

    /** Answered by {@link Coordinators}. */
    record FindCoordinators(String client) implements ControlMessage {}

    record Coordinators(List<String> addresses) implements ControlMessage {}

    // ---- status

    /** What an operator sees; loads are observations, as old as the last heartbeat. */
    record ClusterStatus(
            long mapVersion,
            String coordinator,
            List<BrickStatus> bricks,
            List<TableStatus> tables,
            List<SplitStatus> splits,
            List<PartitionStatus> partitions,
            int sessions)
            implements ControlMessage {}

    record BrickStatus(
            BrickInfo brick,
            boolean up,
            long silentMillis,
            long memoryUsedBytes,
            long memoryLimitBytes,
            int partitions,
            long records,
            long bytes,
            long operations,
            long addressingForwards,
            long adjustments,
            long refused) {}

    record TableStatus(TableMap table, long records, long bytes, int lostPartitions) {}

    /** @param span of a range table: its keys */
    record PartitionStatus(
            int table, int partition, int level, String brick, boolean lost, long records, long bytes, KeySpan span) {}

    record SplitStatus(SplitOrder order, String source, String target, long shippedBytes, long totalBytes) {}

    // ---- brick and coordinator

    /**
     * A brick's process says that it is here; answered by {@link BrickRegistered}. The same (id, nonce) gets the same incarnation again, so that a lost
     * answer can be asked for once more.
     *
     * @param nonce drawn once by each process
     */
    record RegisterBrick(String id, long nonce, String address, long memoryLimitBytes) implements ControlMessage {}

    record BrickRegistered(BrickInfo self) implements ControlMessage {}

    /**
     * A brick lives, knows the map up to a version, and reports; answered by {@link MapUpdate}. Reports are observations: only splits that
     * ended lead to changes of the map.
     */
    record Heartbeat(
            int brick,
            long incarnation,
            long mapVersion,
            long memoryUsedBytes,
            BrickCounters counters,
            List<PartitionLoad> loads,
            List<SplitWanted> splitsWanted,
            List<SplitReport> splits)
            implements ControlMessage {}

    record BrickCounters(long operations, long addressingForwards, long adjustments, long refused) {}

    record PartitionLoad(int table, int partition, int level, long records, long bytes) {}

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

    /** How a shipping goes, by its source; and how it ended, by its target. */
    record SplitReport(long stream, SplitState state, long shippedBytes, long totalBytes) {}

    /** A split or merge as its source sees it, or, when it has ended, its target. */
    enum SplitState {
        SHIPPING,
        /** HANDOVER is committed and the receiver serves: the map can change. */
        HANDED_OVER,
        /** The source gave it up, or is lost and had not handed over: nothing changed, what was shipped may be freed. */
        ABANDONED
    }

    /**
     * What changed in the map since {@code fromVersion}; also sent as a notice, when something changed. Lists name what changed, but for
     * {@code splits}, which always names every split and merge under way. To take it, a brick must know the map at least up to {@code fromVersion}.
     *
     * @param sessionNext sessions below it and not in {@code sessionsActive} have ended; 0: unchanged
     */
    record MapUpdate(
            long fromVersion,
            long toVersion,
            List<BrickInfo> bricks,
            List<TableMap> tables,
            List<Integer> droppedTables,
            List<AddressBlock> blocks,
            List<SplitOrder> splits,
            long sessionNext,
            List<Long> sessionsActive)
            implements ControlMessage {}

    // ---- brick and brick: shipping

    /**
     * The source of a shipping begins, or begins again after a lost link with a higher attempt; answered by {@link ShipOpened} once the target has
     * reserved the bytes.
     */
    record ShipOpen(long stream, int attempt, int table, int receiver, int level, long bytes)
            implements ControlMessage {}

    /**
     * The target takes slices of this attempt, up to so many bytes ahead of its acknowledgements.
     *
     * @param timeNanos of a merge: the logical time of the partition that takes them, by which expiries are to be told
     */
    record ShipOpened(long stream, int attempt, int creditBytes, long timeNanos) implements ControlMessage {}

    /** Notice: the target has applied all slices up to {@code slice}. */
    record ShipAcked(long stream, int attempt, long slice) implements ControlMessage {}

    /**
     * The source committed HANDOVER: the receiver is what the slices made it and serves at this level from now on. Answered by {@link Done}; sent until
     * answered.
     *
     * @param version no version the receiver gives is below it
     * @param timeNanos the source's logical time when this left, of a merge in the receiver's reckoning; the receiver's goes on from there
     */
    record HandOver(long stream, int attempt, int table, int receiver, int level, long version, long timeNanos)
            implements ControlMessage {}
}
