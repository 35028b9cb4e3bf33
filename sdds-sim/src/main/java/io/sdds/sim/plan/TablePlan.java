package io.sdds.sim.plan;

import io.sdds.core.model.Conversion;
import io.sdds.core.model.Parity;
import io.sdds.core.model.SplitPolicy;
import io.sdds.core.model.TableKind;

/**
 * The drawn plan of one table of a run.
 *
 * @param capacityRecords capacity of each partition; low, so that the table splits often
 * @param replicas copies of each partition; of a table that is converted, before it or afterwards
 * @param parity parity groups of the table; of a table that is converted, before it or afterwards
 * @param partitions initial number of partitions
 * @param workload workload of all clients together on this table
 * @param conversion whether the table begins without parity groups, or with them and single copies, and is converted
 */
public record TablePlan(
        String name,
        TableKind kind,
        long capacityRecords,
        SplitPolicy split,
        int replicas,
        Parity parity,
        int partitions,
        WorkloadPlan workload,
        Conversion conversion) {
    /** Whether the partitions of the table are replica groups. */
    public boolean isReplicated() {
        return replicas > 1;
    }

    /** Whether the table has parity groups, at the beginning or in the end. */
    public boolean hasParity() {
        return !parity.isNone();
    }

    /** Whether the table is converted. */
    public boolean converts() {
        return conversion != Conversion.NONE;
    }

    /** The replicas with which the table is created. */
    public int firstReplicas() {
        return conversion == Conversion.TO_REPLICAS ? 1 : replicas;
    }

    /** The parity with which the table is created. */
    public Parity firstParity() {
        return conversion == Conversion.TO_PARITY ? Parity.NONE : parity;
    }

    public boolean isRange() {
        return kind == TableKind.RANGE;
    }

    /** This plan with a range table, which begins with one partition. */
    TablePlan ofRanges() {
        return new TablePlan(name, TableKind.RANGE, capacityRecords, split, replicas, parity, 1, workload, conversion);
    }

    TablePlan withName(String other) {
        return new TablePlan(other, kind, capacityRecords, split, replicas, parity, partitions, workload, conversion);
    }

    public TablePlan withSplit(SplitPolicy policy) {
        return new TablePlan(name, kind, capacityRecords, policy, replicas, parity, partitions, workload, conversion);
    }

    public TablePlan withCapacity(long records) {
        return new TablePlan(name, kind, records, split, replicas, parity, partitions, workload, conversion);
    }

    TablePlan withReplicas(int count) {
        return new TablePlan(name, kind, capacityRecords, split, count, parity, partitions, workload, conversion);
    }

    TablePlan withParity(Parity groups) {
        return new TablePlan(name, kind, capacityRecords, split, replicas, groups, partitions, workload, conversion);
    }

    /**
     * This plan with a table that is converted: to parity, from replicas or single copies; or from parity, to replicas
     * or single copies.
     */
    TablePlan thatConverts(Conversion to, int copies, Parity groups) {
        return new TablePlan(name, kind, capacityRecords, split, copies, groups, partitions, workload, to);
    }

    public TablePlan withPartitions(int count) {
        return new TablePlan(name, kind, capacityRecords, split, replicas, parity, count, workload, conversion);
    }

    TablePlan withOperations(int fewer) {
        return withWorkload(workload.withOperations(fewer));
    }

    public TablePlan withWorkload(WorkloadPlan other) {
        return new TablePlan(name, kind, capacityRecords, split, replicas, parity, partitions, other, conversion);
    }

    @Override
    public String toString() {
        return (isRange() ? "range table " : "table ") + name + ": " + capacityRecords + " records a partition, "
                + split
                + (firstReplicas() > 1
                        ? ", begins with " + partitions + " partitions of " + replicas + " replicas"
                        : "")
                + (firstParity().isNone() ? "" : ", " + partitions + " partitions with parity " + parityText())
                + (conversion == Conversion.TO_PARITY ? ", is converted to parity " + parityText() : "")
                + (conversion == Conversion.TO_REPLICAS ? ", is converted to " + replicas + " replicas" : "")
                + "\n        " + workload;
    }

    private String parityText() {
        return parity.text() + ", writes with " + parity.minParities();
    }
}
