package io.sdds.core.row;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;

/** Random types, schemas and values; values are often at an edge, and often equal. */
final class RandomRows {
    private static final String[] PIECES = {
        "", "a", "b", "ab", "\0", "\0\0", "\0a", "\u0001", "\u00ff", "\uff00", "\uffff", "\ud83d\ude00", "\ud7ff"
    };
    private static final double[] DOUBLES = {
        0.0,
        -0.0,
        1,
        -1,
        Double.NaN,
        Double.MIN_VALUE,
        -Double.MIN_VALUE,
        Double.MAX_VALUE,
        -Double.MAX_VALUE,
        Double.POSITIVE_INFINITY,
        Double.NEGATIVE_INFINITY
    };

    private final SplittableRandom random;

    RandomRows(SplittableRandom random) {
        this.random = random;
    }

    ValueType type() {
        ValueType.Kind kind = ValueType.Kind.values()[random.nextInt(ValueType.Kind.UNKNOWN.ordinal())];
        int precision = 1 + random.nextInt(ValueType.DECIMAL_DIGITS_MAX);
        return switch (kind) {
            case DECIMAL -> ValueType.decimal(precision, random.nextInt(precision + 1));
            case VARCHAR, VARBINARY -> new ValueType(kind, random.nextBoolean() ? 0 : 40 + precision, 0);
            default -> new ValueType(kind, 0, 0);
        };
    }

    Object value(ValueType type) {
        return switch (type.kind()) {
            case BOOLEAN -> random.nextBoolean();
            case INTEGER -> (int) int64();
            case BIGINT -> int64();
            case DOUBLE ->
                random.nextBoolean()
                        ? DOUBLES[random.nextInt(DOUBLES.length)]
                        : Double.longBitsToDouble(random.nextLong());
            case DECIMAL -> decimal(type);
            case DATE -> LocalDate.ofEpochDay((int) int64());
            case TIME -> LocalTime.ofNanoOfDay(Math.floorMod(int64(), Values.MICROS_OF_DAY) * 1000);
            case TIMESTAMP -> timestamp(int64());
            case UUID -> new UUID(int64(), int64());
            case VARCHAR -> text();
            case VARBINARY -> bytes();
            case UNKNOWN -> throw new AssertionError();
        };
    }

    private long int64() {
        return switch (random.nextInt(4)) {
            case 0 -> random.nextInt(-2, 3);
            case 1 -> random.nextBoolean() ? Long.MIN_VALUE : Long.MAX_VALUE;
            case 2 -> random.nextLong() >> random.nextInt(64);
            default -> random.nextInt();
        };
    }

    private BigDecimal decimal(ValueType type) {
        BigInteger limit = BigInteger.TEN.pow(random.nextInt(1, type.precision() + 1));
        BigInteger unscaled = new BigInteger(128, new java.util.Random(random.nextLong())).mod(limit);
        if (random.nextInt(8) == 0) {
            unscaled = limit.subtract(BigInteger.ONE);
        }
        return new BigDecimal(random.nextBoolean() ? unscaled : unscaled.negate(), type.scale());
    }

    private static LocalDateTime timestamp(long micros) {
        return LocalDateTime.ofEpochSecond(
                Math.floorDiv(micros, 1_000_000), (int) Math.floorMod(micros, 1_000_000) * 1000, ZoneOffset.UTC);
    }

    private String text() {
        StringBuilder text = new StringBuilder();
        for (int k = random.nextInt(4); k > 0; k--) {
            text.append(PIECES[random.nextInt(PIECES.length)]);
        }
        return text.toString();
    }

    private byte[] bytes() {
        byte[] bytes = new byte[random.nextInt(6)];
        for (int k = 0; k < bytes.length; k++) {
            bytes[k] = (byte) (random.nextBoolean() ? random.nextInt(3) - 1 : random.nextInt());
        }
        return bytes;
    }

    /** A schema with one key and some columns, some of them with defaults. */
    Schema schema(int columns) {
        List<Column> all = new ArrayList<>();
        all.add(new Column("id", ValueType.BIGINT, true, true, false, new byte[0], false));
        for (int k = 0; k < columns; k++) {
            all.add(column("c" + k));
        }
        return Schema.of(all);
    }

    Column column(String name) {
        ValueType type = type();
        boolean hasDefault = random.nextBoolean();
        byte[] value = hasDefault ? Values.encode(type, value(type), name) : new byte[0];
        return new Column(name, type, false, hasDefault && random.nextBoolean(), hasDefault, value, false);
    }

    /** Values for the columns, with NULLs where they may be. */
    Object[] values(List<Column> columns) {
        Object[] values = new Object[columns.size()];
        for (int k = 0; k < values.length; k++) {
            Column column = columns.get(k);
            boolean isNull = column.dropped() || !column.notNull() && random.nextInt(4) == 0;
            values[k] = isNull ? null : value(column.type());
        }
        return values;
    }
}
