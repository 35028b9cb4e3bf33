package io.sdds.core.query;

import io.sdds.core.row.ValueType;
import io.sdds.core.row.ValueType.Kind;
import io.sdds.core.row.Values;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What operations give, computed with the classes of {@link Values}: objects, null for NULL, and errors. */
final class PlainJava {
    /** Of casts of texts, which have tests of their own. */
    static final Object NOT_TOLD = "not told";

    private PlainJava() {}

    static @Nullable Object result(Instruction instruction, List<ValueType> types, @Nullable Object... arguments) {
        Object a = arguments[0];
        Object b = arguments[arguments.length > 1 ? 1 : 0];
        switch (instruction.op()) {
            case AND -> {
                return Boolean.FALSE.equals(a) || Boolean.FALSE.equals(b) ? Boolean.FALSE : a == null ? null : b;
            }
            case OR -> {
                return Boolean.TRUE.equals(a) || Boolean.TRUE.equals(b) ? Boolean.TRUE : a == null ? null : b;
            }
            case IS_NULL -> {
                return a == null;
            }
            case IS_TRUE -> {
                return Boolean.TRUE.equals(a);
            }
            case CASE -> {
                return Boolean.TRUE.equals(a) ? b : arguments[2];
            }
            default -> {
                if (Arrays.asList(arguments).contains(null)) {
                    return null;
                }
            }
        }
        try {
            return present(instruction, types, arguments);
        } catch (ArithmeticException e) {
            return "zero".equals(e.getMessage()) ? EvaluationError.DIVISION_BY_ZERO : EvaluationError.OVERFLOW;
        }
    }

    private static @Nullable Object present(Instruction instruction, List<ValueType> types, Object[] arguments) {
        Object a = arguments[0];
        Object b = arguments[arguments.length > 1 ? 1 : 0];
        return switch (instruction.op()) {
            case NOT -> !(Boolean) a;
            case EQUAL -> compare(a, b) == 0;
            case LESS -> compare(a, b) < 0;
            case LESS_OR_EQUAL -> compare(a, b) <= 0;
            case IN -> in(a, types.get(0), instruction.constants());
            case NEGATE -> negate(a);
            case ADD, SUBTRACT, MULTIPLY, DIVIDE, REMAINDER -> arithmetic(instruction, a, b);
            case CAST -> cast(instruction.type(), types.get(0), a);
            case LIKE -> like((String) a, instruction.constants().get(0));
            default -> text(instruction.op(), arguments);
        };
    }

    private static @Nullable Object in(Object a, ValueType type, List<byte @Nullable []> constants) {
        boolean isThere =
                constants.stream().anyMatch(item -> item != null && compare(a, Values.decode(type, item)) == 0);
        return isThere ? Boolean.TRUE : constants.contains(null) ? null : Boolean.FALSE;
    }

    private static int compare(Object a, Object b) {
        if (a instanceof String text) {
            return Arrays.compare(
                    text.codePoints().toArray(), ((String) b).codePoints().toArray());
        }
        if (a instanceof byte[] bytes) {
            return Arrays.compareUnsigned(bytes, (byte[]) b);
        }
        if (a instanceof UUID) {
            return a.toString().compareTo(b.toString());
        }
        return a instanceof Integer one
                ? one.compareTo((Integer) b)
                : a instanceof Long two
                        ? two.compareTo((Long) b)
                        : a instanceof Double three
                                ? three.compareTo((Double) b)
                                : a instanceof BigDecimal four ? four.compareTo((BigDecimal) b) : compareOthers(a, b);
    }

    @SuppressWarnings("unchecked")
    private static int compareOthers(Object a, Object b) {
        return ((Comparable<Object>) a).compareTo(b);
    }

    private static Object negate(Object a) {
        if (a instanceof Integer number) {
            return Math.negateExact(number);
        }
        if (a instanceof Long number) {
            return Math.negateExact(number);
        }
        return a instanceof Double number ? canonical(-number) : checked(((BigDecimal) a).negate());
    }

    private static Object arithmetic(Instruction instruction, Object a, Object b) {
        Op op = instruction.op();
        boolean divides = op == Op.DIVIDE || op == Op.REMAINDER;
        if (divides && new BigDecimal(0).equals(zeroOf(b))) {
            throw new ArithmeticException("zero");
        }
        if (a instanceof Integer one) {
            return Math.toIntExact((Long) integer(op, one, (Integer) b));
        }
        if (a instanceof Long one) {
            return integer(op, one, (Long) b);
        }
        if (a instanceof Double one) {
            return floating(op, one, (Double) b);
        }
        BigDecimal one = (BigDecimal) a;
        BigDecimal other = (BigDecimal) b;
        return checked(
                switch (op) {
                    case ADD -> one.add(other);
                    case SUBTRACT -> one.subtract(other);
                    case MULTIPLY -> one.multiply(other);
                    case DIVIDE -> quotient(one, other, instruction.type().scale());
                    default ->
                        one.subtract(one.divideToIntegralValue(other).multiply(other))
                                .setScale(one.scale());
                });
    }

    /** Zero for whatever zero of a class, else something else. */
    private static BigDecimal zeroOf(Object number) {
        double value = number instanceof BigDecimal decimal ? decimal.signum() : ((Number) number).doubleValue();
        return new BigDecimal(value == 0 ? 0 : 1);
    }

    /** Schoolbook: twice the remainder decides. */
    private static BigDecimal quotient(BigDecimal a, BigDecimal b, int scale) {
        BigInteger dividend = a.unscaledValue().multiply(BigInteger.TEN.pow(scale + b.scale()));
        BigInteger divisor = b.unscaledValue().multiply(BigInteger.TEN.pow(a.scale()));
        BigInteger[] parts = dividend.abs().divideAndRemainder(divisor.abs());
        boolean isUp = parts[1].shiftLeft(1).compareTo(divisor.abs()) >= 0;
        BigInteger size = isUp ? parts[0].add(BigInteger.ONE) : parts[0];
        return new BigDecimal(dividend.signum() == divisor.signum() ? size : size.negate(), scale);
    }

    private static Object integer(Op op, long a, long b) {
        return switch (op) {
            case ADD -> Math.addExact(a, b);
            case SUBTRACT -> Math.subtractExact(a, b);
            case MULTIPLY -> Math.multiplyExact(a, b);
            case DIVIDE -> a == Long.MIN_VALUE && b == -1 ? Math.negateExact(a) : a / b;
            default -> a % b;
        };
    }

    private static Object floating(Op op, double a, double b) {
        double result = switch (op) {
            case ADD -> a + b;
            case SUBTRACT -> a - b;
            case MULTIPLY -> a * b;
            case DIVIDE -> a / b;
            default -> a % b;
        };
        if (Double.isInfinite(result) && !Double.isInfinite(a) && !Double.isInfinite(b)) {
            throw new ArithmeticException("overflow");
        }
        return canonical(result);
    }

    private static double canonical(double number) {
        return number == 0 ? 0.0 : number;
    }

    private static BigDecimal checked(BigDecimal number) {
        if (number.precision() > ValueType.DECIMAL_DIGITS_MAX) {
            throw new ArithmeticException("overflow");
        }
        return number;
    }

    private static Object cast(ValueType to, ValueType from, Object a) {
        if (from.kind() == Kind.VARCHAR && to.bytes() != 0 || to.kind() == Kind.VARCHAR && from.bytes() != 0) {
            return NOT_TOLD;
        }
        if (a instanceof String text) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            Object result = to.kind() == Kind.VARCHAR ? text : bytes;
            int length = to.kind() == Kind.VARCHAR ? text.codePointCount(0, text.length()) : bytes.length;
            return to.precision() != 0 && length > to.precision() ? EvaluationError.TOO_LONG : result;
        }
        if (a instanceof byte[] bytes) {
            return castBytes(to, bytes);
        }
        if (a instanceof LocalDate date && to.kind() == Kind.TIMESTAMP) {
            long micros = Math.multiplyExact(date.toEpochDay(), Values.MICROS_OF_DAY);
            return Values.decode(to, RandomPrograms.fixed(micros, Long.BYTES));
        }
        if (a instanceof LocalDateTime time) {
            return to.kind() == Kind.DATE ? time.toLocalDate() : to.kind() == Kind.TIME ? time.toLocalTime() : time;
        }
        return a instanceof Number number ? castNumber(to, number) : a;
    }

    private static Object castBytes(ValueType to, byte[] bytes) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        if (to.kind() == Kind.VARCHAR && !Arrays.equals(text.getBytes(StandardCharsets.UTF_8), bytes)) {
            return EvaluationError.INVALID_UTF8;
        }
        int length = to.kind() == Kind.VARCHAR ? text.codePointCount(0, text.length()) : bytes.length;
        if (to.precision() != 0 && length > to.precision()) {
            return EvaluationError.TOO_LONG;
        }
        return to.kind() == Kind.VARCHAR ? text : bytes;
    }

    private static Object castNumber(ValueType to, Number number) {
        if (to.kind() == Kind.DOUBLE) {
            return canonical(
                    number instanceof Integer || number instanceof Double
                            ? number.doubleValue()
                            : Double.parseDouble(number.toString()));
        }
        if (number instanceof Double wide && (wide.isNaN() || wide.isInfinite())) {
            throw new ArithmeticException("not finite");
        }
        BigDecimal exact = number instanceof Double wide
                ? new BigDecimal(wide)
                : number instanceof BigDecimal decimal ? decimal : BigDecimal.valueOf(number.longValue());
        BigDecimal rounded = exact.setScale(to.scale(), RoundingMode.HALF_UP);
        return switch (to.kind()) {
            case INTEGER -> rounded.intValueExact();
            case BIGINT -> rounded.longValueExact();
            default -> {
                if (rounded.precision() > to.precision() && rounded.signum() != 0) {
                    throw new ArithmeticException("digits");
                }
                yield rounded;
            }
        };
    }

    private static boolean like(String text, byte @Nullable [] pattern) {
        StringBuilder regex = new StringBuilder();
        int[] signs = new String(pattern, StandardCharsets.UTF_8).codePoints().toArray();
        for (int k = 0; k < signs.length; k++) {
            if (signs[k] == '%') {
                regex.append(".*");
            } else if (signs[k] == '_') {
                regex.append('.');
            } else {
                k += signs[k] == '!' ? 1 : 0;
                regex.append(Pattern.quote(Character.toString(signs[k])));
            }
        }
        return Pattern.compile(regex.toString(), Pattern.DOTALL).matcher(text).matches();
    }

    private static @Nullable Object text(Op op, Object[] arguments) {
        Object a = arguments[0];
        Object b = arguments[arguments.length > 1 ? 1 : 0];
        if (a instanceof byte[] bytes) {
            String one = latin(bytes);
            String other = latin(b);
            Object result = text(op, new Object[] {one, other});
            return result instanceof String text
                    ? text.getBytes(StandardCharsets.ISO_8859_1)
                    : op == Op.OCTET_LENGTH ? bytes.length : result;
        }
        String text = (String) a;
        return switch (op) {
            case CONTAINS -> text.contains((String) b);
            case STARTS_WITH -> text.startsWith((String) b);
            case ENDS_WITH -> text.endsWith((String) b);
            case LOWER -> mapped(text, false);
            case UPPER -> mapped(text, true);
            case CHAR_LENGTH -> text.codePointCount(0, text.length());
            case OCTET_LENGTH -> text.getBytes(StandardCharsets.UTF_8).length;
            case CONCAT -> text + b;
            case TRIM -> text.replaceAll("^ +| +$", "");
            case SUBSTRING -> substring(text, (Integer) b, arguments.length == 3 ? (Integer) arguments[2] : null);
            default -> throw new IllegalArgumentException(op + " has no test");
        };
    }

    private static String latin(Object bytes) {
        return new String((byte[]) bytes, StandardCharsets.ISO_8859_1);
    }

    private static String mapped(String text, boolean isUpper) {
        StringBuilder mapped = new StringBuilder();
        text.codePoints()
                .forEach(point ->
                        mapped.appendCodePoint(isUpper ? Character.toUpperCase(point) : Character.toLowerCase(point)));
        return mapped.toString();
    }

    private static Object substring(String text, int from, @Nullable Integer length) {
        if (length != null && length < 0) {
            return EvaluationError.NEGATIVE_LENGTH;
        }
        int[] points = text.codePoints().toArray();
        StringBuilder part = new StringBuilder();
        for (int k = 0; k < points.length; k++) {
            long position = k + 1L;
            if (position >= from && (length == null || position < (long) from + length)) {
                part.appendCodePoint(points[k]);
            }
        }
        return part.toString();
    }
}
