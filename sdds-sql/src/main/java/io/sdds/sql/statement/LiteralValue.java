package io.sdds.sql.statement;

import io.sdds.core.row.Column;
import io.sdds.core.row.ValueType;
import io.sdds.sql.error.SqlErrors;
import io.sdds.sql.error.StatementEnd;
import io.sdds.sql.schema.SqlTypes;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.UUID;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlUnknownLiteral;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.util.BitString;
import org.apache.calcite.util.DateString;
import org.apache.calcite.util.NlsString;
import org.apache.calcite.util.TimeString;
import org.apache.calcite.util.TimestampString;
import org.jspecify.annotations.Nullable;

/**
 * Constants in the text of an INSERT as values of their columns. A constant is converted to the type of its column by
 * itself, whatever other rows have there.
 */
final class LiteralValue {
    /** The result for a constant, or another expression, that only the engine can convert. */
    static final Object OTHER = new Object();

    private static final int BITS_OF_BYTE = 8;

    private LiteralValue() {}

    /**
     * The value of a constant for a column; {@link #OTHER}: the engine has to compute it.
     *
     * @throws StatementEnd if the column cannot have it
     */
    static @Nullable Object of(SqlNode node, Column column) {
        Object given = plain(node);
        if (given == OTHER || given == null) {
            return given;
        }
        if (given instanceof BigDecimal number && SqlTypes.isNumber(column.type())) {
            return number(number, node, column);
        }
        return isAlike(given, column.type()) ? converted(given, column) : OTHER;
    }

    /** The constant as a value of Java, or {@link #OTHER}. */
    private static @Nullable Object plain(SqlNode node) {
        if (node instanceof SqlBasicCall call && call.getKind() == SqlKind.MINUS_PREFIX) {
            Object number = plain(call.operand(0));
            return number instanceof BigDecimal positive ? positive.negate() : OTHER;
        }
        if (!(node instanceof SqlLiteral)) {
            return OTHER;
        }
        SqlLiteral literal = (SqlLiteral) node;
        try {
            return literal instanceof SqlUnknownLiteral unknown
                    ? value(unknown.resolve(SqlTypeName.lookup(unknown.tag)))
                    : value(literal);
        } catch (RuntimeException e) { // the engine explains what is wrong
            return OTHER;
        }
    }

    private static @Nullable Object value(SqlLiteral literal) {
        Object value = literal.getValue();
        if (value == null || value instanceof Boolean || value instanceof BigDecimal || value instanceof UUID) {
            return value;
        }
        if (value instanceof NlsString text) {
            return text.getValue();
        }
        if (value instanceof BitString bits) {
            return bits.getBitCount() % BITS_OF_BYTE == 0 ? bits.getAsByteArray() : OTHER;
        }
        if (value instanceof DateString date) {
            return LocalDate.ofEpochDay(date.getDaysSinceEpoch());
        }
        if (value instanceof TimeString time) {
            return SqlTypes.toClient(time.getMillisOfDay(), ValueType.TIME);
        }
        return value instanceof TimestampString time
                ? SqlTypes.toClient(time.getMillisSinceEpoch(), ValueType.TIMESTAMP)
                : OTHER;
    }

    /** Whether a value is one of the type, or a text of one. Other pairs are casts, of which the engine knows more. */
    private static boolean isAlike(Object given, ValueType type) {
        return switch (type.kind()) {
            case BOOLEAN -> given instanceof Boolean;
            case VARCHAR -> given instanceof String;
            case VARBINARY -> given instanceof byte[];
            case DATE -> given instanceof LocalDate || given instanceof String;
            case TIME -> given instanceof LocalTime || given instanceof String;
            case TIMESTAMP -> given instanceof LocalDateTime || given instanceof LocalDate || given instanceof String;
            case UUID -> given instanceof UUID || given instanceof String;
            default -> given instanceof String;
        };
    }

    private static Object number(BigDecimal given, SqlNode node, Column column) {
        try {
            return switch (column.type().kind()) {
                case INTEGER -> given.setScale(0, RoundingMode.HALF_UP).intValueExact();
                case BIGINT -> given.setScale(0, RoundingMode.HALF_UP).longValueExact();
                case DECIMAL -> given.setScale(column.type().scale(), RoundingMode.HALF_UP);
                default -> given.doubleValue();
            };
        } catch (ArithmeticException e) {
            throw new StatementEnd(
                    StatementText.place(node) + "column '" + column.name() + "' has no room for " + given,
                    SqlErrors.DATA,
                    e);
        }
    }

    /** A value of a text that is none of the type is left to the engine, which knows more forms. */
    private static Object converted(Object given, Column column) {
        try {
            Object value = new ParameterValue(
                            0,
                            SqlTypes.jdbcType(column.type()),
                            column.type().kind().name())
                    .converted(given);
            return value instanceof BigDecimal number
                    ? number.setScale(column.type().scale(), RoundingMode.HALF_UP)
                    : java.util.Objects.requireNonNull(SqlTypes.seen(value));
        } catch (RuntimeException e) {
            return OTHER;
        }
    }
}
