package io.sdds.sql.plan;

import io.sdds.sql.run.ScanRun;
import io.sdds.sql.shipped.RexShipper;
import io.sdds.sql.shipped.ScanLimit;
import io.sdds.sql.shipped.ScanSpec;
import java.util.List;
import org.apache.calcite.plan.RelOptRuleCall;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rel.logical.LogicalSort;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.type.SqlTypeName;

/**
 * Bricks send the first rows of an order. Texts are ordered by code points. The rows that OFFSET skips are skipped by
 * the client.
 */
final class SortRule extends SddsRule {
    SortRule() {
        super(LogicalSort.class, "SddsSort");
    }

    @Override
    public void onMatch(RelOptRuleCall call) {
        LogicalSort sort = call.rel(0);
        SddsScan scan = call.rel(1);
        List<RelFieldCollation> order = sort.getCollation().getFieldCollations();
        if (scan.spec().isComplete() || !isShipped(order, scan.getRowType())) {
            return;
        }
        if (sort.fetch == null && sort.offset == null && scan.isOrderedAs(sort)) {
            call.transformTo(scan);
            return;
        }
        RexNode fetch = sort.fetch;
        ScanLimit limit = fetch == null ? null : ScanLimit.of(fetch, sort.offset);
        if (fetch != null && limit == null) {
            return;
        }
        ScanSpec sorted = scan.spec().withOrder(order, limit);
        if (ScanRun.problem(scan.table(), sorted) != null) {
            return;
        }
        SddsScan below = scan.with(sorted, scan.getRowType());
        call.transformTo(
                sort.offset == null ? below : LogicalSort.create(below, sort.getCollation(), sort.offset, sort.fetch));
    }

    private static boolean isShipped(List<RelFieldCollation> order, RelDataType type) {
        for (RelFieldCollation by : order) {
            RelDataType field = type.getFieldList().get(by.getFieldIndex()).getType();
            boolean isOrdered = !RexShipper.isTime(field) && field.getSqlTypeName() != SqlTypeName.UUID;
            boolean isPlain = by.direction == RelFieldCollation.Direction.ASCENDING
                    || by.direction == RelFieldCollation.Direction.DESCENDING;
            if (!isOrdered || !isPlain) {
                return false;
            }
        }
        return true;
    }
}
