package io.sdds.sql.job;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.jspecify.annotations.Nullable;

/**
 * What a condition wants of a column, and values that may fulfil it. Values are texts, also those of numbers; null is
 * NULL.
 */
record Wish(Predicate<@Nullable String> isMet, List<String> values) {
    private static final String SOME = "something";

    /** @param condition a condition whose first operand is the column */
    static Wish of(SqlCall condition) {
        boolean isNegated = condition.getOperator().getName().startsWith("NOT ");
        return switch (condition.getKind()) {
            case EQUALS -> oneOf(List.of(text(condition.operand(1))));
            case NOT_EQUALS -> not(text(condition.operand(1)));
            case IN -> oneOf(texts(condition.operand(1)));
            case NOT_IN -> {
                List<String> others = texts(condition.operand(1));
                yield new Wish(value -> value != null && !others.contains(value), List.of(SOME));
            }
            case LIKE -> like(text(condition.operand(1)), isNegated);
            case BETWEEN -> between(text(condition.operand(1)), text(condition.operand(2)));
            case GREATER_THAN, GREATER_THAN_OR_EQUAL, LESS_THAN, LESS_THAN_OR_EQUAL ->
                bound(condition.getKind(), text(condition.operand(1)));
            case IS_NULL -> new Wish(value -> value == null, List.of());
            case IS_NOT_NULL -> new Wish(value -> value != null, List.of(SOME, "1"));
            default -> throw new IllegalArgumentException("a condition of another kind: " + condition);
        };
    }

    private static Wish oneOf(List<String> values) {
        return new Wish(value -> value != null && values.contains(value), values);
    }

    private static Wish not(String other) {
        return new Wish(value -> value != null && !value.equals(other), List.of(SOME));
    }

    private static Wish like(String pattern, boolean isNegated) {
        StringBuilder regex = new StringBuilder();
        for (char c : pattern.toCharArray()) {
            regex.append(c == '%' ? ".*" : c == '_' ? "." : Pattern.quote(String.valueOf(c)));
        }
        Predicate<String> matches =
                Pattern.compile(regex.toString(), Pattern.DOTALL).asMatchPredicate();
        return new Wish(
                value -> value != null && matches.test(value) != isNegated,
                List.of(isNegated ? SOME : pattern.replace("%", "").replace('_', 'x')));
    }

    private static Wish between(String low, String high) {
        return new Wish(value -> value != null && compare(value, low) >= 0 && compare(value, high) <= 0, List.of(low));
    }

    private static Wish bound(SqlKind kind, String bound) {
        Predicate<@Nullable String> isMet = value -> {
            if (value == null) {
                return false;
            }
            int order = compare(value, bound);
            return switch (kind) {
                case GREATER_THAN -> order > 0;
                case GREATER_THAN_OR_EQUAL -> order >= 0;
                case LESS_THAN -> order < 0;
                default -> order <= 0;
            };
        };
        return new Wish(isMet, List.of(bound, next(bound, 1), next(bound, -1)));
    }

    /** A value a little above or below another. */
    private static String next(String value, int step) {
        if (isNumber(value)) {
            BigDecimal number = new BigDecimal(value);
            return number.add(BigDecimal.valueOf(step, number.scale())).toPlainString();
        }
        int last = value.length() - 1;
        return value.substring(0, last) + (char) (value.charAt(last) + step);
    }

    /** As whole numbers, or as texts by their characters. */
    private static int compare(String one, String other) {
        boolean areNumbers = one.matches("\\d+") && other.matches("\\d+");
        return areNumbers ? new BigDecimal(one).compareTo(new BigDecimal(other)) : one.compareTo(other);
    }

    private static boolean isNumber(String value) {
        return value.matches("\\d+(\\.\\d+)?");
    }

    private static String text(SqlNode literal) {
        return ((SqlLiteral) literal).toValue();
    }

    private static List<String> texts(SqlNode list) {
        List<String> texts = new ArrayList<>();
        ((SqlNodeList) list).forEach(item -> texts.add(text(item)));
        return texts;
    }
}
