package io.sdds.sim.load;

import io.sdds.client.internal.routing.Failure;
import io.sdds.sim.check.History;
import io.sdds.sim.plan.WorkloadPlan;
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

    private static final int REMOVING_PERCENT = 30;
    private static final int IDLING_PERCENT = 70;
    private static final int GROWING_AGAIN_PERCENT = 90;

    private final WorkloadPlan plan;
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

    /** The settings of this workload. */
    enum Phase {
        GROWING,
        REMOVING,
        IDLING
    }

    /** A count of all records, between two instants. */
    public record Size(long counted, long startNanos, long endNanos) {}

    public Workload(WorkloadPlan plan) {
        this.plan = plan;
        this.left = plan.operations();
    }

    WorkloadPlan plan() {
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
    public String firstFailure() {
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
    public void expectSuccess(boolean orLoss, boolean orBusy, boolean orFull) {
        strict = true;
        lossExpected = orLoss;
        busyExpected = orBusy;
        fullExpected = orFull;
    }

    public void add(WorkloadLoops client) {
        clients.add(client);
    }

    public List<WorkloadLoops> clients() {
        return clients;
    }

    /** A new process replaces a crashed client. */
    public void replace(WorkloadLoops gone, WorkloadLoops by) {
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
    public void more(int operations) {
        left += operations;
        clients.forEach(WorkloadLoops::startLanes);
    }

    /** Whether all operations have ended. */
    public boolean isIdle() {
        return left == 0 && clients.stream().allMatch(WorkloadLoops::isIdle);
    }

    Phase phase() {
        long percent = 100L * (plan.operations() - left) / plan.operations();
        if (!plan.shrinks() || strict || percent < REMOVING_PERCENT || percent >= GROWING_AGAIN_PERCENT) {
            return Phase.GROWING;
        }
        return percent < IDLING_PERCENT ? Phase.REMOVING : Phase.IDLING;
    }

    /** Of a lane, between an answer and its next operation, on average. */
    long thinkNanosMean() {
        int idlePercent = GROWING_AGAIN_PERCENT - IDLING_PERCENT;
        return phase() == Phase.IDLING
                ? WorkloadPlan.IDLING_NANOS * clients.size() * plan.lanes() * 100 / plan.operations() / idlePercent
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
