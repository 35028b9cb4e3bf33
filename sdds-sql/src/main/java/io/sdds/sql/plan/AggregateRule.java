package io.sdds.sql.plan;

import io.sdds.client.internal.query.lang.Expression;
import io.sdds.sql.run.ScanRun;
import io.sdds.sql.shipped.ScanSpec;
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
        List<Expression> keys = new ArrayList<>();
        List<Expression> columns = new ArrayList<>();
        for (int key : aggregate.getGroupSet()) {
            Expression group = scan.shipper().ship(values.get(key));
            if (group == null) {
                return;
            }
            columns.add(group);
            keys.add(group);
        }
        for (AggregateCall function : aggregate.getAggCallList()) {
            Expression column = shipped(function, scan, values);
            if (column == null) {
                return;
            }
            columns.add(column);
        }
        ScanSpec grouped = spec.withGroups(keys, columns);
        if (!columns.isEmpty() && ScanRun.problem(scan.table(), grouped) == null) {
            call.transformTo(scan.with(grouped, aggregate.getRowType()));
        }
    }

    private static @Nullable Expression shipped(AggregateCall function, SddsScan scan, List<RexNode> values) {
        if (function.isDistinct() || function.hasFilter() || function.isApproximate() || function.hasCollation()) {
            return null;
        }
        if (function.getArgList().isEmpty()) {
            return function.getAggregation().getName().equals("COUNT") ? ScanSpec.COUNT : null;
        }
        if (function.getArgList().size() > 1) {
            return null;
        }
        RexNode argument = values.get(function.getArgList().get(0));
        if (argument.getType().getSqlTypeName() == SqlTypeName.DECIMAL && hasParameter(argument)) {
            return null; // the result may have more digits than its type
        }
        Expression.Function named = named(function, argument.getType());
        Expression operand = named == null ? null : argument(scan, argument, named);
        return named == null || operand == null ? null : new Expression.Aggregate(named, operand, Expression.NOWHERE);
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
    private static @Nullable Expression argument(SddsScan scan, RexNode argument, Expression.Function named) {
        boolean adds = named == Expression.Function.SUM || named == Expression.Function.AVG;
        return adds ? scan.shipper().ship(argument) : scan.shipper().shipOutput(argument);
    }

    private static Expression.@Nullable Function named(AggregateCall function, RelDataType argument) {
        return switch (function.getAggregation().getName()) {
            case "COUNT" -> Expression.Function.COUNT;
            case "SUM" -> Expression.Function.SUM;
            case "AVG" -> Expression.Function.AVG;
            case "MIN" -> isOrdered(argument) ? Expression.Function.MIN : null;
            case "MAX" -> isOrdered(argument) ? Expression.Function.MAX : null;
            default -> null;
        };
    }

    private static boolean isOrdered(RelDataType type) {
        return type.getSqlTypeName() != SqlTypeName.BOOLEAN && type.getSqlTypeName() != SqlTypeName.UUID;
    }
}
