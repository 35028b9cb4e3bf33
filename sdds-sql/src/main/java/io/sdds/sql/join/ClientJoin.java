package io.sdds.sql.join;

import io.sdds.sql.plan.Costs;
import org.apache.calcite.adapter.enumerable.EnumerableRelImplementor;
import org.apache.calcite.linq4j.tree.BlockBuilder;
import org.apache.calcite.linq4j.tree.Expression;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelOptCost;
import org.apache.calcite.plan.RelOptPlanner;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.metadata.RelMetadataQuery;
import org.apache.calcite.rex.RexNode;
import org.jspecify.annotations.Nullable;

/**
 * A hash join at the client: the rows of the left side are kept in a table, and those of the right side stream. The
 * engine's own keeps the right side, and makes lists and objects for each key.
 */
final class ClientJoin extends SddsJoin {
    ClientJoin(
            RelOptCluster cluster,
            RelTraitSet traits,
            RelNode left,
            RelNode right,
            RexNode condition,
            JoinRelType type) {
        super(cluster, traits, left, right, condition, type, JoinHint.of(JoinHint.Form.HASH));
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
    public @Nullable RelOptCost computeSelfCost(RelOptPlanner planner, RelMetadataQuery mq) {
        double cost = mq.getRowCount(left) * Costs.KEPT_ROW
                + mq.getRowCount(right) * Costs.PROBED_ROW
                + mq.getRowCount(this) * Costs.JOINED_ROW;
        return planner.getCostFactory().makeCost(cost, cost, 0);
    }

    @Override
    public Result implement(EnumerableRelImplementor implementor, Prefer prefer) {
        BlockBuilder code = new BlockBuilder();
        Expression kept = rows(implementor, code, 0);
        Expression streamed = rows(implementor, code, 1);
        return call(implementor, code, new ClientJoinRun(shape()), ClientJoinRun.class, kept, streamed);
    }
}
