package io.sdds.client.internal.codec;

import io.sdds.core.row.ValueType;
import io.sdds.core.row.Values;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A component of a Java record: how it is read, and which columns it may be. */
final class Component {
    private final String name;
    private final Class<?> declared;
    private final Class<?> boxed;
    private final MethodHandle getter;
    private final ValueType.Kind kind;
    /** The constant of a name, if the component is an enum. */
    private final @Nullable Function<String, ?> constants;

    /** @throws IllegalArgumentException if no column can be such a component */
    Component(Class<?> owner, RecordComponent component, MethodHandle getter) {
        this.name = component.getName();
        this.declared = component.getType();
        this.boxed = MethodType.methodType(declared).wrap().returnType();
        this.getter = getter.asType(MethodType.methodType(Object.class, Object.class));
        this.constants = declared.isEnum() ? constants(declared) : null;
        this.kind = constants != null ? ValueType.Kind.VARCHAR : kind(owner);
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // the class is an enum
    private static Function<String, ?> constants(Class<?> type) {
        EnumCodec<?> codec = new EnumCodec(type);
        return codec::of;
    }

    private ValueType.Kind kind(Class<?> owner) {
        if (boxed == Boolean.class) {
            return ValueType.Kind.BOOLEAN;
        } else if (boxed == Integer.class) {
            return ValueType.Kind.INTEGER;
        } else if (boxed == Long.class) {
            return ValueType.Kind.BIGINT;
        } else if (boxed == Double.class) {
            return ValueType.Kind.DOUBLE;
        } else if (boxed == BigDecimal.class) {
            return ValueType.Kind.DECIMAL;
        } else if (boxed == LocalDate.class) {
            return ValueType.Kind.DATE;
        } else if (boxed == LocalTime.class) {
            return ValueType.Kind.TIME;
        } else if (boxed == LocalDateTime.class) {
            return ValueType.Kind.TIMESTAMP;
        } else if (boxed == UUID.class) {
            return ValueType.Kind.UUID;
        } else if (boxed == String.class) {
            return ValueType.Kind.VARCHAR;
        } else if (boxed == byte[].class) {
            return ValueType.Kind.VARBINARY;
        }
        throw new IllegalArgumentException("component '" + name + "' of " + owner.getSimpleName() + " is "
                + declared.getSimpleName() + ", which no column can be: declare it " + advice());
    }

    private String advice() {
        if (boxed == Optional.class) {
            return "as what is in the Optional, which may be null";
        }
        if (boxed == Short.class || boxed == Byte.class || boxed == Character.class) {
            return boxed == Character.class ? "String" : "int";
        }
        if (boxed == Float.class) {
            return "double";
        }
        return "boolean, int, long, double, BigDecimal, LocalDate, LocalTime, LocalDateTime, UUID, String, byte[] or an"
                + " enum";
    }

    String name() {
        return name;
    }

    /** The class as it is declared. */
    Class<?> declared() {
        return declared;
    }

    boolean isPrimitive() {
        return declared.isPrimitive();
    }

    /** The type of the component's column if no schema tells another; null: only a schema tells its digits. */
    @Nullable
    ValueType ownType() {
        return kind == ValueType.Kind.DECIMAL ? null : new ValueType(kind, 0, 0);
    }

    /** Whether the component can have every value of a column; long takes INTEGER, too. */
    boolean takes(ValueType column) {
        return column.kind() == kind || kind == ValueType.Kind.BIGINT && column.kind() == ValueType.Kind.INTEGER;
    }

    /** What a component of this class may be declared as to take a column. */
    static String classOf(ValueType column) {
        Class<?> boxed = Values.javaClass(column);
        Class<?> primitive = MethodType.methodType(boxed).unwrap().returnType();
        return primitive.getSimpleName();
    }

    /** The value of a record's component, as {@link Values} takes it; null: NULL. */
    @Nullable
    Object of(Object record) {
        Object value;
        try {
            value = getter.invokeExact(record);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalArgumentException("component '" + name + "' can't be read: " + e, e);
        }
        return value instanceof Enum<?> constant ? constant.name() : value;
    }

    /** The component of the value of a column that the component {@link #takes}. */
    Object from(Object value) {
        if (constants != null) {
            return constants.apply((String) value);
        }
        return boxed == Long.class ? (Object) ((Number) value).longValue() : value;
    }
}
