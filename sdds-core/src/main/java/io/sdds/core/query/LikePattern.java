package io.sdds.core.query;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A pattern of LIKE: parts of the text with any text between them. Matches without backtracking over more than one %:
 * the first place at which the next part fits is as good as any later one, so that the work is at most the length of
 * the text times the length of the longest part.
 */
public final class LikePattern {
    /** In {@link #parts}: %. */
    public static final int ANY_TEXT = -1;

    /** In {@link #parts}: _. */
    public static final int ANY_CODE_POINT = -2;

    /** Bytes of the pattern as 0 to 255, and the two signs. */
    private final int[] parts;

    private LikePattern(int[] parts) {
        this.parts = parts;
    }

    /** What is wrong with a pattern and its escape; null if nothing is. */
    static @Nullable String problem(List<byte @Nullable []> constants) {
        if (constants.size() != 2) {
            return "no pattern with its escape";
        }
        byte[] pattern = constants.get(0);
        byte[] escape = constants.get(1);
        if (pattern == null || escape == null || !Utf8.isValid(pattern) || !Utf8.isValid(escape)) {
            return "a pattern or an escape that is no text";
        }
        if (Utf8.codePoints(escape) > 1) {
            return "an escape of several characters";
        }
        return read(pattern, escape) == null ? "an escape before a character that needs none" : null;
    }

    /** The pattern of the constants of a valid instruction. */
    public static LikePattern of(List<byte @Nullable []> constants) {
        LikePattern read = read(constants);
        if (read == null) {
            throw new IllegalArgumentException(problem(constants));
        }
        return read;
    }

    /** The pattern of constants of {@link Op#LIKE}; null if an escape stands before a character that needs none. */
    public static @Nullable LikePattern read(List<byte @Nullable []> constants) {
        byte[] pattern = constants.get(0);
        byte[] escape = constants.get(1);
        return pattern == null || escape == null ? null : read(pattern, escape);
    }

    private static @Nullable LikePattern read(byte[] pattern, byte[] escape) {
        List<Integer> parts = new ArrayList<>();
        for (int at = 0; at < pattern.length; at = Utf8.next(pattern, at)) {
            boolean isEscaped = startsWith(pattern, at, escape) && escape.length > 0;
            if (isEscaped) {
                at = Utf8.next(pattern, at);
                boolean isSign = at < pattern.length && (pattern[at] == '%' || pattern[at] == '_');
                if (!isSign && !startsWith(pattern, at, escape)) {
                    return null;
                }
            }
            if (!isEscaped && pattern[at] == '%') {
                parts.add(ANY_TEXT);
            } else if (!isEscaped && pattern[at] == '_') {
                parts.add(ANY_CODE_POINT);
            } else {
                for (int k = at; k < Utf8.next(pattern, at); k++) {
                    parts.add(pattern[k] & 0xff);
                }
            }
        }
        return new LikePattern(parts.stream().mapToInt(Integer::intValue).toArray());
    }

    private static boolean startsWith(byte[] text, int from, byte[] part) {
        int to = from + part.length;
        return to <= text.length && Arrays.equals(text, from, to, part, 0, part.length);
    }

    /** What a text must have in this order: bytes as 0 to 255, {@link #ANY_TEXT} and {@link #ANY_CODE_POINT}. */
    public int[] parts() {
        return parts.clone();
    }

    /** Whether the whole text matches. */
    public boolean matches(byte[] text) {
        int at = 0;
        int part = 0;
        int partOfRetry = -1;
        int textOfRetry = 0;
        while (at < text.length) {
            if (part < parts.length && parts[part] == ANY_TEXT) {
                partOfRetry = ++part;
                textOfRetry = at;
            } else if (part < parts.length && parts[part] == ANY_CODE_POINT) {
                at = Utf8.next(text, at);
                part++;
            } else if (part < parts.length && parts[part] == (text[at] & 0xff)) {
                at++;
                part++;
            } else if (partOfRetry >= 0) {
                textOfRetry = Utf8.next(text, textOfRetry);
                at = textOfRetry;
                part = partOfRetry;
            } else {
                return false;
            }
        }
        while (part < parts.length && parts[part] == ANY_TEXT) {
            part++;
        }
        return part == parts.length;
    }
}
