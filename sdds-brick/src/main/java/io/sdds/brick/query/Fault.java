package io.sdds.brick.query;

import io.sdds.core.query.EvaluationError;

/** Errors as states of rows in a {@link Lane}. */
final class Fault {
    static final byte OVERFLOW = of(EvaluationError.OVERFLOW);
    static final byte DIVISION_BY_ZERO = of(EvaluationError.DIVISION_BY_ZERO);
    static final byte INVALID_TEXT = of(EvaluationError.INVALID_TEXT);
    static final byte INVALID_UTF8 = of(EvaluationError.INVALID_UTF8);
    static final byte TOO_LONG = of(EvaluationError.TOO_LONG);
    static final byte NEGATIVE_LENGTH = of(EvaluationError.NEGATIVE_LENGTH);
    static final byte TOO_COSTLY = of(EvaluationError.TOO_COSTLY);
    static final byte INVALID_ROW = of(EvaluationError.INVALID_ROW);
    static final byte INVALID_KEY = of(EvaluationError.INVALID_KEY);

    private static final EvaluationError[] ERRORS = EvaluationError.values();

    private Fault() {}

    /** The state of a row that has an error. */
    static byte of(EvaluationError error) {
        return (byte) (Lane.NULL + 1 + error.ordinal());
    }

    /** The error of a state above {@link Lane#NULL}. */
    static EvaluationError error(byte state) {
        return ERRORS[state - Lane.NULL - 1];
    }
}
