package io.sdds.sql.statement;

import io.sdds.sql.error.SqlErrors;
import io.sdds.sql.error.StatementEnd;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.jspecify.annotations.Nullable;

/** Refuses statements whose plans would take minutes, before they are planned. */
final class TreeLimits extends SqlBasicVisitor<@Nullable Void> {
    /** The time to order joins grows with their cube. A subquery of an expression is a join of its block. */
    static final int JOINS_MAX = 100;

    /** The time to plan subqueries of expressions that name columns of their block grows with their fourth power. */
    static final int SUBQUERIES_MAX = 32;

    /** Blocks in FROM are ordered together with the joins around them. */
    static final int JOINS_OF_STATEMENT_MAX = 200;

    /** The validator writes the operand of each of them twice. */
    static final int COPIES_MAX = 10;

    private int joins;
    private int subqueries;
    private int joinsOfStatement;
    private boolean isExpression;
    private int copies;

    private TreeLimits() {}

    /** @throws StatementEnd if a statement is beyond a limit */
    static void check(SqlNode statement) {
        statement.accept(new TreeLimits());
    }

    @Override
    public @Nullable Void visit(SqlCall call) {
        if (call instanceof SqlSelect block) {
            visitBlock(block);
            return null;
        }
        if (call instanceof SqlJoin) {
            join(call);
        }
        String name = call.getOperator().getName();
        int copy = name.equalsIgnoreCase("NULLIF") || name.equalsIgnoreCase("COALESCE") ? 1 : 0;
        copies += copy;
        if (copies > COPIES_MAX) {
            throw tooLarge(call, "more than " + COPIES_MAX + " calls of NULLIF and COALESCE are nested here");
        }
        super.visit(call);
        copies -= copy;
        return null;
    }

    private void visitBlock(SqlSelect block) {
        if (isExpression) {
            join(block);
            if (++subqueries > SUBQUERIES_MAX) {
                throw tooLarge(block, "a query block has more than " + SUBQUERIES_MAX + " subqueries in expressions");
            }
        }
        int outerJoins = joins;
        int outerSubqueries = subqueries;
        boolean wasExpression = isExpression;
        joins = 0;
        subqueries = 0;
        for (SqlNode part : block.getOperandList()) {
            if (part != null) {
                isExpression = part != block.getFrom();
                part.accept(this);
            }
        }
        joins = outerJoins;
        subqueries = outerSubqueries;
        isExpression = wasExpression;
    }

    private void join(SqlNode at) {
        if (++joins > JOINS_MAX) {
            throw tooLarge(at, "a query block has more than " + JOINS_MAX + " joins and subqueries");
        }
        if (++joinsOfStatement > JOINS_OF_STATEMENT_MAX) {
            throw tooLarge(at, "it has more than " + JOINS_OF_STATEMENT_MAX + " joins and subqueries");
        }
    }

    private static StatementEnd tooLarge(SqlNode at, String what) {
        return new StatementEnd(StatementText.place(at) + "the statement is too large: " + what, SqlErrors.TOO_LARGE);
    }
}
