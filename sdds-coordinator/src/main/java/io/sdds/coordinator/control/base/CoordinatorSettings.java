package io.sdds.coordinator.control.base;

import java.util.List;

/**
 * The settings of a coordinator's decisions.
 *
 * @param id its name
 * @param coordinators host:port of all coordinators, as clients and bricks dial them
 * @param silenceNanos a brick without heartbeats for this time counts as down: it gets no new copies, and another
 *     process may take its name. Leases and heartbeats are derived from it
 * @param sessionLeaseNanos a session that is not renewed for this time ends
 * @param createPatienceNanos how long a table's creation waits for its bricks before the client is told to look again
 * @param avoidTargetNanos how long a brick is not chosen again for a table whose split to it was given up
 * @param mergeAfterNanos how long a table's load must be low without a break before its partitions merge
 * @param rebalanceAfterNanos how long the same bricks must have been up before copies move from the fullest to the
 *     emptiest
 * @param indexCapacityRecords records that a partition of the index of partitions is meant to hold
 */
public record CoordinatorSettings(
        String id,
        List<String> coordinators,
        long silenceNanos,
        long sessionLeaseNanos,
        long createPatienceNanos,
        long avoidTargetNanos,
        long mergeAfterNanos,
        long rebalanceAfterNanos,
        long indexCapacityRecords) {
    private static final long MILLI = 1_000_000L;

    public static final long SILENCE_NANOS = 1500 * MILLI;

    /**
     * Shortest silence allowed. With a shorter one, pauses of a healthy brick or of its network would count as its end.
     */
    public static final long SILENCE_NANOS_MIN = 300 * MILLI;

    /**
     * The lease of a brick is 8/15 of the silence after which the brick is removed: 800 ms of 1.5 s. The rest covers
     * clocks that drift by a fifth.
     */
    private static final int LEASE_PARTS = 8;

    /** A brick that was heard in the last 4/15 of the silence, 400 ms or two heartbeats, counts as living. */
    private static final int LIVING_PARTS = 4;

    private static final int SILENCE_PARTS = 15;
    public static final long SESSION_LEASE_NANOS = 60_000 * MILLI;
    public static final long CREATE_PATIENCE_NANOS = 30_000 * MILLI;
    public static final long AVOID_TARGET_NANOS = 5_000 * MILLI;
    public static final long MERGE_AFTER_NANOS = 10_000 * MILLI;
    public static final long REBALANCE_AFTER_NANOS = 5_000 * MILLI;
    public static final long INDEX_CAPACITY_RECORDS = 10_000;

    public CoordinatorSettings {
        coordinators = List.copyOf(coordinators);
        if (silenceNanos < SILENCE_NANOS_MIN) {
            throw new IllegalArgumentException("silence must be " + SILENCE_NANOS_MIN / MILLI + " ms or more, not "
                    + silenceNanos / MILLI + " ms");
        }
        require("session lease", sessionLeaseNanos);
        require("create patience", createPatienceNanos);
        require("the time of low load before a merge", mergeAfterNanos);
        require("the time before copies move", rebalanceAfterNanos);
        if (indexCapacityRecords < 1) {
            throw new IllegalArgumentException(
                    "a partition of the index can't be meant to hold " + indexCapacityRecords + " records");
        }
        if (avoidTargetNanos < 0) {
            throw new IllegalArgumentException("avoiding a target can't last " + avoidTargetNanos + " ns");
        }
    }

    /** The defaults, for a coordinator at these addresses. */
    public static CoordinatorSettings of(String id, List<String> coordinators) {
        return new CoordinatorSettings(
                id,
                coordinators,
                SILENCE_NANOS,
                SESSION_LEASE_NANOS,
                CREATE_PATIENCE_NANOS,
                AVOID_TARGET_NANOS,
                MERGE_AFTER_NANOS,
                REBALANCE_AFTER_NANOS,
                INDEX_CAPACITY_RECORDS);
    }

    /** The length of the bricks' leases. A brick sends four heartbeats in this time. */
    public long leaseMillis() {
        return silenceNanos * LEASE_PARTS / SILENCE_PARTS / MILLI;
    }

    /** A brick that was heard within this time counts as living. */
    public long livingNanos() {
        return silenceNanos * LIVING_PARTS / SILENCE_PARTS;
    }

    /** The silence after which no lease of this length is in force, by any clock. */
    public static long silenceNanosOf(long leaseMillis) {
        return Math.ceilDiv(leaseMillis * MILLI * SILENCE_PARTS, LEASE_PARTS);
    }

    /** These settings with another time of low load before a merge. */
    public CoordinatorSettings withMergeAfterNanos(long nanos) {
        return new CoordinatorSettings(
                id,
                coordinators,
                silenceNanos,
                sessionLeaseNanos,
                createPatienceNanos,
                avoidTargetNanos,
                nanos,
                rebalanceAfterNanos,
                indexCapacityRecords);
    }

    private static void require(String what, long nanos) {
        if (nanos <= 0) {
            throw new IllegalArgumentException(what + " must be more than 0, not " + nanos + " ns");
        }
    }
}
