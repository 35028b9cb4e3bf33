package io.sdds.core.query;

/**
 * Why an instruction has no value for a row. Bricks and clients find the same error for the same row: of two operands
 * that are errors the first one counts.
 */
public enum EvaluationError {
    OVERFLOW("a number is out of range"),
    DIVISION_BY_ZERO("division by zero"),
    /** A cast of text that is not written as the type is. */
    INVALID_TEXT("a text is no value of the type it is cast to"),
    /** A cast of bytes to text. */
    INVALID_UTF8("bytes that are used as a text are no UTF-8"),
    /** A computed text above {@link Program#TEXT_BYTES_MAX}, or a cast to a type that is too short. */
    TOO_LONG("a text is too long"),
    NEGATIVE_LENGTH("a substring of negative length"),
    INVALID_ROW("the row cannot be read"),
    INVALID_KEY("the key cannot be read");

    private final String text;

    EvaluationError(String text) {
        this.text = text;
    }

    /** What went wrong, as a part of a sentence. */
    public String text() {
        return text;
    }
}
