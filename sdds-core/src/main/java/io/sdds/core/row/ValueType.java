package io.sdds.core.row;

import java.util.Locale;

/**
 * The type of a column, or of a value that a program computes.
 *
 * @param precision of {@link Kind#DECIMAL} the most digits, 1 to {@link #DECIMAL_DIGITS_MAX}; of {@link Kind#VARCHAR}
 *     the most code points, and of {@link Kind#VARBINARY} the most bytes, 0: no limit; of other kinds 0
 * @param scale of {@link Kind#DECIMAL} the digits behind the point, 0 to the precision; of other kinds 0
 */
public record ValueType(Kind kind, int precision, int scale) {
    /** Most digits of a decimal number. */
    public static final int DECIMAL_DIGITS_MAX = 38;

    public static final ValueType BOOLEAN = new ValueType(Kind.BOOLEAN, 0, 0);
    public static final ValueType INTEGER = new ValueType(Kind.INTEGER, 0, 0);
    public static final ValueType BIGINT = new ValueType(Kind.BIGINT, 0, 0);
    public static final ValueType DOUBLE = new ValueType(Kind.DOUBLE, 0, 0);
    public static final ValueType DATE = new ValueType(Kind.DATE, 0, 0);
    public static final ValueType TIME = new ValueType(Kind.TIME, 0, 0);
    public static final ValueType TIMESTAMP = new ValueType(Kind.TIMESTAMP, 0, 0);
    public static final ValueType UUID = new ValueType(Kind.UUID, 0, 0);
    public static final ValueType VARCHAR = new ValueType(Kind.VARCHAR, 0, 0);
    public static final ValueType VARBINARY = new ValueType(Kind.VARBINARY, 0, 0);

    /** The kinds of values. The names are the words of the language. */
    public enum Kind {
        /** One byte, 0 or 1. */
        BOOLEAN(1),
        /** 32 bits. */
        INTEGER(4),
        /** 64 bits. */
        BIGINT(8),
        /** A 64-bit floating-point number of IEEE 754. -0.0 is stored as 0.0, and every NaN as the one of Java. */
        DOUBLE(8),
        /** The unscaled number in 128 bits, two's complement. */
        DECIMAL(16),
        /** Days since 1970-01-01, in 32 bits. */
        DATE(4),
        /** Microseconds since midnight, in 64 bits. */
        TIME(8),
        /** Microseconds since 1970-01-01 00:00:00, without a time zone, in 64 bits. */
        TIMESTAMP(8),
        /** The two longs of {@link java.util.UUID}, big endian, so that the order of the bytes is that of the text. */
        UUID(16),
        /** Text as UTF-8, ordered by code points. */
        VARCHAR(0),
        /** Bytes, ordered as unsigned numbers. */
        VARBINARY(0),
        /** A kind of a later version. */
        UNKNOWN(0);

        private final int bytes;

        Kind(int bytes) {
            this.bytes = bytes;
        }

        /** Length of each value, little endian but for {@link #UUID}; 0: the length varies. */
        public int bytes() {
            return bytes;
        }
    }

    /** A decimal number. */
    public static ValueType decimal(int precision, int scale) {
        return new ValueType(Kind.DECIMAL, precision, scale);
    }

    /** Length of each value in a row; 0: the length varies. */
    public int bytes() {
        return kind.bytes();
    }

    /** The type as the language writes it: {@code bigint}, {@code decimal(10,2)}, {@code varchar(20)}. */
    @Override
    public String toString() {
        String word = kind.name().toLowerCase(Locale.ROOT);
        if (kind == Kind.DECIMAL) {
            return word + "(" + precision + "," + scale + ")";
        }
        return precision == 0 ? word : word + "(" + precision + ")";
    }
}
