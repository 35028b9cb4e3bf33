package io.sdds.sql.plan;

import io.sdds.sql.run.DeadlineCheck;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.DataContext;
import org.apache.calcite.adapter.enumerable.EnumerableRel;
import org.apache.calcite.adapter.enumerable.EnumerableRelImplementor;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.tree.BlockBuilder;
import org.apache.calcite.linq4j.tree.Blocks;
import org.apache.calcite.linq4j.tree.Expression;
import org.apache.calcite.linq4j.tree.Expressions;
import org.apache.calcite.linq4j.tree.Types;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.SingleRel;
import org.apache.calcite.rel.core.Correlate;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.RepeatUnion;
import org.apache.calcite.rel.core.SetOp;
import org.apache.calcite.rel.core.Window;

/**
 * Looks, at each row of a join, whether the statement has to end: a join may go on for long without a new row of a
 * scan. It stands above each join of a plan that is about to run.
 */
public final class CheckedRows extends SingleRel implements EnumerableRel {
    private static final Method CHECKED =
            Types.lookupMethod(DeadlineCheck.class, "checked", Enumerable.class, DataContext.class);

    private CheckedRows(RelNode join) {
        super(join.getCluster(), join.getTraitSet(), join);
    }

    /** A plan with a check above each join. */
    public static RelNode aboveJoins(RelNode plan) {
        List<RelNode> inputs = new ArrayList<>();
        plan.getInputs().forEach(input -> inputs.add(aboveJoins(input)));
        RelNode same = inputs.equals(plan.getInputs()) ? plan : plan.copy(plan.getTraitSet(), inputs);
        return goesOn(same) ? new CheckedRows(same) : same;
    }

    /** Whether an operator may give rows for long while no scan does. */
    private static boolean goesOn(RelNode node) {
        return node instanceof Join
                || node instanceof Correlate
                || node instanceof RepeatUnion
                || node instanceof SetOp
                || node instanceof Window;
    }

    @Override
    public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
        return new CheckedRows(inputs.get(0));
    }

    @Override
    public Result implement(EnumerableRelImplementor implementor, Prefer prefer) {
        BlockBuilder code = new BlockBuilder();
        Result join = implementor.visitChild(this, 0, (EnumerableRel) getInput(), prefer);
        Expression rows = code.append("rows", join.block);
        code.add(Expressions.return_(null, Expressions.call(CHECKED, rows, implementor.getRootExpression())));
        return implementor.result(join.physType, Blocks.toBlock(code.toBlock()));
    }
}
