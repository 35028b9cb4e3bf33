package io.sdds.sql;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.plan.RelOptRule;
import org.apache.calcite.plan.RelOptRuleCall;
import org.apache.calcite.plan.RelRule;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.RelFactories;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.tools.RelBuilderFactory;
import org.jspecify.annotations.Nullable;

/**
 * Offers to aggregate the sides of an inner join of equal columns before they are joined. Ten persons of a city make a
 * hundred couples, but one group for each side. The planner compares the costs with those of the join of all rows.
 */
final class PartialAggregateRule extends RelRule<PartialAggregateRule.Above> {
    /** Bounds the time for planning: a partial aggregate may be split again, and a join has two orders. */
    private static final int OFFERS_MAX = 16;

    private int offers;

    /**
     * What the rule looks for.
     *
     * @param hasProject whether the aggregate reads columns that are computed of those of the join
     */
    record Above(
            boolean hasProject,
            OperandTransform operandSupplier,
            @Nullable String description) implements RelRule.Config {
        @Override
        public RelOptRule toRule() {
            throw new UnsupportedOperationException("rules are made by their constructors");
        }

        @Override
        public RelBuilderFactory relBuilderFactory() {
            return RelFactories.LOGICAL_BUILDER;
        }

        @Override
        public RelRule.Config withRelBuilderFactory(RelBuilderFactory factory) {
            return this;
        }

        @Override
        public RelRule.Config withDescription(@Nullable String other) {
            return new Above(hasProject, operandSupplier, other);
        }

        @Override
        public RelRule.Config withOperandSupplier(OperandTransform other) {
            return new Above(hasProject, other, description);
        }
    }

    private PartialAggregateRule(Above operands) {
        super(operands);
    }

    /** For aggregates whose input is a join. */
    static PartialAggregateRule ofJoin() {
        return new PartialAggregateRule(new Above(
                false,
                above -> above.operand(LogicalAggregate.class)
                        .oneInput(join -> join.operand(LogicalJoin.class).anyInputs()),
                "SddsPartialAggregate"));
    }

    /** For aggregates whose input is computed of a join. */
    static PartialAggregateRule ofProject() {
        return new PartialAggregateRule(new Above(
                true,
                above -> above.operand(LogicalAggregate.class)
                        .oneInput(project -> project.operand(LogicalProject.class)
                                .oneInput(
                                        join -> join.operand(LogicalJoin.class).anyInputs())),
                "SddsPartialAggregateOfProject"));
    }

    @Override
    public void onMatch(RelOptRuleCall call) {
        LogicalAggregate aggregate = call.rel(0);
        Join join = call.rel(config.hasProject() ? 2 : 1);
        boolean isPossible = aggregate.getGroupType() == Aggregate.Group.SIMPLE
                && join.getJoinType() == JoinRelType.INNER
                && JoinHint.of(join.getHints()) == null
                && join.analyzeCondition().isEqui()
                && JoinKeys.of(join) != null;
        if (!isPossible || offers == OFFERS_MAX) {
            return;
        }
        List<RexNode> columns = config.hasProject() ? ((LogicalProject) call.rel(1)).getProjects() : columns(join);
        RelNode split = new AggregateSplit(aggregate, columns, join, call.getMetadataQuery()).result();
        if (split != null) {
            offers++;
            call.transformTo(split);
        }
    }

    private static List<RexNode> columns(RelNode of) {
        List<RexNode> columns = new ArrayList<>();
        for (RelDataTypeField field : of.getRowType().getFieldList()) {
            columns.add(RexInputRef.of(field.getIndex(), of.getRowType()));
        }
        return columns;
    }
}
