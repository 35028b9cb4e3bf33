package io.sdds.sql.plan;

import java.util.List;
import java.util.Set;
import org.apache.calcite.plan.Contexts;
import org.apache.calcite.plan.RelOptRule;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.CorrelationId;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.RelFactories;
import org.apache.calcite.rel.hint.RelHint;
import org.apache.calcite.rel.rules.CoreRules;
import org.apache.calcite.rel.rules.ProjectMergeRule;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql2rel.SqlRexConvertlet;
import org.apache.calcite.sql2rel.SqlRexConvertletTable;
import org.apache.calcite.sql2rel.StandardConvertletTable;
import org.apache.calcite.tools.Program;
import org.apache.calcite.tools.RelBuilder;
import org.jspecify.annotations.Nullable;

/**
 * Arithmetic with a NULL is NULL. The engine would take a quotient with a NULL for a constant, ask for its value, and
 * fail, because it is no literal. It asks when a statement becomes a plan, when projections are merged, and when a plan
 * becomes code, so that this class is at work before each.
 */
public final class NullArithmetic implements SqlRexConvertletTable {
    public static final NullArithmetic INSTANCE = new NullArithmetic();

    /** Merges two projections: the NULL of the lower one comes into arithmetic of the upper one, which is then NULL. */
    public static final RelOptRule PROJECT_MERGE = ((ProjectMergeRule.Config) CoreRules.PROJECT_MERGE.config)
            .withRelBuilderFactory(RelBuilder.proto(Contexts.of((RelFactories.ProjectFactory) NullArithmetic::project)))
            .withOperandSupplier(upper -> upper.operand(Project.class)
                    .oneInput(lower -> lower.operand(Project.class)
                            .predicate(NullArithmetic::isDeterministic)
                            .anyInputs()))
            .as(ProjectMergeRule.Config.class)
            .toRule();

    /** A random number that is read twice is drawn once. */
    private static boolean isDeterministic(Project project) {
        return project.getProjects().stream().allMatch(RexUtil::isDeterministic);
    }

    private NullArithmetic() {}

    @Override
    public @Nullable SqlRexConvertlet get(SqlCall call) {
        SqlRexConvertlet standard = StandardConvertletTable.INSTANCE.get(call);
        return standard == null || !isArithmetic(call.getKind())
                ? standard
                : (context, it) -> simplified(context.getRexBuilder(), standard.convertCall(context, it));
    }

    /** A program that writes NULL for such arithmetic, in plans that other programs have simplified. */
    public static Program program() {
        return (planner, rel, traits, materializations, lattices) -> rel.accept(new RelHomogeneousShuttle() {
            @Override
            public RelNode visit(RelNode other) {
                return super.visit(other)
                        .accept(new Simplification(other.getCluster().getRexBuilder()));
            }
        });
    }

    private static RelNode project(
            RelNode input,
            List<RelHint> hints,
            List<? extends RexNode> values,
            @Nullable List<? extends @Nullable String> names,
            Set<CorrelationId> correlations) {
        List<RexNode> simplified = new Simplification(input.getCluster().getRexBuilder()).visitList(values);
        return RelFactories.DEFAULT_PROJECT_FACTORY.createProject(input, hints, simplified, names, correlations);
    }

    private static final class Simplification extends RexShuttle {
        private final RexBuilder rex;

        Simplification(RexBuilder rex) {
            this.rex = rex;
        }

        @Override
        public RexNode visitCall(RexCall call) {
            return simplified(rex, super.visitCall(call));
        }
    }

    private static RexNode simplified(RexBuilder rex, RexNode node) {
        boolean isNull = node instanceof RexCall call
                && isArithmetic(call.getKind())
                && call.getOperands().stream().anyMatch(operand -> RexUtil.isNullLiteral(operand, true));
        return isNull ? rex.makeNullLiteral(node.getType()) : node;
    }

    private static boolean isArithmetic(SqlKind kind) {
        return switch (kind) {
            case PLUS,
                    MINUS,
                    TIMES,
                    DIVIDE,
                    MOD,
                    MINUS_PREFIX,
                    PLUS_PREFIX,
                    CHECKED_PLUS,
                    CHECKED_MINUS,
                    CHECKED_TIMES,
                    CHECKED_DIVIDE,
                    CHECKED_MINUS_PREFIX -> true;
            default -> false;
        };
    }
}
