package io.sdds.sim.plan;

import io.sdds.core.model.Conversion;
import java.util.function.UnaryOperator;

/**
 * A scenario of the simulator: the kind of tables, and the events that tables, bricks and clients go through in a run.
 */
public enum Scenario {
    /** The table grows by splits. */
    GROWING(1000, ClusterPlan::draw),
    /** The table grows, is emptied and merges, and grows again. */
    SHRINKING(1500, ClusterPlan::drawShrinking),
    /** The table grows while clients send far more requests than the bricks can serve. */
    OVERLOADED(1500, OverloadPlan::draw),
    /**
     * Clients begin thousands of operations at once on a table that has just been created, which splits meanwhile. It
     * is a hash table or a range table of one copy, of replica groups, or with parity groups.
     */
    BURSTS(4000, BurstPlan::draw),
    /** A range table grows by splits. */
    RANGE(1000, ClusterPlan::ofRangeTable, GROWING),
    /**
     * A range table grows, is emptied and merges, and grows again. The table may be cleared. Scans continue at other
     * clients.
     */
    RANGE_SHRINKING(1500, ClusterPlan::drawShrinkingRange),
    /** The partitions are replica groups, and bricks crash. */
    REPLICATED(1000, ClusterPlan::drawReplicated),
    /** The partitions are replica groups. The table grows, is emptied and merges, and grows again. Bricks crash. */
    REPLICATED_SHRINKING(1500, ClusterPlan::drawReplicatedShrinking),
    /** The partitions of a range table are replica groups, and bricks crash. */
    REPLICATED_RANGE(1000, ClusterPlan::drawReplicatedRange),
    /**
     * The partitions of a range table are replica groups. The table grows, is emptied and merges, and grows again.
     * Bricks crash.
     */
    REPLICATED_RANGE_SHRINKING(1500, ClusterPlan::ofRangeTable, REPLICATED_SHRINKING),
    /** The partitions are replica groups. Bricks are drained, end and start again. */
    DRAINED(1000, ClusterPlan::drawDrained),
    /**
     * The partitions have one copy and move: bricks are drained, end and start again. The table is a hash table or a
     * range table, which grows or shrinks too.
     */
    MOVING(1000, ClusterPlan::drawMoving),
    /** The partitions are replica groups. Two bricks cannot reach each other, but the coordinator reaches both. */
    APART(1000, ClusterPlan::drawApart),
    /** The partitions are replica groups. The bricks have little memory, or less memory for a time. */
    FILLING(1000, ClusterPlan::drawFilling),
    /** The partitions of a range table are replica groups. Bricks are drained, end and start again. */
    DRAINED_RANGE(1000, ClusterPlan::ofRangeTable, DRAINED),
    /**
     * The partitions of a range table are replica groups. Two bricks cannot reach each other, but the coordinator
     * reaches both.
     */
    APART_RANGE(1000, ClusterPlan::ofRangeTable, APART),
    /** The partitions of a range table are replica groups. The bricks have little memory, or less memory for a time. */
    FILLING_RANGE(1000, ClusterPlan::ofRangeTable, FILLING),
    /** The table grows under three coordinators, whose leader changes. */
    QUORUM(1000, ClusterPlan::drawQuorum),
    /**
     * The partitions are replica groups under three coordinators, whose leader changes. Bricks crash and are drained.
     * The table may shrink.
     */
    QUORUM_GROUPS(1000, ClusterPlan::drawQuorumGroups),
    /** The table grows and shrinks, and is cleared now and then. Scans have filters, and continue at other clients. */
    CLEARING(1500, ClusterPlan::drawClearing),
    /** The table has parity groups. It is too large to split, and does not merge. Bricks crash. */
    PARITY(1000, ParityPlan::draw),
    /** The table has parity groups, splits and merges. Bricks crash, also while a split or merge is under way. */
    PARITY_GROWING(1000, ParityPlan::drawGrowing),
    /** A range table has parity groups, splits and merges. Bricks crash, also while that is under way. */
    PARITY_GROWING_RANGE(1000, ParityPlan::drawGrowingRange),
    /** A range table has a parity group. It has one partition, and does not split. Bricks crash. */
    PARITY_RANGE(1000, ParityPlan::drawRange),
    /** The table has parity groups. Bricks are drained, end and start again, while others crash. */
    PARITY_DRAINED(1000, ParityPlan::drawDrained),
    /**
     * The table has parity groups. Bricks crash, also more of them than a group can lack. An operator accepts what is
     * lost.
     */
    PARITY_LOST(1000, ParityPlan::drawLost),
    /**
     * The table begins with replicas, or single copies, and is converted to parity while it is used. It splits and
     * merges before and afterwards. Bricks crash, also while that is under way.
     */
    PARITY_CONVERTED(
            1000,
            (seed, most, operations) -> ParityPlan.drawConverted(seed, most, operations, false, Conversion.TO_PARITY)),
    /** PARITY_CONVERTED with a range table, which begins with one partition. */
    PARITY_CONVERTED_RANGE(
            1000,
            (seed, most, operations) -> ParityPlan.drawConverted(seed, most, operations, true, Conversion.TO_PARITY)
                    .ofRangeTable()),
    /**
     * The table begins with parity groups, and is converted to replicas, or single copies, while it is used; in half of
     * the seeds to parity again. The table splits and merges before and afterwards. Bricks crash, also while a
     * conversion is under way.
     */
    PARITY_TO_REPLICAS(
            1000,
            (seed, most, operations) ->
                    ParityPlan.drawConverted(seed, most, operations, false, Conversion.TO_REPLICAS)),
    /** PARITY_TO_REPLICAS with a range table, which begins with one partition. */
    PARITY_TO_REPLICAS_RANGE(
            1000,
            (seed, most, operations) -> ParityPlan.drawConverted(seed, most, operations, true, Conversion.TO_REPLICAS)
                    .ofRangeTable()),
    /** The table has parity groups. Bricks have little memory, some less than others, and less for a time. */
    PARITY_FILLING(1000, ParityPlan::drawFilling),
    /**
     * The tables have parity groups. A run combines what other scenarios have alone: growth or a conversion with
     * drains; a conversion with links that are cut, with changes of the number of parities, or with losses; groups of
     * 16 columns; two tables; a coordinator that is paused for longer than sessions live.
     */
    PARITY_COMBINED(1000, CombinedParityPlan::draw),
    /** Clients also ship programs to the tables of another scenario, which the seed chooses. */
    QUERIED(
            1000,
            ClusterPlan::thatQueries,
            SHRINKING,
            RANGE_SHRINKING,
            CLEARING,
            REPLICATED_SHRINKING,
            RANGE,
            REPLICATED_RANGE_SHRINKING,
            MOVING,
            PARITY_GROWING,
            PARITY_GROWING_RANGE,
            DRAINED,
            PARITY_CONVERTED,
            PARITY_LOST),
    /**
     * The table of another scenario, which the seed chooses, has a schema, to which operators add columns and from
     * which they drop columns. Clients write, update and query its rows, some with an older schema. Bricks have weights
     * in every other seed.
     */
    ROWS(
            1000,
            ClusterPlan::thatQueriesRows,
            SHRINKING,
            RANGE_SHRINKING,
            MOVING,
            REPLICATED_SHRINKING,
            RANGE,
            REPLICATED_RANGE_SHRINKING,
            PARITY_GROWING,
            DRAINED,
            PARITY_CONVERTED,
            CLEARING,
            PARITY_GROWING_RANGE,
            DRAINED_RANGE),
    /**
     * The table of another scenario, which the seed chooses, has many values that are longer than the log of a group
     * has room for.
     */
    LONG_VALUES(
            600,
            ClusterPlan::withLongValues,
            REPLICATED,
            PARITY_GROWING,
            REPLICATED_SHRINKING,
            PARITY,
            SHRINKING,
            DRAINED,
            PARITY_CONVERTED,
            MOVING,
            REPLICATED_RANGE_SHRINKING,
            PARITY_DRAINED,
            PARITY_TO_REPLICAS),
    /** Two or three tables exist at once. They differ in kind; some have replica groups. */
    COMPETING(1500, CompetingPlan::draw),
    /**
     * The table has parity groups on few bricks. Bricks crash one after the other, each when the groups are repaired,
     * so that columns share bricks, and come back together.
     */
    PARITY_IN_TURN(1000, ParityPlan::drawInTurn);

    private final int operations;
    private final Drawing drawing;

    /** Draws a plan from a seed. */
    private interface Drawing {
        ClusterPlan draw(long seed, ClusterPlan.Severity most, int operations);
    }

    Scenario(int operations, Drawing drawing) {
        this.operations = operations;
        this.drawing = drawing;
    }

    /** Changes the plan that another scenario has for a seed. The seeds take several others in turn. */
    Scenario(int operations, UnaryOperator<ClusterPlan> change, Scenario... others) {
        this(
                operations,
                (seed, most, all) ->
                        change.apply(others[(int) Math.floorMod(seed, (long) others.length)].draw(seed, most, all)));
    }

    /** Default number of operations of a plan. */
    public int operations() {
        return operations;
    }

    /** Draws the plan of a seed. */
    public ClusterPlan draw(long seed, ClusterPlan.Severity most, int allOperations) {
        return drawing.draw(seed, most, allOperations);
    }
}
