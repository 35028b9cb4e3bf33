package io.sdds.core.query;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sdds.core.protocol.Limits;
import io.sdds.core.protocol.ProtocolViolation;
import io.sdds.core.row.ValueType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Layout of a tuple: what a program answers of a row or of a group.
 *
 * <pre>
 * ceil(n / 8) bytes  bit k &amp; 7 of byte k >> 3 is set if column k is NULL; other bits are 0
 * each value that is not NULL: its bytes as {@link ValueType.Kind} tells, with a varint length before them
 *     if its type has no fixed length
 * </pre>
 *
 * A varint has seven bits of the number in each byte, the lowest first, and the bit 0x80 in each but the last one.
 */
public final class TupleCodec {
    private static final int VARINT_BYTES_MAX = 5;

    private final List<ValueType> types;

    /** For tuples of these types, which both ends know by {@link Program#tuple}. */
    public TupleCodec(List<ValueType> types) {
        this.types = List.copyOf(types);
    }

    public List<ValueType> types() {
        return types;
    }

    /**
     * Appends a tuple.
     *
     * @param values for each column the value as a row stores it; null: NULL
     */
    public void write(List<byte @Nullable []> values, ByteBuf out) {
        for (int k = 0; k < types.size(); k += Byte.SIZE) {
            int nulls = 0;
            for (int bit = 0; bit < Byte.SIZE && k + bit < types.size(); bit++) {
                nulls |= values.get(k + bit) == null ? 1 << bit : 0;
            }
            out.writeByte(nulls);
        }
        for (int k = 0; k < types.size(); k++) {
            byte[] value = values.get(k);
            if (value != null) {
                if (types.get(k).bytes() == 0) {
                    writeVarint(value.length, out);
                }
                out.writeBytes(value);
            }
        }
    }

    /** A tuple alone. */
    public byte[] encode(List<byte @Nullable []> values) {
        ByteBuf out = Unpooled.buffer();
        write(values, out);
        byte[] bytes = new byte[out.readableBytes()];
        out.readBytes(bytes);
        return bytes;
    }

    /**
     * Reads the next tuple.
     *
     * @return for each column the value as a row stores it; null: NULL
     * @throws ProtocolViolation when the bytes end early or are no tuple; memory is bounded by the bytes given
     */
    public List<byte @Nullable []> read(ByteBuf in) {
        byte[] nulls = take((types.size() + Byte.SIZE - 1) / Byte.SIZE, in);
        if (types.size() % Byte.SIZE != 0 && (nulls[nulls.length - 1] & 0xff) >> types.size() % Byte.SIZE != 0) {
            throw new ProtocolViolation("a tuple has NULL beyond its " + types.size() + " columns");
        }
        List<byte @Nullable []> values = new ArrayList<>(types.size());
        for (int k = 0; k < types.size(); k++) {
            if ((nulls[k >> 3] >> (k & 7) & 1) != 0) {
                values.add(null);
            } else {
                int fixed = types.get(k).bytes();
                values.add(take(fixed != 0 ? fixed : readVarint(in), in));
            }
        }
        return values;
    }

    private static byte[] take(int count, ByteBuf in) {
        if (in.readableBytes() < count) {
            throw new ProtocolViolation(
                    "tuple ends early: " + count + " bytes wanted, " + in.readableBytes() + " there");
        }
        byte[] bytes = new byte[count];
        in.readBytes(bytes);
        return bytes;
    }

    /** Appends a number from 0 on. */
    static void writeVarint(int number, ByteBuf out) {
        int rest = number;
        while (rest >= 0x80) {
            out.writeByte(rest & 0x7f | 0x80);
            rest >>>= 7;
        }
        out.writeByte(rest);
    }

    /**
     * Reads a number of at most {@link Limits#VALUE_BYTES_MAX}, in its shortest form.
     *
     * @throws ProtocolViolation when it is another one, or ends early
     */
    static int readVarint(ByteBuf in) {
        int number = 0;
        for (int k = 0; k < VARINT_BYTES_MAX; k++) {
            if (!in.isReadable()) {
                throw new ProtocolViolation("a number ends early");
            }
            int unit = in.readByte();
            number |= (unit & 0x7f) << 7 * k;
            if (unit >= 0) {
                if (number < 0 || number > Limits.VALUE_BYTES_MAX || unit == 0 && k > 0) {
                    break;
                }
                return number;
            }
        }
        throw new ProtocolViolation("a number is out of range or not in its shortest form");
    }
}
