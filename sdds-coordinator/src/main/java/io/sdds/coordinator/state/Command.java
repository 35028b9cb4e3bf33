package io.sdds.coordinator.state;

import io.sdds.core.addressing.LinearHashing;
import io.sdds.core.model.KeySpan;
import io.sdds.core.model.MigrationKind;
import io.sdds.core.model.Parity;
import io.sdds.core.model.Place;
import io.sdds.core.model.TableSpec;
import io.sdds.core.protocol.ClusterId;
import io.sdds.core.row.Schema;
import io.sdds.core.row.Statistics;
import java.util.List;

/**
 * A change of the cluster's state, in the form of the log. Each command names the state that it was decided on.
 * {@link ClusterState#apply} compares, and changes nothing when the state is another one. Codes stand in
 * {@link StateCodec} and are never reused.
 */
public sealed interface Command {

    /**
     * A brick's process registers.
     *
     * @param nonce drawn once by each process
     * @param replacedIncarnation the incarnation that a process with a new nonce replaces; 0: the id is new
     */
    record RegisterBrick(String id, long nonce, String address, long memoryLimitBytes, long replacedIncarnation)
            implements Command {}

    /**
     * Creates an empty table.
     *
     * @param spec the options of the table, with as many first partitions as there are hosts for
     * @param hosts as many for each partition as there are replicas, the primary first
     * @param parities the hosts of the parities of each group, in the order of groups and indexes; none without parity
     */
    record CreateTable(String name, TableSpec spec, List<Host> hosts, List<Host> parities) implements Command {
        /** A table without parity. */
        public CreateTable(String name, TableSpec spec, List<Host> hosts) {
            this(name, spec, hosts, List.of());
        }
    }

    record DropTable(int table) implements Command {}

    /**
     * Orders a migration: records of a partition are copied to bricks, which then own them.
     *
     * @param receiver the partition that gets the records: of a split the number of the new partition, which is M of a
     *     hash table once all its splits have committed, and the lowest free number of a range table; of a merge the
     *     partition that goes on; else the sender
     * @param span of a split or merge of a range table: the keys that are copied
     * @param sourceEpoch epoch of the sender when the migration was decided
     * @param receiverEpoch of a merge, and of a split of a table with parity: epoch of the receiver when the migration
     *     was decided
     * @param target the processes that get the records, the primary first; none of a merge and of a split of a table
     *     with parity, because the receiver has its own
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
         * Orders the split of the partition of a hash table that has the split token.
         *
         * @param partitions M, once all splits have committed
         */
        public static BeginMigration split(int table, int partitions, long epoch, List<Host> target) {
            return rangeSplit(table, LinearHashing.splitPointer(partitions), partitions, KeySpan.ALL, epoch, target);
        }

        /** Orders the split of a partition of a range table. The upper keys, {@code span}, go to a new partition. */
        public static BeginMigration rangeSplit(
                int table, int parent, int child, KeySpan span, long epoch, List<Host> target) {
            return new BeginMigration(MigrationKind.SPLIT, table, parent, child, span, epoch, 0, target);
        }

        /**
         * Orders the split of a partition of a table with parity into an idle column.
         *
         * @param span of a range table: the keys of the child
         */
        public static BeginMigration columnSplit(
                int table, int parent, int child, KeySpan span, long parentEpoch, long childEpoch) {
            return new BeginMigration(
                    MigrationKind.SPLIT, table, parent, child, span, parentEpoch, childEpoch, List.of());
        }

        /**
         * Orders the merge of the last partition of a hash table into its parent.
         *
         * @param partitions M
         */
        public static BeginMigration merge(int table, int partitions, long childEpoch, long parentEpoch) {
            int child = partitions - 1;
            return rangeMerge(table, child, LinearHashing.parent(child), KeySpan.ALL, childEpoch, parentEpoch);
        }

        /**
         * Orders the merge of a partition of a range table into its left neighbour.
         *
         * @param span the keys of the right partition
         */
        public static BeginMigration rangeMerge(
                int table, int right, int left, KeySpan span, long rightEpoch, long leftEpoch) {
            return new BeginMigration(MigrationKind.MERGE, table, right, left, span, rightEpoch, leftEpoch, List.of());
        }

        /** Orders the move of a partition of one copy to another brick. */
        public static BeginMigration move(int table, int partition, long epoch, Host to) {
            return whole(MigrationKind.MOVE, table, partition, epoch, to);
        }

        /** Orders a copy for a brick that will become a member of a group, in this epoch. */
        public static BeginMigration learner(int table, int partition, long epoch, Host learner) {
            return whole(MigrationKind.LEARNER, table, partition, epoch, learner);
        }

        /** Orders a spare for a degraded column of a parity group. */
        public static BeginMigration recovery(int table, int column, long epoch, Host spare) {
            return whole(MigrationKind.RECOVERY, table, column, epoch, spare);
        }

        /**
         * Orders a process for the first missing parity of a group; if none is missing, for the first parity on a brick
         * that is being drained.
         *
         * @param first the first column of the group
         * @param epoch of that column
         */
        public static BeginMigration parity(int table, int first, long epoch, Host process) {
            return whole(MigrationKind.PARITY, table, first, epoch, process);
        }

        private static BeginMigration whole(MigrationKind kind, int table, int partition, long epoch, Host to) {
            return new BeginMigration(kind, table, partition, partition, KeySpan.ALL, epoch, 0, List.of(to));
        }
    }

    /** Commits a migration, because the source has handed over to the target, or the learner votes. The map changes. */
    record CommitMigration(long id) implements Command {}

    /**
     * Abandons a migration, because the source gave it up, or is lost and had not handed over.
     *
     * @param epoch epoch of the partition that is copied; when this partition is lost, of the partition that it merges
     *     into
     */
    record AbandonMigration(long id, long epoch) implements Command {}

    /** Opens a session. This is no change of the map: a session that a map does not know yet counts as active. */
    record OpenSession() implements Command {}

    /** Ends the sessions that are still active. */
    record EndSessions(List<Long> sessions) implements Command {}

    /**
     * Makes the lost partitions of a table empty partitions again: the first one on the first host, the next one on the
     * next host, and so on in a circle.
     *
     * @param confirmed whether an operator has confirmed that the last processes of the partitions have ended
     */
    record AcceptLoss(int table, List<Host> hosts, boolean confirmed) implements Command {
        /** A command that waits for no process that may still run. */
        public AcceptLoss(int table, List<Host> hosts) {
            this(table, hosts, true);
        }
    }

    /**
     * Changes the number of parities of each parity group of a table. New parities are missing at first; the highest
     * indexes leave.
     *
     * @param before the parity groups of the table when the command was decided
     * @param after with the same number of columns
     */
    record AlterParity(int table, Parity before, Parity after) implements Command {}

    /**
     * Begins to convert a table from replicas to parity. Each parity group stands on its replicas at first, and all its
     * parities are missing.
     *
     * @param holes hosts for the numbers of a range table that no partition has; they become idle columns, the first
     *     one on the first host, the next one on the next host, and so on in a circle
     */
    record ConvertToParity(int table, Parity parity, List<Host> holes) implements Command {}

    /**
     * Changes the number of replicas of a table without parity. Members join and leave by orders.
     *
     * @param replicas members that each replica group is to have
     */
    record AlterReplicas(int table, int replicas) implements Command {}

    /**
     * Begins to convert a table from parity to replicas. Each parity group stands on parity at first, and backups join
     * its columns by orders.
     *
     * @param replicas members that each replica group is to have
     */
    record ConvertToReplicas(int table, int replicas) implements Command {}

    /**
     * Adds columns to the schema of a table, or drops columns.
     *
     * @param schema the whole schema after the change; its version follows that of the schema on which the command was
     *     decided
     */
    record AlterSchema(int table, Schema schema) implements Command {}

    /** Stores the statistics of a table, in the place of earlier ones. This is no change of the map. */
    record StoreStatistics(int table, Statistics statistics) implements Command {}

    /**
     * Ends the conversion of a parity group. Of a table that is converted to parity, all parities are members and know
     * all records of the columns: the backups leave, and the group stands on parity. Of a table that is converted to
     * replicas, all columns that own keys have their backups: the parities leave, idle columns are no more, and the
     * group stands on replicas. With the last group the conversion of the table ends.
     *
     * @param epochs of the columns when the command was decided
     */
    record EndConversion(int table, int group, List<Long> epochs) implements Command {}

    /**
     * Changes the members of some groups, because members were lost or have left. Changes that no longer fit are
     * skipped.
     */
    record ChangeGroups(List<GroupChange> changes) implements Command {}

    /**
     * Changes the members of some parity groups, because processes of columns or parities are gone. Changes that no
     * longer fit are skipped.
     */
    record ChangeParityGroups(List<ParityGroupChange> changes) implements Command {}

    /**
     * The next members of a parity group.
     *
     * @param epochs of its columns before the change
     * @param columns the next primary of each column: the one that it has; or the first of the next parities, which
     *     leads the column from then on; or {@link Host#NONE} when the column is lost, which needs the proof that the
     *     group lacks more members than it tolerates
     * @param parities by index, as before or {@link Host#NONE}
     */
    record ParityGroupChange(int table, int group, List<Long> epochs, List<Host> columns, List<Host> parities) {}

    /**
     * Adds an idle column to a table with parity, for the child of a split.
     *
     * @param column its number, which is P
     * @param host of the column
     * @param parities hosts of the parities of its group by index, if it is the first column of the group; else none
     */
    record AddColumn(int table, int column, Host host, List<Host> parities) implements Command {}

    /** Ends a recovery, because its spare has all records of the column. */
    record EndRecovery(long id) implements Command {}

    /**
     * The next members of a group.
     *
     * @param epoch epoch before the change
     * @param members the primary first; a part of the members of that epoch
     */
    record GroupChange(int table, int partition, long epoch, List<Host> members) {}

    /**
     * Begins or ends the drain of a brick's process.
     *
     * @param drains true begins the drain, false ends it
     */
    record DrainBrick(int brick, long incarnation, boolean drains) implements Command {}

    /**
     * Orders a member to leave its group, in this epoch. {@link ChangeGroups} follows when the member has given its
     * copy up.
     *
     * @param missed whether the group can't go on with the member; else the group has more members than its table asks
     *     for
     */
    record BeginLeave(int table, int partition, long epoch, Host leaver, boolean missed) implements Command {}

    /**
     * Sets the length of the leases that are granted from now on.
     *
     * @param longerOnesAreOver whether all longer leases that were granted before have run out
     */
    record GrantLeases(long millis, boolean longerOnesAreOver) implements Command {}

    /** A process of a brick has ended. */
    record BrickEnded(int brick, long incarnation) implements Command {}

    /** Gives the cluster its id, for good. */
    record NameCluster(ClusterId cluster) implements Command {}

    /**
     * Activates features of the cluster ({@link io.sdds.core.protocol.Features}) for good, because all bricks and
     * coordinators support them.
     *
     * @param bricksVersion map version at which a brick last registered when the command was decided
     */
    record ActivateFeatures(long features, long bricksVersion) implements Command {}

    /** A process of a brick. */
    record Host(int brick, long incarnation) {
        /** In place of a process that there is none of. */
        public static final Host NONE = new Host(Place.LOST, 0);
    }
}
