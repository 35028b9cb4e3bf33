package io.sdds.client.internal.query.lang;

import io.sdds.core.query.CastText;
import io.sdds.core.query.Op;
import io.sdds.core.query.Typing;
import io.sdds.core.row.ValueType;
import io.sdds.core.row.ValueType.Kind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The casts that nobody writes: INTEGER to BIGINT to DECIMAL to DOUBLE, text to bytes, DATE to TIMESTAMP, and constant
 * texts to dates, times and UUIDs.
 */
final class ImplicitCasts {
    private final InstructionList list;

    ImplicitCasts(InstructionList list) {
        this.list = list;
    }

    /** The operands in their common type: the types are alike. */
    List<Operand> unify(int at, List<Operand> operands) {
        ValueType type = common(at, operands);
        List<Operand> unified = new ArrayList<>();
        operands.forEach(operand -> unified.add(convert(operand, type)));
        return unified;
    }

    /** The type to which all operands are converted; VARCHAR if all are NULL. */
    private ValueType common(int at, List<Operand> operands) {
        ValueType others = null;
        boolean hasText = false;
        for (Operand operand : operands) {
            if (operand.is(Kind.VARCHAR) && operand.isConstant()) {
                hasText = true;
            } else if (operand.type() != null) {
                others = others == null ? Typing.widest(operand.type()) : common(at, others, operand.type());
            }
        }
        if (others == null) {
            return ValueType.VARCHAR;
        }
        return hasText && !isReadFromText(others) ? common(at, others, ValueType.VARCHAR) : others;
    }

    private ValueType common(int at, ValueType one, ValueType other) {
        if (Typing.alike(one, other)) {
            return Typing.widest(one);
        }
        ValueType common = Typing.isNumber(one) && Typing.isNumber(other) ? commonNumber(one, other) : null;
        if (areOf(one, other, Kind.VARCHAR, Kind.VARBINARY)) {
            common = ValueType.VARBINARY;
        } else if (areOf(one, other, Kind.DATE, Kind.TIMESTAMP)) {
            common = ValueType.TIMESTAMP;
        }
        if (common == null) {
            throw list.error(at, "expected values of one type, found " + one + " and " + other);
        }
        return common;
    }

    private static ValueType commonNumber(ValueType one, ValueType other) {
        if (one.kind() == Kind.DOUBLE || other.kind() == Kind.DOUBLE) {
            return ValueType.DOUBLE;
        }
        return one.kind() == Kind.DECIMAL || other.kind() == Kind.DECIMAL
                ? ValueType.decimal(ValueType.DECIMAL_DIGITS_MAX, Math.max(one.scale(), other.scale()))
                : ValueType.BIGINT;
    }

    private static boolean areOf(ValueType one, ValueType other, Kind kind, Kind otherKind) {
        return one.kind() == kind && other.kind() == otherKind || one.kind() == otherKind && other.kind() == kind;
    }

    private static boolean isReadFromText(ValueType type) {
        return switch (type.kind()) {
            case DATE, TIME, TIMESTAMP, UUID -> true;
            default -> false;
        };
    }

    /** The operand in a type like this one; the conversion exists. */
    Operand convert(Operand operand, ValueType type) {
        if (operand.type() == null) {
            return Operand.constant(type, null, operand.at());
        }
        if (Typing.alike(operand.type(), type)) {
            return operand;
        }
        byte[] constant = operand.constant();
        boolean isWrong = operand.is(Kind.VARCHAR)
                && constant != null
                && isReadFromText(type)
                && CastText.parse(constant, type) == null;
        if (isWrong) {
            throw list.error(operand.at(), "the text is no " + type);
        }
        return list.compute(Op.CAST, type, List.of(), operand.at(), operand);
    }

    /** The operand as a value for a column. Numbers of all types are converted to each other, with errors for rows. */
    Operand assigned(Operand operand, ValueType type, String column) {
        boolean fits = operand.type() == null
                || Typing.alike(operand.type(), type)
                || Typing.isNumber(operand.type()) && Typing.isNumber(type)
                || operand.is(Kind.VARCHAR) && type.kind() == Kind.VARBINARY
                || operand.is(Kind.VARCHAR) && operand.isConstant() && isReadFromText(type)
                || operand.is(Kind.DATE) && type.kind() == Kind.TIMESTAMP;
        if (!fits) {
            throw list.error(
                    operand.at(),
                    "column '" + column + "' takes " + type + ", found a value of type " + operand.typeText());
        }
        return convert(operand, Typing.widest(type));
    }

    /** The operand as a condition. */
    Operand condition(Operand operand) {
        return of(operand, ValueType.BOOLEAN, "a condition");
    }

    /** The operand, whose type must be like this one. */
    private Operand of(Operand operand, ValueType type, String wanted) {
        if (operand.type() != null && !operand.is(type.kind())) {
            throw list.error(operand.at(), "expected " + wanted + ", found a value of type " + operand.typeText());
        }
        return convert(operand, type);
    }

    /** The operand as text. Bytes are read as UTF-8. */
    Operand text(Operand operand) {
        return operand.is(Kind.VARBINARY)
                ? list.compute(Op.CAST, ValueType.VARCHAR, List.of(), operand.at(), operand)
                : of(operand, ValueType.VARCHAR, "a text");
    }

    /** The operand as text, or as the bytes that it is. */
    Operand textOrBytes(Operand operand) {
        return operand.is(Kind.VARBINARY) ? operand : text(operand);
    }

    /** The operand as INTEGER. */
    Operand integer(Operand operand) {
        return operand.is(Kind.BIGINT)
                ? list.compute(Op.CAST, ValueType.INTEGER, List.of(), operand.at(), operand)
                : of(operand, ValueType.INTEGER, "an integer");
    }

    /** The operand as a number; NULL as {@code type}. */
    Operand number(Operand operand, @Nullable ValueType type) {
        if (operand.type() == null) {
            return convert(operand, type == null ? ValueType.INTEGER : type);
        }
        if (!Typing.isNumber(operand.type())) {
            throw list.error(operand.at(), "expected a number, found a value of type " + operand.typeText());
        }
        return operand;
    }
}
