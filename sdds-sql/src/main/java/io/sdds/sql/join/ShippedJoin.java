package io.sdds.sql.join;

import io.sdds.sql.plan.Costs;
import io.sdds.sql.plan.SddsScan;
import io.sdds.sql.plan.ShippedScanRule;
import io.sdds.sql.run.RecordRows;
import io.sdds.sql.run.ScanRun;
import io.sdds.sql.schema.SqlTypes;
import io.sdds.sql.shipped.ShippedText;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.calcite.adapter.enumerable.EnumerableRelImplementor;
import org.apache.calcite.linq4j.tree.BlockBuilder;
import org.apache.calcite.linq4j.tree.Expression;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelOptCost;
import org.apache.calcite.plan.RelOptPlanner;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.plan.volcano.RelSubset;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.metadata.RelMetadataQuery;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.jspecify.annotations.Nullable;

/**
 * A join whose right side is a scan that bricks evaluate again and again, with keys of rows of the left side as a
 * further condition. The client joins what they answer, so that they may answer more rows than match.
 */
final class ShippedJoin extends SddsJoin {
    ShippedJoin(
            RelOptCluster cluster,
            RelTraitSet traits,
            RelNode left,
            RelNode right,
            RexNode condition,
            JoinRelType type,
            JoinHint hint) {
        super(cluster, traits, left, right, condition, type, hint);
    }

    @Override
    public Join copy(
            RelTraitSet traits,
            RexNode condition,
            RelNode left,
            RelNode right,
            JoinRelType type,
            boolean semiJoinDone) {
        return new ShippedJoin(getCluster(), traits, left, right, condition, type, hint());
    }

    /** Why a join cannot take keys to a scan; null: it can. */
    static @Nullable String problem(JoinHint.Form form, Join join, SddsScan scan) {
        if (join.getJoinType().generatesNullsOnLeft()) {
            return "it keeps rows of its right side";
        }
        if (form == JoinHint.Form.SEMI && join.getJoinType() == JoinRelType.ANTI) {
            return "it keeps rows that match none";
        }
        JoinKeys keys = JoinKeys.of(join);
        if (keys == null || !join.analyzeCondition().isEqui()) {
            return "its condition is no equality of columns, or more than that";
        }
        if (form == JoinHint.Form.LOOKUP) {
            return lookupKeys(scan, keys) == null
                    ? "its condition does not give the whole key of "
                            + scan.table().name()
                    : null;
        }
        if (!keys.haveRoom(join)) {
            return "bricks have too few digits to compare its keys";
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
    public RelOptCost computeSelfCost(RelOptPlanner planner, RelMetadataQuery mq) {
        double outer = mq.getRowCount(left);
        double joined = mq.getRowCount(this);
        SddsScan scan = scan(right);
        double inner = scan.rowsOfTable();
        double matching = Math.min(inner, joined);
        double cost = outer * Costs.KEPT_ROW
                + joined * Costs.JOINED_ROW
                + switch (hint().form()) {
                    case LOOKUP -> Costs.QUERY + outer * Costs.LOOKUP;
                    case SEMI ->
                        2 * Costs.QUERY
                                + outer * Costs.FILTERED_VALUE
                                + inner * Costs.LOOKED_AT
                                + (matching + inner * Costs.FALSE_POSITIVES) * (scan.rowCost() + Costs.PROBED_ROW);
                    default ->
                        Math.ceil(outer / hint().packetRows()) * (Costs.QUERY + inner * Costs.LOOKED_AT) + matching;
                };
        return planner.getCostFactory().makeCost(cost, cost, 0);
    }

    /** The scan, which is in a set of equal ones while a plan is sought. */
    private static SddsScan scan(RelNode node) {
        if (node instanceof RelSubset subset) {
            for (RelNode equal : subset.getRelList()) {
                if (equal instanceof SddsScan scan && scan.getConvention() == ShippedScanRule.SHIPPED) {
                    return scan;
                }
            }
        }
        return (SddsScan) node.stripped();
    }

    @Override
    public Result implement(EnumerableRelImplementor implementor, Prefer prefer) {
        BlockBuilder code = new BlockBuilder();
        Expression outer = rows(implementor, code, 0);
        return call(implementor, code, run(), JoinRun.class, outer, implementor.getRootExpression());
    }

    private JoinRun run() {
        SddsScan scan = (SddsScan) getRight();
        JoinKeys keys = keys();
        List<ShippedText> names = new ArrayList<>();
        List<RelDataType> types = new ArrayList<>();
        for (int k = 0; k < keys.right().size(); k++) {
            names.add(Objects.requireNonNull(text(scan, keys.right().get(k)), "a key that is not shipped"));
            types.add(getLeft()
                    .getRowType()
                    .getFieldList()
                    .get(keys.left().get(k))
                    .getType());
        }
        ScanRun inner = new ScanRun(scan.table(), scan.spec(), SqlTypes.ofFields(scan.getRowType()));
        return new JoinRun(
                hint(),
                shape(),
                inner,
                names,
                types,
                hint().form() == JoinHint.Form.LOOKUP ? lookup(scan, keys) : null);
    }

    private JoinLookup lookup(SddsScan scan, JoinKeys keys) {
        List<RexNode> values = Objects.requireNonNull(scan.spec().values());
        RelDataType row = scan.getTable().getRowType();
        return new JoinLookup(
                scan.table(),
                Objects.requireNonNull(lookupKeys(scan, keys)),
                SqlTypes.ofFields(row),
                new RecordRows(getCluster().getRexBuilder(), row, scan.spec().conditions(), values));
    }

    /** For each key column of the table the column of the left side that gives its value; null: one has none. */
    private static @Nullable List<Integer> lookupKeys(SddsScan scan, JoinKeys keys) {
        List<RexNode> values = Objects.requireNonNull(scan.spec().values());
        List<Integer> left = new ArrayList<>();
        for (int column : scan.table().keys()) {
            for (int k = 0; k < keys.right().size(); k++) {
                boolean isColumn =
                        values.get(keys.right().get(k)) instanceof RexInputRef ref && ref.getIndex() == column;
                boolean isExact = keys.kinds().get(k) == JoinKeys.Kind.SAME
                        || keys.kinds().get(k) == JoinKeys.Kind.WHOLE;
                if (isColumn && isExact) {
                    left.add(keys.left().get(k));
                    break;
                }
            }
        }
        return !left.isEmpty() && left.size() == scan.table().keys().size()
                ? left
                : null; // a hidden key has no columns
    }
}
