package io.sdds.sql.plan;

import io.sdds.sql.error.SqlErrors;
import io.sdds.sql.error.StatementEnd;
import io.sdds.sql.run.ModifyRun;
import io.sdds.sql.schema.SddsTable;
import io.sdds.sql.shipped.BrickChange;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
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
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.core.TableModify;
import org.jspecify.annotations.Nullable;

/** Writes the rows that come from below: INSERT, UPSERT, UPDATE and DELETE. */
final class SddsModify extends TableModify implements EnumerableRel {
    private static final Method WRITE =
            Types.lookupMethod(ModifyRun.class, "write", Enumerable.class, DataContext.class);

    private final SddsTable sddsTable;
    private final boolean isUpsert;

    SddsModify(TableModify of, RelTraitSet traits, RelNode input, SddsTable sddsTable, boolean isUpsert) {
        super(
                of.getCluster(),
                traits,
                of.getTable(),
                of.getCatalogReader(),
                input,
                of.getOperation(),
                of.getUpdateColumnList(),
                of.getSourceExpressionList(),
                of.isFlattened());
        this.sddsTable = sddsTable;
        this.isUpsert = isUpsert;
    }

    @Override
    public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
        return new SddsModify(this, traits, inputs.get(0), sddsTable, isUpsert);
    }

    @Override
    public RelWriter explainTerms(RelWriter writer) {
        RelWriter terms = writer.input("input", getInput()).item("table", sddsTable.name());
        BrickChange change = brickChange();
        return terms.item("operation", isUpsert ? "UPSERT" : getOperation().name())
                .itemIf("set", change == null ? null : change.assignments().toString(), change != null && isUpdate())
                .itemIf("by", change == null ? "versions" : "bricks", isUpdate() || isDelete());
    }

    /** The change as a program for bricks; null: the client computes it. */
    private @Nullable BrickChange brickChange() {
        if (getInput() instanceof RunnableScan scan && (isUpdate() || isDelete())) {
            return BrickChange.of(scan.table(), scan.spec(), sddsTable, changed());
        }
        return null;
    }

    /** Positions of the columns that an UPDATE names. */
    private List<Integer> changed() {
        List<Integer> changed = new ArrayList<>();
        List<String> names = getUpdateColumnList();
        if (names != null) {
            names.forEach(name -> changed.add(table.getRowType().getFieldNames().indexOf(name)));
        }
        return changed;
    }

    @Override
    public Result implement(EnumerableRelImplementor implementor, Prefer prefer) {
        BlockBuilder code = new BlockBuilder();
        Result child = implementor.visitChild(this, 0, (EnumerableRel) getInput(), Prefer.ARRAY);
        Expression rows = code.append("child", child.block);
        Expression arrays = code.append("rows", child.physType.convertTo(rows, JavaRowFormat.ARRAY));
        ModifyRun run = new ModifyRun(sddsTable, operation(), changed(), brickChange(), readsItself(getInput()));
        code.add(Expressions.return_(
                null,
                Expressions.call(
                        implementor.stash(run, ModifyRun.class), WRITE, arrays, implementor.getRootExpression())));
        PhysType physical = PhysTypeImpl.of(implementor.getTypeFactory(), getRowType(), JavaRowFormat.SCALAR);
        return implementor.result(physical, code.toBlock());
    }

    private ModifyRun.Kind operation() {
        return switch (getOperation()) {
            case INSERT -> isUpsert ? ModifyRun.Kind.UPSERT : ModifyRun.Kind.INSERT;
            case UPDATE -> ModifyRun.Kind.UPDATE;
            case DELETE -> ModifyRun.Kind.DELETE;
            case MERGE -> throw new StatementEnd("MERGE is not supported; UPSERT is", SqlErrors.UNSUPPORTED);
        };
    }

    private boolean readsItself(RelNode node) {
        return node instanceof SddsScan scan && scan.table().name().equals(sddsTable.name())
                || node.getInputs().stream().anyMatch(this::readsItself);
    }
}
