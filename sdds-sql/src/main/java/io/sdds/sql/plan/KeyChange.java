package io.sdds.sql.plan;

import io.sdds.sql.run.KeyChangeRun;
import java.lang.reflect.Method;
import java.util.List;
import org.apache.calcite.DataContext;
import org.apache.calcite.adapter.enumerable.EnumerableConvention;
import org.apache.calcite.adapter.enumerable.EnumerableRel;
import org.apache.calcite.adapter.enumerable.EnumerableRelImplementor;
import org.apache.calcite.adapter.enumerable.JavaRowFormat;
import org.apache.calcite.adapter.enumerable.PhysType;
import org.apache.calcite.adapter.enumerable.PhysTypeImpl;
import org.apache.calcite.linq4j.tree.Blocks;
import org.apache.calcite.linq4j.tree.Expressions;
import org.apache.calcite.linq4j.tree.Types;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelOptCost;
import org.apache.calcite.plan.RelOptPlanner;
import org.apache.calcite.plan.RelOptTable;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.AbstractRelNode;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.metadata.RelMetadataQuery;
import org.apache.calcite.rel.type.RelDataType;

/** An UPDATE or DELETE whose condition gives the keys: one request to a brick for each, and none to find rows. */
public final class KeyChange extends AbstractRelNode implements EnumerableRel {
    private static final Method WRITE = Types.lookupMethod(KeyChangeRun.class, "write", DataContext.class);

    private final RelOptTable relTable;
    private final KeyChangeRun run;

    KeyChange(RelOptCluster cluster, RelOptTable relTable, KeyChangeRun run, RelDataType rowType) {
        this(cluster, cluster.traitSetOf(EnumerableConvention.INSTANCE), relTable, run, rowType);
    }

    private KeyChange(
            RelOptCluster cluster, RelTraitSet traits, RelOptTable relTable, KeyChangeRun run, RelDataType rowType) {
        super(cluster, traits);
        this.relTable = relTable;
        this.run = run;
        this.rowType = rowType;
    }

    /** The run that writes the records. */
    public KeyChangeRun run() {
        return run;
    }

    @Override
    public RelOptTable getTable() {
        return relTable;
    }

    @Override
    public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
        return new KeyChange(getCluster(), traits, relTable, run, rowType);
    }

    @Override
    public String getRelTypeName() {
        return "SddsKeyChange";
    }

    @Override
    public RelWriter explainTerms(RelWriter writer) {
        return run.explain(super.explainTerms(writer));
    }

    /** Less than any plan that finds the rows first. */
    @Override
    public RelOptCost computeSelfCost(RelOptPlanner planner, RelMetadataQuery mq) {
        return planner.getCostFactory().makeTinyCost();
    }

    @Override
    public double estimateRowCount(RelMetadataQuery mq) {
        return 1;
    }

    @Override
    public Result implement(EnumerableRelImplementor implementor, Prefer prefer) {
        PhysType physical = PhysTypeImpl.of(implementor.getTypeFactory(), rowType, JavaRowFormat.SCALAR);
        return implementor.result(
                physical,
                Blocks.toBlock(Expressions.call(
                        implementor.stash(run, KeyChangeRun.class), WRITE, implementor.getRootExpression())));
    }
}
