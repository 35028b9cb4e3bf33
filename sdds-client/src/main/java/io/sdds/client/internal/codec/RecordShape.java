package io.sdds.client.internal.codec;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A class of Java records: its components, and how a record is made. Reflection happens here, once for each codec. */
final class RecordShape<R extends Record> {
    private final Class<R> type;
    private final List<Component> components;
    private final MethodHandle constructor;

    /** @throws IllegalArgumentException if a component can be no column, or the class can't be accessed */
    RecordShape(Class<R> type) {
        this.type = type;
        this.components = new ArrayList<>();
        RecordComponent[] declared = type.getRecordComponents();
        if (declared == null || declared.length == 0) {
            throw new IllegalArgumentException(type.getName() + " is no record with components");
        }
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        try {
            for (RecordComponent each : declared) {
                Method accessor = each.getAccessor();
                accessor.setAccessible(true);
                components.add(new Component(type, each, lookup.unreflect(accessor)));
            }
            Class<?>[] types =
                    Arrays.stream(declared).map(RecordComponent::getType).toArray(Class<?>[]::new);
            Constructor<R> canonical = type.getDeclaredConstructor(types);
            canonical.setAccessible(true);
            this.constructor = lookup.unreflectConstructor(canonical)
                    .asSpreader(Object[].class, declared.length)
                    .asType(MethodType.methodType(Object.class, Object[].class));
        } catch (InaccessibleObjectException | ReflectiveOperationException e) {
            throw new IllegalArgumentException(
                    "record " + type.getName() + " can't be accessed: open its package to io.sdds.client", e);
        }
    }

    /** The name for messages. */
    String name() {
        return type.getSimpleName();
    }

    List<Component> components() {
        return components;
    }

    /** @param values of all components, of their classes */
    R make(@Nullable Object[] values) {
        try {
            return type.cast((Object) constructor.invokeExact(values));
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalArgumentException("a record " + name() + " can't be made: " + e, e);
        }
    }

    /** The component of a column that is read. */
    @Nullable
    Object component(Component component, @Nullable Object value, String column) {
        if (value != null) {
            return component.from(value);
        }
        if (component.isPrimitive()) {
            throw new IllegalArgumentException("column '" + column + "' is NULL, and component '" + component.name()
                    + "' of " + name() + " is " + component.declared() + ": declare it "
                    + MethodType.methodType(component.declared())
                            .wrap()
                            .returnType()
                            .getSimpleName());
        }
        return null;
    }
}
