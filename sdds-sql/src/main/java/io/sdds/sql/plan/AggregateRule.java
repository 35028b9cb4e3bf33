package io.sdds.sql.plan;

import io.sdds.sql.run.ScanRun;
import io.sdds.sql.shipped.ScanSpec;
import io.sdds.sql.shipped.ShippedText;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.plan.RelOptRuleCall;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexVisitorImpl;
import org.apache.calcite.sql.type.SqlTypeName;
import org.jspecify.annotations.Nullable;

/** Bricks add up groups, and the client merges what the bricks answer. */
final class AggregateRule extends SddsRule {
    AggregateRule() {
        super(LogicalAggregate.class, "SddsAggregate");
    }

    @Override
    public void onMatch(RelOptRuleCall call) {
        LogicalAggregate aggregate = call.rel(0);
        SddsScan scan = call.rel(1);
        ScanSpec spec = scan.spec();
        List<RexNode> values = spec.values();
        if (values == null || spec.isComplete() || aggregate.getGroupType() != Aggregate.Group.SIMPLE) {
            return;
        }
        List<ShippedText> keys = new ArrayList<>();
        List<ShippedText> columns = new ArrayList<>();
        for (int key : aggregate.getGroupSet()) {
            ShippedText text = scan.shipper().ship(values.get(key));
            if (text == null) {
                return;
            }
            columns.add(ShippedText.of(ScanSpec.group(keys.size())));
            keys.add(text);
        }
        for (AggregateCall function : aggregate.getAggCallList()) {
            ShippedText text = shipped(function, scan, values);
            if (text == null) {
                return;
            }
            columns.add(text);
        }
        ScanSpec grouped = spec.withGroups(keys, columns);
        if (!columns.isEmpty() && ScanRun.problem(scan.table(), grouped) == null) {
            call.transformTo(scan.with(grouped, aggregate.getRowType()));
        }
    }

    private static @Nullable ShippedText shipped(AggregateCall function, SddsScan scan, List<RexNode> values) {
        if (function.isDistinct() || function.hasFilter() || function.isApproximate() || function.hasCollation()) {
            return null;
        }
        if (function.getArgList().isEmpty()) {
            return function.getAggregation().getName().equals("COUNT") ? ShippedText.of(ScanSpec.COUNT) : null;
        }
        if (function.getArgList().size() > 1) {
            return null;
        }
        RexNode argument = values.get(function.getArgList().get(0));
        if (argument.getType().getSqlTypeName() == SqlTypeName.DECIMAL && hasParameter(argument)) {
            return null; // the result may have more digits than its type
        }
        String name = name(function, argument.getType());
        ShippedText text = name == null ? null : argument(scan, argument, name);
        return text == null ? null : ShippedText.of(name + "(").add(text).add(")");
    }

    private static boolean hasParameter(RexNode node) {
        boolean[] has = {false};
        node.accept(new RexVisitorImpl<@Nullable Void>(true) {
            @Override
            public @Nullable Void visitDynamicParam(RexDynamicParam parameter) {
                has[0] = true;
                return null;
            }
        });
        return has[0];
    }

    /** Cutting times to milliseconds keeps their order, so that the smallest of them may be cut at the client. */
    private static @Nullable ShippedText argument(SddsScan scan, RexNode argument, String name) {
        boolean adds = name.equals("sum") || name.equals("avg");
        return adds ? scan.shipper().ship(argument) : scan.shipper().shipOutput(argument);
    }

    private static @Nullable String name(AggregateCall function, RelDataType argument) {
        return switch (function.getAggregation().getName()) {
            case "COUNT" -> "count";
            case "SUM" -> "sum";
            case "AVG" -> "avg";
            case "MIN" -> isOrdered(argument) ? "min" : null;
            case "MAX" -> isOrdered(argument) ? "max" : null;
            default -> null;
        };
    }

    private static boolean isOrdered(RelDataType type) {
        return type.getSqlTypeName() != SqlTypeName.BOOLEAN && type.getSqlTypeName() != SqlTypeName.UUID;
    }
}
