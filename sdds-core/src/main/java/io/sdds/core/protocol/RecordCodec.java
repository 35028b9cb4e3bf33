package io.sdds.core.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Encodes records, little endian: {@code int} as i32, {@code long} as i64, {@code boolean} and {@code byte} as u8, an
 * enum as its ordinal in u8, {@code String} as i32 length and UTF-8, {@code byte[]} as i32 length and bytes,
 * {@code List} as i32 count and elements, a record as the i32 length of its components and the components in the order
 * of their declaration. No component is ever null. The codec is for control traffic and the coordinator's log; the
 * request path works on bytes instead.
 *
 * <p>Both ends can extend a record. A later version adds components at the end, and a public constructor that takes the
 * earlier components and gives the new ones their values. This constructor makes the records that an earlier version
 * wrote. Components that a later version has added are skipped, because the length tells where they end.
 *
 * <p>Each enum ends with a constant {@code UNKNOWN}. Later versions insert their constants before it. {@code UNKNOWN}
 * is written as 255, and read for every ordinal that this version does not know.
 *
 * <p>Reading bounds every length by the available bytes, before memory is taken, and throws {@link ProtocolViolation}.
 */
public final class RecordCodec {
    /** Name of the enum constant that stands for the constants of later versions. */
    public static final String UNKNOWN = "UNKNOWN";

    private static final int UNKNOWN_CODE = 255;

    private static final Map<Type, Field> FIELDS = new ConcurrentHashMap<>();

    private RecordCodec() {}

    /** Appends a record. */
    public static void write(ByteBuf out, Record value) {
        field(value.getClass()).write(out, value);
    }

    /** Reads a record; bytes after it stay unread. */
    public static <R extends Record> R read(ByteBuf in, Class<R> type) {
        return type.cast(field(type).read(in));
    }

    /** Writes and reads values of one type. */
    interface Field {
        void write(ByteBuf out, Object value);

        Object read(ByteBuf in);

        /** The fewest bytes that a value takes. */
        int bytesMin();
    }

    static Field field(Type type) {
        Field known = FIELDS.get(type);
        if (known == null) {
            known = make(type);
            FIELDS.put(type, known);
        }
        return known;
    }

    private static Field make(Type type) {
        if (type instanceof ParameterizedType list && list.getRawType() == List.class) {
            return new ListField(field(list.getActualTypeArguments()[0]));
        }
        Class<?> raw = (Class<?>) type;
        if (raw.isRecord()) {
            return RecordField.of(raw);
        }
        if (raw.isEnum()) {
            return EnumField.of(raw);
        }
        Field scalar = SCALARS.get(raw);
        if (scalar == null) {
            throw new IllegalArgumentException("no encoding for " + type);
        }
        return scalar;
    }

    static void need(ByteBuf in, long bytes) {
        if (bytes < 0 || bytes > in.readableBytes()) {
            throw new ProtocolViolation(
                    "message ends early: " + bytes + " bytes wanted, " + in.readableBytes() + " there");
        }
    }

    private interface Reader {
        Object read(ByteBuf in);
    }

    private interface Writer<T> {
        void write(ByteBuf out, T value);
    }

    private static <T> Field scalar(int bytes, Class<T> type, Writer<T> writer, Reader reader) {
        return new Field() {
            @Override
            @SuppressWarnings("unchecked") // boxed by reflection, always a T
            public void write(ByteBuf out, Object value) {
                writer.write(out, (T) value);
            }

            @Override
            public Object read(ByteBuf in) {
                need(in, bytes);
                return reader.read(in);
            }

            @Override
            public int bytesMin() {
                return bytes;
            }
        };
    }

    private static final Map<Class<?>, Field> SCALARS = scalars();

    private static Map<Class<?>, Field> scalars() {
        Map<Class<?>, Field> scalars = new HashMap<>();
        Field i32 = scalar(4, Integer.class, ByteBuf::writeIntLE, ByteBuf::readIntLE);
        scalars.put(int.class, i32);
        scalars.put(Integer.class, i32);
        Field i64 = scalar(8, Long.class, ByteBuf::writeLongLE, ByteBuf::readLongLE);
        scalars.put(long.class, i64);
        scalars.put(Long.class, i64);
        scalars.put(byte.class, scalar(1, Byte.class, (out, value) -> out.writeByte(value), ByteBuf::readByte));
        scalars.put(boolean.class, scalar(1, Boolean.class, ByteBuf::writeBoolean, ByteBuf::readBoolean));
        scalars.put(String.class, scalar(4, String.class, RecordCodec::writeText, RecordCodec::readText));
        scalars.put(byte[].class, scalar(4, byte[].class, RecordCodec::writeBytes, RecordCodec::readBytes));
        return scalars;
    }

    private static void writeText(ByteBuf out, String text) {
        out.writeIntLE(ByteBufUtil.utf8Bytes(text));
        ByteBufUtil.writeUtf8(out, text);
    }

    private static Object readText(ByteBuf in) {
        int length = in.readIntLE();
        need(in, length);
        return in.readCharSequence(length, StandardCharsets.UTF_8).toString();
    }

    private static void writeBytes(ByteBuf out, byte[] bytes) {
        out.writeIntLE(bytes.length);
        out.writeBytes(bytes);
    }

    private static Object readBytes(ByteBuf in) {
        int length = in.readIntLE();
        need(in, length);
        byte[] bytes = new byte[length];
        in.readBytes(bytes);
        return bytes;
    }

    private record ListField(Field element) implements Field {
        @Override
        public void write(ByteBuf out, Object value) {
            List<?> list = (List<?>) value;
            out.writeIntLE(list.size());
            for (Object e : list) {
                element.write(out, e);
            }
        }

        @Override
        public Object read(ByteBuf in) {
            need(in, Integer.BYTES);
            int count = in.readIntLE();
            need(in, (long) count * element.bytesMin());
            List<Object> list = new ArrayList<>(count);
            for (int k = 0; k < count; k++) {
                list.add(element.read(in));
            }
            return List.copyOf(list);
        }

        @Override
        public int bytesMin() {
            return Integer.BYTES;
        }
    }

    /** @param unknown ordinal of the last constant */
    private record EnumField(Object[] constants, int unknown) implements Field {
        static EnumField of(Class<?> type) {
            Object[] constants = type.getEnumConstants();
            int unknown = constants.length - 1;
            if (!((Enum<?>) constants[unknown]).name().equals(UNKNOWN)) {
                throw new IllegalArgumentException("the last constant of " + type + " is not " + UNKNOWN);
            }
            return new EnumField(constants, unknown);
        }

        @Override
        public void write(ByteBuf out, Object value) {
            int ordinal = ((Enum<?>) value).ordinal();
            out.writeByte(ordinal == unknown ? UNKNOWN_CODE : ordinal);
        }

        @Override
        public Object read(ByteBuf in) {
            need(in, 1);
            return constants[Math.min(in.readUnsignedByte(), unknown)];
        }

        @Override
        public int bytesMin() {
            return 1;
        }
    }
}
