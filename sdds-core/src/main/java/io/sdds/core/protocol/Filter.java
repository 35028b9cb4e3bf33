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
 * What a scan lets pass: an expression over a record's key and value, shipped to the bricks as data and evaluated next
 * to the bytes.
 *
 * <p>Immutable. Its text ({@code toString}) is what the client's parser reads.
 */
public sealed interface Filter {
    /** Nodes on the longest path of an encoded filter. */
    int DEPTH_MAX = 16;

    /** Nodes of an encoded filter. */
    int NODES_MAX = 256;

    /** All of them; true of every record when there are none. */
    record And(List<Filter> parts) implements Filter {
        public And {
            parts = List.copyOf(parts);
        }

        @Override
        public String toString() {
            return join(parts, " and ");
        }
    }

    /** At least one of them; true of no record when there are none. */
    record Or(List<Filter> parts) implements Filter {
        public Or {
            parts = List.copyOf(parts);
        }

        @Override
        public String toString() {
            return join(parts, " or ");
        }
    }

    /** The opposite. */
    record Not(Filter part) implements Filter {
        @Override
        public String toString() {
            return "not " + (part instanceof Match ? part : "(" + part + ")");
        }
    }

    /**
     * One comparison of bytes.
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

    /** How a field is compared with the operand. */
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
     * The filter as it stands in a SCAN request.
     *
     * @throws IllegalArgumentException when it has more depth, nodes or bytes than the wire allows
     */
    default byte[] encode() {
        return FilterCodec.encode(this);
    }

    /**
     * Reads a filter, which must end where the buffer's readable bytes end.
     *
     * @throws ProtocolViolation when the bytes are no filter, or one beyond the limits; memory is bounded by the bytes
     *     given
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

    /** Text in quotes, a quote in it doubled; what is no text in hexadecimal. */
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
