package io.sdds.coordinator.control;

import java.util.List;

/**
 * How a coordinator judges.
 *
 * @param id its name
 * @param coordinators host:port of all coordinators, as clients and bricks dial them
 * @param silenceNanos a brick not heard of for so long counts as down: it is given nothing new, and another process may
 *     take its name. Leases and heartbeats are derived from it
 * @param sessionLeaseNanos a session not renewed for so long ends
 * @param createPatienceNanos how long a table's creation waits for its brick before the asker is told to look again
 * @param avoidTargetNanos how long a brick is not chosen again for a table whose split to it was given up
 * @param mergeAfterNanos how long a table's load must have been low without a break before its partitions merge
 * @param rebalanceAfterNanos how long the same bricks must have been up before copies move from the fullest to the
 *     emptiest
 * @param indexCapacityRecords of a partition of the index of partitions
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

    /** A shorter silence is refused: pauses of a brick that is well, and of its network, would count as its end. */
    public static final long SILENCE_NANOS_MIN = 300 * MILLI;

    /**
     * Of the silence after which a brick is removed, 8/15 are its lease: 800 ms of 1.5 s. What is between covers clocks
     * that drift by a fifth.
     */
    private static final int LEASE_PARTS = 8;

    /** And whoever was heard in the last 4/15, 400 ms or two heartbeats, lives. */
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

    /** How long the leases of bricks shall be. A brick sends four heartbeats in that time. */
    long leaseMillis() {
        return silenceNanos * LEASE_PARTS / SILENCE_PARTS / MILLI;
    }

    /** A brick that was heard within this time counts as living. */
    long livingNanos() {
        return silenceNanos * LIVING_PARTS / SILENCE_PARTS;
    }

    /** After so long a silence no lease of this length is in force, by any clock. */
    static long silenceNanosOf(long leaseMillis) {
        return Math.ceilDiv(leaseMillis * MILLI * SILENCE_PARTS, LEASE_PARTS);
    }

    /** The same, with another time of low load before a merge. */
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
