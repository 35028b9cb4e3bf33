package io.sdds.client.internal.query.lang;

import io.sdds.client.internal.query.lang.Expression.Call;
import io.sdds.client.internal.query.lang.Expression.Literal;
import io.sdds.client.internal.query.lang.Expression.Name;
import io.sdds.client.internal.query.lang.Scope.Source;
import io.sdds.client.internal.routing.KeyBounds;
import io.sdds.core.query.LikePattern;
import io.sdds.core.query.Op;
import io.sdds.core.row.KeyEncoding;
import io.sdds.core.row.Schema;
import io.sdds.core.row.ValueType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds bounds of the keys of records that meet conditions, so that a query need not look at other records. The bounds
 * hold every key of which all conditions can be true. They may hold others, whose records the program of the query then
 * refuses.
 */
public final class KeyConditions {
    /*
     * Used are the conditions between ANDs that compare a key column, or the bytes of the key, with constants. The
     * order of keys as bytes is that of their columns (KeyEncoding). So equal first columns and an interval of the next
     * one are an interval of keys; what is said of later columns is left to the program. A condition that is not
     * understood here bounds nothing. The conditions have been compiled: their names and types are right.
     */

    private static final KeyEncoding BYTES = new KeyEncoding(List.of(ValueType.VARBINARY));

    private final Scope scope;
    private final List<Test> tests = new ArrayList<>();

    /**
     * What a condition says of a column: its value lies between two values, which are included. A condition without the
     * end is such a one with it, but for bounds that exclude it.
     *
     * @param column of the key; -1: the bytes of the whole key
     * @param low as a row stores it; null: none
     * @param high as a row stores it; null: none
     * @param isPrefix whether the value begins with {@code low}, and there is no {@code high}
     */
    private record Test(
            int column,
            byte @Nullable [] low,
            boolean lowInclusive,
            byte @Nullable [] high,
            boolean highInclusive,
            boolean isPrefix) {
        byte @Nullable [] onlyValue() {
            return low != null && high != null && lowInclusive && highInclusive && Arrays.equals(low, high)
                    ? low
                    : null;
        }
    }

    private KeyConditions(Scope scope) {
        this.scope = scope;
    }

    /**
     * Bounds of the keys of records that meet all conditions, ascending.
     *
     * @param conditions that compile for tables of the schema
     */
    public static KeyBounds bounds(Schema schema, List<Expression> conditions) {
        if (conditions.isEmpty()) {
            return KeyBounds.ALL;
        }
        KeyConditions found = new KeyConditions(Scope.of(schema));
        conditions.forEach(found::read);
        return found.tests.isEmpty() ? KeyBounds.ALL : found.bounds(KeyEncoding.of(schema));
    }

    // ---- bounds of tests

    private KeyBounds bounds(KeyEncoding keys) {
        KeyBounds bounds = KeyBounds.ALL;
        for (Test test : tests) {
            bounds = test.column() == -1 ? bounds.and(bounds(BYTES, List.of(), test)) : bounds;
        }
        List<byte[]> equal = new ArrayList<>();
        byte[] value;
        do {
            value = null;
            for (Test test : tests) {
                if (test.column() == equal.size()) {
                    bounds = bounds.and(bounds(keys, equal, test));
                    value = value == null ? test.onlyValue() : value;
                }
            }
            if (value != null) {
                equal.add(value);
            }
        } while (value != null && equal.size() < keys.columns());
        return bounds.isEmpty() ? KeyBounds.NONE : bounds;
    }

    /** The keys whose first columns have these values, and whose next one passes a test. */
    private static KeyBounds bounds(KeyEncoding keys, List<byte[]> equal, Test test) {
        if (test.isPrefix() && test.low() != null) {
            return KeyBounds.startingWith(keys.beginning(equal, test.low()));
        }
        boolean isLast = equal.size() == keys.columns() - 1;
        KeyBounds bounds = KeyBounds.startingWith(keys.beginning(equal));
        if (test.low() != null) {
            bounds = bounds.and(from(beginning(keys, equal, test.low()), test.lowInclusive(), isLast));
        }
        if (test.high() != null) {
            bounds = bounds.and(to(beginning(keys, equal, test.high()), test.highInclusive(), isLast));
        }
        return bounds;
    }

    private static byte[] beginning(KeyEncoding keys, List<byte[]> equal, byte[] next) {
        List<byte[]> columns = new ArrayList<>(equal);
        columns.add(next);
        return keys.beginning(columns);
    }

    /** @param isWhole whether the bytes are a key, and not what keys begin with */
    private static KeyBounds from(byte[] beginning, boolean inclusive, boolean isWhole) {
        boolean isBehind = !inclusive && !isWhole;
        byte[] low = isBehind ? KeyBounds.above(beginning) : beginning;
        return isBehind && low.length == 0
                ? KeyBounds.NONE
                : new KeyBounds(low, isBehind || inclusive, KeyBounds.OPEN, false, false);
    }

    private static KeyBounds to(byte[] beginning, boolean inclusive, boolean isWhole) {
        if (beginning.length == 0) {
            return KeyBounds.NONE; // no key is empty
        }
        boolean isBehind = inclusive && !isWhole;
        byte[] high = isBehind ? KeyBounds.above(beginning) : beginning;
        return new KeyBounds(KeyBounds.OPEN, false, high, inclusive && isWhole, false);
    }

    // ---- tests of conditions

    private void read(Expression condition) {
        if (!(condition instanceof Call call)) {
            return;
        }
        List<Expression> operands = call.operands();
        switch (call.function()) {
            case "and" -> operands.forEach(this::read);
            case "=", "<", "<=", ">", ">=" -> comparison(call.function(), operands.get(0), operands.get(1));
            case "between" -> {
                comparison(">=", operands.get(0), operands.get(1));
                comparison("<=", operands.get(0), operands.get(2));
            }
            case "in" -> in(operands);
            case "like" -> like(operands);
            case "starts_with" -> prefix(source(operands.get(0)), text(operands.get(1)));
            default -> {
                // says nothing of keys
            }
        }
    }

    /** The column of the key, or the key, that an expression is; null: it is another one. */
    private @Nullable Source source(Expression expression) {
        Source source = expression instanceof Name name ? scope.find(name) : null;
        return source != null && (source.op() == Op.KEY_COLUMN || source.op() == Op.KEY) ? source : null;
    }

    private void comparison(String sign, Expression left, Expression right) {
        Source source = source(left);
        if (source == null) {
            comparison(KeyConstants.mirrored(sign), source(right), left);
        } else {
            comparison(sign, source, right);
        }
    }

    private void comparison(String sign, @Nullable Source source, Expression constant) {
        byte[] value = source == null ? null : stored(constant, source.type());
        if (source == null || value == null) {
            return;
        }
        boolean isEqual = sign.equals("=");
        boolean inclusive = sign.endsWith("=");
        tests.add(new Test(
                source.column(),
                isEqual || sign.startsWith(">") ? value : null,
                inclusive,
                isEqual || sign.startsWith("<") ? value : null,
                inclusive,
                false));
    }

    /** The constants of a list lie between the lowest and the highest of them. */
    private void in(List<Expression> operands) {
        Source source = source(operands.get(0));
        if (source == null) {
            return;
        }
        byte[] low = null;
        byte[] high = null;
        for (Expression item : operands.subList(1, operands.size())) {
            byte[] value = stored(item, source.type());
            if (value == null) {
                return;
            }
            low = low == null || KeyConstants.compare(source.type(), value, low) < 0 ? value : low;
            high = high == null || KeyConstants.compare(source.type(), value, high) > 0 ? value : high;
        }
        tests.add(new Test(source.column(), low, true, high, true, false));
    }

    private void like(List<Expression> operands) {
        byte[] pattern = text(operands.get(1));
        byte[] escape = operands.size() == 3 ? text(operands.get(2)) : new byte[0];
        LikePattern read = pattern == null || escape == null ? null : LikePattern.read(Arrays.asList(pattern, escape));
        if (read == null) {
            return;
        }
        int[] parts = read.parts();
        int length = 0;
        while (length < parts.length && parts[length] >= 0) {
            length++;
        }
        byte[] beginning = new byte[length];
        for (int k = 0; k < length; k++) {
            beginning[k] = (byte) parts[k];
        }
        prefix(source(operands.get(0)), beginning);
    }

    private void prefix(@Nullable Source source, byte @Nullable [] beginning) {
        if (source == null || beginning == null) {
            return;
        }
        ValueType.Kind kind = source.type().kind();
        if (kind == ValueType.Kind.VARCHAR || kind == ValueType.Kind.VARBINARY) {
            tests.add(new Test(source.column(), beginning, true, null, false, true));
        }
    }

    private byte @Nullable [] text(Expression expression) {
        return stored(expression, ValueType.VARBINARY);
    }

    /** The value of a constant, or of an expression of constants, in the type of a column; null: there is none. */
    private byte @Nullable [] stored(Expression expression, ValueType column) {
        if (expression instanceof Literal literal) {
            return KeyConstants.stored(literal, column);
        }
        Operand folded = new ProgramBuilder(scope).compile(expression);
        return KeyConstants.stored(new Literal(folded.type(), folded.constant(), folded.at()), column);
    }
}
