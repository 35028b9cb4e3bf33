package io.sdds.brick.query;

import io.sdds.core.row.ValueType;
import io.sdds.core.row.ValueType.Kind;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;

/** CAST, but for casts from and to text, which {@link TextCasts} has. */
final class Casts {
    private static final long MICROS_OF_DAY = 86_400_000_000L;

    private Casts() {}

    static Kernel of(Lane a, Lane out, Scratch scratch) {
        Kind from = a.type.kind();
        Kind to = out.type.kind();
        if (Lane.isText(a.type) || Lane.isText(out.type)) {
            return TextCasts.of(a, out, scratch);
        }
        return switch (from) {
            case DOUBLE -> to == Kind.DOUBLE ? new Same(a, out) : new OfDouble(a, out);
            case DECIMAL -> new OfDecimal(a, out);
            case INTEGER, BIGINT -> new OfLong(a, out);
            case DATE -> to == Kind.DATE ? new Same(a, out) : new DateToTimestamp(a, out);
            case TIMESTAMP -> to == Kind.TIMESTAMP ? new Same(a, out) : new OfTimestamp(a, out);
            default -> new Same(a, out);
        };
    }

    /** A cast of one row at a time. */
    abstract static class Cast extends Kernel {
        final Lane a;

        Cast(Lane a, Lane out) {
            super(out);
            this.a = a;
        }

        @Override
        final void run(int rows) {
            out.statesOf(a, rows);
            for (int i = 0; i < rows; i++) {
                if (out.has(i)) {
                    cast(i, rows);
                }
            }
        }

        abstract void cast(int row, int rows);

        @Override
        int cost() {
            return 3;
        }
    }

    private static final class Same extends Cast {
        Same(Lane a, Lane out) {
            super(a, out);
        }

        @Override
        void cast(int row, int rows) {
            out.copy(row, a);
        }
    }

    /** Writes an integer, or an error if it does not fit. */
    private static void set(Lane out, int row, long number, int rows) {
        out.values[row] = number;
        if (out.type.kind() == Kind.INTEGER && number != (int) number) {
            out.state(row, Fault.OVERFLOW, rows);
        }
    }

    private static void set(Lane out, int row, BigInteger number, int rows) {
        if (out.type.kind() == Kind.DECIMAL) {
            Decimals.set(out, row, number, rows);
        } else if (number.bitLength() >= Long.SIZE) {
            out.state(row, Fault.OVERFLOW, rows);
        } else {
            set(out, row, number.longValue(), rows);
        }
    }

    private static int scale(ValueType type) {
        return type.kind() == Kind.DECIMAL ? type.scale() : 0;
    }

    private static final class OfLong extends Cast {
        private final BigInteger power;

        OfLong(Lane a, Lane out) {
            super(a, out);
            power = BigInteger.TEN.pow(scale(out.type));
        }

        @Override
        void cast(int row, int rows) {
            long number = a.values[row];
            switch (out.type.kind()) {
                case DOUBLE -> out.values[row] = Double.doubleToLongBits(number);
                case DECIMAL -> decimal(row, number, rows);
                default -> set(out, row, number, rows);
            }
        }

        private void decimal(int row, long number, int rows) {
            if (power.bitLength() < Long.SIZE) {
                long factor = power.longValue();
                Decimals.set(out, row, Math.multiplyHigh(number, factor), number * factor, rows);
            } else {
                Decimals.set(out, row, power.multiply(BigInteger.valueOf(number)), rows);
            }
        }
    }

    private static final class OfDouble extends Cast {
        /** Below this, numbers may have a fraction, and are longs without it. */
        private static final double FRACTIONS_BELOW = 1L << 52;

        OfDouble(Lane a, Lane out) {
            super(a, out);
        }

        @Override
        void cast(int row, int rows) {
            double number = Double.longBitsToDouble(a.values[row]);
            if (!Double.isFinite(number)) {
                out.state(row, Fault.OVERFLOW, rows);
            } else if (out.type.kind() != Kind.DECIMAL && Math.abs(number) < FRACTIONS_BELOW) {
                long whole = (long) number;
                double rest = number - whole;
                set(out, row, rest >= 0.5 ? whole + 1 : rest <= -0.5 ? whole - 1 : whole, rows);
            } else {
                BigDecimal exact = new BigDecimal(number).setScale(scale(out.type), RoundingMode.HALF_UP);
                set(out, row, exact.unscaledValue(), rows);
            }
        }

        @Override
        int cost() {
            return out.type.kind() == Kind.DECIMAL ? 300 : 3;
        }
    }

    private static final class OfDecimal extends Cast {
        /** Digits that the number gains behind the point, or loses. */
        private final int shift;

        private final BigInteger power;

        OfDecimal(Lane a, Lane out) {
            super(a, out);
            shift = scale(out.type) - a.type.scale();
            power = BigInteger.TEN.pow(Math.abs(shift));
        }

        @Override
        void cast(int row, int rows) {
            long high = a.highs[row];
            long low = a.values[row];
            if (out.type.kind() == Kind.DOUBLE) {
                double nearest = new BigDecimal(Decimals.big(high, low), a.type.scale()).doubleValue();
                out.values[row] = Sources.canonical(nearest);
            } else if (shift == 0 && out.type.kind() == Kind.DECIMAL) {
                Decimals.set(out, row, high, low, rows);
            } else {
                BigInteger number = Decimals.big(high, low);
                set(out, row, shift >= 0 ? number.multiply(power) : Decimals.rounded(number, power), rows);
            }
        }

        @Override
        int cost() {
            return shift == 0 && out.type.kind() == Kind.DECIMAL ? 3 : 150;
        }
    }

    private static final class DateToTimestamp extends Cast {
        DateToTimestamp(Lane a, Lane out) {
            super(a, out);
        }

        @Override
        void cast(int row, int rows) {
            long micros = a.values[row] * MICROS_OF_DAY;
            out.values[row] = micros;
            if (Math.multiplyHigh(a.values[row], MICROS_OF_DAY) != micros >> 63) {
                out.state(row, Fault.OVERFLOW, rows);
            }
        }
    }

    /** TIMESTAMP to DATE or TIME. */
    private static final class OfTimestamp extends Cast {
        OfTimestamp(Lane a, Lane out) {
            super(a, out);
        }

        @Override
        void cast(int row, int rows) {
            out.values[row] = out.type.kind() == Kind.DATE
                    ? Math.floorDiv(a.values[row], MICROS_OF_DAY)
                    : Math.floorMod(a.values[row], MICROS_OF_DAY);
        }
    }
}
