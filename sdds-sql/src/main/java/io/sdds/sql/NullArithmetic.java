package io.sdds.sql;

import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
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
import org.jspecify.annotations.Nullable;

/**
 * Arithmetic with a NULL is NULL. The engine would take a quotient with a NULL for a constant, ask for its value, and
 * fail, because it is no literal. It asks when a statement becomes a plan, and when a plan becomes code, so that this
 * class is at work before both.
 */
final class NullArithmetic implements SqlRexConvertletTable {
    static final NullArithmetic INSTANCE = new NullArithmetic();

    private NullArithmetic() {}

    @Override
    public @Nullable SqlRexConvertlet get(SqlCall call) {
        SqlRexConvertlet standard = StandardConvertletTable.INSTANCE.get(call);
        return standard == null || !isArithmetic(call.getKind())
                ? standard
                : (context, it) -> simplified(context.getRexBuilder(), standard.convertCall(context, it));
    }

    /** A program that writes NULL for such arithmetic, in plans that other programs have simplified. */
    static Program program() {
        return (planner, rel, traits, materializations, lattices) -> rel.accept(new RelHomogeneousShuttle() {
            @Override
            public RelNode visit(RelNode other) {
                return super.visit(other)
                        .accept(new Simplification(other.getCluster().getRexBuilder()));
            }
        });
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
