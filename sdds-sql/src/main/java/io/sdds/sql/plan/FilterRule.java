package io.sdds.sql.plan;

import io.sdds.client.internal.query.lang.Expression;
import io.sdds.sql.run.ScanRun;
import io.sdds.sql.shipped.KeyLookup;
import io.sdds.sql.shipped.RexShipper;
import io.sdds.sql.shipped.ScanSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.plan.RelOptRuleCall;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexUtil;
import org.jspecify.annotations.Nullable;

/** Conditions that bricks can test go into the scan; the others stay above. */
final class FilterRule extends SddsRule {
    private final boolean isChange;

    /**
     * @param isChange whether the statement that is planned is an UPDATE or DELETE, whose bricks test all conditions
     */
    FilterRule(boolean isChange) {
        super(LogicalFilter.class, "SddsFilter");
        this.isChange = isChange;
    }

    @Override
    public void onMatch(RelOptRuleCall call) {
        LogicalFilter filter = call.rel(0);
        SddsScan scan = call.rel(1);
        ScanSpec spec = scan.spec();
        List<RexNode> values = spec.values();
        if (values == null || spec.isComplete()) {
            return;
        }
        KeyLookup keys = isChange ? null : keys(filter, scan, values);
        if (keys != null) {
            lookUp(call, scan, keys, values);
            return;
        }
        RexShipper shipper = scan.shipper();
        List<RexNode> shipped = new ArrayList<>();
        List<Expression> conditions = new ArrayList<>();
        List<RexNode> rest = new ArrayList<>();
        for (RexNode condition : RelOptUtil.conjunctions(filter.getCondition())) {
            RexNode ofColumns = overColumns(condition, values);
            Expression tested = shipper.ship(ofColumns);
            if (tested != null
                    && ScanRun.problem(scan.table(), spec.withConditions(List.of(ofColumns), List.of(tested)))
                            == null) {
                shipped.add(ofColumns);
                conditions.add(tested);
            } else {
                rest.add(condition);
            }
        }
        if (shipped.isEmpty()) {
            return;
        }
        ScanSpec filtered = spec.withConditions(shipped, conditions);
        if (ScanRun.problem(scan.table(), filtered) != null) {
            return;
        }
        RexBuilder rex = filter.getCluster().getRexBuilder();
        RelNode below = scan.with(filtered, scan.getRowType());
        call.transformTo(rest.isEmpty() ? below : LogicalFilter.create(below, RexUtil.composeConjunction(rex, rest)));
    }

    /** The keys that a condition leaves; null: it leaves others. */
    private static @Nullable KeyLookup keys(LogicalFilter filter, SddsScan scan, List<RexNode> values) {
        if (!scan.spec().conditions().isEmpty()) {
            return null;
        }
        RexBuilder rex = filter.getCluster().getRexBuilder();
        return KeyLookup.of(scan.table(), RelOptUtil.conjunctions(overColumns(filter.getCondition(), values)), rex);
    }

    /** Reads the records of keys, if the condition says no more than these. */
    private static void lookUp(RelOptRuleCall call, SddsScan scan, KeyLookup keys, List<RexNode> values) {
        LogicalFilter filter = call.rel(0);
        if (RelOptUtil.conjunctions(filter.getCondition()).size()
                == scan.table().keys().size()) {
            RelNode records = scan.with(ScanSpec.of(keys), scan.getTable().getRowType());
            call.transformTo(LogicalProject.create(
                    records, List.of(), values, scan.getRowType().getFieldNames(), Set.of()));
        }
    }

    /** An expression over the result of a scan as one over the columns of the table. */
    static RexNode overColumns(RexNode node, List<RexNode> values) {
        return node.accept(new RexShuttle() {
            @Override
            public RexNode visitInputRef(RexInputRef ref) {
                return values.get(ref.getIndex());
            }
        });
    }
}
