package io.sdds.sql.join;

import org.apache.calcite.adapter.enumerable.EnumerableConvention;
import org.apache.calcite.adapter.enumerable.EnumerableFilter;
import org.apache.calcite.plan.Convention;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.convert.ConverterRule;
import org.apache.calcite.rel.core.JoinInfo;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexUtil;
import org.jspecify.annotations.Nullable;

/**
 * Makes a join of equal columns a hash join. Semi-joins and anti-joins are the engine's, which keeps their right side.
 */
final class ClientJoinRule extends ConverterRule {
    private final HintCheck hints;

    ClientJoinRule(HintCheck hints) {
        super(Config.INSTANCE.withConversion(
                LogicalJoin.class, Convention.NONE, EnumerableConvention.INSTANCE, "SddsClientJoinRule"));
        this.hints = hints;
    }

    @Override
    public @Nullable RelNode convert(RelNode rel) {
        LogicalJoin join = (LogicalJoin) rel;
        JoinRelType type = join.getJoinType();
        JoinInfo info = join.analyzeCondition();
        boolean testsPairs = info.isEqui() || type == JoinRelType.INNER;
        boolean isPossible = type.projectsRight() && testsPairs && JoinKeys.of(join) != null;
        if (!isPossible || !hints.allows(join, JoinHint.Form.HASH)) {
            return null;
        }
        RexBuilder rex = join.getCluster().getRexBuilder();
        ClientJoin hash = new ClientJoin(
                join.getCluster(),
                join.getTraitSet().replace(EnumerableConvention.INSTANCE),
                convert(join.getLeft(), join.getLeft().getTraitSet().replace(EnumerableConvention.INSTANCE)),
                convert(join.getRight(), join.getRight().getTraitSet().replace(EnumerableConvention.INSTANCE)),
                info.getEquiCondition(join.getLeft(), join.getRight(), rex),
                type);
        return info.isEqui()
                ? hash
                : EnumerableFilter.create(hash, RexUtil.composeConjunction(rex, info.nonEquiConditions));
    }
}
