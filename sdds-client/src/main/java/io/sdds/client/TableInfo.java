package io.sdds.client;

import io.sdds.core.model.TableKind;
import io.sdds.core.row.Schema;

/**
 * A table as the leading coordinator sees it. Loads are as old as the bricks' last heartbeats.
 *
 * @param id the number of the table, never used again
 * @param name the name of the table
 * @param kind whether it is a hash table or a range table
 * @param options the options of the table now; all but replicas, parity and schema are those of its creation
 * @param partitions partitions that it has now
 * @param records records that it holds
 * @param bytes bytes of these records
 * @param lostPartitions partitions whose only memory is gone
 * @param health how many more bricks the table can lose, and what it lacks
 */
public record TableInfo(
        int id,
        String name,
        TableKind kind,
        TableOptions options,
        int partitions,
        long records,
        long bytes,
        int lostPartitions,
        Health health) {

    /** A table of which nothing is known about the loss of bricks. */
    public TableInfo(
            int id,
            String name,
            TableKind kind,
            TableOptions options,
            int partitions,
            long records,
            long bytes,
            int lostPartitions) {
        this(id, name, kind, options, partitions, records, bytes, lostPartitions, Health.UNKNOWN);
    }

    /** The columns that the table has now, with dropped ones; {@link Schema#NONE} for a table without a schema. */
    public Schema schema() {
        return options.schema();
    }

    /**
     * How many more bricks a table can lose, and what its parity groups lack.
     *
     * @param canLose number of bricks, whichever they are, that can fail now without the loss of a record; -1 if the
     *     coordinator does not tell it
     * @param degraded partitions whose brick is lost and that a parity serves: reads are answered, writes wait
     * @param filling partitions on a new brick that has not all records yet: the missing ones are decoded when they are
     *     asked for
     * @param missingParities parities that are lost and not rebuilt yet
     * @param lacksSpare whether a partition or parity waits for a brick, because no brick that is up can take it
     * @param bricksToRaise of a table with {@link io.sdds.core.model.Parity#auto}: the number of bricks that are
     *     missing for the next number of parities, which the table has grown enough for; 0 if nothing waits
     * @param groupsConverted of a table that is converted from replicas to parity, or back, now: the number of parity
     *     groups that are converted
     * @param groupsToConvert the number of parity groups that are not converted yet; 0 if the table is not being
     *     converted
     * @param conversionObstacle the reason why the conversion, or the copying of missing replicas, makes no progress
     *     now; empty if there is none
     * @param missingCopies of a table with replicas, or one that is converted to them: copies that its partitions lack
     * @param extraCopies copies that its partitions have beyond the table's replicas, and that leave
     * @param convertsToReplicas whether the table is converted from parity to replicas now
     * @param columnsToSeparate partitions of a table with parity that have to move until no brick holds two partitions
     *     of a parity group. They share bricks because too few bricks were up when a brick was lost
     * @param restingPartitions partitions that rest, because a split, merge, move or copy of theirs was given up after
     *     30 s without progress; it begins again within another 30 s
     */
    public record Health(
            int canLose,
            int degraded,
            int filling,
            int missingParities,
            boolean lacksSpare,
            int bricksToRaise,
            int groupsConverted,
            int groupsToConvert,
            String conversionObstacle,
            int missingCopies,
            int extraCopies,
            boolean convertsToReplicas,
            int columnsToSeparate,
            int restingPartitions) {
        /** The health of a table that is not being converted. */
        public Health(
                int canLose, int degraded, int filling, int missingParities, boolean lacksSpare, int bricksToRaise) {
            this(canLose, degraded, filling, missingParities, lacksSpare, bricksToRaise, 0, 0, "", 0, 0, false, 0, 0);
        }

        /** Of a table whose number of parities waits for no brick. */
        public Health(int canLose, int degraded, int filling, int missingParities, boolean lacksSpare) {
            this(canLose, degraded, filling, missingParities, lacksSpare, 0);
        }

        /** Whether the table is converted from replicas to parity, or back, now. */
        public boolean isConverting() {
            return groupsToConvert > 0;
        }

        /** Of a coordinator that does not tell it. */
        public static final Health UNKNOWN = new Health(-1, 0, 0, 0, false);
    }
}
