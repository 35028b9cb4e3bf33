package io.sdds.client;

import io.sdds.client.internal.query.lang.Expression;
import io.sdds.client.internal.query.lang.Expression.Call;
import io.sdds.client.internal.query.lang.Expression.Literal;
import io.sdds.client.internal.query.lang.Expression.Name;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * Selects the records of a query by an expression over a record's key and value. The bricks evaluate the filter next to
 * the records. Immutable; {@link Filters} makes filters.
 *
 * <pre>{@code
 * Filter cats = Filters.value().contains("CAT").and(Filters.key().startsWith("U+1F6").negate());
 * long count = table.scan(cats).count();
 * }</pre>
 */
public final class Filter {
    private final Expression condition;

    Filter(Expression condition) {
        this.condition = condition;
    }

    /** The filter that every record passes. */
    public static Filter everything() {
        return new Filter(Expression.joined("and", List.of()));
    }

    /** The filter that a record passes if it passes both this one and another. */
    public Filter and(Filter other) {
        return new Filter(Expression.joined("and", List.of(condition, other.condition)));
    }

    /** The filter that a record passes if it passes this one or another. */
    public Filter or(Filter other) {
        return new Filter(Expression.joined("or", List.of(condition, other.condition)));
    }

    /** The filter that a record passes if it does not pass this one. */
    public Filter negate() {
        return new Filter(new Call("not", List.of(condition), 0));
    }

    /** What the records meet that pass. */
    Expression condition() {
        return condition;
    }

    /** Whether the other object is a filter of the same expression. */
    @Override
    public boolean equals(Object other) {
        return other instanceof Filter filter && condition.text().equals(filter.condition.text());
    }

    /** A hash code that fits {@link #equals}. */
    @Override
    public int hashCode() {
        return condition.text().hashCode();
    }

    /** The filter as text that {@link Filters#parse} reads. */
    @Override
    public String toString() {
        return text(condition);
    }

    private static String text(Expression filter) {
        if (filter instanceof Literal constant) {
            return bytes(constant)[0] == 0 ? "false" : "true";
        }
        Call call = (Call) filter;
        List<Expression> operands = call.operands();
        return switch (call.function()) {
            case "and", "or" ->
                operands.stream()
                        .map(part -> isJoined(part) ? "(" + text(part) + ")" : text(part))
                        .collect(Collectors.joining(" " + call.function() + " "));
            case "not" ->
                "not " + (isTest(operands.get(0)) ? text(operands.get(0)) : "(" + text(operands.get(0)) + ")");
            default -> {
                String part = ((Name) operands.get(0)).name().substring(1);
                String test = call.function().equals("starts_with") ? "prefix" : call.function();
                yield part + " " + test + " " + literal(bytes((Literal) operands.get(1)));
            }
        };
    }

    private static boolean isJoined(Expression filter) {
        return filter instanceof Call call
                && (call.function().equals("and") || call.function().equals("or"));
    }

    private static boolean isTest(Expression filter) {
        return filter instanceof Call call && call.operands().get(0) instanceof Name;
    }

    private static byte[] bytes(Literal constant) {
        return Objects.requireNonNull(constant.value());
    }

    /** Text in quotes, with quotes inside doubled; bytes that are no text in hexadecimal. */
    private static String literal(byte[] operand) {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(operand))
                    .toString();
            return "'" + text.replace("'", "''") + "'";
        } catch (CharacterCodingException e) {
            return "x'" + HexFormat.of().formatHex(operand) + "'";
        }
    }
}
