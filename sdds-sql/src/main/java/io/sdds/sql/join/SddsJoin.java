package io.sdds.sql.join;

import io.sdds.sql.plan.Estimates;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.apache.calcite.adapter.enumerable.EnumerableRel;
import org.apache.calcite.adapter.enumerable.EnumerableRelImplementor;
import org.apache.calcite.adapter.enumerable.JavaRowFormat;
import org.apache.calcite.adapter.enumerable.PhysType;
import org.apache.calcite.adapter.enumerable.PhysTypeImpl;
import org.apache.calcite.linq4j.tree.BlockBuilder;
import org.apache.calcite.linq4j.tree.Expression;
import org.apache.calcite.linq4j.tree.Expressions;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rex.RexNode;

/** A join that runs in a {@link JoinCursor}. */
abstract class SddsJoin extends Join implements EnumerableRel {
    private final JoinHint hint;

    /** @param hint the form of the join */
    SddsJoin(
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

    final JoinHint hint() {
        return hint;
    }

    @Override
    public final RelWriter explainTerms(RelWriter writer) {
        boolean hasPackets = hint.form() == JoinHint.Form.PACKETS;
        return super.explainTerms(writer)
                .item("form", hint.form().toString())
                .itemIf("packet", hint.packetRows(), hasPackets)
                .itemIf("order", hint.isSorted() ? "sorted" : "unsorted", hasPackets)
                .itemIf("rows", Estimates.shown(writer, this), Estimates.isShown(writer, this));
    }

    final JoinKeys keys() {
        return Objects.requireNonNull(JoinKeys.of(this), "a join without keys");
    }

    final JoinCursor.Shape shape() {
        return new JoinCursor.Shape(
                getJoinType(),
                keys(),
                left.getRowType().getFieldCount(),
                right.getRowType().getFieldCount());
    }

    /** Code for the rows of an input, each an {@code Object[]}. */
    final Expression rows(EnumerableRelImplementor implementor, BlockBuilder code, int input) {
        Result child = implementor.visitChild(this, input, (EnumerableRel) getInput(input), Prefer.ARRAY);
        Expression rows = code.append("child" + input, child.block);
        return code.append("rows" + input, child.physType.convertTo(rows, JavaRowFormat.ARRAY));
    }

    /**
     * Code that calls what runs the join.
     *
     * @param run whose one method {@code rows} gives rows, and {@code values} the values of the one column that they
     *     have
     */
    final <T> Result call(
            EnumerableRelImplementor implementor, BlockBuilder code, T run, Class<T> type, Expression... arguments) {
        PhysType physical = PhysTypeImpl.of(implementor.getTypeFactory(), getRowType(), JavaRowFormat.ARRAY);
        String name = physical.getFormat() == JavaRowFormat.SCALAR ? "values" : "rows";
        Method method = Arrays.stream(type.getMethods())
                .filter(each -> each.getName().equals(name))
                .findFirst()
                .orElseThrow();
        code.add(Expressions.return_(null, Expressions.call(implementor.stash(run, type), method, arguments)));
        return implementor.result(physical, code.toBlock());
    }
}
