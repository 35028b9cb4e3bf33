package io.sdds.core.protocol;

import io.netty.buffer.ByteBuf;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Writes and reads records of one type. */
final class RecordField implements RecordCodec.Field {
    /*
     * A record type is bound once, after it has been used often. Until then its records are read and made by
     * reflection, because the links for each component cost a short command more time than the rest of its work.
     */
    private static final int USES_TO_BIND = 10_000;

    private static final int LENGTH_BYTES = 4;

    private final Class<?> type;
    private final Class<?>[] types;
    private final RecordCodec.Field[] fields;
    private final Method[] accessors;
    private final @Nullable Constructor<?>[] constructors;
    private int uses;
    private @Nullable BoundRecord bound;

    private RecordField(RecordComponent[] components, Class<?> type) {
        this.type = type;
        types = new Class<?>[components.length];
        fields = new RecordCodec.Field[components.length];
        accessors = new Method[components.length];
        constructors = new Constructor<?>[components.length + 1];
        for (int k = 0; k < components.length; k++) {
            types[k] = components[k].getType();
            accessors[k] = components[k].getAccessor();
            fields[k] = RecordCodec.field(components[k].getGenericType());
        }
    }

    static RecordField of(Class<?> type) {
        if (!Modifier.isPublic(type.getModifiers())) {
            throw new IllegalArgumentException(type + " is no public record");
        }
        return new RecordField(type.getRecordComponents(), type);
    }

    @Override
    public int bytesMin() {
        return LENGTH_BYTES;
    }

    @Override
    public void write(ByteBuf out, Object value) {
        int start = out.writerIndex();
        out.writeIntLE(0);
        BoundRecord code = boundWhenUsedOften();
        if (code != null) {
            code.write(out, value);
        } else {
            for (int k = 0; k < fields.length; k++) {
                fields[k].write(out, get(accessors[k], value));
            }
        }
        out.setIntLE(start, out.writerIndex() - start - LENGTH_BYTES);
    }

    @Override
    public Object read(ByteBuf in) {
        RecordCodec.need(in, LENGTH_BYTES);
        int length = in.readIntLE();
        RecordCodec.need(in, length);
        int outerEnd = in.writerIndex();
        int end = in.readerIndex() + length;
        in.writerIndex(end); // bounds the bytes that the components may take
        Object[] values = new Object[fields.length];
        int given = 0;
        while (given < fields.length && in.isReadable()) {
            values[given] = fields[given].read(in);
            given++;
        }
        in.setIndex(end, outerEnd);
        return make(given, values);
    }

    private Object make(int given, Object[] values) {
        try {
            BoundRecord code = boundWhenUsedOften();
            return code != null && given == fields.length
                    ? code.make(values)
                    : constructor(given).newInstance(given == fields.length ? values : Arrays.copyOf(values, given));
        } catch (InvocationTargetException e) {
            if (e.getTargetException() instanceof Error error) {
                throw error;
            }
            throw outOfRange(e.getTargetException());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("can't make a " + type, e);
        }
    }

    private ProtocolViolation outOfRange(Throwable cause) {
        return new ProtocolViolation("values out of range: " + cause.getMessage());
    }

    /**
     * The constructor that takes the first {@code given} components: the canonical constructor, or the constructor for
     * an earlier version with so many components.
     */
    private Constructor<?> constructor(int given) {
        Constructor<?> known = constructors[given];
        if (known == null) {
            try {
                known = type.getConstructor(Arrays.copyOf(types, given));
            } catch (NoSuchMethodException e) {
                throw new ProtocolViolation("message ends early: " + given + " of " + types.length + " components of a "
                        + type.getSimpleName());
            }
            constructors[given] = known;
        }
        return known;
    }

    private static Object get(Method accessor, Object value) {
        try {
            return accessor.invoke(value);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("component " + accessor, e);
        }
    }

    /** Counts a use. Threads may lose counts or bind the type twice, which does no harm. */
    private @Nullable BoundRecord boundWhenUsedOften() {
        BoundRecord code = bound;
        if (code == null && ++uses > USES_TO_BIND) {
            code = BoundRecord.of(constructor(types.length), accessors, fields);
            bound = code;
        }
        return code;
    }
}
