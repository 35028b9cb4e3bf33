package io.sdds.sql.join;

import io.sdds.sql.plan.SddsRule;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.plan.RelOptRuleCall;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;

/**
 * Offers to aggregate the sides of an inner join of equal columns before they are joined. Ten persons of a city make a
 * hundred couples, but one group for each side. The planner compares the costs with those of the join of all rows.
 */
final class PartialAggregateRule extends SddsRule {
    /** Bounds the time for planning: a partial aggregate may be split again, and a join has two orders. */
    private static final int OFFERS_MAX = 16;

    private int offers;

    private PartialAggregateRule(Operands operands) {
        super(operands);
    }

    /** For aggregates whose input is a join. */
    static PartialAggregateRule ofJoin() {
        return new PartialAggregateRule(new Operands(
                above -> above.operand(LogicalAggregate.class)
                        .oneInput(join -> join.operand(LogicalJoin.class).anyInputs()),
                "SddsPartialAggregate"));
    }

    /** For aggregates whose input is computed of a join. */
    static PartialAggregateRule ofProject() {
        return new PartialAggregateRule(new Operands(
                above -> above.operand(LogicalAggregate.class)
                        .oneInput(project -> project.operand(LogicalProject.class)
                                .oneInput(
                                        join -> join.operand(LogicalJoin.class).anyInputs())),
                "SddsPartialAggregateOfProject"));
    }

    @Override
    public void onMatch(RelOptRuleCall call) {
        LogicalAggregate aggregate = call.rel(0);
        LogicalProject project = call.rel(1) instanceof LogicalProject computed ? computed : null;
        Join join = call.rel(project == null ? 1 : 2);
        boolean isPossible = aggregate.getGroupType() == Aggregate.Group.SIMPLE
                && join.getJoinType() == JoinRelType.INNER
                && JoinHint.of(join.getHints()) == null
                && join.analyzeCondition().isEqui()
                && JoinKeys.of(join) != null;
        if (!isPossible || offers == OFFERS_MAX) {
            return;
        }
        List<RexNode> columns = project == null ? columns(join) : project.getProjects();
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
