package io.sdds.sim.cluster;

import io.sdds.brick.bucket.RecordVisitor;
import io.sdds.brick.partition.HashPartition;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.RangePartition;
import io.sdds.brick.range.KeyRange;
import io.sdds.core.addressing.ScanOrder;
import java.util.function.LongConsumer;

/** Visits the records of a partition, of a hash table or a range table, that the partition owns. */
final class PartitionRecords {
    private PartitionRecords() {}

    /** Passes on the references of all records, expired or not. */
    static void forEach(Partition partition, LongConsumer visitor) {
        if (partition instanceof RangePartition range) {
            range.bucket().ascend(new KeyRange(), ref -> {
                visitor.accept(ref);
                return true;
            });
            return;
        }
        forEach((HashPartition) partition, (ref, hash) -> visitor.accept(ref));
    }

    /** The same of a hash table, with the pseudo-keys. */
    static void forEach(HashPartition partition, RecordVisitor visitor) {
        long end = ScanOrder.end(partition.number(), partition.level());
        long cursor = ScanOrder.start(partition.number());
        do {
            cursor = partition.bucket().visit(cursor, visitor);
        } while (cursor != 0 && ScanOrder.before(cursor, end));
    }
}
