package io.sdds.sql.plan;

import io.sdds.client.internal.query.lang.Expression;
import io.sdds.core.row.ValueType;
import io.sdds.sql.run.Planning;
import io.sdds.sql.run.ScanRun;
import io.sdds.sql.schema.SddsTable;
import io.sdds.sql.schema.SqlTypes;
import io.sdds.sql.shipped.Explanation;
import io.sdds.sql.shipped.RexShipper;
import io.sdds.sql.shipped.ScanSpec;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelOptTable;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.AbstractRelNode;
import org.apache.calcite.rel.RelCollation;
import org.apache.calcite.rel.RelCollations;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;

/**
 * The one leaf of plans: a query that bricks evaluate. Rules fold into the leaf what its program can do; the rest of a
 * statement stays above.
 */
public final class SddsScan extends AbstractRelNode {
    private final RelOptTable relTable;
    private final SddsTable table;
    private final ScanSpec spec;

    SddsScan(
            RelOptCluster cluster,
            RelTraitSet traits,
            RelOptTable relTable,
            SddsTable table,
            ScanSpec spec,
            RelDataType rowType) {
        super(cluster, traits);
        this.relTable = relTable;
        this.table = table;
        this.spec = spec;
        this.rowType = rowType;
    }

    /** All rows and columns of a table. */
    public static SddsScan whole(RelOptCluster cluster, RelOptTable relTable, SddsTable table) {
        List<RexNode> values = new ArrayList<>();
        List<Expression> outputs = new ArrayList<>();
        for (int k = 0; k < table.columns().size(); k++) {
            values.add(RexInputRef.of(k, relTable.getRowType()));
            outputs.add(RexShipper.name(table.columns().get(k)));
        }
        ScanSpec spec = new ScanSpec(List.of(), List.of(), values, outputs, null, List.of(), null, null);
        return new SddsScan(cluster, cluster.traitSet(), relTable, table, spec, relTable.getRowType());
    }

    /** The same table with another query. */
    SddsScan with(ScanSpec other, RelDataType type) {
        return new SddsScan(getCluster(), getTraitSet(), relTable, table, other, type);
    }

    /** The order of the rows: the one that is asked for, else that of the keys of a range table. */
    private static RelCollation order(SddsTable table, ScanSpec spec) {
        List<RexNode> values = spec.values();
        if (!spec.order().isEmpty() || values == null || !table.isRange()) {
            return RelCollations.of(spec.order());
        }
        List<RelFieldCollation> order = new ArrayList<>();
        for (int key : table.keys()) {
            int at = columnOf(values, key);
            if (at < 0 || !isOrderedAlike(table.columns().get(key).type())) {
                break;
            }
            order.add(new RelFieldCollation(
                    at, RelFieldCollation.Direction.ASCENDING, RelFieldCollation.NullDirection.LAST));
        }
        return RelCollations.of(order);
    }

    /** Whether values have one order for bricks and for the engine. Texts have not, and of the others some have not. */
    private static boolean isOrderedAlike(ValueType type) {
        return switch (type.kind()) {
            case INTEGER, BIGINT, DECIMAL, DATE -> true;
            default -> false;
        };
    }

    /** The place of a column of the table among values; -1: it is not there. */
    private static int columnOf(List<RexNode> values, int column) {
        for (int k = 0; k < values.size(); k++) {
            if (values.get(k) instanceof RexInputRef ref && ref.getIndex() == column) {
                return k;
            }
        }
        return -1;
    }

    /** Whether the rows come in the order of a sort. */
    boolean isOrderedAs(Sort sort) {
        return order(table, spec).satisfies(sort.getCollation());
    }

    // ---- what it is

    public SddsTable table() {
        return table;
    }

    public ScanSpec spec() {
        return spec;
    }

    /** Translates expressions over the columns of the table for bricks. */
    public RexShipper shipper() {
        return new RexShipper(getCluster().getRexBuilder(), table.columns(), Planning.hasLongValues());
    }

    /** What yields its rows. */
    ScanRun run() {
        return new ScanRun(table, spec, SqlTypes.ofFields(rowType));
    }

    /** What EXPLAIN shows. */
    public Explanation explained() {
        return spec.explained(Explanation.of("SddsScan", table.name()));
    }

    @Override
    public RelOptTable getTable() {
        return relTable;
    }

    @Override
    public RelNode copy(RelTraitSet traitSet, List<RelNode> inputs) {
        return new SddsScan(getCluster(), traitSet, relTable, table, spec, rowType);
    }

    @Override
    public String getRelTypeName() {
        return "SddsScan";
    }

    @Override
    public RelWriter explainTerms(RelWriter writer) {
        super.explainTerms(writer);
        return writer.item("spec", explained().text());
    }
}
