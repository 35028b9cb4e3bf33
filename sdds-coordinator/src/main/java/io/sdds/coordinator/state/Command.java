package io.sdds.coordinator.state;

import io.sdds.core.addressing.LinearHashing;
import io.sdds.core.model.KeySpan;
import io.sdds.core.model.MigrationKind;
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
     * Records of a partition shall be copied to bricks, and be theirs then.
     *
     * @param receiver the partition that gets them: of a split the number of the new one, which is M of a hash table
     *     once all its splits have committed, and the lowest free one of a range table; of a merge the partition that
     *     goes on; else the sender
     * @param span of a split or merge of a range table: the keys that are copied
     * @param sourceEpoch of the sender, as it was when this was decided
     * @param receiverEpoch of a merge: the receiver's
     * @param target the processes that get the records, the primary first; of a merge none, since the receiver has its
     *     own
     */
    record BeginMigration(
            MigrationKind kind,
            int table,
            int sender,
            int receiver,
            KeySpan span,
            long sourceEpoch,
            long receiverEpoch,
            List<Host> target)
            implements Command {
        /**
         * The partition of a hash table with the split token shall split.
         *
         * @param partitions M, once all splits have committed
         */
        public static BeginMigration split(int table, int partitions, long epoch, List<Host> target) {
            return rangeSplit(table, LinearHashing.splitPointer(partitions), partitions, KeySpan.ALL, epoch, target);
        }

        /** A partition of a range table shall split: these keys, the upper ones, go to a new partition. */
        public static BeginMigration rangeSplit(
                int table, int parent, int child, KeySpan span, long epoch, List<Host> target) {
            return new BeginMigration(MigrationKind.SPLIT, table, parent, child, span, epoch, 0, target);
        }

        /**
         * The last partition of a hash table shall merge with the one it came from.
         *
         * @param partitions M
         */
        public static BeginMigration merge(int table, int partitions, long childEpoch, long parentEpoch) {
            int child = partitions - 1;
            return rangeMerge(table, child, LinearHashing.parent(child), KeySpan.ALL, childEpoch, parentEpoch);
        }

        /**
         * A partition of a range table shall merge with its left neighbour.
         *
         * @param span the right one's keys
         */
        public static BeginMigration rangeMerge(
                int table, int right, int left, KeySpan span, long rightEpoch, long leftEpoch) {
            return new BeginMigration(MigrationKind.MERGE, table, right, left, span, rightEpoch, leftEpoch, List.of());
        }

        /** A partition of one copy shall go to another brick. */
        public static BeginMigration move(int table, int partition, long epoch, Host to) {
            return whole(MigrationKind.MOVE, table, partition, epoch, to);
        }

        /** A brick is to become a member of a group, in this epoch. */
        public static BeginMigration learner(int table, int partition, long epoch, Host learner) {
            return whole(MigrationKind.LEARNER, table, partition, epoch, learner);
        }

        private static BeginMigration whole(MigrationKind kind, int table, int partition, long epoch, Host to) {
            return new BeginMigration(kind, table, partition, partition, KeySpan.ALL, epoch, 0, List.of(to));
        }
    }

    /** The source handed over to the target, or the learner votes: the map changes. */
    record CommitMigration(long id) implements Command {}

    /**
     * The source gave it up, or is lost and had not handed over: the order is void.
     *
     * @param epoch of the partition that is copied; when that is lost, of the one that it was to merge into
     */
    record AbandonMigration(long id, long epoch) implements Command {}

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

    /** The members of some groups change: a member was lost. What no longer fits is left as it is. */
    record ChangeGroups(List<GroupChange> changes) implements Command {}

    /**
     * A group's next members.
     *
     * @param epoch that this follows
     * @param members the primary first; some of those of that epoch
     */
    record GroupChange(int table, int partition, long epoch, List<Host> members) {}

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
