package io.sdds.sim.plan;

import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * Settings of a workload.
 *
 * @param operations number of operations of all clients together
 * @param lanes number of closed loops of each client
 * @param hotKeys number of keys on which clients collide
 * @param hotPercent share of operations on hot keys, in percent
 * @param newPercent share of new keys in the other operations, in percent
 * @param thinkNanosMean mean time between an answer and the next operation of a loop
 * @param timeoutNanos timeout of an operation
 * @param scanPermille share of scans and counts, in permille
 * @param valueBytesMax limit of the padding behind the name of a value; few values are so long
 * @param windowRequests limit of outstanding requests of a client
 * @param adjustmentsOnly whether clients learn the size of the table only by image adjustments
 * @param shrinks whether the clients remove all records after a time of growth, do little for a while, and then let the
 *     table grow again
 * @param expiringPercent share of operations on keys whose records expire, in percent
 * @param ttlMillisMax limit of the time to live of these records
 * @param sweeps whether clients also clear the table, and scan with filters and in several sittings
 * @param queries which programs clients also ship
 */
public record WorkloadPlan(
        int operations,
        int lanes,
        int hotKeys,
        int hotPercent,
        int newPercent,
        long thinkNanosMean,
        long timeoutNanos,
        int scanPermille,
        int valueBytesMax,
        int windowRequests,
        boolean adjustmentsOnly,
        int expiringPercent,
        long ttlMillisMax,
        boolean shrinks,
        boolean sweeps,
        Queries queries) {
    private static final long MILLI = 1_000_000L;

    /** The usual time in which a client wants an answer. */
    public static final long PATIENCE_NANOS = 5_000 * MILLI;

    private static final int BURST_LANES_MIN = 100;

    /** The time in which merges meet a little load. */
    public static final long IDLING_NANOS = 4_000 * MILLI;

    static WorkloadPlan draw(RandomGenerator random, int operations, int valueBytesUsual) {
        return new WorkloadPlan(
                operations,
                random.nextInt(1, 9),
                random.nextInt(2, 9),
                random.nextInt(20, 70),
                random.nextInt(30, 80),
                50_000L << random.nextInt(8),
                random.nextInt(3) == 0 ? random.nextLong(200 * MILLI, 1000 * MILLI) : PATIENCE_NANOS,
                random.nextInt(3) == 0 ? 0 : random.nextInt(1, 20),
                random.nextInt(4) == 0 ? random.nextInt(300_000) : random.nextInt(valueBytesUsual),
                random.nextInt(4) == 0 ? random.nextInt(1, 8) : 1024,
                random.nextInt(4) == 0,
                0,
                0,
                false,
                false,
                Queries.NONE);
    }

    /** The same whose clients wait so long for each operation. */
    public WorkloadPlan withTimeoutNanos(long nanos) {
        return with(draft -> draft.timeoutNanos = nanos);
    }

    /** The same with no fewer hot keys than lanes: else a key sees more at once than its orders can be searched for. */
    WorkloadPlan withoutCrowds() {
        return with(draft -> draft.hotKeys = Math.max(hotKeys, lanes));
    }

    WorkloadPlan thatShrinks() {
        return with(draft -> draft.shrinks = true);
    }

    WorkloadPlan thatSweeps() {
        return with(draft -> draft.sweeps = true);
    }

    /** The same whose clients also ship programs. */
    WorkloadPlan thatQueries() {
        return with(draft -> draft.queries = Queries.OF_BYTES);
    }

    /** The same on a table with a schema, whose clients also ship programs. */
    WorkloadPlan thatQueriesRows() {
        return withoutCrowds().with(draft -> draft.queries = Queries.OF_ROWS);
    }

    /** Whether the table has a schema. */
    public boolean hasRows() {
        return queries == Queries.OF_ROWS;
    }

    /** The same with values of so many bytes at most, or more. */
    WorkloadPlan withLargeValues(int bytes) {
        return withValues(Math.max(bytes, valueBytesMax));
    }

    /** The same with values of so many bytes at most. */
    WorkloadPlan withValues(int bytesMax) {
        return with(draft -> draft.valueBytesMax = bytesMax);
    }

    /** The same, for half of all draws with records that expire. */
    WorkloadPlan withExpiry(RandomGenerator random) {
        boolean none = random.nextBoolean();
        return with(draft -> {
            draft.expiringPercent = none ? 0 : random.nextInt(10, 60);
            draft.ttlMillisMax = none ? 0 : 4L << random.nextInt(9);
        });
    }

    public WorkloadPlan withOperations(int fewer) {
        return with(draft -> draft.operations = fewer);
    }

    /** The same with changes. */
    WorkloadPlan with(Consumer<Draft> changes) {
        Draft draft = new Draft(this);
        changes.accept(draft);
        return draft.plan();
    }

    /** The components of a plan, to be changed. */
    static final class Draft {
        int operations;
        int lanes;
        int hotKeys;
        int hotPercent;
        int newPercent;
        long thinkNanosMean;
        long timeoutNanos;
        int scanPermille;
        int valueBytesMax;
        int windowRequests;
        boolean adjustmentsOnly;
        int expiringPercent;
        long ttlMillisMax;
        boolean shrinks;
        boolean sweeps;
        Queries queries;

        private Draft(WorkloadPlan plan) {
            this.operations = plan.operations;
            this.lanes = plan.lanes;
            this.hotKeys = plan.hotKeys;
            this.hotPercent = plan.hotPercent;
            this.newPercent = plan.newPercent;
            this.thinkNanosMean = plan.thinkNanosMean;
            this.timeoutNanos = plan.timeoutNanos;
            this.scanPermille = plan.scanPermille;
            this.valueBytesMax = plan.valueBytesMax;
            this.windowRequests = plan.windowRequests;
            this.adjustmentsOnly = plan.adjustmentsOnly;
            this.expiringPercent = plan.expiringPercent;
            this.ttlMillisMax = plan.ttlMillisMax;
            this.shrinks = plan.shrinks;
            this.sweeps = plan.sweeps;
            this.queries = plan.queries;
        }

        private WorkloadPlan plan() {
            return new WorkloadPlan(
                    operations,
                    lanes,
                    hotKeys,
                    hotPercent,
                    newPercent,
                    thinkNanosMean,
                    timeoutNanos,
                    scanPermille,
                    valueBytesMax,
                    windowRequests,
                    adjustmentsOnly,
                    expiringPercent,
                    ttlMillisMax,
                    shrinks,
                    sweeps,
                    queries);
        }
    }

    /** Whether each client begins all of its operations at once. */
    boolean isBurst() {
        return lanes >= BURST_LANES_MIN;
    }

    /** Approximate duration of the workload. */
    long expectedNanos(int clients) {
        return Math.max(1, operations / (clients * lanes)) * (thinkNanosMean + MILLI) + (shrinks ? IDLING_NANOS : 0);
    }

    /** The programs that clients ship. */
    public enum Queries {
        NONE,
        /** To a table without a schema. */
        OF_BYTES,
        /** To a table with a schema, which changes. */
        OF_ROWS
    }
}
