package io.sdds.sql.plan;

import io.sdds.sql.run.ScanRun;
import io.sdds.sql.schema.SddsTable;
import io.sdds.sql.schema.SqlTypes;
import io.sdds.sql.shipped.ScanSpec;
import java.lang.reflect.Method;
import java.util.List;
import org.apache.calcite.DataContext;
import org.apache.calcite.adapter.enumerable.EnumerableRel;
import org.apache.calcite.adapter.enumerable.EnumerableRelImplementor;
import org.apache.calcite.adapter.enumerable.JavaRowFormat;
import org.apache.calcite.adapter.enumerable.PhysType;
import org.apache.calcite.adapter.enumerable.PhysTypeImpl;
import org.apache.calcite.linq4j.tree.Blocks;
import org.apache.calcite.linq4j.tree.Expressions;
import org.apache.calcite.linq4j.tree.Types;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelOptTable;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.type.RelDataType;

/** A scan that runs: the generated code asks {@link ScanRun} for its rows. */
final class RunnableScan extends SddsScan implements EnumerableRel {
    private static final Method ROWS = Types.lookupMethod(ScanRun.class, "rows", DataContext.class);
    private static final Method VALUES = Types.lookupMethod(ScanRun.class, "values", DataContext.class);

    RunnableScan(
            RelOptCluster cluster,
            RelTraitSet traits,
            RelOptTable relTable,
            SddsTable table,
            ScanSpec spec,
            RelDataType rowType) {
        super(cluster, traits, relTable, table, spec, rowType);
    }

    @Override
    public RelNode copy(RelTraitSet traitSet, List<RelNode> inputs) {
        return new RunnableScan(getCluster(), traitSet, getTable(), table(), spec(), rowType);
    }

    @Override
    public Result implement(EnumerableRelImplementor implementor, Prefer prefer) {
        PhysType physical = PhysTypeImpl.of(implementor.getTypeFactory(), rowType, JavaRowFormat.ARRAY);
        Method rows = physical.getFormat() == JavaRowFormat.SCALAR ? VALUES : ROWS;
        return implementor.result(
                physical,
                Blocks.toBlock(Expressions.call(
                        implementor.stash(run(), ScanRun.class), rows, implementor.getRootExpression())));
    }

    /** What yields its rows. */
    ScanRun run() {
        return new ScanRun(table(), spec(), SqlTypes.ofFields(rowType));
    }
}
