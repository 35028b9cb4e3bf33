package io.sdds.core.query;

import java.util.Arrays;

/** The operations on texts and bytes of {@link Op}. */
final class TextOps {
    private TextOps() {}

    static boolean contains(byte[] text, byte[] part) {
        return find(text, 0, part) >= 0;
    }

    /** The first place of some bytes from an offset on; -1 without one. */
    static int find(byte[] text, int from, byte[] part) {
        return part.length == 0 ? from : (int) new Search(text, part).find(from, text.length, part.length);
    }

    private static final class Search extends TwoWaySearch {
        private final byte[] text;
        private final byte[] part;

        Search(byte[] text, byte[] part) {
            this.text = text;
            this.part = part;
        }

        @Override
        protected byte text(long at) {
            return text[(int) at];
        }

        @Override
        protected byte sought(int at) {
            return part[at];
        }
    }

    /** Whether the part stands at an offset, which may be outside the text. */
    static boolean startsWith(byte[] text, int from, byte[] part) {
        int to = from + part.length;
        return from >= 0 && to <= text.length && Arrays.equals(text, from, to, part, 0, part.length);
    }

    /** The code points of positions from {@code first} to before {@code end}; positions begin with 1. */
    static byte[] substring(byte[] text, long first, long end) {
        if (end < first) {
            throw new EvaluationFailure(EvaluationError.NEGATIVE_LENGTH);
        }
        int from = skip(text, 0, first - 1);
        int to = skip(text, from, end - Math.max(first, 1));
        return Arrays.copyOfRange(text, from, to);
    }

    /** The offset that so many code points are behind another one, or the end. */
    private static int skip(byte[] text, int from, long codePoints) {
        int offset = from;
        for (long k = 0; k < codePoints && offset < text.length; k++) {
            offset = Utf8.next(text, offset);
        }
        return offset;
    }

    static byte[] concat(byte[] one, byte[] other) {
        CaseMapping.checkLength((long) one.length + other.length);
        byte[] both = Arrays.copyOf(one, one.length + other.length);
        System.arraycopy(other, 0, both, one.length, other.length);
        return both;
    }

    static byte[] trim(byte[] text) {
        int from = 0;
        int to = text.length;
        while (from < to && text[from] == ' ') {
            from++;
        }
        while (from < to && text[to - 1] == ' ') {
            to--;
        }
        return Arrays.copyOfRange(text, from, to);
    }
}
