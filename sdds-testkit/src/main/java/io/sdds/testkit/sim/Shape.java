package io.sdds.testkit.sim;

/** What a run's table and clients go through. */
public enum Shape {
    /** The table grows by splits. */
    GROWING(1000) {
        @Override
        ClusterPlan draw(long seed, ClusterPlan.Severity most, int operations) {
            return ClusterPlan.draw(seed, most, operations);
        }
    },
    /** It grows, is emptied and merges, and grows again. */
    SHRINKING(1500) {
        @Override
        ClusterPlan draw(long seed, ClusterPlan.Severity most, int operations) {
            return ClusterPlan.drawShrinking(seed, most, operations);
        }
    },
    /** It grows, and its bricks are offered far more than they can do. */
    OVERLOADED(1500) {
        @Override
        ClusterPlan draw(long seed, ClusterPlan.Severity most, int operations) {
            return OverloadPlan.draw(seed, most, operations);
        }
    },
    /** A range table grows by splits. */
    RANGE(1000) {
        @Override
        ClusterPlan draw(long seed, ClusterPlan.Severity most, int operations) {
            return ClusterPlan.draw(seed, most, operations).ofRangeTable();
        }
    },
    /**
     * A range table grows, is emptied and merges, and grows again; it may be cleared, and scans go on at other clients.
     */
    RANGE_SHRINKING(1500) {
        @Override
        ClusterPlan draw(long seed, ClusterPlan.Severity most, int operations) {
            return ClusterPlan.drawShrinkingRange(seed, most, operations);
        }
    },
    /** Its partitions are replica groups, and bricks crash. */
    REPLICATED(1000) {
        @Override
        ClusterPlan draw(long seed, ClusterPlan.Severity most, int operations) {
            return ClusterPlan.drawReplicated(seed, most, operations);
        }
    },
    /** Its partitions are replica groups; it grows, is emptied and merges, and grows again, and bricks crash. */
    REPLICATED_SHRINKING(1500) {
        @Override
        ClusterPlan draw(long seed, ClusterPlan.Severity most, int operations) {
            return ClusterPlan.drawReplicatedShrinking(seed, most, operations);
        }
    },
    /** A range table whose partitions are replica groups, and bricks crash. */
    REPLICATED_RANGE(1000) {
        @Override
        ClusterPlan draw(long seed, ClusterPlan.Severity most, int operations) {
            return ClusterPlan.drawReplicatedRange(seed, most, operations);
        }
    },
    /**
     * A range table whose partitions are replica groups; it grows, is emptied and merges, and grows again, and bricks
     * crash.
     */
    REPLICATED_RANGE_SHRINKING(1500) {
        @Override
        ClusterPlan draw(long seed, ClusterPlan.Severity most, int operations) {
            return ClusterPlan.drawReplicatedShrinking(seed, most, operations).ofRangeTable();
        }
    },
    /** Its partitions are replica groups, and bricks are drained, end and come back. */
    DRAINED(1000) {
        @Override
        ClusterPlan draw(long seed, ClusterPlan.Severity most, int operations) {
            return ClusterPlan.drawDrained(seed, most, operations);
        }
    },
    /**
     * Its partitions have one copy and move: bricks are drained, end and come back. Hash tables and range tables, that
     * grow, or shrink, too.
     */
    MOVING(1000) {
        @Override
        ClusterPlan draw(long seed, ClusterPlan.Severity most, int operations) {
            return ClusterPlan.drawMoving(seed, most, operations);
        }
    },
    /**
     * Its partitions are replica groups, and two bricks can't reach each other, though the coordinator reaches both.
     */
    APART(1000) {
        @Override
        ClusterPlan draw(long seed, ClusterPlan.Severity most, int operations) {
            return ClusterPlan.drawApart(seed, most, operations);
        }
    },
    /** Its partitions are replica groups, and its bricks have little memory, or less for a time. */
    FILLING(1000) {
        @Override
        ClusterPlan draw(long seed, ClusterPlan.Severity most, int operations) {
            return ClusterPlan.drawFilling(seed, most, operations);
        }
    },
    /** A range table whose partitions are replica groups, and bricks are drained, end and come back. */
    DRAINED_RANGE(1000) {
        @Override
        ClusterPlan draw(long seed, ClusterPlan.Severity most, int operations) {
            return ClusterPlan.drawDrained(seed, most, operations).ofRangeTable();
        }
    },
    /**
     * A range table whose partitions are replica groups, and two bricks can't reach each other, though the coordinator
     * reaches both.
     */
    APART_RANGE(1000) {
        @Override
        ClusterPlan draw(long seed, ClusterPlan.Severity most, int operations) {
            return ClusterPlan.drawApart(seed, most, operations).ofRangeTable();
        }
    },
    /** A range table whose partitions are replica groups, and its bricks have little memory, or less for a time. */
    FILLING_RANGE(1000) {
        @Override
        ClusterPlan draw(long seed, ClusterPlan.Severity most, int operations) {
            return ClusterPlan.drawFilling(seed, most, operations).ofRangeTable();
        }
    },
    /** It grows under three coordinators, whose leader changes. */
    QUORUM(1000) {
        @Override
        ClusterPlan draw(long seed, ClusterPlan.Severity most, int operations) {
            return ClusterPlan.drawQuorum(seed, most, operations);
        }
    },
    /**
     * Its partitions are replica groups under three coordinators, whose leader changes; bricks crash and are drained,
     * and it may shrink.
     */
    QUORUM_GROUPS(1000) {
        @Override
        ClusterPlan draw(long seed, ClusterPlan.Severity most, int operations) {
            return ClusterPlan.drawQuorumGroups(seed, most, operations);
        }
    },
    /** It grows and shrinks, and is cleared now and then; scans have filters, and go on at other clients. */
    CLEARING(1500) {
        @Override
        ClusterPlan draw(long seed, ClusterPlan.Severity most, int operations) {
            return ClusterPlan.drawClearing(seed, most, operations);
        }
    },
    /** Two or three tables at once, of several kinds and with and without replica groups. */
    COMPETING(1500) {
        @Override
        ClusterPlan draw(long seed, ClusterPlan.Severity most, int operations) {
            return CompetingPlan.draw(seed, most, operations);
        }
    };

    private final int operations;

    Shape(int operations) {
        this.operations = operations;
    }

    /** Operations that plans are drawn with unless told otherwise. */
    public int operations() {
        return operations;
    }

    /** The plan of a seed. */
    abstract ClusterPlan draw(long seed, ClusterPlan.Severity most, int operations);
}
