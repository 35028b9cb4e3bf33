package io.sdds.core.protocol;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Selects the records of a scan: an expression over a record's key and value. The client sends a filter to the bricks
 * as data, and the bricks evaluate it next to the records.
 *
 * <p>Immutable. The client's parser reads the text that {@code toString} writes.
 */
public sealed interface Filter {
    /** Largest number of nodes on a path of an encoded filter. */
    int DEPTH_MAX = 16;

    /** Largest number of nodes of an encoded filter. */
    int NODES_MAX = 256;

    /** True if all parts are true, and if there are no parts. */
    record And(List<Filter> parts) implements Filter {
        public And {
            parts = List.copyOf(parts);
        }

        @Override
        public String toString() {
            return join(parts, " and ");
        }
    }

    /** True if at least one part is true. */
    record Or(List<Filter> parts) implements Filter {
        public Or {
            parts = List.copyOf(parts);
        }

        @Override
        public String toString() {
            return join(parts, " or ");
        }
    }

    /** True if the part is false. */
    record Not(Filter part) implements Filter {
        @Override
        public String toString() {
            return "not " + (part instanceof Match ? part : "(" + part + ")");
        }
    }

    /**
     * Compares the bytes of a field.
     *
     * @param operand compared with the field; belongs to the filter and is not changed any more
     */
    record Match(Field field, Test test, byte[] operand) implements Filter {
        @Override
        public boolean equals(Object other) {
            return other instanceof Match match
                    && field == match.field
                    && test == match.test
                    && Arrays.equals(operand, match.operand);
        }

        @Override
        public int hashCode() {
            return 31 * (31 * field.ordinal() + test.ordinal()) + Arrays.hashCode(operand);
        }

        @Override
        public String toString() {
            return field.word + " " + test.word + " " + literal(operand);
        }
    }

    /** A part of a record. */
    enum Field {
        KEY("key"),
        VALUE("value");

        private final String word;

        Field(String word) {
            this.word = word;
        }
    }

    /** The comparison of a field with the operand. */
    enum Test {
        EQUALS("="),
        PREFIX("prefix"),
        CONTAINS("contains");

        private final String word;

        Test(String word) {
            this.word = word;
        }
    }

    /** True of every record. */
    static Filter everything() {
        return new And(List.of());
    }

    default Filter and(Filter other) {
        return new And(List.of(this, other));
    }

    default Filter or(Filter other) {
        return new Or(List.of(this, other));
    }

    default Filter negate() {
        return new Not(this);
    }

    /**
     * Encodes the filter for a SCAN request.
     *
     * @throws IllegalArgumentException when it has more depth, nodes or bytes than the protocol allows
     */
    default byte[] encode() {
        return FilterCodec.encode(this);
    }

    /**
     * Reads a filter, which must end where the buffer's readable bytes end.
     *
     * @throws ProtocolViolation when the bytes are no filter, or a filter beyond the limits; memory is bounded by the
     *     bytes given
     */
    static Filter decode(ByteBuf in) {
        return FilterCodec.decode(in);
    }

    private static String join(List<Filter> parts, String word) {
        return switch (parts.size()) {
            case 0 -> word.equals(" and ") ? "true" : "false";
            case 1 -> parts.get(0).toString();
            default ->
                parts.stream()
                        .map(part -> part instanceof And || part instanceof Or ? "(" + part + ")" : part.toString())
                        .collect(Collectors.joining(word));
        };
    }

    /** Text in quotes, with quotes inside doubled; bytes that are no text in hexadecimal. */
    private static String literal(byte[] operand) {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(operand))
                    .toString();
            return "'" + text.replace("'", "''") + "'";
        } catch (CharacterCodingException e) {
            return "x'" + HexFormat.of().formatHex(operand) + "'";
        }
    }
}
