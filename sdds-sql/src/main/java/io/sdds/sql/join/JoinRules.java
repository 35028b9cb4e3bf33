package io.sdds.sql.join;

import io.sdds.sql.plan.ShippedScanRule;
import org.apache.calcite.adapter.enumerable.EnumerableConvention;
import org.apache.calcite.adapter.enumerable.EnumerableRules;
import org.apache.calcite.plan.Convention;
import org.apache.calcite.plan.RelOptPlanner;
import org.apache.calcite.plan.RelOptRule;
import org.apache.calcite.plan.RelRule;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.convert.ConverterRule;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rel.rules.CoreRules;
import org.apache.calcite.rel.rules.JoinCommuteRule;
import org.apache.calcite.rel.rules.JoinPushThroughJoinRule;
import org.apache.calcite.rel.rules.SemiJoinRule;

/** The rules that choose how joins and their aggregates are done, with what hints allow. */
public final class JoinRules {
    private JoinRules() {}

    /**
     * Puts the rules in place of the engine's own. The order of joins is chosen before ({@link JoinOrder}), because
     * rules that try all orders take minutes for eight tables.
     */
    public static void register(RelOptPlanner planner, HintCheck hints, boolean pushdown) {
        planner.removeRule(CoreRules.JOIN_COMMUTE);
        planner.removeRule(JoinPushThroughJoinRule.LEFT);
        planner.removeRule(JoinPushThroughJoinRule.RIGHT);
        planner.addRule(COMMUTE);
        planner.removeRule(CoreRules.PROJECT_TO_SEMI_JOIN);
        planner.removeRule(CoreRules.JOIN_TO_SEMI_JOIN);
        planner.addRule(SEMI_JOIN);
        allowOnly(planner, hints, EnumerableRules.ENUMERABLE_JOIN_RULE, JoinHint.Form.HASH);
        allowOnly(planner, hints, EnumerableRules.ENUMERABLE_MERGE_JOIN_RULE, JoinHint.Form.MERGE);
        planner.addRule(new ClientJoinRule(hints));
        if (pushdown) {
            planner.addRule(ShippedScanRule.INSTANCE);
            planner.addRule(new ShippedJoinRule(hints));
            planner.addRule(PartialAggregateRule.ofJoin());
            planner.addRule(PartialAggregateRule.ofProject());
        }
    }

    /** Exchanges the sides of joins, but of those whose outer side is the one that was written first. */
    private static final RelOptRule COMMUTE = CoreRules.JOIN_COMMUTE_OUTER
            .config
            .withOperandSupplier(join -> join.operand(LogicalJoin.class)
                    .predicate(JoinRules::mayTurn)
                    .anyInputs())
            .withDescription("SddsJoinCommute")
            .as(JoinCommuteRule.Config.class)
            .toRule();

    /**
     * A join with the groups of a table becomes a semi-join with the table. An aggregate without groups has a row even
     * if the table has none, so that the engine's rule, which takes it too, would lose all rows of the other side.
     */
    private static final RelOptRule SEMI_JOIN = SemiJoinRule.ProjectToSemiJoinRule.ProjectToSemiJoinRuleConfig.DEFAULT
            .withOperandSupplier(project -> project.operand(Project.class)
                    .oneInput(join -> join.operand(Join.class)
                            .predicate(JoinRules::keepsLeftSide)
                            .inputs(
                                    left -> left.operand(RelNode.class).anyInputs(),
                                    right -> right.operand(Aggregate.class)
                                            .predicate(aggregate -> aggregate.getGroupCount() > 0)
                                            .anyInputs())))
            .withDescription("SddsSemiJoin")
            .as(SemiJoinRule.ProjectToSemiJoinRule.ProjectToSemiJoinRuleConfig.class)
            .toRule();

    private static boolean keepsLeftSide(Join join) {
        return join.getJoinType() == JoinRelType.INNER || join.getJoinType() == JoinRelType.LEFT;
    }

    private static boolean mayTurn(Join join) {
        JoinHint hint = JoinHint.of(join.getHints());
        return hint == null || hint.form() != JoinHint.Form.PACKETS;
    }

    private static void allowOnly(RelOptPlanner planner, HintCheck hints, RelOptRule rule, JoinHint.Form form) {
        planner.removeRule(rule);
        ConverterRule.Config config = (ConverterRule.Config) ((RelRule<?>) rule).config;
        planner.addRule(config.withConversion(
                        LogicalJoin.class,
                        join -> hints.allows(join, form),
                        Convention.NONE,
                        EnumerableConvention.INSTANCE,
                        "Sdds" + form)
                .toRule());
    }
}
