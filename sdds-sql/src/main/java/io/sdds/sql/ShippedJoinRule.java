package io.sdds.sql;

import org.apache.calcite.adapter.enumerable.EnumerableConvention;
import org.apache.calcite.plan.Convention;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelOptRuleCall;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.plan.volcano.RelSubset;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.logical.LogicalJoin;

/** Joins rows of any kind with a scan that takes their keys. */
final class ShippedJoinRule extends SddsRule {
    ShippedJoinRule() {
        super(new OverScan(
                LogicalJoin.class,
                above -> above.operand(LogicalJoin.class)
                        .unorderedInputs(below -> below.operand(SddsScan.class)
                                .trait(Convention.NONE)
                                .noInputs()),
                "SddsJoin"));
    }

    @Override
    public void onMatch(RelOptRuleCall call) {
        LogicalJoin join = call.rel(0);
        SddsScan scan = call.rel(1);
        JoinHint hint = JoinHint.of(join.getHints());
        if (hint == null || hint.form() != JoinHint.Form.PACKETS || !isRightOf(join, scan)) {
            return;
        }
        if (ShippedJoin.problem(join, scan) != null) {
            return;
        }
        RelOptCluster cluster = join.getCluster();
        RelTraitSet traits = cluster.traitSetOf(EnumerableConvention.INSTANCE);
        call.transformTo(new ShippedJoin(
                cluster,
                traits,
                convert(join.getLeft(), join.getLeft().getTraitSet().replace(EnumerableConvention.INSTANCE)),
                convert(join.getRight(), join.getRight().getTraitSet().replace(ShippedScanRule.SHIPPED)),
                join.getCondition(),
                join.getJoinType(),
                hint));
    }

    private static boolean isRightOf(LogicalJoin join, RelNode scan) {
        return join.getRight() instanceof RelSubset right && right.contains(scan);
    }
}
