package io.sdds.core.query;

import java.nio.charset.StandardCharsets;
import java.util.function.IntUnaryOperator;

/** {@link Op#LOWER} and {@link Op#UPPER}: the simple case mapping of Unicode, code point by code point. */
public final class CaseMapping {
    private CaseMapping() {}

    /**
     * A text in lower case.
     *
     * @throws EvaluationFailure when the text or the result is longer than {@link Program#TEXT_BYTES_MAX}
     */
    public static byte[] lower(byte[] text) {
        return map(text, Character::toLowerCase);
    }

    /**
     * A text in upper case.
     *
     * @throws EvaluationFailure when the text or the result is longer than {@link Program#TEXT_BYTES_MAX}
     */
    public static byte[] upper(byte[] text) {
        return map(text, Character::toUpperCase);
    }

    private static byte[] map(byte[] text, IntUnaryOperator mapping) {
        checkLength(text.length);
        StringBuilder mapped = new StringBuilder(text.length);
        new String(text, StandardCharsets.UTF_8).codePoints().map(mapping).forEach(mapped::appendCodePoint);
        byte[] result = mapped.toString().getBytes(StandardCharsets.UTF_8);
        checkLength(result.length);
        return result;
    }

    /** Refuses a computed text that is too long. */
    static void checkLength(long bytes) {
        if (bytes > Program.TEXT_BYTES_MAX) {
            throw new EvaluationFailure(EvaluationError.TOO_LONG);
        }
    }
}
