package io.sdds.client.internal.query;

import io.sdds.client.Row;
import io.sdds.core.row.ValueType;
import io.sdds.core.row.Values;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Makes Java records of rows: each component has the value of the column of its name. Numbers are converted if nothing
 * is lost, to {@code double} always; text and bytes are both {@code String}, and an enum has the constant of the text.
 */
public final class RecordMapping<R extends Record> implements RowMapping<R> {
    private final Class<R> type;
    private final RecordComponent[] components;
    private final Constructor<R> constructor;

    /** @throws IllegalArgumentException when the class is no record that this client can make */
    public RecordMapping(Class<R> type) {
        this.type = type;
        RecordComponent[] declared = type.getRecordComponents();
        if (declared == null) {
            throw new IllegalArgumentException(type.getName() + " is no record");
        }
        this.components = declared;
        try {
            this.constructor = type.getDeclaredConstructor(
                    Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
            constructor.setAccessible(true);
        } catch (NoSuchMethodException | InaccessibleObjectException e) {
            throw new IllegalArgumentException(
                    "record " + type.getName() + " can't be accessed: open its package to io.sdds.client", e);
        }
    }

    /** Reads a component of a row. */
    private interface Reader {
        @Nullable
        Object read(Row row, int column);
    }

    @Override
    public Function<Row, R> of(RowColumns columns) {
        int[] numbers = new int[components.length];
        List<Reader> readers = new ArrayList<>();
        for (int k = 0; k < components.length; k++) {
            numbers[k] = columns.find(components[k].getName());
            if (numbers[k] < 0) {
                throw new IllegalArgumentException("component '" + components[k].getName() + "' of "
                        + type.getSimpleName() + ": " + columns.noColumn(components[k].getName()));
            }
            readers.add(reader(components[k], columns.type(numbers[k])));
        }
        return row -> {
            @Nullable Object[] values = new Object[numbers.length];
            for (int k = 0; k < values.length; k++) {
                values[k] = value(row, k, numbers[k], readers.get(k));
            }
            return made(values);
        };
    }

    private @Nullable Object value(Row row, int component, int column, Reader reader) {
        if (row.isNull(column)) {
            Class<?> declared = components[component].getType();
            if (declared.isPrimitive()) {
                throw new IllegalArgumentException("column '" + row.columns().get(column) + "' is NULL, and component '"
                        + components[component].getName() + "' of " + type.getSimpleName() + " is " + declared
                        + ": declare it " + boxed(declared).getSimpleName());
            }
            return null;
        }
        return reader.read(row, column);
    }

    private R made(@Nullable Object[] values) {
        try {
            return constructor.newInstance(values);
        } catch (InvocationTargetException e) {
            throw new IllegalArgumentException(
                    "a record " + type.getSimpleName() + " can't be made: " + e.getCause(), e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException("a record " + type.getSimpleName() + " can't be made", e);
        }
    }

    private static Class<?> boxed(Class<?> type) {
        return MethodType.methodType(type).wrap().returnType();
    }

    private Reader reader(RecordComponent component, ValueType column) {
        Class<?> wanted = boxed(component.getType());
        boolean isNumber = Number.class.isAssignableFrom(Values.javaClass(column));
        boolean isExact = isNumber && column.kind() != ValueType.Kind.DOUBLE;
        boolean isText = column.kind() == ValueType.Kind.VARCHAR || column.kind() == ValueType.Kind.VARBINARY;
        if (wanted == Long.class && isExact) {
            return Row::getLong;
        } else if (wanted == Integer.class && isExact) {
            return Row::getInt;
        } else if (wanted == Double.class && isNumber) {
            return Row::getDouble;
        } else if (wanted == BigDecimal.class && isExact) {
            return Row::getDecimal;
        } else if (wanted == String.class && isText) {
            return Row::getString;
        } else if (wanted.isEnum() && isText) {
            return (row, number) -> constant(wanted, String.valueOf(row.getString(number)));
        } else if (wanted.isAssignableFrom(Values.javaClass(column))) {
            return Row::get;
        }
        throw new IllegalArgumentException("component '" + component.getName() + "' of " + type.getSimpleName() + " is "
                + component.getType().getSimpleName() + ", which takes no " + column);
    }

    private static Object constant(Class<?> type, String name) {
        for (Object constant : type.getEnumConstants()) {
            if (((Enum<?>) constant).name().equals(name)) {
                return constant;
            }
        }
        throw new IllegalArgumentException(type.getSimpleName() + " has no constant '" + name + "'");
    }
}
