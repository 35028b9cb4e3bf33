package io.sdds.brick.stage;

import io.sdds.brick.bucket.RankSpace;
import io.sdds.brick.map.TableView;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.partition.HashPartition;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.RangePartition;
import io.sdds.core.addressing.LinearHashing;
import io.sdds.core.model.KeySpan;
import io.sdds.core.model.TableKind;

/** Makes partitions without records, as the map describes them. */
public final class EmptyPartitions {
    private EmptyPartitions() {}

    /**
     * Makes a partition. Its records get ranks if it stands on parity. In a table with parity groups it is idle if the
     * table has not grown to its number.
     *
     * @param migration id of the order that fills the partition; 0 when the partition begins empty
     */
    public static Partition make(TableView table, int number, long migration, RecordStore store) {
        return finish(table, bare(table, number, migration, store, false), store);
    }

    /**
     * Makes a partition for a lost column. The column may have records that it does not own, because they were not
     * dropped before it was lost, or because a merge had shipped them.
     *
     * @param migration id of the order that recovers the column
     */
    public static Partition forLostColumn(TableView table, int number, long migration, RecordStore store) {
        return finish(table, bare(table, number, migration, store, true), store);
    }

    /** Takes the keys that the map now gives to a column that was made {@link #forLostColumn}. */
    public static void ready(TableView table, Partition made) {
        if (table.isIdle(made.number())) {
            made.idle(true);
            return;
        }
        wake(table, made);
        if (made instanceof HashPartition hashed) {
            hashed.levelAtMost(LinearHashing.levelOf(made.number(), table.partitions()));
        }
    }

    /** Gives a column that may be idle the keys that it owns as this brick knows the table. */
    public static void wake(TableView table, Partition column) {
        KeySpan span = table.spans().of(column.number());
        if (column instanceof RangePartition range && span != null) {
            range.wake(span);
        } else {
            column.idle(false);
        }
    }

    private static Partition finish(TableView table, Partition made, RecordStore store) {
        if (table.standsOnParity(made.number())) {
            made.bucket().ranks().begin(new RankSpace(store.slots()));
        }
        if (table.definition().hasParity()) {
            made.idle(table.isIdle(made.number()));
        }
        made.ttlMillis(table.definition().spec().ttlMillis());
        return made;
    }

    private static Partition bare(TableView table, int number, long migration, RecordStore store, boolean wide) {
        int id = table.definition().id();
        if (table.definition().kind() == TableKind.RANGE) {
            KeySpan span = table.spans().of(number);
            return new RangePartition(id, number, span == null ? KeySpan.ALL : span, migration, store);
        }
        int level = LinearHashing.levelOf(number, table.partitions());
        return wide
                ? HashPartition.wide(id, number, level, migration, store)
                : new HashPartition(id, number, level, migration, store);
    }
}
