package io.sdds.core.query;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Text as UTF-8. */
final class Utf8 {
    private Utf8() {}

    static boolean isValid(byte[] text) {
        if (isAscii(text)) {
            return true;
        }
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(text));
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }

    private static boolean isAscii(byte[] text) {
        for (byte unit : text) {
            if (unit < 0) {
                return false;
            }
        }
        return true;
    }

    static int codePoints(byte[] text) {
        int count = 0;
        for (byte unit : text) {
            count += isFirst(unit) ? 1 : 0;
        }
        return count;
    }

    /** Where the code point ends that begins at an offset before the end. */
    static int next(byte[] text, int offset) {
        int end = offset + 1;
        while (end < text.length && !isFirst(text[end])) {
            end++;
        }
        return end;
    }

    /** Whether a byte is the first of a code point. */
    static boolean isFirst(byte unit) {
        return (unit & 0xc0) != 0x80;
    }
}
