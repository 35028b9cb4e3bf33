package io.sdds.sql.schema;

import io.sdds.client.TableStatistics;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.metadata.RelMdUtil;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.jspecify.annotations.Nullable;

/**
 * How many records meet conditions over the columns of a table, and how many values columns have. What ANALYZE has not
 * found out is guessed. Columns are taken for independent, and the values of a column for evenly spread.
 */
public final class ColumnEstimates {
    /** The part of the records of a table that has different values in a column of which nothing is known. */
    private static final double DISTINCT_PART = 0.1;

    /** The part of the records that have NULL in a column of which nothing is known. */
    private static final double NULLS_PART = 0.1;

    private final SddsTable table;
    private final Map<String, TableStatistics.Column> columns = new HashMap<>();

    /** @param statistics null: the table was not analyzed */
    ColumnEstimates(SddsTable table, @Nullable TableStatistics statistics) {
        this.table = table;
        if (statistics != null) {
            statistics.columns().forEach(column -> columns.put(column.name(), column));
        }
    }

    /** Whether ANALYZE has counted the values of columns. */
    public boolean isAnalyzed() {
        return !columns.isEmpty();
    }

    /** The number of different values of a column. */
    public double distinct(int column) {
        double rows = Math.max(1, table.records());
        if (table.keys().equals(List.of(column))) {
            return rows;
        }
        TableStatistics.Column known = columns.get(table.columns().get(column).name());
        return known == null ? Math.max(1, rows * DISTINCT_PART) : Math.max(1, known.distinct());
    }

    /** The number of different values of an expression. */
    public double distinct(RexNode value) {
        if (value instanceof RexInputRef ref) {
            return distinct(ref.getIndex());
        }
        double rows = Math.max(1, table.records());
        return value instanceof RexLiteral ? 1 : Math.max(1, rows * DISTINCT_PART);
    }

    private TableStatistics.@Nullable Column column(RexInputRef ref) {
        return columns.get(table.columns().get(ref.getIndex()).name());
    }

    /** The part of the records that meet a condition. */
    public double selectivity(RexNode condition, RexBuilder rex) {
        return of(RexUtil.expandSearch(rex, null, condition));
    }

    /** About how many rows of the table meet conditions. */
    public long rows(List<RexNode> conditions, RexBuilder rex) {
        return (long) Math.ceil(table.records() * selectivity(RexUtil.composeConjunction(rex, conditions), rex));
    }

    private double of(RexNode condition) {
        return switch (condition.getKind()) {
            case AND -> conjunction(RelOptUtil.conjunctions(condition));
            case OR -> {
                double none = 1;
                for (RexNode part : ((RexCall) condition).getOperands()) {
                    none *= 1 - of(part);
                }
                yield 1 - none;
            }
            case NOT -> 1 - of(((RexCall) condition).getOperands().get(0));
            case EQUALS -> equality((RexCall) condition);
            case NOT_EQUALS -> 1 - equality((RexCall) condition);
            case IS_NULL -> nulls(((RexCall) condition).getOperands().get(0));
            case IS_NOT_NULL -> 1 - nulls(((RexCall) condition).getOperands().get(0));
            case LESS_THAN, LESS_THAN_OR_EQUAL, GREATER_THAN, GREATER_THAN_OR_EQUAL -> conjunction(List.of(condition));
            default -> RelMdUtil.guessSelectivity(condition);
        };
    }

    private double equality(RexCall call) {
        RexNode left = call.getOperands().get(0);
        RexNode right = call.getOperands().get(1);
        return Math.min(1, 1 / Math.max(distinct(left), distinct(right)));
    }

    private double nulls(RexNode value) {
        TableStatistics.Column known = value instanceof RexInputRef ref ? column(ref) : null;
        return known == null ? NULLS_PART : known.nulls();
    }

    /** Bounds of one column are taken together: of {@code a > 3 and a < 5} the second does not halve again. */
    private double conjunction(List<RexNode> parts) {
        double part = 1;
        Map<Integer, double[]> bounds = new HashMap<>();
        for (RexNode condition : parts) {
            if (!bound(condition, bounds)) {
                part *= condition.isA(SqlKind.COMPARISON) && !condition.isA(List.of(SqlKind.EQUALS, SqlKind.NOT_EQUALS))
                        ? RelMdUtil.guessSelectivity(condition)
                        : of(condition);
            }
        }
        double least = 1 / Math.max(1.0, (double) table.records());
        for (double[] both : bounds.values()) {
            part *= Math.max(least, both[1] - both[0]);
        }
        return part;
    }

    /** Notes where a comparison with a constant cuts the values of a column, from 0 to 1. */
    private boolean bound(RexNode condition, Map<Integer, double[]> bounds) {
        SqlKind kind = condition.getKind();
        boolean isLess = kind == SqlKind.LESS_THAN || kind == SqlKind.LESS_THAN_OR_EQUAL;
        boolean isMore = kind == SqlKind.GREATER_THAN || kind == SqlKind.GREATER_THAN_OR_EQUAL;
        if (!isLess && !isMore) {
            return false;
        }
        RexNode left = ((RexCall) condition).getOperands().get(0);
        RexNode right = ((RexCall) condition).getOperands().get(1);
        boolean isTurned = left instanceof RexLiteral;
        RexNode name = isTurned ? right : left;
        RexNode constant = isTurned ? left : right;
        TableStatistics.Column known = name instanceof RexInputRef ref ? column(ref) : null;
        Double at = known == null ? null : position(known, constant);
        if (at == null) {
            return false;
        }
        double[] both = bounds.computeIfAbsent(((RexInputRef) name).getIndex(), some -> new double[] {0, 1});
        if (isLess != isTurned) {
            both[1] = Math.min(both[1], at);
        } else {
            both[0] = Math.max(both[0], at);
        }
        return true;
    }

    private static @Nullable Double position(TableStatistics.Column column, RexNode constant) {
        Double min = number(column.min());
        Double max = number(column.max());
        Double value = constant instanceof RexLiteral literal ? number(Literals.value(literal)) : null;
        if (min == null || max == null || value == null || max <= min) {
            return null;
        }
        return Math.max(0, Math.min(1, (value - min) / (max - min)));
    }

    private static @Nullable Double number(@Nullable Object value) {
        if (value instanceof LocalDate date) {
            return (double) date.toEpochDay();
        }
        if (value instanceof LocalDateTime time) {
            return (double) time.toInstant(ZoneOffset.UTC).toEpochMilli();
        }
        return value instanceof BigDecimal || value instanceof Number ? ((Number) value).doubleValue() : null;
    }
}
