package io.sdds.client.internal.query.lang;

import io.sdds.core.row.ValueText;
import io.sdds.core.row.ValueType;
import io.sdds.core.row.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** An expression as a tree. */
public sealed interface Expression {
    /** {@link #at} of an expression that was not read from a text. */
    int NOWHERE = -1;

    /** Index in the text of the character that errors point at; {@link #NOWHERE}: there is no text. */
    int at();

    /** The same text for expressions that are written differently only in blanks, brackets and the case of names. */
    default String text() {
        return text(false);
    }

    /** @param isShown whether the text has names as they are written; else it is that of {@link #text()} */
    String text(boolean isShown);

    /**
     * A constant.
     *
     * @param type null: the constant is NULL, of any type
     * @param value as a row stores it; null: NULL
     */
    record Literal(@Nullable ValueType type, byte @Nullable [] value, int at) implements Expression {
        @Override
        public String text(boolean isShown) {
            if (type == null) {
                return "null";
            }
            String text = value == null ? "null" : ValueText.literal(type, Values.decode(type, value));
            boolean tellsType = value != null
                    && switch (type.kind()) {
                        case BIGINT, DECIMAL -> false;
                        case DOUBLE -> !text.startsWith("'");
                        default -> true;
                    };
            return tellsType ? text : "cast(" + text + " as " + type + ")";
        }
    }

    /**
     * The name of a column, or of a part of the record.
     *
     * @param quoted whether the name stood in double quotes and matches exactly
     */
    record Name(String name, boolean quoted, int at) implements Expression {
        @Override
        public String text(boolean isShown) {
            String written = isShown ? name : name.toLowerCase(Locale.ROOT);
            return isShown && !quoted ? written : '"' + written.replace("\"", "\"\"") + '"';
        }
    }

    /**
     * The place of a value that is not known yet. An expression that is compiled has none.
     *
     * @param number from 0 on
     */
    record Parameter(int number, ValueType type) implements Expression {
        @Override
        public int at() {
            return NOWHERE;
        }

        @Override
        public String text(boolean isShown) {
            return "?" + number;
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
        public String text(boolean isShown) {
            List<String> texts =
                    operands.stream().map(operand -> operand.text(isShown)).toList();
            return switch (function) {
                case "and", "or", "=", "<>", "<", "<=", ">", ">=", "+", "-", "*", "/", "%", "||" ->
                    "(" + String.join(" " + function + " ", texts) + ")";
                case "not" -> not(operands.get(0), texts.get(0));
                case "negate" -> "(- " + texts.get(0) + ")";
                case "is null", "is true" -> "(" + texts.get(0) + " " + function + ")";
                case "like" ->
                    "(" + texts.get(0) + " like " + String.join(" escape ", texts.subList(1, texts.size())) + ")";
                case "case" -> cases(texts);
                default -> function + "(" + String.join(", ", texts) + ")";
            };
        }

        private static String not(Expression operand, String text) {
            if (!(operand instanceof Call call && call.function().startsWith("is "))) {
                return "(not " + text + ")";
            }
            String test = call.function() + ")";
            return text.substring(0, text.length() - test.length()) + test.replace("is ", "is not ");
        }

        private static String cases(List<String> texts) {
            StringBuilder text = new StringBuilder("(case");
            for (int k = 0; k + 1 < texts.size(); k += 2) {
                text.append(" when ").append(texts.get(k)).append(" then ").append(texts.get(k + 1));
            }
            return text.append(" else ")
                    .append(texts.get(texts.size() - 1))
                    .append(" end)")
                    .toString();
        }
    }

    /** An explicit conversion. */
    record Cast(Expression operand, ValueType type, int at) implements Expression {
        @Override
        public String text(boolean isShown) {
            return "cast(" + operand.text(isShown) + " as " + type + ")";
        }
    }

    /**
     * An aggregate.
     *
     * @param operand null: of {@code count(*)}
     */
    record Aggregate(Function function, @Nullable Expression operand, int at) implements Expression {
        @Override
        public String text(boolean isShown) {
            String of = operand == null ? "*" : operand.text(isShown);
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

    /**
     * A constant in a tree that is made without a text.
     *
     * @throws NoProgramException if the value does not fit the type, as {@link Values#encode} tells
     */
    static Literal constant(ValueType type, Object value) {
        try {
            return new Literal(type, Values.encode(type, value, null), NOWHERE);
        } catch (IllegalArgumentException e) {
            throw new NoProgramException(String.valueOf(e.getMessage()));
        }
    }

    /** A call in a tree that is made without a text. */
    static Call call(String function, Expression... operands) {
        return new Call(function, List.of(operands), NOWHERE);
    }

    /**
     * A condition that an expression has one of the values, of which there may be any number.
     *
     * @param values of the classes of {@link io.sdds.client.Row}, none null
     * @param isExact whether no other value passes; else bricks get a Bloom filter, which nearly none passes
     */
    static Expression isIn(Expression expression, List<?> values, boolean isExact) {
        List<Expression> operands = new ArrayList<>();
        operands.add(expression);
        values.forEach(value -> operands.add(Literals.of(value)));
        return new Call(isExact ? "in" : ProgramBuilder.MAY_BE_IN, operands, 0);
    }

    /** The same expression with other operands. */
    default Expression map(UnaryOperator<Expression> change) {
        if (this instanceof Call call) {
            return new Call(
                    call.function(), call.operands().stream().map(change).toList(), call.at());
        }
        if (this instanceof Cast cast) {
            return new Cast(change.apply(cast.operand()), cast.type(), cast.at());
        }
        return this instanceof Aggregate aggregate && aggregate.operand() != null
                ? new Aggregate(aggregate.function(), change.apply(aggregate.operand()), aggregate.at())
                : this;
    }

    /** The same expression with values in the places of parameters. */
    default Expression with(java.util.function.Function<Parameter, Expression> values) {
        return this instanceof Parameter parameter ? values.apply(parameter) : map(operand -> operand.with(values));
    }

    /** Whether the expression is of a kind or has one of the kind in it. */
    default boolean has(Class<? extends Expression> kind) {
        if (this instanceof Call call) {
            return call.operands().stream().anyMatch(operand -> operand.has(kind));
        }
        return kind.isInstance(this)
                || this instanceof Cast cast && cast.operand().has(kind)
                || this instanceof Aggregate aggregate
                        && aggregate.operand() != null
                        && aggregate.operand().has(kind);
    }
}
