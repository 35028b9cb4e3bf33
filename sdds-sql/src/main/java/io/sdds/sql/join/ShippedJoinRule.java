package io.sdds.sql.join;

import io.sdds.sql.plan.SddsRule;
import io.sdds.sql.plan.SddsScan;
import io.sdds.sql.plan.ShippedScanRule;
import java.util.List;
import org.apache.calcite.adapter.enumerable.EnumerableConvention;
import org.apache.calcite.plan.Convention;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelOptRuleCall;
import org.apache.calcite.plan.volcano.RelSubset;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.logical.LogicalJoin;

/** Joins rows of any kind with a scan that takes their keys. */
final class ShippedJoinRule extends SddsRule {
    private static final List<JoinHint> BY_COST =
            List.of(JoinHint.of(JoinHint.Form.LOOKUP), JoinHint.of(JoinHint.Form.SEMI));

    private final HintCheck hints;

    ShippedJoinRule(HintCheck hints) {
        super(new Operands(
                above -> above.operand(LogicalJoin.class)
                        .unorderedInputs(below -> below.operand(SddsScan.class)
                                .trait(Convention.NONE)
                                .noInputs()),
                "SddsJoin"));
        this.hints = hints;
    }

    @Override
    public void onMatch(RelOptRuleCall call) {
        LogicalJoin join = call.rel(0);
        SddsScan scan = call.rel(1);
        if (isRightOf(join, scan) && ShippedScanRule.takesConditions(scan)) {
            JoinHint hint = JoinHint.of(join.getHints());
            for (JoinHint form : hint == null ? BY_COST : List.of(hint)) {
                offer(call, join, scan, form);
            }
        }
    }

    private void offer(RelOptRuleCall call, LogicalJoin join, SddsScan scan, JoinHint form) {
        boolean ships = form.form() != JoinHint.Form.HASH && form.form() != JoinHint.Form.MERGE;
        if (!ships || !hints.allows(join, form.form())) {
            return;
        }
        String problem = ShippedJoin.problem(form.form(), join, scan);
        if (problem != null) {
            hints.refuse(problem);
            return;
        }
        RelOptCluster cluster = join.getCluster();
        call.transformTo(new ShippedJoin(
                cluster,
                cluster.traitSetOf(EnumerableConvention.INSTANCE),
                convert(join.getLeft(), join.getLeft().getTraitSet().replace(EnumerableConvention.INSTANCE)),
                convert(join.getRight(), join.getRight().getTraitSet().replace(ShippedScanRule.SHIPPED)),
                join.getCondition(),
                join.getJoinType(),
                form));
    }

    private static boolean isRightOf(LogicalJoin join, RelNode scan) {
        return join.getRight() instanceof RelSubset right && right.contains(scan);
    }
}
