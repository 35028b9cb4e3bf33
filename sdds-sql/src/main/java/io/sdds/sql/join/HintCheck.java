package io.sdds.sql.join;

import io.sdds.sql.error.SqlErrors;
import io.sdds.sql.error.StatementEnd;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.adapter.enumerable.EnumerableMergeJoin;
import org.apache.calcite.plan.RelOptPlanner;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Calc;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.tools.Program;
import org.jspecify.annotations.Nullable;

/** Says why a hint of a statement cannot be followed. */
public final class HintCheck {
    private final List<String> problems = new ArrayList<>();
    private @Nullable JoinHint hint;

    /** Whether a join, by its hint if it has one, may take a form. */
    boolean allows(Join join, JoinHint.Form form) {
        JoinHint wanted = JoinHint.of(join.getHints());
        hint = wanted == null ? hint : wanted;
        return wanted == null || wanted.form() == form;
    }

    /** Notes why a join cannot be done as its hint says. */
    void refuse(String problem) {
        problems.add(problem);
    }

    /** A program whose failure is explained, if a hint is the reason. */
    public Program explained(Program planning) {
        return (planner, rel, traits, materializations, lattices) -> {
            try {
                return checked(planning.run(planner, rel, traits, materializations, lattices));
            } catch (RelOptPlanner.CannotPlanException e) {
                throw hint == null ? e : impossible(e);
            }
        };
    }

    private StatementEnd impossible(RuntimeException e) {
        String why = problems.isEmpty() ? inGeneral() : problems.get(problems.size() - 1);
        return new StatementEnd(
                "hint " + JoinHint.NAME + "(" + form() + "): the join cannot be done so: " + why, SqlErrors.SYNTAX, e);
    }

    private JoinHint.Form form() {
        return hint == null ? JoinHint.Form.HASH : hint.form();
    }

    private String inGeneral() {
        return switch (form()) {
            case MERGE, HASH -> "its condition has no equality of columns";
            default -> "the side that gets the keys is no table";
        };
    }

    private RelNode checked(RelNode plan) {
        if (hint != null && form() == JoinHint.Form.MERGE) {
            checkOrders(plan);
        }
        return plan;
    }

    private static void checkOrders(RelNode node) {
        if (node instanceof EnumerableMergeJoin) {
            for (RelNode side : node.getInputs()) {
                RelNode below = side instanceof Calc ? side.getInput(0) : side;
                if (below instanceof Sort) {
                    throw new StatementEnd(
                            "hint " + JoinHint.NAME + "(merge): the join cannot be done so: it is not one of two range"
                                    + " tables by the first columns of their keys, which are numbers or dates",
                            SqlErrors.SYNTAX);
                }
            }
        }
        node.getInputs().forEach(HintCheck::checkOrders);
    }
}
