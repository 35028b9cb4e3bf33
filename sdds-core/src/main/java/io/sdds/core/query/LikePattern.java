package io.sdds.core.query;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A pattern of LIKE: pieces with any text between them. The first piece stands at the beginning of the text, the last
 * one at its end, and each other one is taken at the first place behind the piece before, since a later place would
 * leave less for the pieces behind. So there is no backtracking. For one thread.
 */
public final class LikePattern {
    /** In {@link #parts}: %. */
    public static final int ANY_TEXT = -1;

    /** In {@link #parts}: _. */
    public static final int ANY_CODE_POINT = -2;

    /** Bytes of the pattern as 0 to 255, and the two signs. */
    private final int[] parts;

    private final List<Piece> pieces;

    /** For each piece the search that has been prepared for it. */
    private final @Nullable WildcardSearch[] searches;

    private LikePattern(int[] parts) {
        this.parts = parts;
        this.pieces = pieces(parts);
        this.searches = new WildcardSearch[pieces.size()];
    }

    /** Signs that a text must have in a row: bytes as 0 to 255, and {@link #ANY_CODE_POINT}. */
    public static final class Piece {
        private final int[] signs;
        private final int leading;
        private final int[] core;
        private final byte[] coreBytes;
        private final boolean hasInnerWildcards;
        private final int codePoints;

        Piece(int[] signs) {
            int from = 0;
            int to = signs.length;
            while (from < to && signs[from] == ANY_CODE_POINT) {
                from++;
            }
            while (to > from && signs[to - 1] == ANY_CODE_POINT) {
                to--;
            }
            this.signs = signs;
            this.leading = from;
            this.core = Arrays.copyOfRange(signs, from, to);
            this.coreBytes = new byte[core.length];
            boolean wild = false;
            for (int k = 0; k < core.length; k++) {
                coreBytes[k] = (byte) core[k];
                wild |= core[k] == ANY_CODE_POINT;
            }
            this.hasInnerWildcards = wild;
            int points = 0;
            for (int sign : signs) {
                points += sign == ANY_CODE_POINT || Utf8.isFirst((byte) sign) ? 1 : 0;
            }
            this.codePoints = points;
        }

        /** All signs; not to be changed. */
        public int[] signs() {
            return signs;
        }

        /** Number of the first signs that are {@link #ANY_CODE_POINT}; all if there are no bytes. */
        public int leading() {
            return leading;
        }

        /** The signs from the first byte to the last one; not to be changed. */
        public int[] core() {
            return core;
        }

        /** Number of the signs behind the core. */
        public int trailing() {
            return signs.length - leading - core.length;
        }

        /** Code points of a text that has the signs. */
        public int codePoints() {
            return codePoints;
        }

        /** Whether there is a _ between two bytes. */
        public boolean hasInnerWildcards() {
            return hasInnerWildcards;
        }
    }

    private static List<Piece> pieces(int[] parts) {
        List<Piece> pieces = new ArrayList<>();
        int from = 0;
        for (int k = 0; k <= parts.length; k++) {
            if (k == parts.length || parts[k] == ANY_TEXT) {
                pieces.add(new Piece(Arrays.copyOfRange(parts, from, k)));
                from = k + 1;
            }
        }
        return pieces;
    }

    /** What stands between the %, at least one piece; pieces may be empty. */
    public List<Piece> pieces() {
        return pieces;
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
        int at = match(pieces.get(0), text, 0);
        int last = pieces.size() - 1;
        if (last == 0) {
            return at == text.length;
        }
        for (int k = 1; k < last && at >= 0; k++) {
            at = find(k, text, at);
        }
        if (at < 0) {
            return false;
        }
        int place = skipBack(text, at, pieces.get(last).codePoints());
        return place >= 0 && match(pieces.get(last), text, place) == text.length;
    }

    /** Where the text behind the piece begins if the piece stands at a place; else -1. */
    private static int match(Piece piece, byte[] text, int place) {
        int at = place;
        for (int sign : piece.signs()) {
            if (at == text.length || sign != ANY_CODE_POINT && sign != (text[at] & 0xff)) {
                return -1;
            }
            at = sign == ANY_CODE_POINT ? Utf8.next(text, at) : at + 1;
        }
        return at;
    }

    /** Where the text behind the first place of a piece begins; -1 without one. */
    private int find(int number, byte[] text, int from) {
        Piece piece = pieces.get(number);
        int at = skip(text, from, piece.leading());
        if (at >= 0 && piece.core().length > 0) {
            at = piece.hasInnerWildcards() ? findWildcards(number, text, at) : findBytes(piece, text, at);
            return at < 0 ? at : skip(text, at, piece.trailing());
        }
        return at;
    }

    private static int findBytes(Piece piece, byte[] text, int from) {
        int at = TextOps.find(text, from, piece.coreBytes);
        return at < 0 ? at : at + piece.core().length;
    }

    private int findWildcards(int number, byte[] text, int from) {
        WildcardSearch search = searches[number];
        if (search == null) {
            search = new WildcardSearch(pieces.get(number).core());
            searches[number] = search;
        }
        search.begin();
        for (int at = from; at < text.length; at++) {
            if (search.take(text[at])) {
                return at + 1;
            }
        }
        return -1;
    }

    /** The offset behind so many code points; -1 if there are fewer. */
    private static int skip(byte[] text, int from, int codePoints) {
        int at = from;
        for (int k = 0; k < codePoints; k++) {
            if (at == text.length) {
                return -1;
            }
            at = Utf8.next(text, at);
        }
        return at;
    }

    /** The offset of the last so many code points; -1 if there are fewer behind {@code from}. */
    private static int skipBack(byte[] text, int from, int codePoints) {
        int at = text.length;
        for (int k = 0; k < codePoints; k++) {
            if (at == from) {
                return -1;
            }
            at--;
            while (at > from && !Utf8.isFirst(text[at])) {
                at--;
            }
        }
        return at;
    }

    /** Steps for each byte of a text, at most. */
    int stepsOfByte() {
        int steps = 1;
        for (Piece piece : pieces) {
            steps = Math.max(steps, piece.hasInnerWildcards() ? WildcardSearch.words(piece.core().length) : 1);
        }
        return steps;
    }

    /** Bytes of memory, with those of searches that are not yet prepared. */
    public long bytes() {
        long bytes = 0;
        for (Piece piece : pieces) {
            int length = piece.core().length;
            bytes += piece.hasInnerWildcards() ? WildcardSearch.bytes(length) : length;
        }
        return bytes + 2L * Integer.BYTES * parts.length;
    }
}
