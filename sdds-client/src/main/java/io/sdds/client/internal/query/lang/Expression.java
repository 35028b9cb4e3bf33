package io.sdds.client.internal.query.lang;

import io.sdds.core.row.ValueType;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A tree of an expression's text. */
public sealed interface Expression {
    /** Index in the text of the character that errors point at. */
    int at();

    /** The same text for expressions that are written differently only in blanks, brackets and the case of names. */
    String text();

    /**
     * A constant.
     *
     * @param type null: the constant is NULL, of any type
     * @param value as a row stores it; null: NULL
     */
    record Literal(@Nullable ValueType type, byte @Nullable [] value, int at) implements Expression {
        @Override
        public String text() {
            return type + "'" + (value == null ? "" : HexFormat.of().formatHex(value)) + "'";
        }
    }

    /**
     * The name of a column, or of a part of the record.
     *
     * @param quoted whether the name stood in double quotes and matches exactly
     */
    record Name(String name, boolean quoted, int at) implements Expression {
        @Override
        public String text() {
            return '"' + name.toLowerCase(Locale.ROOT) + '"';
        }
    }

    /**
     * An operator or a function with its operands. Operators are functions whose names are their signs or words;
     * {@code case} has a condition and a result by turns and the else at the end; {@code in} has the operand before the
     * list.
     */
    record Call(String function, List<Expression> operands, int at) implements Expression {
        public Call {
            operands = List.copyOf(operands);
        }

        @Override
        public String text() {
            return operands.stream().map(Expression::text).collect(Collectors.joining(",", function + "(", ")"));
        }
    }

    /** An explicit conversion. */
    record Cast(Expression operand, ValueType type, int at) implements Expression {
        @Override
        public String text() {
            return "cast(" + operand.text() + " as " + type + ")";
        }
    }

    /**
     * An aggregate.
     *
     * @param operand null: of {@code count(*)}
     */
    record Aggregate(Function function, @Nullable Expression operand, int at) implements Expression {
        @Override
        public String text() {
            String of = operand == null ? "*" : operand.text();
            return function.name().toLowerCase(Locale.ROOT) + "(" + of + ")";
        }
    }

    /** The aggregates of the language. */
    enum Function {
        COUNT,
        SUM,
        MIN,
        MAX,
        AVG
    }

    /**
     * A test of bytes of a record.
     *
     * @param part {@code _key} or {@code _value}
     * @param function with two operands, such as {@code contains}
     */
    static Expression test(String part, String function, byte[] bytes) {
        return new Call(function, List.of(new Name(part, false, 0), new Literal(ValueType.VARBINARY, bytes, 0)), 0);
    }

    /** Conditions with AND or OR between them; of none TRUE or FALSE. */
    static Expression joined(String word, List<Expression> conditions) {
        return switch (conditions.size()) {
            case 0 -> Literals.bool(word.equals("and"), 0);
            case 1 -> conditions.get(0);
            default -> new Call(word, conditions, 0);
        };
    }

    /** Whether the expression is an aggregate or has one in it. */
    default boolean hasAggregate() {
        if (this instanceof Call call) {
            return call.operands().stream().anyMatch(Expression::hasAggregate);
        }
        return this instanceof Aggregate
                || this instanceof Cast cast && cast.operand().hasAggregate();
    }
}
