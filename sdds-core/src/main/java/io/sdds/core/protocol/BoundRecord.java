package io.sdds.core.protocol;

import io.netty.buffer.ByteBuf;
import java.lang.invoke.LambdaMetafactory;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;

/** The linked accessors and constructor of one record type. They work without reflection and boxing. Immutable. */
final class BoundRecord {
    private final Component[] components;
    private final MethodHandle constructor;

    /** Writes one component of a record. */
    private interface Component {
        void write(ByteBuf out, Object value);
    }

    private BoundRecord(Component[] components, MethodHandle constructor) {
        this.components = components;
        this.constructor = constructor;
    }

    static BoundRecord of(Constructor<?> constructor, Method[] accessors, RecordCodec.Field[] fields) {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        try {
            Component[] components = new Component[accessors.length];
            for (int k = 0; k < accessors.length; k++) {
                components[k] = component(lookup, accessors[k], fields[k]);
            }
            MethodHandle made = lookup.unreflectConstructor(constructor)
                    .asSpreader(Object[].class, accessors.length)
                    .asType(MethodType.methodType(Object.class, Object[].class));
            return new BoundRecord(components, made);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException("can't reach " + constructor, e);
        }
    }

    @SuppressWarnings("unchecked")
    private static Component component(MethodHandles.Lookup lookup, Method accessor, RecordCodec.Field field)
            throws IllegalAccessException {
        if (accessor.getReturnType() == int.class) {
            ToIntFunction<Object> get =
                    (ToIntFunction<Object>) linked(lookup, accessor, ToIntFunction.class, "applyAsInt", int.class);
            return (out, value) -> out.writeIntLE(get.applyAsInt(value));
        }
        if (accessor.getReturnType() == long.class) {
            ToLongFunction<Object> get =
                    (ToLongFunction<Object>) linked(lookup, accessor, ToLongFunction.class, "applyAsLong", long.class);
            return (out, value) -> out.writeLongLE(get.applyAsLong(value));
        }
        Function<Object, Object> get =
                (Function<Object, Object>) linked(lookup, accessor, Function.class, "apply", Object.class);
        return (out, value) -> field.write(out, get.apply(value));
    }

    /** The accessor as an instance of a functional interface whose method answers with {@code result}. */
    private static Object linked(
            MethodHandles.Lookup lookup, Method accessor, Class<?> face, String method, Class<?> result)
            throws IllegalAccessException {
        MethodHandle handle = lookup.unreflect(accessor);
        Class<?> answered = accessor.getReturnType();
        Class<?> boxed = MethodType.methodType(answered).wrap().returnType();
        try {
            return LambdaMetafactory.metafactory(
                            lookup,
                            method,
                            MethodType.methodType(face),
                            MethodType.methodType(result, Object.class),
                            handle,
                            MethodType.methodType(
                                    result.isPrimitive() ? answered : boxed, accessor.getDeclaringClass()))
                    .getTarget()
                    .invoke();
        } catch (IllegalAccessException e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("can't link " + accessor, e);
        }
    }

    /** Writes all components. */
    void write(ByteBuf out, Object value) {
        for (Component component : components) {
            component.write(out, value);
        }
    }

    /**
     * Makes a record of its components.
     *
     * @throws ProtocolViolation when the constructor refuses them
     */
    Object make(Object[] values) {
        try {
            return constructor.invokeExact(values);
        } catch (Error e) {
            throw e;
        } catch (Throwable e) {
            throw new ProtocolViolation("values out of range: " + e.getMessage());
        }
    }
}
