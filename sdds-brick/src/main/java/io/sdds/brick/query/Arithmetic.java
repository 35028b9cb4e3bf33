package io.sdds.brick.query;

import io.sdds.core.query.Op;
import java.math.BigInteger;

/** Arithmetic of integers and doubles. A result that does not fit the type is an error of its row. */
final class Arithmetic {
    private Arithmetic() {}

    static Kernel of(Op op, Lane a, Lane b, Lane out) {
        return switch (out.type.kind()) {
            case DOUBLE -> new OfDoubles(op, a, b, out);
            case DECIMAL -> new DecimalArithmetic(op, a, b, out);
            case INTEGER -> new OfLongs(op, a, b, Integer.MIN_VALUE, Integer.MAX_VALUE, out);
            default -> new OfLongs(op, a, b, Long.MIN_VALUE, Long.MAX_VALUE, out);
        };
    }

    /** NEGATE. */
    static Kernel negate(Lane a, Lane out) {
        Lane zero = Lane.constant(a.type); // all values are 0
        return of(Op.SUBTRACT, zero, a, out);
    }

    private static final class OfLongs extends Kernel {
        private final Op op;
        private final Lane a;
        private final Lane b;
        private final long min;
        private final long max;

        OfLongs(Op op, Lane a, Lane b, long min, long max, Lane out) {
            super(out);
            this.op = op;
            this.a = a;
            this.b = b;
            this.min = min;
            this.max = max;
        }

        @Override
        void run(int rows) {
            out.statesOf(a, b, rows);
            long overflows = switch (op) {
                case ADD -> add(a.values, b.values, out.values, rows);
                case SUBTRACT -> subtract(a.values, b.values, out.values, rows);
                case MULTIPLY -> multiply(a.values, b.values, out.values, rows);
                default -> divide(rows);
            };
            if (overflows < 0 || max != Long.MAX_VALUE) {
                findOverflows(rows);
            }
        }

        /** Adds; the result is negative if a sum overflows. */
        private static long add(long[] a, long[] b, long[] out, int rows) {
            long overflows = 0;
            for (int i = 0; i < rows; i++) {
                long sum = a[i] + b[i];
                overflows |= (a[i] ^ sum) & (b[i] ^ sum);
                out[i] = sum;
            }
            return overflows;
        }

        private static long subtract(long[] a, long[] b, long[] out, int rows) {
            long overflows = 0;
            for (int i = 0; i < rows; i++) {
                long difference = a[i] - b[i];
                overflows |= (a[i] ^ b[i]) & (a[i] ^ difference);
                out[i] = difference;
            }
            return overflows;
        }

        private static long multiply(long[] a, long[] b, long[] out, int rows) {
            boolean overflows = false;
            for (int i = 0; i < rows; i++) {
                long product = a[i] * b[i];
                overflows |= Math.multiplyHigh(a[i], b[i]) != product >> 63;
                out[i] = product;
            }
            return overflows ? -1 : 0;
        }

        private long divide(int rows) {
            for (int i = 0; i < rows; i++) {
                if (out.has(i)) {
                    if (b.values[i] == 0) {
                        out.state(i, Fault.DIVISION_BY_ZERO, rows);
                    } else {
                        out.values[i] = op == Op.DIVIDE ? a.values[i] / b.values[i] : a.values[i] % b.values[i];
                    }
                }
            }
            return op == Op.DIVIDE ? -1 : 0;
        }

        private void findOverflows(int rows) {
            for (int i = 0; i < rows; i++) {
                if (out.has(i) && overflows(a.values[i], b.values[i], out.values[i])) {
                    out.state(i, Fault.OVERFLOW, rows);
                }
            }
        }

        private boolean overflows(long left, long right, long result) {
            boolean wraps = switch (op) {
                case ADD -> ((left ^ result) & (right ^ result)) < 0;
                case SUBTRACT -> ((left ^ right) & (left ^ result)) < 0;
                case MULTIPLY -> Math.multiplyHigh(left, right) != result >> 63;
                case DIVIDE -> left == Long.MIN_VALUE && right == -1;
                default -> false;
            };
            return wraps || result < min || result > max;
        }

        @Override
        int cost() {
            return op == Op.DIVIDE || op == Op.REMAINDER ? 6 : 1;
        }
    }

    private static final class OfDoubles extends Kernel {
        private final Op op;
        private final Lane a;
        private final Lane b;

        OfDoubles(Op op, Lane a, Lane b, Lane out) {
            super(out);
            this.op = op;
            this.a = a;
            this.b = b;
        }

        @Override
        void run(int rows) {
            out.statesOf(a, b, rows);
            boolean finite = true;
            for (int i = 0; i < rows; i++) {
                double result = compute(Double.longBitsToDouble(a.values[i]), Double.longBitsToDouble(b.values[i]));
                out.values[i] = Sources.canonical(result);
                finite &= Math.abs(result) <= Double.MAX_VALUE;
            }
            if (!finite || op == Op.DIVIDE || op == Op.REMAINDER) {
                findErrors(rows);
            }
        }

        private double compute(double left, double right) {
            return switch (op) {
                case ADD -> left + right;
                case SUBTRACT -> left - right;
                case MULTIPLY -> left * right;
                case DIVIDE -> left / right;
                default -> left % right;
            };
        }

        private void findErrors(int rows) {
            boolean divides = op == Op.DIVIDE || op == Op.REMAINDER;
            for (int i = 0; i < rows; i++) {
                if (!out.has(i)) {
                    continue;
                }
                double left = Double.longBitsToDouble(a.values[i]);
                double right = Double.longBitsToDouble(b.values[i]);
                if (divides && right == 0) {
                    out.state(i, Fault.DIVISION_BY_ZERO, rows);
                } else if (Double.isFinite(left)
                        && Double.isFinite(right)
                        && !Double.isFinite(Double.longBitsToDouble(out.values[i]))) {
                    out.state(i, Fault.OVERFLOW, rows);
                }
            }
        }

        @Override
        int cost() {
            return op == Op.REMAINDER ? 10 : 1;
        }
    }

    /** Computes with decimals of 128 bits. Numbers that fit 64 bits are computed without objects. */
    private static final class DecimalArithmetic extends Kernel {
        private final Op op;
        private final Lane a;
        private final Lane b;

        /** The factor of the dividend, or of the divisor if the number of digits is negative. */
        private final int shift;

        DecimalArithmetic(Op op, Lane a, Lane b, Lane out) {
            super(out);
            this.op = op;
            this.a = a;
            this.b = b;
            this.shift = out.type.scale() + b.type.scale() - a.type.scale();
        }

        @Override
        void run(int rows) {
            out.statesOf(a, b, rows);
            for (int i = 0; i < rows; i++) {
                if (out.has(i)) {
                    compute(i, a.highs[i], a.values[i], b.highs[i], b.values[i], rows);
                }
            }
        }

        private void compute(int row, long aHigh, long aLow, long bHigh, long bLow, int rows) {
            switch (op) {
                case ADD -> add(row, aHigh, aLow, bHigh, bLow, rows);
                case SUBTRACT -> subtract(row, aHigh, aLow, bHigh, bLow, rows);
                case MULTIPLY -> multiply(row, aHigh, aLow, bHigh, bLow, rows);
                default -> divide(row, aHigh, aLow, bHigh, bLow, rows);
            }
        }

        private void add(int row, long aHigh, long aLow, long bHigh, long bLow, int rows) {
            long low = aLow + bLow;
            long high = aHigh + bHigh + (Long.compareUnsigned(low, aLow) < 0 ? 1 : 0);
            if (((aHigh ^ high) & (bHigh ^ high)) < 0) {
                out.state(row, Fault.OVERFLOW, rows);
            } else {
                Decimals.set(out, row, high, low, rows);
            }
        }

        private void subtract(int row, long aHigh, long aLow, long bHigh, long bLow, int rows) {
            long low = aLow - bLow;
            long high = aHigh - bHigh - (Long.compareUnsigned(aLow, bLow) < 0 ? 1 : 0);
            if (((aHigh ^ bHigh) & (aHigh ^ high)) < 0) {
                out.state(row, Fault.OVERFLOW, rows);
            } else {
                Decimals.set(out, row, high, low, rows);
            }
        }

        private void multiply(int row, long aHigh, long aLow, long bHigh, long bLow, int rows) {
            if (Decimals.isLong(aHigh, aLow) && Decimals.isLong(bHigh, bLow)) {
                Decimals.set(out, row, Math.multiplyHigh(aLow, bLow), aLow * bLow, rows);
            } else {
                BigInteger product = Decimals.big(aHigh, aLow).multiply(Decimals.big(bHigh, bLow));
                Decimals.set(out, row, product, rows);
            }
        }

        private void divide(int row, long aHigh, long aLow, long bHigh, long bLow, int rows) {
            if ((bHigh | bLow) == 0) {
                out.state(row, Fault.DIVISION_BY_ZERO, rows);
                return;
            }
            BigInteger dividend = Decimals.big(aHigh, aLow);
            BigInteger divisor = Decimals.big(bHigh, bLow);
            if (op == Op.REMAINDER) {
                Decimals.set(out, row, dividend.remainder(divisor), rows);
                return;
            }
            if (shift >= 0) {
                dividend = dividend.multiply(BigInteger.TEN.pow(shift));
            } else {
                divisor = divisor.multiply(BigInteger.TEN.pow(-shift));
            }
            Decimals.set(out, row, Decimals.rounded(dividend, divisor), rows);
        }

        @Override
        int cost() {
            return op == Op.ADD || op == Op.SUBTRACT ? 4 : op == Op.MULTIPLY ? 10 : 150;
        }
    }
}
