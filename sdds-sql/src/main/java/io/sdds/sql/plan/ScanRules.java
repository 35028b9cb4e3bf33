package io.sdds.sql.plan;

import io.sdds.sql.statement.StatementKind;
import org.apache.calcite.plan.RelOptPlanner;
import org.apache.calcite.rel.rules.CoreRules;

/** The rules that read and write tables, and fold operators into scans. */
public final class ScanRules {
    private ScanRules() {}

    /**
     * Adds the rules to those of the engine.
     *
     * @param kind of the statement that is planned
     * @param pushdown whether programs are shipped to bricks
     */
    public static void register(RelOptPlanner planner, StatementKind kind, boolean pushdown) {
        // Constants are computed before the search, with the order of joins: each try compiles code.
        planner.removeRule(CoreRules.FILTER_REDUCE_EXPRESSIONS);
        planner.removeRule(CoreRules.PROJECT_MERGE);
        planner.addRule(NullArithmetic.PROJECT_MERGE);
        planner.addRule(ScanRule.INSTANCE);
        planner.addRule(new ConstantRows.Rule());
        planner.addRule(new ModifyRule(kind.isUpsert()));
        if (pushdown) {
            planner.addRule(new FilterRule(kind.isChange()));
            planner.addRule(new ProjectRule());
            planner.addRule(new AggregateRule());
            planner.addRule(new SortRule());
            planner.addRule(new KeyChangeRule());
        }
    }
}
