package io.sdds.sql.join;

import io.sdds.sql.plan.SddsScan;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.plan.volcano.RelSubset;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.metadata.RelMetadataQuery;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlAggFunction;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * A side of a join whose rows are aggregated above it. Its columns are, in this order: the keys of the join, what the
 * aggregate groups by, and what it computes with. They are partial aggregates if the side is aggregated itself.
 */
final class AggregateSide {
    /** Groups over rows: with more groups the side stays as it is. */
    private static final double GROUPS_PART_MAX = 0.5;

    /** Groups at most, since the client keeps them all, and more than estimated. */
    private static final double GROUPS_MAX = 500_000;

    /** Rows of which as many may be groups, if the number of groups is a guess. */
    private static final double GUESSED_ROWS_MAX = 500_000;

    /** Operators above a scan, at most: a set of equal plans may contain itself. */
    private static final int DEPTH_MAX = 30;

    private final RelNode input;
    /** The first columns, by which a partial aggregate groups; over the columns of the input. */
    private final List<RexNode> groups = new ArrayList<>();

    private final List<RexNode> values = new ArrayList<>();
    private final List<SqlAggFunction> functions = new ArrayList<>();
    private boolean isAggregated;

    AggregateSide(RelNode input, List<Integer> keys) {
        this.input = input;
        keys.forEach(key -> groups.add(RexInputRef.of(key, input.getRowType())));
    }

    /** Returns the place of a column to group by. No value may have been added before. */
    int addGroup(RexNode group) {
        int known = groups.indexOf(group);
        if (known >= 0) {
            return known;
        }
        groups.add(group);
        return groups.size() - 1;
    }

    /** Returns the place of a column with a function of an expression, or with the expression itself. */
    int addValue(SqlAggFunction function, RexNode of) {
        values.add(of);
        functions.add(function);
        return groups.size() + values.size() - 1;
    }

    /** Whether its rows are aggregated before they are joined. */
    boolean isAggregated() {
        return isAggregated;
    }

    /** The place of the number of rows of a group, of a side that is aggregated. */
    int count() {
        return groups.size() + values.size();
    }

    /**
     * Decides by what is known of the rows whether the side is aggregated: whether that leaves half of them at most.
     */
    void decide(RelMetadataQuery mq) {
        ImmutableBitSet read = RelOptUtil.InputFinder.bits(groups, null);
        Double rows = mq.getRowCount(input);
        Double distinct = mq.getDistinctRowCount(input, read, null);
        isAggregated = rows != null
                && distinct != null
                && distinct <= Math.min(GROUPS_MAX, rows * GROUPS_PART_MAX)
                && (rows <= GUESSED_ROWS_MAX || isAnalyzed(input, DEPTH_MAX))
                && !Boolean.TRUE.equals(mq.areColumnsUnique(input, read));
    }

    private static boolean isAnalyzed(RelNode node, int depth) {
        RelNode plan = node instanceof RelSubset set ? set.getBestOrOriginal() : node;
        if (plan instanceof SddsScan scan) {
            return scan.statistics().isAnalyzed();
        }
        return depth > 0 && plan.getInputs().stream().allMatch(below -> isAnalyzed(below, depth - 1));
    }

    /** The rows with the columns that were added, and with the number of rows if the side is aggregated. */
    RelNode rows() {
        List<RexNode> nodes = new ArrayList<>(groups);
        nodes.addAll(values);
        List<String> names = new ArrayList<>();
        for (int k = 0; k < nodes.size(); k++) {
            names.add((k < groups.size() ? "group$" : "value$") + k);
        }
        RelNode projected = LogicalProject.create(input, List.of(), nodes, names, Set.of());
        if (!isAggregated) {
            return projected;
        }
        List<AggregateCall> calls = new ArrayList<>();
        for (int k = 0; k < values.size(); k++) {
            calls.add(call(projected, functions.get(k), List.of(groups.size() + k)));
        }
        calls.add(call(projected, SqlStdOperatorTable.COUNT, List.of()));
        return LogicalAggregate.create(projected, List.of(), ImmutableBitSet.range(groups.size()), null, calls);
    }

    private AggregateCall call(RelNode of, SqlAggFunction function, List<Integer> arguments) {
        return AggregateSplit.call(function, arguments, groups.isEmpty(), of);
    }
}
