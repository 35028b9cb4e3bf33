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
    /** A cast of bytes to text, or a column of VARCHAR whose bytes are no UTF-8. */
    INVALID_UTF8("bytes that are used as a text are no UTF-8"),
    /** A computed text above {@link Program#TEXT_BYTES_MAX}, or a cast to a type that is too short. */
    TOO_LONG("a text is too long"),
    NEGATIVE_LENGTH("a substring of negative length"),
    INVALID_ROW("the row cannot be read"),
    INVALID_KEY("the key cannot be read"),
    /** An update gives NULL to a column that must have a value. */
    NULL_VALUE("a column that is not null gets no value"),
    /** An update gives a column a value that is too long, has too many digits, or is no value of the column. */
    DOES_NOT_FIT("a value does not fit its column"),
    /** An update makes a row that is longer than values can be. */
    ROW_TOO_LONG("the row gets too long"),
    /** The operations on the texts of one record cost more than a brick spends on it. */
    TOO_COSTLY("the program reads too many bytes of text of one record");

    private final String text;

    EvaluationError(String text) {
        this.text = text;
    }

    /** What went wrong, as a part of a sentence. */
    public String text() {
        return text;
    }
}
