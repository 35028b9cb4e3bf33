package io.sdds.testkit.sim;

import io.sdds.core.model.Parity;
import io.sdds.core.model.SplitPolicy;
import io.sdds.core.model.TableKind;

/**
 * The drawn plan of one table of a run.
 *
 * @param capacityRecords capacity of each partition; low, so that the table splits often
 * @param replicas copies of each partition
 * @param parity parity groups of the table
 * @param partitions initial number of partitions
 * @param workload workload of all clients together on this table
 * @param converts whether the table begins without parity groups, and is converted to them
 */
public record TablePlan(
        String name,
        TableKind kind,
        long capacityRecords,
        SplitPolicy split,
        int replicas,
        Parity parity,
        int partitions,
        Workload.Plan workload,
        boolean converts) {
    /** Whether the partitions of the table are replica groups. */
    boolean isReplicated() {
        return replicas > 1;
    }

    /** Whether the table has parity groups. */
    boolean hasParity() {
        return !parity.isNone();
    }

    boolean isRange() {
        return kind == TableKind.RANGE;
    }

    /** This plan with a range table, which begins with one partition. */
    TablePlan ofRanges() {
        return new TablePlan(name, TableKind.RANGE, capacityRecords, split, replicas, parity, 1, workload, converts);
    }

    TablePlan withSplit(SplitPolicy policy) {
        return new TablePlan(name, kind, capacityRecords, policy, replicas, parity, partitions, workload, converts);
    }

    TablePlan withCapacity(long records) {
        return new TablePlan(name, kind, records, split, replicas, parity, partitions, workload, converts);
    }

    TablePlan withReplicas(int count) {
        return new TablePlan(name, kind, capacityRecords, split, count, parity, partitions, workload, converts);
    }

    TablePlan withParity(Parity groups) {
        return new TablePlan(name, kind, capacityRecords, split, replicas, groups, partitions, workload, converts);
    }

    /** This plan with a table that begins with replicas, or single copies, and is converted to parity. */
    TablePlan thatConverts(int copies, Parity groups) {
        return new TablePlan(name, kind, capacityRecords, split, copies, groups, partitions, workload, true);
    }

    TablePlan withPartitions(int count) {
        return new TablePlan(name, kind, capacityRecords, split, replicas, parity, count, workload, converts);
    }

    TablePlan withOperations(int fewer) {
        return withWorkload(workload.withOperations(fewer));
    }

    TablePlan withWorkload(Workload.Plan other) {
        return new TablePlan(name, kind, capacityRecords, split, replicas, parity, partitions, other, converts);
    }

    @Override
    public String toString() {
        return (isRange() ? "range table " : "table ") + name + ": " + capacityRecords + " records a partition, "
                + split
                + (isReplicated() ? ", begins with " + partitions + " partitions of " + replicas + " replicas" : "")
                + (hasParity()
                        ? (converts ? ", is converted to parity " : ", " + partitions + " partitions with parity ")
                                + parity.text()
                        : "")
                + "\n        " + workload;
    }
}
