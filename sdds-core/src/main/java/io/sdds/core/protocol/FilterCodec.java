package io.sdds.core.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Layout of a filter, little endian, depth first.
 *
 * <pre>
 * u8 1 AND, 2 OR:    u16 count, then so many filters
 * u8 3 NOT:          a filter
 * u8 4 MATCH:        u8 field (0 key, 1 value), u8 test (0 equals, 1 prefix, 2 contains), u16 length, bytes
 * </pre>
 *
 * Bounded by {@link Filter#DEPTH_MAX}, {@link Filter#NODES_MAX} and {@link Limits#FILTER_BYTES_MAX}, which both ends
 * check.
 */
final class FilterCodec {
    private static final byte AND = 1;
    private static final byte OR = 2;
    private static final byte NOT = 3;
    private static final byte MATCH = 4;

    private final ByteBuf bytes;
    private int nodes;

    private FilterCodec(ByteBuf bytes) {
        this.bytes = bytes;
    }

    static byte[] encode(Filter filter) {
        FilterCodec codec = new FilterCodec(Unpooled.buffer());
        codec.write(filter, 1);
        byte[] encoded = new byte[codec.bytes.readableBytes()];
        codec.bytes.readBytes(encoded);
        return encoded;
    }

    static Filter decode(ByteBuf in) {
        if (in.readableBytes() > Limits.FILTER_BYTES_MAX) {
            throw new ProtocolViolation(
                    "filter of " + in.readableBytes() + " bytes, " + Limits.FILTER_BYTES_MAX + " are allowed");
        }
        Filter filter = new FilterCodec(in).read(1);
        if (in.isReadable()) {
            throw new ProtocolViolation(in.readableBytes() + " bytes too many after a filter");
        }
        return filter;
    }

    private void write(Filter filter, int depth) {
        String excess = excess(depth);
        if (excess != null) {
            throw new IllegalArgumentException(excess);
        }
        if (filter instanceof Filter.And and) {
            writeAll(AND, and.parts(), depth);
        } else if (filter instanceof Filter.Or or) {
            writeAll(OR, or.parts(), depth);
        } else if (filter instanceof Filter.Not not) {
            checkBytes(1);
            bytes.writeByte(NOT);
            write(not.part(), depth + 1);
        } else if (filter instanceof Filter.Match match) {
            writeMatch(match);
        }
    }

    private void writeAll(byte code, List<Filter> parts, int depth) {
        checkBytes(3);
        bytes.writeByte(code);
        bytes.writeShortLE(parts.size());
        for (Filter part : parts) {
            write(part, depth + 1);
        }
    }

    private void writeMatch(Filter.Match match) {
        int length = match.operand().length;
        checkBytes(5 + length);
        bytes.writeByte(MATCH);
        bytes.writeByte(match.field().ordinal());
        bytes.writeByte(match.test().ordinal());
        bytes.writeShortLE(length);
        bytes.writeBytes(match.operand());
    }

    private void checkBytes(int more) {
        if (bytes.readableBytes() + more > Limits.FILTER_BYTES_MAX) {
            throw new IllegalArgumentException("filter of more than " + Limits.FILTER_BYTES_MAX + " bytes");
        }
    }

    private Filter read(int depth) {
        String excess = excess(depth);
        if (excess != null) {
            throw new ProtocolViolation(excess);
        }
        byte code = need(1).readByte();
        return switch (code) {
            case AND -> new Filter.And(readAll(depth));
            case OR -> new Filter.Or(readAll(depth));
            case NOT -> new Filter.Not(read(depth + 1));
            case MATCH -> readMatch();
            default -> throw new ProtocolViolation("no filter has code " + code);
        };
    }

    private List<Filter> readAll(int depth) {
        int count = need(2).readUnsignedShortLE();
        List<Filter> parts = new ArrayList<>();
        for (int k = 0; k < count; k++) {
            parts.add(read(depth + 1));
        }
        return parts;
    }

    private Filter readMatch() {
        need(4);
        Filter.Field field = constant(Filter.Field.values(), bytes.readByte());
        Filter.Test test = constant(Filter.Test.values(), bytes.readByte());
        int length = bytes.readUnsignedShortLE();
        need(length);
        byte[] operand = new byte[length];
        bytes.readBytes(operand);
        return new Filter.Match(field, test, operand);
    }

    private static <E> E constant(E[] constants, byte code) {
        if (code < 0 || code >= constants.length) {
            throw new ProtocolViolation(
                    "no " + constants.getClass().getComponentType().getSimpleName() + " has code " + code);
        }
        return constants[code];
    }

    private ByteBuf need(int count) {
        if (bytes.readableBytes() < count) {
            throw new ProtocolViolation(
                    "filter ends early: " + count + " bytes wanted, " + bytes.readableBytes() + " there");
        }
        return bytes;
    }

    private @Nullable String excess(int depth) {
        if (depth > Filter.DEPTH_MAX) {
            return "filter deeper than " + Filter.DEPTH_MAX;
        }
        return ++nodes > Filter.NODES_MAX ? "filter of more than " + Filter.NODES_MAX + " nodes" : null;
    }
}
