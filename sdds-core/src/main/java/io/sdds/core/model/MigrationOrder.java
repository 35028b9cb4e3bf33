package io.sdds.core.model;

import io.sdds.core.model.Place.Member;

/**
 * A copy of a partition's records, or of some of them, that the coordinator ordered. A split of a hash table takes the
 * half of the sender's records with bit {@code level} set to a new partition; a merge takes all records of the last
 * partition back to the partition that it came from. A split of a range table takes the sender's records above a key to
 * a new partition; a merge takes all records of a partition to its left neighbour. A move and a learner's copy take all
 * records of a partition to another brick, where the partition has the same number.
 *
 * <p>In a table with parity a split takes the records to an idle column, and a merge leaves the sender as an idle
 * column. The target is then the place of the receiver when this was ordered; both columns may have later places.
 *
 * <p>Two kinds repair a parity group. A recovery gives a degraded column ({@link ParityMembers#leads}) a spare as its
 * primary. The order stays in the map after the spare has become primary, until the spare has all records: meanwhile
 * the column is filling. A parity order gives a group a new process for a parity that is missing, or whose brick is
 * being drained. The process learns from all columns.
 *
 * @param id of the migration, on every slice; never used again
 * @param sender the partition whose records are copied
 * @param receiver the partition that gets them; the sender itself in a move, a learner's copy, a recovery (the column)
 *     or a parity order (the first column of the group)
 * @param level of a parity order the index of the parity, in each kind of table. Else of a hash table: of a split the
 *     sender's before it, of a merge the receiver's after it, else the partition's
 * @param span of a range table: the keys that are copied
 * @param source where the sender was when this was ordered; the sender migrates in this epoch alone. Of a recovery the
 *     parity that led the column then; a filling column outlives it
 * @param target where the records go; of a learner's copy the learner, of a recovery the place of the column from the
 *     hand-over on, of a parity order the new process of the parity, in an epoch without meaning
 */
public record MigrationOrder(
        long id,
        MigrationKind kind,
        int table,
        int sender,
        int receiver,
        int level,
        KeySpan span,
        Place source,
        Place target) {

    public boolean isMerge() {
        return kind == MigrationKind.MERGE;
    }

    public boolean isMove() {
        return kind == MigrationKind.MOVE;
    }

    public boolean isLearner() {
        return kind == MigrationKind.LEARNER;
    }

    public boolean isRecovery() {
        return kind == MigrationKind.RECOVERY;
    }

    public boolean isParity() {
        return kind == MigrationKind.PARITY;
    }

    /** Whether this repairs a parity group: a recovery or a parity order. */
    public boolean isRepair() {
        return isRecovery() || isParity();
    }

    /** Whether records get another owner: in a split, a merge and a move. */
    public boolean isTransfer() {
        return !isLearner() && !isRepair();
    }

    /** The index of the parity of a parity order. */
    public int parityIndex() {
        return level;
    }

    /** The partition that a split divides, or a merge goes into. */
    public int parent() {
        return isMerge() ? receiver : sender;
    }

    /** The partition that a split makes, or a merge ends. */
    public int child() {
        return isMerge() ? sender : receiver;
    }

    /** The epoch of the sender in which this was ordered. */
    public long sourceEpoch() {
        return source.epoch();
    }

    /** The process that gets a learner's copy, the spare of a recovery, or the new process of a parity. */
    public Member learner() {
        return target.primary();
    }

    /** The receiver's level once it has the records. */
    public int receiverLevel() {
        return kind == MigrationKind.SPLIT ? level + 1 : level;
    }
}
