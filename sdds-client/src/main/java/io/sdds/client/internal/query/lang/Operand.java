package io.sdds.client.internal.query.lang;

import io.sdds.core.row.ValueType;
import org.jspecify.annotations.Nullable;

/**
 * A value while an expression is compiled: of an instruction, or a constant that has no instruction yet.
 *
 * @param type null: the constant NULL, which takes whatever type is wanted
 * @param number of the instruction; -1: a constant
 * @param constant as a row stores it; null: NULL, or there is an instruction
 * @param at where its expression stands
 */
record Operand(@Nullable ValueType type, int number, byte @Nullable [] constant, int at) {
    static Operand constant(@Nullable ValueType type, byte @Nullable [] value, int at) {
        return new Operand(type, -1, value, at);
    }

    boolean isConstant() {
        return number == -1;
    }

    /** Whether the operand is NULL without a type. */
    boolean isNull() {
        return type == null;
    }

    boolean is(ValueType.Kind kind) {
        return type != null && type.kind() == kind;
    }

    /** For errors. */
    String typeText() {
        return type == null ? "null" : type.toString();
    }
}
