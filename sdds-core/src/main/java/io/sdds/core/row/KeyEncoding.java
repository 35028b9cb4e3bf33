package io.sdds.core.row;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keys of one or more columns as bytes whose unsigned order is the order of the values, column by column.
 *
 * <p>Numbers are big endian, with the sign bit flipped: INTEGER and DATE in 4 bytes, BIGINT, TIME and TIMESTAMP in 8,
 * DECIMAL in 16. DOUBLE is in 8 bytes: the sign bit is flipped of positive numbers, and all bits of negative ones; -0.0
 * is 0.0, and NaN is last. BOOLEAN is 0 or 1 in one byte, UUID its 16 bytes. VARCHAR (as UTF-8) and VARBINARY are as
 * they are in the last column; in other columns 0x00 becomes 0x00 0xff, and 0x00 0x00 ends. So the key of one column is
 * what {@code Codec.utf8()}, {@code int64()} or {@code uuid()} of the client makes.
 */
public final class KeyEncoding {
    private static final int ESCAPED = 0xff;
    /** What most keys fit into. */
    private static final int KEY_BYTES = 32;

    private final List<ValueType> types;
    private final List<@Nullable String> names;

    /** Of keys of columns without names. */
    public KeyEncoding(List<ValueType> types) {
        this(types, Collections.nCopies(types.size(), null));
    }

    private KeyEncoding(List<ValueType> types, List<@Nullable String> names) {
        this.types = List.copyOf(types);
        this.names = new ArrayList<>(names);
    }

    /** Of the keys of a table. */
    public static KeyEncoding of(Schema schema) {
        List<Column> columns = schema.keyColumns();
        return new KeyEncoding(
                columns.stream().map(Column::type).toList(),
                columns.stream().<@Nullable String>map(Column::name).toList());
    }

    /** Columns of the key. */
    public int columns() {
        return types.size();
    }

    /**
     * The bytes of a key.
     *
     * @param values of all columns, of the classes of {@link Values}
     * @throws IllegalArgumentException if a value is null or does not fit its column; the message names the column
     */
    public byte[] encode(@Nullable Object... values) {
        if (values.length != types.size()) {
            throw new IllegalArgumentException(values.length + " values of a key of " + types.size() + " columns");
        }
        ByteArrayOutputStream key = new ByteArrayOutputStream(KEY_BYTES);
        for (int k = 0; k < values.length; k++) {
            write(types.get(k), stored(k, values[k]), k == values.length - 1, key);
        }
        return key.toByteArray();
    }

    /**
     * The bytes with which all keys begin whose first columns have these values. They are the key itself if there is a
     * value of each column.
     *
     * @param leading as rows store them, of as many columns as there are or fewer
     */
    public byte[] beginning(List<byte[]> leading) {
        return beginning(leading, new byte[0]);
    }

    /**
     * The bytes with which all keys begin whose first columns have these values, and whose next column is a text or
     * bytes that begin with others.
     *
     * @param leading as rows store them, of fewer columns than there are if {@code part} is not empty
     */
    public byte[] beginning(List<byte[]> leading, byte[] part) {
        ByteArrayOutputStream key = new ByteArrayOutputStream(KEY_BYTES);
        for (int k = 0; k < leading.size(); k++) {
            write(types.get(k), leading.get(k), k == types.size() - 1, key);
        }
        if (leading.size() == types.size() - 1) {
            key.writeBytes(part);
        } else {
            writeEscaped(part, key);
        }
        return key.toByteArray();
    }

    /**
     * The values of the first columns as rows store them.
     *
     * @param leading of the classes of {@link Values}
     * @throws IllegalArgumentException if there are more than columns, or one is null or does not fit its column; the
     *     message names the column
     */
    public List<byte[]> leading(@Nullable Object... leading) {
        if (leading.length > types.size()) {
            throw new IllegalArgumentException(leading.length + " values of a key of " + types.size() + " columns");
        }
        List<byte[]> stored = new ArrayList<>();
        for (int k = 0; k < leading.length; k++) {
            stored.add(stored(k, leading[k]));
        }
        return stored;
    }

    private byte[] stored(int column, @Nullable Object value) {
        if (value == null) {
            throw Values.misfit(names.get(column), "part of a key, which is never null");
        }
        return Values.encode(types.get(column), value, names.get(column));
    }

    /**
     * The values of a key, of the classes that {@link Values} reads.
     *
     * @throws MalformedRowException if the bytes are no key of these columns
     */
    public Object[] decode(byte[] key) {
        byte[][] stored = stored(key);
        Object[] values = new Object[stored.length];
        for (int k = 0; k < stored.length; k++) {
            values[k] = Values.decode(types.get(k), stored[k]);
        }
        return values;
    }

    /** The values of a key as rows store them; like {@link #decode}. */
    public byte[][] stored(byte[] key) {
        byte[][] stored = new byte[types.size()][];
        int at = 0;
        for (int k = 0; k < stored.length; k++) {
            boolean last = k == stored.length - 1;
            ValueType type = types.get(k);
            int end = end(type, key, at, last);
            stored[k] = type.bytes() > 0 ? fixed(type, key, at) : variable(key, at, end, last);
            at = end;
        }
        if (at != key.length) {
            throw new MalformedRowException("its key has " + key.length + " bytes, " + (key.length - at) + " too many");
        }
        return stored;
    }

    /** The bits of a number, so that their unsigned order is the order of the numbers. */
    public static long ordered(double number) {
        long bits = Values.doubleBits(number);
        return bits ^ (bits >> 63 | Long.MIN_VALUE);
    }

    /** The bits of a DOUBLE of which a key has the ordered bits. */
    public static long doubleBits(long ordered) {
        return ordered ^ (~ordered >> 63 | Long.MIN_VALUE);
    }

    // ---- writing

    private static void write(ValueType type, byte[] stored, boolean last, ByteArrayOutputStream to) {
        switch (type.kind()) {
            case VARCHAR, VARBINARY -> writeVariable(stored, last, to);
            case BOOLEAN, UUID -> to.writeBytes(stored);
            default -> to.writeBytes(flipped(type, reversed(stored)));
        }
    }

    private static void writeVariable(byte[] stored, boolean last, ByteArrayOutputStream to) {
        if (last) {
            to.writeBytes(stored);
            return;
        }
        writeEscaped(stored, to);
        to.write(0);
        to.write(0);
    }

    private static void writeEscaped(byte[] stored, ByteArrayOutputStream to) {
        for (byte each : stored) {
            to.write(each);
            if (each == 0) {
                to.write(ESCAPED);
            }
        }
    }

    private static byte[] reversed(byte[] bytes) {
        byte[] reversed = new byte[bytes.length];
        for (int k = 0; k < bytes.length; k++) {
            reversed[k] = bytes[bytes.length - 1 - k];
        }
        return reversed;
    }

    /** Makes the unsigned order of big endian bytes the order of the numbers. */
    private static byte[] flipped(ValueType type, byte[] bytes) {
        if (type.kind() == ValueType.Kind.DOUBLE && bytes[0] < 0) {
            for (int k = 0; k < bytes.length; k++) {
                bytes[k] = (byte) ~bytes[k];
            }
        } else {
            bytes[0] ^= Byte.MIN_VALUE;
        }
        return bytes;
    }

    // ---- reading

    /** Index of the first byte behind a column. */
    private static int end(ValueType type, byte[] key, int at, boolean last) {
        if (type.bytes() > 0) {
            if (key.length - at < type.bytes()) {
                throw new MalformedRowException("its key ends in " + type + ", at byte " + key.length);
            }
            return at + type.bytes();
        }
        if (last) {
            return key.length;
        }
        for (int k = at; k < key.length - 1; k++) {
            if (key[k] == 0) {
                if (key[++k] == 0) {
                    return k + 1;
                }
                if ((key[k] & 0xff) != ESCAPED) {
                    break;
                }
            }
        }
        throw new MalformedRowException("its key has no end of the " + type + " that begins at byte " + at);
    }

    private static byte[] fixed(ValueType type, byte[] key, int at) {
        byte[] part = Arrays.copyOfRange(key, at, at + type.bytes());
        if (type.kind() == ValueType.Kind.BOOLEAN || type.kind() == ValueType.Kind.UUID) {
            return part;
        }
        if (type.kind() == ValueType.Kind.DOUBLE && part[0] >= 0) {
            for (int k = 0; k < part.length; k++) {
                part[k] = (byte) ~part[k];
            }
        } else {
            part[0] ^= Byte.MIN_VALUE;
        }
        return reversed(part);
    }

    private static byte[] variable(byte[] key, int at, int end, boolean last) {
        if (last) {
            return Arrays.copyOfRange(key, at, end);
        }
        ByteArrayOutputStream text = new ByteArrayOutputStream(end - at);
        for (int k = at; k < end - 2; k++) {
            text.write(key[k]);
            if (key[k] == 0) {
                k++;
            }
        }
        return text.toByteArray();
    }
}
