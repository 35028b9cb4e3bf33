package io.sdds.sql.join;

import io.sdds.sql.plan.SumCasts;
import io.sdds.sql.schema.SddsTypeSystem;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelCollations;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.metadata.RelMetadataQuery;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlAggFunction;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.util.ImmutableBitSet;
import org.jspecify.annotations.Nullable;

/**
 * An aggregate of an inner join as an aggregate of a join of partial aggregates. A group of one side stands for as many
 * rows as it has, so that sums and counts of the other side are multiplied by this number.
 */
final class AggregateSplit {
    /** Digits of a number of which ten thousand millions can be added up exactly. */
    private static final int SUMMED_DIGITS_MAX = 28;

    private final LogicalAggregate aggregate;
    private final List<RexNode> columns;
    private final Join join;
    private final RelMetadataQuery mq;
    private final RexBuilder rex;
    private final int leftWidth;
    private final AggregateSide left;
    private final AggregateSide right;
    private final RelDataType count;

    /**
     * A column that the aggregate reads.
     *
     * @param isLeft of which side it is
     * @param at its place among the columns of the side
     */
    private record Place(boolean isLeft, int at) {}

    /** @param columns what the aggregate reads, over the columns of the join */
    AggregateSplit(LogicalAggregate aggregate, List<RexNode> columns, Join join, RelMetadataQuery mq) {
        this.aggregate = aggregate;
        this.columns = columns;
        this.join = join;
        this.mq = mq;
        this.rex = aggregate.getCluster().getRexBuilder();
        this.leftWidth = join.getLeft().getRowType().getFieldCount();
        this.left = new AggregateSide(join.getLeft(), join.analyzeCondition().leftKeys);
        this.right = new AggregateSide(join.getRight(), join.analyzeCondition().rightKeys);
        this.count = rex.getTypeFactory()
                .createSqlType(SqlTypeName.DECIMAL, SddsTypeSystem.INSTANCE.getMaxPrecision(SqlTypeName.DECIMAL), 0);
    }

    /**
     * Returns the plan with partial aggregates. Null: the aggregate cannot be split, or as many rows would be joined.
     */
    @Nullable
    RelNode result() {
        List<Place> groups = new ArrayList<>();
        for (int group : aggregate.getGroupSet()) {
            Place place = placeOfGroup(columns.get(group));
            if (place == null) {
                return null;
            }
            groups.add(place);
        }
        left.decide(mq);
        right.decide(mq);
        if (!left.isAggregated() && !right.isAggregated()) {
            return null;
        }
        List<@Nullable Place> values = new ArrayList<>();
        for (AggregateCall call : aggregate.getAggCallList()) {
            if (!isSplittable(call)) {
                return null;
            }
            values.add(call.getArgList().isEmpty() ? null : placeOfValue(call));
        }
        return above(joined(), groups, values);
    }

    // ---- what can be split

    private boolean isSplittable(AggregateCall call) {
        if (call.isDistinct() || call.hasFilter() || call.isApproximate() || call.hasCollation()) {
            return false;
        }
        SqlKind kind = call.getAggregation().getKind();
        if (call.getArgList().isEmpty()) {
            return kind == SqlKind.COUNT;
        }
        RexNode argument = columns.get(call.getArgList().get(0));
        boolean isKnown = kind == SqlKind.COUNT
                || kind == SqlKind.MIN
                || kind == SqlKind.MAX
                || kind == SqlKind.SUM && isSummed(call.getType(), argument);
        return isKnown && call.getArgList().size() == 1 && side(argument) != null && isSafe(argument);
    }

    /** Sums of parts have more digits than the whole if signs differ, so that there has to be room. */
    private static boolean isSummed(RelDataType sum, RexNode argument) {
        if (sum.getSqlTypeName() == SqlTypeName.DOUBLE) {
            return true;
        }
        return SqlTypeUtil.isExactNumeric(sum)
                && SumCasts.digits(SumCasts.uncast(argument).getType()) <= SUMMED_DIGITS_MAX;
    }

    /** Whether it fails for no row: rows without a match are computed, too. */
    private static boolean isSafe(RexNode node) {
        if (node instanceof RexInputRef || node instanceof RexLiteral) {
            return true;
        }
        RexNode number = SumCasts.uncast(node);
        return number != node && isSafe(number) || isSafeArithmetic(node);
    }

    private static boolean isSafeArithmetic(RexNode node) {
        boolean isKnown = switch (node.getKind()) {
            case PLUS, MINUS, TIMES, CHECKED_PLUS, CHECKED_MINUS, CHECKED_TIMES -> true;
            default -> false;
        };
        RelDataType type = node.getType();
        boolean hasRoom = SqlTypeUtil.isDecimal(type) && type.getPrecision() <= SUMMED_DIGITS_MAX;
        return isKnown && hasRoom && ((RexCall) node).getOperands().stream().allMatch(AggregateSplit::isSafe);
    }

    /** Whether the columns of an expression are all of the left side, or all of the right one; null: neither. */
    private @Nullable Boolean side(RexNode node) {
        ImmutableBitSet read = RelOptUtil.InputFinder.bits(node);
        if (read.isEmpty() || read.nth(read.cardinality() - 1) < leftWidth) {
            return true;
        }
        return read.nth(0) >= leftWidth ? false : null;
    }

    private @Nullable Place placeOfGroup(RexNode node) {
        Boolean isLeft = side(node);
        if (isLeft == null || !isSafe(node)) {
            return null;
        }
        return new Place(isLeft, of(isLeft).addGroup(overSide(node, isLeft)));
    }

    private Place placeOfValue(AggregateCall call) {
        RexNode node = columns.get(call.getArgList().get(0));
        boolean isLeft = Boolean.TRUE.equals(side(node));
        return new Place(isLeft, of(isLeft).addValue(call.getAggregation(), overSide(node, isLeft)));
    }

    private AggregateSide of(boolean isLeft) {
        return isLeft ? left : right;
    }

    private RexNode overSide(RexNode node, boolean isLeft) {
        return isLeft ? node : RexUtil.shift(node, -leftWidth);
    }

    // ---- what it becomes

    private LogicalJoin joined() {
        RelNode leftRows = left.rows();
        RelNode rightRows = right.rows();
        int width = leftRows.getRowType().getFieldCount();
        List<RexNode> equalities = new ArrayList<>();
        for (int k = 0; k < join.analyzeCondition().leftKeys.size(); k++) {
            equalities.add(rex.makeCall(
                    SqlStdOperatorTable.EQUALS,
                    RexInputRef.of(k, leftRows.getRowType()),
                    new RexInputRef(
                            width + k,
                            rightRows.getRowType().getFieldList().get(k).getType())));
        }
        RexNode condition = RexUtil.composeConjunction(rex, equalities);
        return LogicalJoin.create(leftRows, rightRows, List.of(), condition, Set.of(), JoinRelType.INNER);
    }

    private RelNode above(LogicalJoin pairs, List<Place> groups, List<@Nullable Place> values) {
        List<RexNode> nodes = new ArrayList<>();
        groups.forEach(group -> nodes.add(column(pairs, group)));
        List<AggregateCall> all = aggregate.getAggCallList();
        for (int k = 0; k < all.size(); k++) {
            nodes.add(value(pairs, all.get(k), values.get(k)));
        }
        RelNode weighted = LogicalProject.create(pairs, List.of(), nodes, (List<String>) null, Set.of());
        List<AggregateCall> totals = new ArrayList<>();
        for (int k = 0; k < all.size(); k++) {
            SqlAggFunction function = all.get(k).getAggregation();
            totals.add(call(
                    function.getKind() == SqlKind.COUNT ? SqlStdOperatorTable.SUM0 : function,
                    List.of(groups.size() + k),
                    groups.isEmpty(),
                    weighted));
        }
        RelNode total =
                LogicalAggregate.create(weighted, List.of(), ImmutableBitSet.range(groups.size()), null, totals);
        return RelOptUtil.createCastRel(total, aggregate.getRowType(), true);
    }

    /** The call of an aggregate function, of the type that the function has. */
    static AggregateCall call(SqlAggFunction function, List<Integer> arguments, boolean isWhole, RelNode of) {
        return AggregateCall.create(
                function,
                false,
                false,
                false,
                List.of(),
                arguments,
                -1,
                null,
                RelCollations.EMPTY,
                isWhole,
                of,
                null,
                null);
    }

    /** Returns the expression that a pair of rows adds to an aggregate. */
    private RexNode value(LogicalJoin pairs, AggregateCall call, @Nullable Place place) {
        if (place == null) {
            return product(weight(pairs, true), weight(pairs, false));
        }
        RexNode own = column(pairs, place);
        return switch (call.getAggregation().getKind()) {
            case COUNT -> product(counted(own, place), weight(pairs, !place.isLeft()));
            case SUM -> summed(call.getType(), own, weight(pairs, !place.isLeft()));
            default -> own;
        };
    }

    private RexNode counted(RexNode own, Place place) {
        if (of(place.isLeft()).isAggregated()) {
            return rex.makeCast(count, own);
        }
        RexNode one = rex.makeLiteral(java.math.BigDecimal.ONE, count, false);
        RexNode none = rex.makeLiteral(java.math.BigDecimal.ZERO, count, false);
        return rex.makeCall(SqlStdOperatorTable.CASE, rex.makeCall(SqlStdOperatorTable.IS_NULL, own), none, one);
    }

    /** A sum of INTEGER, which is BIGINT, is added up in more digits. */
    private RexNode summed(RelDataType result, RexNode own, @Nullable RexNode weight) {
        RelDataType type = result.getSqlTypeName() == SqlTypeName.BIGINT ? count : result;
        RelDataType sum = rex.getTypeFactory()
                .createTypeWithNullability(type, own.getType().isNullable());
        RexNode number = rex.ensureType(sum, own, true);
        if (weight == null) {
            return number;
        }
        RelDataType factor = rex.getTypeFactory().createTypeWithNullability(type, false);
        boolean isDouble = type.getSqlTypeName() == SqlTypeName.DOUBLE;
        return rex.makeCall(
                sum, SqlStdOperatorTable.MULTIPLY, List.of(number, isDouble ? rex.makeCast(factor, weight) : weight));
    }

    private RexNode product(@Nullable RexNode one, @Nullable RexNode other) {
        if (one == null) {
            return java.util.Objects.requireNonNull(other, "no side is aggregated");
        }
        return other == null ? one : rex.makeCall(count, SqlStdOperatorTable.MULTIPLY, List.of(one, other));
    }

    /** For how many rows a row of a side stands; null: for itself. */
    private @Nullable RexNode weight(LogicalJoin pairs, boolean isLeft) {
        return of(isLeft).isAggregated()
                ? rex.makeCast(count, column(pairs, new Place(isLeft, of(isLeft).count())))
                : null;
    }

    private static RexNode column(LogicalJoin pairs, Place place) {
        int at = place.isLeft() ? place.at() : pairs.getLeft().getRowType().getFieldCount() + place.at();
        return RexInputRef.of(at, pairs.getRowType());
    }
}
