package io.sdds.coordinator.state;

import io.sdds.core.model.KeySpan;
import io.sdds.core.model.Routing;
import io.sdds.core.model.SplitPolicy;
import io.sdds.core.model.TableKind;
import io.sdds.core.protocol.ClusterId;
import java.util.List;

/**
 * A change of the cluster's state, as the log keeps it. Each names what it was decided upon; {@link ClusterState#apply}
 * compares and changes nothing when that no longer holds. Codes stand in {@link StateCodec} and are never reused.
 */
public sealed interface Command {

    /**
     * A brick's process is here.
     *
     * @param nonce drawn once by each process
     * @param replacedIncarnation the incarnation that a new nonce puts an end to; 0: the id is new
     */
    record RegisterBrick(String id, long nonce, String address, long memoryLimitBytes, long replacedIncarnation)
            implements Command {}

    /**
     * A table, created empty.
     *
     * @param ttlMillis as in {@link io.sdds.core.model.TableDefinition}, as {@code replicas}, {@code minCopies} and
     *     {@code routing} are
     * @param hosts as many for each partition as there are replicas, the primary first
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
            Routing routing,
            List<Host> hosts)
            implements Command {
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
                List<Host> hosts) {
            this(
                    name,
                    kind,
                    split,
                    capacityRecords,
                    capacityBytes,
                    ttlMillis,
                    replicas,
                    minCopies,
                    Routing.IMAGE,
                    hosts);
        }

        /** A table of one partition of one copy. */
        public CreateTable(
                String name,
                TableKind kind,
                SplitPolicy split,
                long capacityRecords,
                long capacityBytes,
                long ttlMillis,
                int brick,
                long incarnation) {
            this(
                    name,
                    kind,
                    split,
                    capacityRecords,
                    capacityBytes,
                    ttlMillis,
                    1,
                    1,
                    List.of(new Host(brick, incarnation)));
        }
    }

    record DropTable(int table) implements Command {}

    /**
     * Partition {@code partitions - 2^i}, the one with the split token, shall split.
     *
     * @param partitions M, as it was when this was decided
     */
    record BeginSplit(int table, int partitions, int targetBrick, long targetIncarnation) implements Command {}

    /** The source handed over to the target: the table has one partition more, or one less after a merge. */
    record CommitSplit(long stream) implements Command {}

    /** The source gave it up, or is lost and had not handed over: the order is void. */
    record AbandonSplit(long stream) implements Command {}

    /** A new session. Opening one is no change of the map: a session that the map does not know yet is active. */
    record OpenSession() implements Command {}

    /** These sessions have ended, as far as they were active. */
    record EndSessions(List<Long> sessions) implements Command {}

    /**
     * The lost partitions of a table begin again, empty: the first at the first brick named, the next at the next, and
     * round again.
     *
     * @param confirmed whether somebody says that the processes are gone that held them last
     */
    record AcceptLoss(int table, List<Host> hosts, boolean confirmed) implements Command {
        /** Of a version that did not ask. */
        public AcceptLoss(int table, List<Host> hosts) {
            this(table, hosts, true);
        }
    }

    /**
     * The last partition shall merge with the one it came from.
     *
     * @param partitions M, as it was when this was decided
     */
    record BeginMerge(int table, int partitions) implements Command {}

    /**
     * A partition of a range table shall split.
     *
     * @param span the keys that shall move to a new partition: the upper ones of the parent's
     */
    record BeginRangeSplit(int table, int parent, KeySpan span, int targetBrick, long targetIncarnation)
            implements Command {}

    /**
     * A partition of a range table shall merge with its left neighbour.
     *
     * @param leftSpan the keys of the two, as they were when this was decided
     */
    record BeginRangeMerge(int table, int left, int right, KeySpan leftSpan, KeySpan rightSpan) implements Command {}

    /** The members of some groups change: a member was lost. What no longer fits is left as it is. */
    record ChangeGroups(List<GroupChange> changes) implements Command {}

    /**
     * A group's next members.
     *
     * @param epoch that this follows
     * @param members the primary first; some of those of that epoch
     */
    record GroupChange(int table, int partition, long epoch, List<Host> members) {}

    /** A brick is to become a member of a group, in this epoch. */
    record BeginJoin(int table, int partition, long epoch, Host joiner) implements Command {}

    /** The joiner has caught up and votes: it is a member from the next epoch on. */
    record CommitJoin(long stream) implements Command {}

    /** The joiner can't be reached, or has no room: the order is void. */
    record AbandonJoin(long stream) implements Command {}

    /**
     * Partition {@code partitions - 2^i}, a replica group in this epoch, shall split.
     *
     * @param partitions M, as it was when this was decided
     * @param members of the child's group, the primary first
     */
    record BeginGroupSplit(int table, int partitions, long epoch, List<Host> members) implements Command {}

    /**
     * The primary of this epoch has given the split or merge of its group up, or the merge into it of one that is lost:
     * the order is void.
     */
    record AbandonGroupSplit(long stream, long epoch) implements Command {}

    /**
     * A brick's process is to be emptied, and given nothing; or to take part again.
     *
     * @param drains which of both
     */
    record DrainBrick(int brick, long incarnation, boolean drains) implements Command {}

    /**
     * A member is to leave its group, in this epoch; {@link ChangeGroups} follows when it has given its copy up.
     *
     * @param missed whether the group can't go on with it; else the group has more members than its table asks for
     */
    record BeginLeave(int table, int partition, long epoch, Host leaver, boolean missed) implements Command {}

    /**
     * The last partition shall merge with the one it came from, both replica groups in these epochs.
     *
     * @param partitions M, as it was when this was decided
     */
    record BeginGroupMerge(int table, int partitions, long childEpoch, long parentEpoch) implements Command {}

    /**
     * A partition of a range table, a replica group in this epoch, shall split.
     *
     * @param span the keys that shall move to a new partition: the upper ones of the parent's
     * @param members of the child's group, the primary first
     */
    record BeginRangeGroupSplit(int table, int parent, KeySpan span, long epoch, List<Host> members)
            implements Command {}

    /**
     * A partition of a range table shall merge with its left neighbour, both replica groups in these epochs.
     *
     * @param leftSpan the keys of the two, as they were when this was decided
     */
    record BeginRangeGroupMerge(
            int table, int left, int right, KeySpan leftSpan, KeySpan rightSpan, long leftEpoch, long rightEpoch)
            implements Command {}

    /**
     * A partition of one copy shall go to another brick.
     *
     * @param from where it was when this was decided
     */
    record BeginMove(int table, int partition, Host from, Host to) implements Command {}

    /**
     * From now on leases of this length are granted.
     *
     * @param longerOnesAreOver whether all longer leases that were granted before have run out
     */
    record GrantLeases(long millis, boolean longerOnesAreOver) implements Command {}

    /** A process of a brick has ended. */
    record BrickEnded(int brick, long incarnation) implements Command {}

    /** The cluster gets its id, for good. */
    record NameCluster(ClusterId cluster) implements Command {}

    /**
     * All bricks and coordinators support these features of the cluster ({@link io.sdds.core.protocol.Features}): they
     * are active from now on, for good.
     *
     * @param bricksVersion map version at which a brick last registered, as it was when this was decided
     */
    record ActivateFeatures(long features, long bricksVersion) implements Command {}

    /** A process of a brick. */
    record Host(int brick, long incarnation) {}
}
