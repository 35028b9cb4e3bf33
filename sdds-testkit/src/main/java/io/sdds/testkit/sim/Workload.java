package io.sdds.testkit.sim;

import io.sdds.client.internal.routing.Failure;
import io.sdds.testkit.check.History;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * The workload of all clients of a run: closed loops of random operations on a few hot keys, so that clients collide,
 * and on more and more new keys, so that the table grows. All operations are recorded.
 */
public final class Workload {
    /** A client looks a few times before it believes that a partition is lost. */
    private static final long LOSS_BELIEVED_NANOS = 1_500_000_000L;

    /** Where bricks are full, another copy may find no room, and a table that asks for two takes no writes. */
    /** Behind "fewer copies" or "fewer parities". */
    private static final String TOO_FEW_COPIES = "than its table asks for";

    private final Plan plan;
    private final History history = new History();
    private final List<Size> sizes = new ArrayList<>();
    private final List<String> complaints = new ArrayList<>();
    private final List<WorkloadLoops> clients = new ArrayList<>();
    private final WrittenRows rows = new WrittenRows();
    private int left;
    private int growing;
    private int removed;
    private long failures;
    private String firstFailure = "";
    private boolean strict;
    private boolean lossExpected;
    private boolean busyExpected;
    private boolean fullExpected;

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
     * @param shrinks whether the clients remove all records after a time of growth, do little for a while, and then let
     *     the table grow again
     * @param expiringPercent share of operations on keys whose records expire, in percent
     * @param ttlMillisMax limit of the time to live of these records
     * @param sweeps whether clients also clear the table, and scan with filters and in several sittings
     * @param queries which programs clients also ship
     */
    public record Plan(
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
        static final long PATIENCE_NANOS = 5_000 * MILLI;

        private static final int BURST_LANES_MIN = 100;
        private static final int REMOVING_PERCENT = 30;
        private static final int IDLING_PERCENT = 70;
        private static final int GROWING_AGAIN_PERCENT = 90;

        /** The time in which merges meet a little load. */
        private static final long IDLING_NANOS = 4_000 * MILLI;

        static Plan draw(RandomGenerator random, int operations, int valueBytesUsual) {
            return new Plan(
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
        Plan withTimeoutNanos(long nanos) {
            return new Plan(
                    operations,
                    lanes,
                    hotKeys,
                    hotPercent,
                    newPercent,
                    thinkNanosMean,
                    nanos,
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

        /**
         * The same with no fewer hot keys than lanes: else a key sees more at once than its orders can be searched for.
         */
        Plan withoutCrowds() {
            return new Plan(
                    operations,
                    lanes,
                    Math.max(hotKeys, lanes),
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

        Plan thatShrinks() {
            return with(operations, valueBytesMax, expiringPercent, ttlMillisMax, true, sweeps, queries);
        }

        Plan thatSweeps() {
            return with(operations, valueBytesMax, expiringPercent, ttlMillisMax, shrinks, true, queries);
        }

        /** The same whose clients also ship programs. */
        Plan thatQueries() {
            return with(operations, valueBytesMax, expiringPercent, ttlMillisMax, shrinks, sweeps, Queries.OF_BYTES);
        }

        /** The same on a table with a schema, whose clients also ship programs. */
        Plan thatQueriesRows() {
            return withoutCrowds()
                    .with(operations, valueBytesMax, expiringPercent, ttlMillisMax, shrinks, sweeps, Queries.OF_ROWS);
        }

        /** Whether the table has a schema. */
        boolean hasRows() {
            return queries == Queries.OF_ROWS;
        }

        /** The same with values of so many bytes at most, or more. */
        Plan withLargeValues(int bytes) {
            int most = Math.max(bytes, valueBytesMax);
            return with(operations, most, expiringPercent, ttlMillisMax, shrinks, sweeps, queries);
        }

        /** The same with values of so many bytes at most. */
        Plan withValues(int bytesMax) {
            return with(operations, bytesMax, expiringPercent, ttlMillisMax, shrinks, sweeps, queries);
        }

        /** The same, for half of all draws with records that expire. */
        Plan withExpiry(RandomGenerator random) {
            boolean none = random.nextBoolean();
            int percent = none ? 0 : random.nextInt(10, 60);
            return with(
                    operations, valueBytesMax, percent, none ? 0 : 4L << random.nextInt(9), shrinks, sweeps, queries);
        }

        Plan withOperations(int fewer) {
            return with(fewer, valueBytesMax, expiringPercent, ttlMillisMax, shrinks, sweeps, queries);
        }

        private Plan with(
                int newOperations,
                int newValueBytesMax,
                int newExpiringPercent,
                long newTtlMillisMax,
                boolean newShrinks,
                boolean newSweeps,
                Queries newQueries) {
            return new Plan(
                    newOperations,
                    lanes,
                    hotKeys,
                    hotPercent,
                    newPercent,
                    thinkNanosMean,
                    timeoutNanos,
                    scanPermille,
                    newValueBytesMax,
                    windowRequests,
                    adjustmentsOnly,
                    newExpiringPercent,
                    newTtlMillisMax,
                    newShrinks,
                    newSweeps,
                    newQueries);
        }

        /** Whether each client begins all of its operations at once. */
        boolean isBurst() {
            return lanes >= BURST_LANES_MIN;
        }

        /** Approximate duration of the workload. */
        long expectedNanos(int clients) {
            return Math.max(1, operations / (clients * lanes)) * (thinkNanosMean + MILLI)
                    + (shrinks ? IDLING_NANOS : 0);
        }
    }

    /** The programs that clients ship. */
    public enum Queries {
        NONE,
        /** To a table without a schema. */
        OF_BYTES,
        /** To a table with a schema, which changes. */
        OF_ROWS
    }

    /** The settings of this workload. */
    enum Phase {
        GROWING,
        REMOVING,
        IDLING
    }

    /** A count of all records, between two instants. */
    public record Size(long counted, long startNanos, long endNanos) {}

    Workload(Plan plan) {
        this.plan = plan;
        this.left = plan.operations();
    }

    Plan plan() {
        return plan;
    }

    /** The history of all operations. */
    public History history() {
        return history;
    }

    /** The rows that clients have written, of a table with a schema. */
    WrittenRows rows() {
        return rows;
    }

    public List<Size> sizes() {
        return sizes;
    }

    /** Faults that are wrong for every order of operations. */
    public List<String> complaints() {
        return complaints;
    }

    /** The first operation that failed, and why; empty if no operation has failed. */
    String firstFailure() {
        return firstFailure;
    }

    /** Number of operations that failed. */
    public long failures() {
        return failures;
    }

    /**
     * From now on every operation must succeed: nothing is wrong any more.
     *
     * @param orLoss unless it needs a partition that is lost, and says so
     * @param orBusy unless its brick is busy, and says so
     * @param orFull unless its brick has no memory left, and says so
     */
    void expectSuccess(boolean orLoss, boolean orBusy, boolean orFull) {
        strict = true;
        lossExpected = orLoss;
        busyExpected = orBusy;
        fullExpected = orFull;
    }

    void add(WorkloadLoops client) {
        clients.add(client);
    }

    List<WorkloadLoops> clients() {
        return clients;
    }

    /** A new process replaces a crashed client. */
    void replace(WorkloadLoops gone, WorkloadLoops by) {
        clients.set(clients.indexOf(gone), by);
    }

    /** Takes the next operation of the plan; false if no operation is left. */
    boolean takeOne() {
        return left > 0 && left-- > 0;
    }

    boolean isLeft() {
        return left > 0;
    }

    /** Adds operations. */
    void more(int operations) {
        left += operations;
        clients.forEach(WorkloadLoops::startLanes);
    }

    /** Whether all operations have ended. */
    boolean isIdle() {
        return left == 0 && clients.stream().allMatch(WorkloadLoops::isIdle);
    }

    Phase phase() {
        long percent = 100L * (plan.operations() - left) / plan.operations();
        if (!plan.shrinks() || strict || percent < Plan.REMOVING_PERCENT || percent >= Plan.GROWING_AGAIN_PERCENT) {
            return Phase.GROWING;
        }
        return percent < Plan.IDLING_PERCENT ? Phase.REMOVING : Phase.IDLING;
    }

    /** Of a lane, between an answer and its next operation, on average. */
    long thinkNanosMean() {
        int idlePercent = Plan.GROWING_AGAIN_PERCENT - Plan.IDLING_PERCENT;
        return phase() == Phase.IDLING
                ? Plan.IDLING_NANOS * clients.size() * plan.lanes() * 100 / plan.operations() / idlePercent
                : plan.thinkNanosMean();
    }

    /** A key to remove: one after the other of those that made the table grow. */
    String removedKey(RandomGenerator random) {
        if (removed >= 2 * growing) {
            return grownKey(random);
        }
        String key = (removed % 2 == 0 ? "g" : "ng") + removed / 2;
        removed++;
        return key;
    }

    String hotKey(RandomGenerator random) {
        return "h" + random.nextInt(plan.hotKeys());
    }

    String newKey() {
        return "g" + growing++;
    }

    String grownKey(RandomGenerator random) {
        return growing == 0 ? newKey() : "g" + random.nextInt(growing);
    }

    /** Any of these, or one that there may never be. */
    String anyKey(RandomGenerator random) {
        return switch (random.nextInt(4)) {
            case 0 -> hotKey(random);
            case 1 -> "n" + grownKey(random);
            default -> grownKey(random);
        };
    }

    void complain(String what) {
        complaints.add(what);
    }

    void failed(Failure failure, String what) {
        failures++;
        firstFailure = firstFailure.isEmpty() ? failure + what : firstFailure;
        boolean expected = switch (failure.kind()) {
            case LOST -> lossExpected;
            case TIMEOUT ->
                lossExpected && plan.timeoutNanos() < LOSS_BELIEVED_NANOS
                        || fullExpected && failure.text().contains(TOO_FEW_COPIES);
            case OVERLOADED -> busyExpected;
            case MEMORY_FULL -> fullExpected;
            default -> false;
        };
        if (strict && !expected) {
            complain("failed though nothing is wrong any more: " + failure + what);
        }
    }
}
