package io.sdds.sql.join;

import io.sdds.sql.plan.Costs;
import io.sdds.sql.plan.Estimates;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.apache.calcite.adapter.enumerable.EnumerableRel;
import org.apache.calcite.adapter.enumerable.EnumerableRelImplementor;
import org.apache.calcite.adapter.enumerable.JavaRowFormat;
import org.apache.calcite.adapter.enumerable.PhysType;
import org.apache.calcite.adapter.enumerable.PhysTypeImpl;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.tree.BlockBuilder;
import org.apache.calcite.linq4j.tree.Expression;
import org.apache.calcite.linq4j.tree.Expressions;
import org.apache.calcite.linq4j.tree.Types;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelOptCost;
import org.apache.calcite.plan.RelOptPlanner;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.metadata.RelMetadataQuery;
import org.apache.calcite.rex.RexNode;
import org.jspecify.annotations.Nullable;

/**
 * A hash join at the client: the rows of the left side are kept in a table, and those of the right side stream. The
 * engine's own keeps the right side, and makes lists and objects for each key.
 */
final class ClientJoin extends Join implements EnumerableRel {
    private static final Method ROWS =
            Types.lookupMethod(ClientJoinRun.class, "rows", Enumerable.class, Enumerable.class);
    private static final Method VALUES =
            Types.lookupMethod(ClientJoinRun.class, "values", Enumerable.class, Enumerable.class);

    ClientJoin(
            RelOptCluster cluster,
            RelTraitSet traits,
            RelNode left,
            RelNode right,
            RexNode condition,
            JoinRelType type) {
        super(cluster, traits, List.of(), left, right, condition, Set.of(), type);
    }

    @Override
    public Join copy(
            RelTraitSet traits,
            RexNode condition,
            RelNode left,
            RelNode right,
            JoinRelType type,
            boolean semiJoinDone) {
        return new ClientJoin(getCluster(), traits, left, right, condition, type);
    }

    @Override
    public RelWriter explainTerms(RelWriter writer) {
        return super.explainTerms(writer)
                .item("form", JoinHint.Form.HASH.toString())
                .itemIf("rows", Estimates.shown(writer, this), Estimates.isShown(writer, this));
    }

    @Override
    public @Nullable RelOptCost computeSelfCost(RelOptPlanner planner, RelMetadataQuery mq) {
        double cost = mq.getRowCount(left) * Costs.KEPT_ROW
                + mq.getRowCount(right) * Costs.PROBED_ROW
                + mq.getRowCount(this) * Costs.JOINED_ROW;
        return planner.getCostFactory().makeCost(cost, cost, 0);
    }

    @Override
    public Result implement(EnumerableRelImplementor implementor, Prefer prefer) {
        BlockBuilder code = new BlockBuilder();
        Expression kept = arrays(implementor, code, 0);
        Expression streamed = arrays(implementor, code, 1);
        PhysType physical = PhysTypeImpl.of(implementor.getTypeFactory(), getRowType(), JavaRowFormat.ARRAY);
        Method run = physical.getFormat() == JavaRowFormat.SCALAR ? VALUES : ROWS;
        JoinCursor.Shape shape = new JoinCursor.Shape(
                getJoinType(),
                Objects.requireNonNull(JoinKeys.of(this), "a join without keys"),
                left.getRowType().getFieldCount(),
                right.getRowType().getFieldCount());
        Expression runner = implementor.stash(new ClientJoinRun(shape), ClientJoinRun.class);
        code.add(Expressions.return_(null, Expressions.call(runner, run, kept, streamed)));
        return implementor.result(physical, code.toBlock());
    }

    private Expression arrays(EnumerableRelImplementor implementor, BlockBuilder code, int input) {
        Result child = implementor.visitChild(this, input, (EnumerableRel) getInput(input), Prefer.ARRAY);
        Expression rows = code.append("child" + input, child.block);
        return code.append("rows" + input, child.physType.convertTo(rows, JavaRowFormat.ARRAY));
    }
}
