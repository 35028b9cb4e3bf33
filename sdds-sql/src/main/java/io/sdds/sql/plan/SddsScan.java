package io.sdds.sql.plan;

import io.sdds.core.row.ValueType;
import io.sdds.sql.schema.ColumnEstimates;
import io.sdds.sql.schema.SddsTable;
import io.sdds.sql.shipped.KeyLookup;
import io.sdds.sql.shipped.RexShipper;
import io.sdds.sql.shipped.ScanSpec;
import io.sdds.sql.shipped.ShippedText;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.adapter.enumerable.EnumerableConvention;
import org.apache.calcite.plan.Convention;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelOptCost;
import org.apache.calcite.plan.RelOptPlanner;
import org.apache.calcite.plan.RelOptTable;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.AbstractRelNode;
import org.apache.calcite.rel.RelCollation;
import org.apache.calcite.rel.RelCollations;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.metadata.RelColumnOrigin;
import org.apache.calcite.rel.metadata.RelMetadataQuery;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.util.ImmutableBitSet;
import org.jspecify.annotations.Nullable;

/**
 * The one leaf of plans: a query that bricks evaluate. Rules fold into the leaf what its program can do; the rest of a
 * statement stays above, at the client. Rules see logical scans, and {@link ScanRule} makes them run. Code that the
 * engine generates tells the class from others, so that it is public.
 */
public class SddsScan extends AbstractRelNode {
    /** The cost of a scan that a join runs is the join's; a small part of it chooses among equal scans. */
    private static final double SHIPPED_PART = 0.001;

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
    public static SddsScan whole(RelOptCluster cluster, RelOptTable relTable, SddsTable table) {
        List<RexNode> values = new ArrayList<>();
        List<ShippedText> texts = new ArrayList<>();
        for (int k = 0; k < table.columns().size(); k++) {
            values.add(RexInputRef.of(k, relTable.getRowType()));
            texts.add(ShippedText.of(RexShipper.name(table.columns().get(k))));
        }
        ScanSpec spec = new ScanSpec(List.of(), List.of(), values, texts, null, List.of(), null, null);
        RelTraitSet traits = cluster.traitSetOf(Convention.NONE).replace(order(table, spec));
        return new SddsScan(cluster, traits, relTable, table, spec, relTable.getRowType());
    }

    /** The same table with another query. */
    SddsScan with(ScanSpec other, RelDataType type) {
        RelTraitSet traits = getCluster().traitSetOf(Convention.NONE).replace(order(table, other));
        return new SddsScan(getCluster(), traits, relTable, table, other, type);
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

    // ---- for the planner

    /**
     * The columns of the result that are the key of the table; null: one of them is not there, or the key is hidden.
     */
    @Nullable
    ImmutableBitSet key() {
        List<RexNode> values = spec.values();
        if (table.keys().isEmpty()) {
            return null;
        }
        ImmutableBitSet.Builder key = ImmutableBitSet.builder();
        for (int column : table.keys()) {
            int at = values == null ? -1 : columnOf(values, column);
            if (at < 0) {
                return null;
            }
            key.set(at);
        }
        return key.build();
    }

    /** The column of the table that a column of the result is; null: it is computed. */
    @Nullable
    Set<RelColumnOrigin> origin(int column) {
        List<RexNode> values = spec.values();
        return values != null && values.get(column) instanceof RexInputRef ref
                ? Set.of(new RelColumnOrigin(relTable, ref.getIndex(), false))
                : null;
    }

    public ColumnEstimates statistics() {
        return table.estimates();
    }

    RexBuilder rex() {
        return getCluster().getRexBuilder();
    }

    // ---- what it is

    public SddsTable table() {
        return table;
    }

    public ScanSpec spec() {
        return spec;
    }

    /** Writes expressions over the columns of the table for bricks. */
    public RexShipper shipper() {
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
            return writer.item("keys", lookup.toString());
        }
        ShippedText where = spec.whereText();
        return writer.itemIf("where", String.valueOf(where), where != null)
                .itemIf("groupBy", String.valueOf(spec.groupText()), spec.isGrouped())
                .item("select", spec.selectText().toString())
                .itemIf("orderBy", spec.orderText(), !spec.order().isEmpty())
                .itemIf("limit", String.valueOf(spec.limit()), spec.limit() != null)
                .itemIf("rows", Estimates.shown(writer, this), Estimates.isShown(writer, this));
    }

    @Override
    public double estimateRowCount(RelMetadataQuery mq) {
        KeyLookup lookup = spec.lookup();
        if (lookup != null) {
            return lookup.values().size();
        }
        RexNode condition = RexUtil.composeConjunction(getCluster().getRexBuilder(), spec.conditions());
        double rows = Math.max(1, table.records() * statistics().selectivity(condition, rex()));
        if (spec.groups() != null) {
            rows = spec.groups().isEmpty() ? 1 : Math.max(1, rows * GROUPS_PART);
        }
        return spec.limit() == null ? rows : Math.min(rows, LIMITED_ROWS);
    }

    /** Records of the table, one at least. */
    public double rowsOfTable() {
        return Math.max(1, table.records());
    }

    /** The cost of a row that comes to the client. */
    public double rowCost() {
        return Costs.SHIPPED_ROW + rowType.getFieldCount() * Costs.COLUMN;
    }

    @Override
    public RelOptCost computeSelfCost(RelOptPlanner planner, RelMetadataQuery mq) {
        double rows = mq.getRowCount(this);
        if (spec.lookup() != null) {
            return planner.getCostFactory().makeCost(rows * LOOKUP_COST, rows * LOOKUP_COST, 0);
        }
        double cost = rows * rowCost() + rowsOfTable() * Costs.LOOKED_AT;
        cost += spec.order().isEmpty() ? 0 : rows * Costs.SORTED_ROW;
        cost = spec.limit() == null ? cost : cost * LIMITED_PART;
        cost = getConvention() == ShippedScanRule.SHIPPED ? cost * SHIPPED_PART : cost;
        return planner.getCostFactory().makeCost(cost, cost, 0);
    }
}
