package io.sdds.sql.plan;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.plan.RelOptRule;
import org.apache.calcite.plan.hep.HepPlanner;
import org.apache.calcite.plan.hep.HepProgram;
import org.apache.calcite.plan.hep.HepProgramBuilder;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.rules.ProjectMergeRule;
import org.apache.calcite.rel.rules.ProjectRemoveRule;
import org.apache.calcite.rel.rules.SortProjectTransposeRule;

/** Folds the operators of a statement of one table into its scan, as far as bricks can run them. */
public final class ShippedPlans {
    private ShippedPlans() {}

    /**
     * The plan of a statement after each rule has done what it can.
     *
     * @param isChange whether the statement is an UPDATE or DELETE
     */
    public static RelNode folded(RelNode plan, boolean isChange) {
        List<RelOptRule> rules = new ArrayList<>(List.of(
                new FilterRule(isChange),
                new ProjectRule(),
                new AggregateRule(),
                new SortRule(),
                ProjectMergeRule.Config.DEFAULT.toRule(),
                ProjectRemoveRule.Config.DEFAULT.toRule()));
        // CoreRules has these rules too, and loads a thousand others with them.
        // What is chosen of groups stays above the scan, and an order of it has to come below.
        HepProgram program = new HepProgramBuilder()
                .addRuleCollection(rules)
                .addRuleInstance(SortProjectTransposeRule.Config.DEFAULT.toRule())
                .addRuleCollection(rules)
                .build();
        HepPlanner planner = new HepPlanner(program);
        planner.setRoot(plan);
        return planner.findBestExp();
    }
}
