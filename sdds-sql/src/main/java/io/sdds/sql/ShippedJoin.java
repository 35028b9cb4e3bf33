package io.sdds.sql;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.DataContext;
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
 * A join whose right side is a scan that bricks evaluate again and again, with keys of rows of the left side as a
 * further condition. The client joins what they answer, so that they may answer more rows than match.
 */
final class ShippedJoin extends Join implements EnumerableRel {
    private static final Method ROWS = Types.lookupMethod(JoinRun.class, "rows", Enumerable.class, DataContext.class);
    private static final Method VALUES =
            Types.lookupMethod(JoinRun.class, "values", Enumerable.class, DataContext.class);

    private final JoinHint hint;

    ShippedJoin(
            RelOptCluster cluster,
            RelTraitSet traits,
            RelNode left,
            RelNode right,
            RexNode condition,
            JoinRelType type,
            JoinHint hint) {
        super(cluster, traits, List.of(), left, right, condition, Set.of(), type);
        this.hint = hint;
    }

    @Override
    public Join copy(
            RelTraitSet traits,
            RexNode condition,
            RelNode left,
            RelNode right,
            JoinRelType type,
            boolean semiJoinDone) {
        return new ShippedJoin(getCluster(), traits, left, right, condition, type, hint);
    }

    /** Why a join cannot take keys to a scan; null: it can. */
    static @Nullable String problem(Join join, SddsScan scan) {
        switch (join.getJoinType()) {
            case RIGHT, FULL -> {
                return "it keeps rows of its right side";
            }
            default -> {}
        }
        JoinKeys keys = JoinKeys.of(join);
        if (keys == null || !join.analyzeCondition().isEqui()) {
            return "its condition has more than equalities";
        }
        for (int k = 0; k < keys.right().size(); k++) {
            if (text(scan, keys.right().get(k)) == null) {
                return "bricks cannot compare "
                        + scan.getRowType().getFieldNames().get(keys.right().get(k));
            }
        }
        return null;
    }

    /** A column of the scan's result in the language of bricks. */
    private static @Nullable ShippedText text(SddsScan scan, int column) {
        List<RexNode> values = scan.spec().values();
        return values == null ? null : scan.shipper().ship(values.get(column));
    }

    @Override
    public RelWriter explainTerms(RelWriter writer) {
        RelWriter terms = super.explainTerms(writer).item("form", hint.form());
        return hint.form() == JoinHint.Form.PACKETS
                ? terms.item("packet", hint.packetRows()).item("order", hint.isSorted() ? "sorted" : "unsorted")
                : terms;
    }

    @Override
    public @Nullable RelOptCost computeSelfCost(RelOptPlanner planner, RelMetadataQuery mq) {
        double rows = mq.getRowCount(this);
        return planner.getCostFactory().makeCost(rows, rows, 0);
    }

    @Override
    public Result implement(EnumerableRelImplementor implementor, Prefer prefer) {
        BlockBuilder code = new BlockBuilder();
        Result outer = implementor.visitChild(this, 0, (EnumerableRel) getLeft(), Prefer.ARRAY);
        Expression rows = code.append("outer", outer.block);
        Expression arrays = code.append("rows", outer.physType.convertTo(rows, JavaRowFormat.ARRAY));
        PhysType physical = PhysTypeImpl.of(implementor.getTypeFactory(), getRowType(), JavaRowFormat.ARRAY);
        Method run = physical.getFormat() == JavaRowFormat.SCALAR ? VALUES : ROWS;
        code.add(Expressions.return_(
                null,
                Expressions.call(
                        implementor.stash(run(), JoinRun.class), run, arrays, implementor.getRootExpression())));
        return implementor.result(physical, code.toBlock());
    }

    private JoinRun run() {
        SddsScan scan = (SddsScan) getRight();
        JoinKeys keys = JoinKeys.of(this);
        if (keys == null) {
            throw new IllegalStateException("a join without keys");
        }
        List<ShippedText> names = new ArrayList<>();
        List<org.apache.calcite.rel.type.RelDataType> types = new ArrayList<>();
        for (int k = 0; k < keys.right().size(); k++) {
            ShippedText text = text(scan, keys.right().get(k));
            if (text == null) {
                throw new IllegalStateException("a key that is not shipped");
            }
            names.add(text);
            types.add(getLeft()
                    .getRowType()
                    .getFieldList()
                    .get(keys.left().get(k))
                    .getType());
        }
        ScanRun inner = new ScanRun(scan.table(), scan.spec(), SqlTypes.ofFields(scan.getRowType()));
        return new JoinRun(hint, getJoinType(), keys, inner, names, types);
    }
}
