package io.sdds.sql.plan;

import com.google.common.collect.ImmutableList;
import io.sdds.sql.run.ConstantRun;
import io.sdds.sql.schema.Literals;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.adapter.enumerable.EnumerableConvention;
import org.apache.calcite.adapter.enumerable.EnumerableRel;
import org.apache.calcite.adapter.enumerable.EnumerableRelImplementor;
import org.apache.calcite.adapter.enumerable.JavaRowFormat;
import org.apache.calcite.adapter.enumerable.PhysType;
import org.apache.calcite.adapter.enumerable.PhysTypeImpl;
import org.apache.calcite.linq4j.tree.Blocks;
import org.apache.calcite.linq4j.tree.Expressions;
import org.apache.calcite.linq4j.tree.Types;
import org.apache.calcite.plan.Convention;
import org.apache.calcite.plan.RelOptCost;
import org.apache.calcite.plan.RelOptPlanner;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.convert.ConverterRule;
import org.apache.calcite.rel.core.Values;
import org.apache.calcite.rel.logical.LogicalValues;
import org.apache.calcite.rel.metadata.RelMetadataQuery;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.sql.type.SqlTypeName;
import org.jspecify.annotations.Nullable;

/** Rows of constants, of VALUES or of a list behind IN, that are too many for generated code. */
final class ConstantRows extends Values implements EnumerableRel {
    /** The engine's code has fewer. */
    private static final int ROWS_MIN = 100;

    private static final Method ROWS = Types.lookupMethod(ConstantRun.class, "rows");
    private static final Method VALUES = Types.lookupMethod(ConstantRun.class, "values");

    private ConstantRows(Values of, RelTraitSet traits) {
        super(of.getCluster(), of.getRowType(), of.getTuples(), traits);
    }

    /** Makes many rows of constants run. */
    static final class Rule extends ConverterRule {
        Rule() {
            super(Config.INSTANCE.withConversion(
                    LogicalValues.class, Convention.NONE, EnumerableConvention.INSTANCE, "SddsConstantRows"));
        }

        @Override
        public @Nullable RelNode convert(RelNode rel) {
            Values values = (Values) rel;
            boolean isKnown = values.getRowType().getFieldList().stream()
                    .map(RelDataTypeField::getType)
                    .allMatch(type -> type.getSqlTypeName() == SqlTypeName.NULL || Literals.type(type) != null);
            return isKnown && values.getTuples().size() >= ROWS_MIN
                    ? new ConstantRows(values, values.getCluster().traitSetOf(EnumerableConvention.INSTANCE))
                    : null;
        }
    }

    @Override
    public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
        return new ConstantRows(this, traits);
    }

    /** Less than the code of the engine. */
    @Override
    public RelOptCost computeSelfCost(RelOptPlanner planner, RelMetadataQuery mq) {
        return planner.getCostFactory().makeTinyCost();
    }

    @Override
    public Result implement(EnumerableRelImplementor implementor, Prefer prefer) {
        PhysType physical = PhysTypeImpl.of(implementor.getTypeFactory(), getRowType(), JavaRowFormat.ARRAY);
        Method rows = physical.getFormat() == JavaRowFormat.SCALAR ? VALUES : ROWS;
        return implementor.result(
                physical,
                Blocks.toBlock(
                        Expressions.call(implementor.stash(new ConstantRun(values()), ConstantRun.class), rows)));
    }

    private List<@Nullable Object[]> values() {
        List<RelDataTypeField> fields = getRowType().getFieldList();
        List<@Nullable Object[]> rows = new ArrayList<>();
        for (ImmutableList<RexLiteral> tuple : getTuples()) {
            @Nullable Object[] row = new @Nullable Object[fields.size()];
            for (int k = 0; k < row.length; k++) {
                row[k] = Literals.ofEngine(tuple.get(k), fields.get(k).getType());
            }
            rows.add(row);
        }
        return rows;
    }
}
