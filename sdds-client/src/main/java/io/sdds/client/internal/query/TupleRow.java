package io.sdds.client.internal.query;

import io.sdds.client.Row;
import io.sdds.core.row.ValueText;
import io.sdds.core.row.ValueType;
import io.sdds.core.row.Values;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A row on the values of a tuple.
 *
 * @param values of each column as rows store it; null: NULL
 */
record TupleRow(RowColumns type, List<byte @Nullable []> values) implements Row {
    @Override
    public List<String> columns() {
        return type.names();
    }

    @Override
    public int column(String name) {
        return type.number(name);
    }

    @Override
    public @Nullable Object get(int column) {
        byte[] value = stored(column);
        return value == null ? null : Values.decode(type.type(column), value);
    }

    @Override
    public boolean isNull(int column) {
        return stored(column) == null;
    }

    private byte @Nullable [] stored(int column) {
        if (column < 0 || column >= values.size()) {
            throw new IllegalArgumentException("column " + column + " of " + values.size());
        }
        return values.get(column);
    }

    @Override
    public long getLong(int column) {
        Object value = present(column);
        if (value instanceof Integer || value instanceof Long) {
            return ((Number) value).longValue();
        }
        try {
            return decimal(column, value).longValueExact();
        } catch (ArithmeticException e) {
            throw misfit(column, value + " is no integer of 64 bits");
        }
    }

    @Override
    public int getInt(int column) {
        long number = getLong(column);
        if (number != (int) number) {
            throw misfit(column, number + " has more than 32 bits");
        }
        return (int) number;
    }

    @Override
    public double getDouble(int column) {
        if (present(column) instanceof Number number) {
            return number.doubleValue();
        }
        throw misfit(column, type.type(column) + " is no number");
    }

    @Override
    public boolean getBoolean(int column) {
        if (present(column) instanceof Boolean truth) {
            return truth;
        }
        throw misfit(column, type.type(column) + " is not boolean");
    }

    @Override
    public @Nullable BigDecimal getDecimal(int column) {
        Object value = get(column);
        return value == null ? null : decimal(column, value);
    }

    @Override
    public @Nullable String getString(int column) {
        Object value = get(column);
        if (value == null || value instanceof String) {
            return (String) value;
        }
        return value instanceof byte[] bytes
                ? new String(bytes, StandardCharsets.UTF_8)
                : ValueText.text(type.type(column), value);
    }

    private BigDecimal decimal(int column, Object value) {
        if (value instanceof BigDecimal number) {
            return number;
        }
        if (value instanceof Integer || value instanceof Long) {
            return BigDecimal.valueOf(((Number) value).longValue());
        }
        throw misfit(column, type.type(column) + " is not integer, bigint or decimal");
    }

    private Object present(int column) {
        Object value = get(column);
        if (value == null) {
            throw new IllegalStateException("column '" + type.names().get(column) + "' is NULL");
        }
        return value;
    }

    private IllegalArgumentException misfit(int column, String problem) {
        return new IllegalArgumentException("column '" + type.names().get(column) + "': " + problem);
    }

    /** The columns and values as text, for people. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (int k = 0; k < values.size(); k++) {
            ValueType of = type.type(k);
            Object value = get(k);
            text.append(k == 0 ? "" : ", ").append(type.names().get(k)).append(" = ");
            text.append(value == null ? "null" : ValueText.literal(of, value));
        }
        return text.toString();
    }
}
