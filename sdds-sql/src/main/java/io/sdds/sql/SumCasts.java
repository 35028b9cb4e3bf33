package io.sdds.sql;

import java.util.ArrayList;
import java.util.List;
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
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.tools.Program;
import org.apache.calcite.tools.Programs;

/**
 * Sums of integers are decimal numbers here. The engine's code adds up only numbers that have the type of the sum, so
 * that the integers are cast first.
 */
final class SumCasts extends RelHomogeneousShuttle {
    private SumCasts() {}

    /** A program that casts, and then does what another program does. */
    static Program before(Program other) {
        Program cast = (planner, rel, traits, materializations, lattices) -> rel.accept(new SumCasts());
        return Programs.sequence(Programs.subQuery(TableMetadata.PROVIDER), cast, other);
    }

    /** The number in a cast that this class has made. */
    static RexNode uncast(RexNode node) {
        boolean isCast = node.getKind() == SqlKind.CAST && SqlTypeUtil.isDecimal(node.getType());
        RexNode operand = isCast ? ((RexCall) node).getOperands().get(0) : node;
        return isInteger(operand.getType()) ? operand : node;
    }

    private static boolean isInteger(RelDataType type) {
        SqlTypeName name = type.getSqlTypeName();
        return name == SqlTypeName.INTEGER || name == SqlTypeName.BIGINT;
    }

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
            if (!isSumOfIntegers(call, input)) {
                calls.add(call);
                continue;
            }
            RelDataType type = rex.getTypeFactory()
                    .createTypeWithNullability(
                            call.getType(),
                            nodes.get(call.getArgList().get(0)).getType().isNullable());
            nodes.add(
                    rex.makeCast(decimal(rex, type), nodes.get(call.getArgList().get(0))));
            names.add("sum$" + nodes.size());
            calls.add(call.withArgList(List.of(nodes.size() - 1)));
        }
        RelNode below = nodes.size() == input.getRowType().getFieldCount()
                ? input
                : LogicalProject.create(input, List.of(), nodes, names, java.util.Set.of());
        return aggregate.copy(aggregate.getTraitSet(), below, aggregate.getGroupSet(), aggregate.getGroupSets(), calls);
    }

    private static RelDataType decimal(RexBuilder rex, RelDataType type) {
        RelDataType whole = rex.getTypeFactory().createSqlType(SqlTypeName.DECIMAL, type.getPrecision(), 0);
        return rex.getTypeFactory().createTypeWithNullability(whole, type.isNullable());
    }

    private static boolean isSumOfIntegers(AggregateCall call, RelNode input) {
        SqlKind kind = call.getAggregation().getKind();
        boolean adds = kind == SqlKind.SUM || kind == SqlKind.SUM0 || kind == SqlKind.AVG;
        return adds
                && SqlTypeUtil.isDecimal(call.getType())
                && isInteger(input.getRowType()
                        .getFieldList()
                        .get(call.getArgList().get(0))
                        .getType());
    }
}
