package io.sdds.core.query;

/**
 * The operations of a program. Codes on the wire are the ordinals; a later version inserts its operations before
 * {@link #UNKNOWN}.
 *
 * <p>Each instruction gives one value for each row: a value of its type, NULL, or an {@link EvaluationError}. An
 * operand that is an error makes the result this error, of several operands the first one's; else an operand that is
 * NULL makes the result NULL. Exceptions are told below. An error ends the query only where the value is used: as the
 * filter, as a column of the result, as a key of groups or of the order, or as the operand of an aggregate. So
 * {@code CASE WHEN b <> 0 THEN a / b END} has no error.
 *
 * <p>Types. Two types are <i>alike</i> if they are of one kind and, of DECIMAL, of one scale. Operands of any precision
 * may be used. The result of a computation has the <i>widest</i> type of its kind: VARCHAR and VARBINARY without a
 * limit, DECIMAL with 38 digits. <i>Numbers</i> are INTEGER, BIGINT, DOUBLE and DECIMAL. Behind each operation stand
 * the types of its operands and of its result; {@link ProgramValidator} refuses others. A DOUBLE is never -0.0, and
 * each NaN is the one of Java.
 */
public enum Op {
    // ---- sources
    /**
     * The column of the key with the number {@code a}: the type of the column. {@link EvaluationError#INVALID_KEY} if
     * the columns of the shape are not the whole key; {@link EvaluationError#INVALID_UTF8} of a VARCHAR that is none.
     */
    KEY_COLUMN,
    /**
     * The column of the value with the number {@code a}: the type of the column. The default of the column if the row
     * is older. {@link EvaluationError#INVALID_ROW} if the header or the length of the row is damaged, or the column is
     * not inside the row; possibly also if another column is not inside the row. A BOOLEAN other than 0 is TRUE, and a
     * DOUBLE is read as its one form. {@link EvaluationError#INVALID_UTF8} of a VARCHAR that is none.
     */
    VALUE_COLUMN,
    /** The bytes of the key: VARBINARY. */
    KEY,
    /** The bytes of the value: VARBINARY. */
    VALUE,
    /** The version of the record: BIGINT. */
    RECORD_VERSION,
    /** The constant of the instruction: any type. NULL if the constant is null. */
    CONSTANT,

    // ---- three-valued logic
    /**
     * BOOLEAN, BOOLEAN: BOOLEAN. FALSE if {@code a} or {@code b} is FALSE, whatever the other is; else an error, else
     * NULL, else TRUE.
     */
    AND,
    /**
     * BOOLEAN, BOOLEAN: BOOLEAN. TRUE if {@code a} or {@code b} is TRUE, whatever the other is; else an error, else
     * NULL, else FALSE.
     */
    OR,
    /** BOOLEAN: BOOLEAN. NOT of NULL is NULL. */
    NOT,
    /** Any type: BOOLEAN. TRUE or FALSE, never NULL; an error of an error. */
    IS_NULL,
    /** BOOLEAN: BOOLEAN. Whether {@code a} is TRUE; never NULL; an error of an error. */
    IS_TRUE,
    /**
     * BOOLEAN and two types that are alike: the widest of these. {@code b} if {@code a} is TRUE, else {@code c}. An
     * error of {@code a} is the result; errors of the operand that is not chosen do not count.
     */
    CASE,

    // ---- comparisons; DOUBLE: NaN equals NaN and is the largest; text and bytes as unsigned bytes, FALSE before TRUE
    /** Two types that are alike: BOOLEAN. */
    EQUAL,
    /** Two types that are alike: BOOLEAN. */
    LESS,
    /** Two types that are alike: BOOLEAN. */
    LESS_OR_EQUAL,
    /**
     * Any type: BOOLEAN. Whether {@code a} is one of the constants of the instruction, which have a type like that of
     * {@code a}; NULL if not, and one of them is NULL.
     */
    IN,

    // ---- arithmetic; a result that does not fit its type is an error, also of DOUBLE where operands are finite
    /** Two numbers that are alike: the widest of their type. */
    ADD,
    /** Two numbers that are alike: the widest of their type. */
    SUBTRACT,
    /** Two numbers of one kind: the widest of their type; DECIMAL with the sum of the scales, 38 at most. */
    MULTIPLY,
    /**
     * Two numbers of one kind: the widest of their type; DECIMAL with any scale. Of integers: the quotient without its
     * fraction. DECIMAL: the quotient of operands of any scale, rounded to the scale of the result, halves away from
     * zero. A divisor of zero is an error, of DOUBLE also, whatever {@code a} is.
     */
    DIVIDE,
    /**
     * Two numbers that are alike: the widest of their type. The remainder of the quotient without its fraction, with
     * the sign of {@code a}. A divisor of zero is an error.
     */
    REMAINDER,
    /** A number: the widest of its type. */
    NEGATE,

    // ---- text; lengths and positions count code points, the first is 1
    /** Two of VARCHAR, or two of VARBINARY: BOOLEAN. Whether {@code a} has {@code b} somewhere in it. */
    CONTAINS,
    /** Two of VARCHAR, or two of VARBINARY: BOOLEAN. */
    STARTS_WITH,
    /** Two of VARCHAR, or two of VARBINARY: BOOLEAN. */
    ENDS_WITH,
    /**
     * VARCHAR: BOOLEAN. Whether {@code a} matches the constant pattern as a whole: % any text, _ one code point. The
     * escape character makes the % or _ or escape character behind it an ordinary one; before another it is refused.
     */
    LIKE,
    /**
     * VARCHAR, INTEGER, and INTEGER or none: VARCHAR. The part of {@code a} from position {@code b} on, of {@code c}
     * code points; without {@code c} to the end. As in SQL, positions before the first one count, and are empty:
     * {@code SUBSTRING('abc', 0, 2)} is 'a'. A negative {@code c} is an error.
     */
    SUBSTRING,
    /**
     * VARCHAR: VARCHAR. {@link Character#toLowerCase(int)} of each code point: the simple mapping of Unicode, without
     * regard to place and language, of the Unicode version of the JVM. The error {@link EvaluationError#TOO_LONG} if
     * {@code a} or the result has more than {@link Program#TEXT_BYTES_MAX} bytes.
     */
    LOWER,
    /** VARCHAR: VARCHAR. {@link Character#toUpperCase(int)} of each code point; otherwise like {@link #LOWER}. */
    UPPER,
    /** VARCHAR: INTEGER. The code points of a text. */
    CHAR_LENGTH,
    /** VARCHAR or VARBINARY: INTEGER. The bytes of a text or of bytes. */
    OCTET_LENGTH,
    /**
     * Two of VARCHAR, or two of VARBINARY: the same without a limit. The error {@link EvaluationError#TOO_LONG} if the
     * result has more than {@link Program#TEXT_BYTES_MAX} bytes.
     */
    CONCAT,
    /** VARCHAR: VARCHAR. The text without the blanks (U+0020) at its ends. */
    TRIM,

    // ---- conversions
    /**
     * {@code a} as the type of the instruction; what does not fit is an error. These casts exist, besides those to a
     * type of the same kind:
     *
     * <ul>
     *   <li>between numbers: rounded to the digits of the type, halves away from zero (of DOUBLE: of the exact binary
     *       number); to DOUBLE: the nearest one. NaN and infinities fit only DOUBLE.
     *   <li>VARCHAR to all types: as {@link CastText} tells. To VARBINARY: the bytes of the UTF-8.
     *   <li>all types but DOUBLE to VARCHAR: as {@link CastText} tells. Of VARBINARY: the bytes, which must be UTF-8.
     *   <li>DATE to TIMESTAMP: midnight. TIMESTAMP to DATE and to TIME: the day, and the time of day.
     * </ul>
     *
     * VARCHAR and VARBINARY to one with a limit: {@link EvaluationError#TOO_LONG} if there are more code points or
     * bytes.
     */
    CAST,

    // ---- joins
    /**
     * Any type: BOOLEAN. Whether the hash of {@code a} is in the constant, the bytes of a {@link BloomFilter} of values
     * of a type like that of {@code a}. FALSE: {@code a} is none of these values. TRUE: {@code a} is one of them, or,
     * as seldom as the filter was made for, is not.
     */
    BLOOM,

    /** An operation of a later version. */
    UNKNOWN
}
