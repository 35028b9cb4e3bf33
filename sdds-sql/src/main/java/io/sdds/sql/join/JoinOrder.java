package io.sdds.sql.join;

import io.sdds.sql.plan.NullArithmetic;
import io.sdds.sql.plan.TableMetadata;
import java.util.List;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.plan.hep.HepMatchOrder;
import org.apache.calcite.plan.hep.HepProgram;
import org.apache.calcite.plan.hep.HepProgramBuilder;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rel.rules.CoreRules;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.tools.Program;
import org.apache.calcite.tools.Programs;

/**
 * Brings conditions to the tables that they are about, merges projections, and chooses the order of joins, before the
 * planner chooses how each is done. The order is that of a heuristic with costs by statistics, so that the time for
 * planning does not grow with all orders that there are. Joins with a hint stay as they were written.
 */
public final class JoinOrder {
    /** The joins for which an order is sought. */
    private static final int JOINS_MIN = 2;

    private static final HepProgram REWRITES = new HepProgramBuilder()
            .addRuleCollection(List.of(
                    CoreRules.FILTER_INTO_JOIN,
                    CoreRules.JOIN_CONDITION_PUSH,
                    CoreRules.FILTER_PROJECT_TRANSPOSE,
                    CoreRules.FILTER_AGGREGATE_TRANSPOSE,
                    CoreRules.FILTER_MERGE,
                    NullArithmetic.PROJECT_MERGE,
                    CoreRules.FILTER_REDUCE_EXPRESSIONS))
            .build();

    private static final HepProgram COLLECTION = new HepProgramBuilder()
            .addMatchOrder(HepMatchOrder.BOTTOM_UP)
            .addRuleInstance(CoreRules.JOIN_TO_MULTI_JOIN)
            .build();

    private static final HepProgram ORDER = new HepProgramBuilder()
            .addMatchOrder(HepMatchOrder.BOTTOM_UP)
            .addRuleInstance(CoreRules.MULTI_JOIN_OPTIMIZE)
            .build();

    private JoinOrder() {}

    /** The steps, in their order. */
    public static Program program() {
        Program factors = (planner, rel, traits, materializations, lattices) -> rel.accept(new CommonFactors());
        return Programs.sequence(
                factors,
                Programs.of(REWRITES, true, TableMetadata.PROVIDER),
                Programs.conditional(JoinOrder::isSought, Programs.of(COLLECTION, false, TableMetadata.PROVIDER)),
                Programs.of(ORDER, false, TableMetadata.PROVIDER));
    }

    private static boolean isSought(RelNode plan) {
        return RelOptUtil.countJoins(plan) >= JOINS_MIN && !hasHint(plan);
    }

    private static boolean hasHint(RelNode node) {
        return node instanceof LogicalJoin join && JoinHint.of(join.getHints()) != null
                || node.getInputs().stream().anyMatch(JoinOrder::hasHint);
    }

    /**
     * Takes what all parts of an OR have in common out of it: {@code (a and b) or (a and c)} is {@code a and (b or c)}.
     */
    private static final class CommonFactors extends RelHomogeneousShuttle {
        @Override
        public RelNode visit(LogicalFilter filter) {
            RelNode input = filter.getInput().accept(this);
            return filter.copy(filter.getTraitSet(), input, factored(filter, filter.getCondition()));
        }

        @Override
        public RelNode visit(LogicalJoin join) {
            RelNode left = join.getLeft().accept(this);
            RelNode right = join.getRight().accept(this);
            return join.copy(
                    join.getTraitSet(),
                    factored(join, join.getCondition()),
                    left,
                    right,
                    join.getJoinType(),
                    join.isSemiJoinDone());
        }

        private static RexNode factored(RelNode of, RexNode condition) {
            return RexUtil.pullFactors(of.getCluster().getRexBuilder(), condition);
        }
    }
}
