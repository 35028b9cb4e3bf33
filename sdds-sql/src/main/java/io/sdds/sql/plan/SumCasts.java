package io.sdds.sql.plan;

import io.sdds.sql.schema.SddsTypeSystem;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexOver;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexWindow;
import org.apache.calcite.sql.SqlAggFunction;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.tools.Program;
import org.apache.calcite.tools.Programs;

/**
 * Sums of BIGINT, and averages and variances of all integers, are decimal numbers here. The engine's code adds up only
 * numbers that have the type of the sum, so that the integers are cast first.
 */
public final class SumCasts extends RelHomogeneousShuttle {
    private static final int INTEGER_DIGITS = 10;
    private static final int BIGINT_DIGITS = 19;

    private SumCasts() {}

    /** A program that casts, and then does what another program does. */
    public static Program before(Program other) {
        Program cast = (planner, rel, traits, materializations, lattices) -> rel.accept(new SumCasts());
        return Programs.sequence(Programs.subQuery(TableMetadata.PROVIDER), cast, other);
    }

    /** The number in a cast that this class has made, or in one like it, which cannot fail. */
    public static RexNode uncast(RexNode node) {
        if (node.getKind() != SqlKind.CAST || !SqlTypeUtil.isDecimal(node.getType())) {
            return node;
        }
        RexNode operand = ((RexCall) node).getOperands().get(0);
        int room = node.getType().getPrecision() - node.getType().getScale();
        return isInteger(operand.getType()) && digits(operand.getType()) <= room ? operand : node;
    }

    /** The most digits of an exact number. */
    public static int digits(RelDataType type) {
        return switch (type.getSqlTypeName()) {
            case INTEGER -> INTEGER_DIGITS;
            case BIGINT -> BIGINT_DIGITS;
            case DECIMAL -> type.getPrecision();
            default -> Integer.MAX_VALUE;
        };
    }

    private static boolean isInteger(RelDataType type) {
        return SqlTypeUtil.isExactNumeric(type) && !SqlTypeUtil.isDecimal(type);
    }

    private static boolean isDecimalSum(SqlAggFunction function, RelDataType result) {
        return SqlTypeUtil.isDecimal(result)
                && switch (function.getKind()) {
                    case SUM, SUM0, AVG, VAR_POP, VAR_SAMP, STDDEV_POP, STDDEV_SAMP -> true;
                    default -> false;
                };
    }

    /** An integer as a decimal number without a fraction. */
    private static RexNode cast(RexBuilder rex, RexNode integer) {
        RelDataType whole = SddsTypeSystem.decimal(rex.getTypeFactory(), 0, integer.getType());
        return rex.makeCast(whole, integer);
    }

    // ---- aggregates

    @Override
    public RelNode visit(LogicalAggregate aggregate) {
        RelNode input = aggregate.getInput().accept(this);
        RexBuilder rex = aggregate.getCluster().getRexBuilder();
        List<RexNode> nodes = new ArrayList<>();
        List<String> names = new ArrayList<>();
        for (RelDataTypeField field : input.getRowType().getFieldList()) {
            nodes.add(RexInputRef.of(field.getIndex(), input.getRowType()));
            names.add(field.getName());
        }
        List<AggregateCall> calls = new ArrayList<>();
        for (AggregateCall call : aggregate.getAggCallList()) {
            if (!isDecimalSum(call.getAggregation(), call.getType())
                    || !isInteger(nodes.get(call.getArgList().get(0)).getType())) {
                calls.add(call);
                continue;
            }
            nodes.add(cast(rex, nodes.get(call.getArgList().get(0))));
            names.add("sum$" + nodes.size());
            calls.add(call.withArgList(List.of(nodes.size() - 1)));
        }
        RelNode below = nodes.size() == input.getRowType().getFieldCount()
                ? input
                : LogicalProject.create(input, List.of(), nodes, names, Set.of());
        return aggregate.copy(aggregate.getTraitSet(), below, aggregate.getGroupSet(), aggregate.getGroupSets(), calls);
    }

    // ---- windows

    @Override
    public RelNode visit(RelNode other) {
        return super.visit(other).accept(new Windows(other.getCluster().getRexBuilder()));
    }

    /** Casts the operands of sums over windows. */
    private static final class Windows extends RexShuttle {
        private final RexBuilder rex;

        Windows(RexBuilder rex) {
            this.rex = rex;
        }

        @Override
        public RexNode visitOver(RexOver over) {
            if (!isDecimalSum(over.getAggOperator(), over.getType())
                    || !isInteger(over.getOperands().get(0).getType())) {
                return over;
            }
            RexWindow window = over.getWindow();
            return rex.makeOver(
                    over.getType(),
                    over.getAggOperator(),
                    List.of(cast(rex, over.getOperands().get(0))),
                    window.partitionKeys,
                    window.orderKeys,
                    window.getLowerBound(),
                    window.getUpperBound(),
                    window.getExclude(),
                    window.isRows(),
                    true,
                    false,
                    over.isDistinct(),
                    over.ignoreNulls());
        }
    }
}
