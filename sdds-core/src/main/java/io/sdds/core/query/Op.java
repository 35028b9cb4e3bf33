package io.sdds.core.query;

/**
 * The operations of a program. Codes on the wire are the ordinals; a later version inserts its operations before
 * {@link #UNKNOWN}.
 *
 * <p>Each instruction gives one value for each row: a value of its type, NULL, or an error. An operand that is an error
 * makes the result this error; else an operand that is NULL makes the result NULL. Exceptions are told below. An error
 * ends the query only where the value is used: as the filter, as a column of the result, as a key of groups or of the
 * order, or as the operand of an aggregate. So {@code CASE WHEN b <> 0 THEN a / b END} has no error.
 */
public enum Op {
    // ---- sources
    /** The column of the key with the number {@code a}. */
    KEY_COLUMN,
    /** The column of the value with the number {@code a}; the default of the column if the row is older. */
    VALUE_COLUMN,
    /** The bytes of the key: VARBINARY. */
    KEY,
    /** The bytes of the value: VARBINARY. */
    VALUE,
    /** The version of the record: BIGINT. */
    RECORD_VERSION,
    /** The constant of the instruction; NULL if it has none. */
    CONSTANT,

    // ---- three-valued logic
    /** FALSE if {@code a} or {@code b} is FALSE, whatever the other is; else an error, else NULL, else TRUE. */
    AND,
    /** TRUE if {@code a} or {@code b} is TRUE, whatever the other is; else an error, else NULL, else FALSE. */
    OR,
    /** NOT of NULL is NULL. */
    NOT,
    /** TRUE or FALSE, never NULL. */
    IS_NULL,
    /** Whether {@code a} is TRUE; never NULL. */
    IS_TRUE,
    /** {@code b} if {@code a} is TRUE, else {@code c}. Errors of the operand that is not chosen do not count. */
    CASE,

    // ---- comparisons of operands of one kind; DOUBLE: -0.0 equals 0.0, NaN equals NaN and is the largest
    EQUAL,
    LESS,
    LESS_OR_EQUAL,
    /** Whether {@code a} is one of the constants of the instruction; NULL if not, and one of them is NULL. */
    IN,

    // ---- arithmetic of operands of one type; overflow and division by zero are errors
    ADD,
    SUBTRACT,
    MULTIPLY,
    /** Of integers: the quotient without its fraction. */
    DIVIDE,
    /** Of integers: the remainder, with the sign of {@code a}. */
    REMAINDER,
    NEGATE,

    // ---- text; lengths and positions count code points, the first is 1
    /** Whether the text or the bytes {@code a} have {@code b} somewhere in them. */
    CONTAINS,
    STARTS_WITH,
    ENDS_WITH,
    /** Whether {@code a} matches the constant pattern: % any text, _ one code point, with an escape character. */
    LIKE,
    /** The part of {@code a} from position {@code b} on, of {@code c} code points, as in SQL; c = -1: to the end. */
    SUBSTRING,
    LOWER,
    UPPER,
    /** The code points of a text: INTEGER. */
    CHAR_LENGTH,
    /** The bytes of a text or of bytes: INTEGER. */
    OCTET_LENGTH,
    CONCAT,
    TRIM,

    // ---- conversions
    /** {@code a} as the type of the instruction; what does not fit is an error. */
    CAST,

    /** An operation of a later version. */
    UNKNOWN
}
