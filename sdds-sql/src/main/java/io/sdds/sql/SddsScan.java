package io.sdds.sql;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.adapter.enumerable.EnumerableConvention;
import org.apache.calcite.plan.Convention;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelOptCost;
import org.apache.calcite.plan.RelOptPlanner;
import org.apache.calcite.plan.RelOptTable;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.AbstractRelNode;
import org.apache.calcite.rel.RelCollations;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.metadata.RelMdUtil;
import org.apache.calcite.rel.metadata.RelMetadataQuery;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;

/**
 * The one leaf of plans: a query that bricks evaluate. Rules fold into the leaf what its program can do; the rest of a
 * statement stays above, at the client. Rules see logical scans, and {@link ScanRule} makes them run.
 */
class SddsScan extends AbstractRelNode {
    /** The part of the cost of a row that comes to the client which a brick spends on a row that it looks at. */
    private static final double LOOK_COST = 0.02;

    /** Less than the cost of any scan, because the number of records may be out of date. */
    private static final double LOOKUP_COST = 0.01;

    private static final double GROUPS_PART = 0.1;
    private static final double LIMITED_ROWS = 1_000;

    /** A limit makes a scan cheaper, however many rows the table has. */
    private static final double LIMITED_PART = 0.9;

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
    static SddsScan whole(RelOptCluster cluster, RelOptTable relTable, SddsTable table) {
        List<RexNode> values = new ArrayList<>();
        List<ShippedText> texts = new ArrayList<>();
        for (int k = 0; k < table.columns().size(); k++) {
            values.add(RexInputRef.of(k, relTable.getRowType()));
            texts.add(ShippedText.of(RexShipper.name(table.columns().get(k))));
        }
        ScanSpec spec = new ScanSpec(List.of(), List.of(), values, texts, null, List.of(), null, null);
        RelTraitSet traits = cluster.traitSetOf(Convention.NONE);
        return new SddsScan(cluster, traits, relTable, table, spec, relTable.getRowType());
    }

    /** The same table with another query. */
    SddsScan with(ScanSpec other, RelDataType type) {
        RelTraitSet traits = getCluster().traitSetOf(Convention.NONE).replace(RelCollations.of(other.order()));
        return new SddsScan(getCluster(), traits, relTable, table, other, type);
    }

    SddsTable table() {
        return table;
    }

    ScanSpec spec() {
        return spec;
    }

    /** Writes expressions over the columns of the table for bricks. */
    RexShipper shipper() {
        return new RexShipper(getCluster().getRexBuilder(), table.columns());
    }

    /** The same scan as an operator that runs. */
    RunnableScan runnable() {
        return new RunnableScan(
                getCluster(), getTraitSet().replace(EnumerableConvention.INSTANCE), relTable, table, spec, rowType);
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
        super.explainTerms(writer).item("table", table.name());
        KeyLookup lookup = spec.lookup();
        if (lookup != null) {
            return writer.item("keys", lookup);
        }
        ShippedText where = spec.whereText();
        return writer.itemIf("where", String.valueOf(where), where != null)
                .itemIf("groupBy", spec.groupText(), spec.isGrouped())
                .item("select", spec.selectText())
                .itemIf("orderBy", spec.orderText(), !spec.order().isEmpty())
                .itemIf("limit", String.valueOf(spec.limit()), spec.limit() != null);
    }

    @Override
    public double estimateRowCount(RelMetadataQuery mq) {
        KeyLookup lookup = spec.lookup();
        if (lookup != null) {
            return lookup.values().size();
        }
        RexNode condition = RexUtil.composeConjunction(getCluster().getRexBuilder(), spec.conditions());
        double rows = Math.max(1, table.records() * RelMdUtil.guessSelectivity(condition));
        if (spec.groups() != null) {
            rows = spec.groups().isEmpty() ? 1 : Math.max(1, rows * GROUPS_PART);
        }
        return spec.limit() == null ? rows : Math.min(rows, LIMITED_ROWS);
    }

    @Override
    public RelOptCost computeSelfCost(RelOptPlanner planner, RelMetadataQuery mq) {
        double rows = estimateRowCount(mq);
        if (spec.lookup() != null) {
            return planner.getCostFactory().makeCost(rows * LOOKUP_COST, rows * LOOKUP_COST, 0);
        }
        double width = 1 + rowType.getFieldCount() / 100.0;
        double cost = rows * width + Math.max(1, table.records()) * LOOK_COST;
        cost = spec.limit() == null ? cost : cost * LIMITED_PART;
        return planner.getCostFactory().makeCost(cost, cost, 0);
    }
}
