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
     * Makes a partition. Its records get ranks if the table has parity groups.
     *
     * @param migration id of the order that fills the partition; 0 when the partition begins empty
     */
    public static Partition make(TableView table, int number, long migration, RecordStore store) {
        Partition made = bare(table, number, migration, store);
        if (!table.parity().isNone()) {
            made.bucket().ranked(new RankSpace(store.slots()));
        }
        made.ttlMillis(table.definition().ttlMillis());
        return made;
    }

    private static Partition bare(TableView table, int number, long migration, RecordStore store) {
        int id = table.definition().id();
        if (table.definition().kind() == TableKind.RANGE) {
            KeySpan span = table.spans().of(number);
            return new RangePartition(id, number, span == null ? KeySpan.ALL : span, migration, store);
        }
        return new HashPartition(id, number, LinearHashing.levelOf(number, table.partitions()), migration, store);
    }
}
