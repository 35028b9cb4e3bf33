package io.sdds.core.query;

import java.util.Arrays;

/**
 * Looks for a piece of a pattern of LIKE that has _ in it: reads a text byte by byte, and tells behind which byte the
 * piece ends first. The work for a byte is one step for each 64 signs of the piece. For one thread.
 *
 * <p>After R. Baeza-Yates, G. Gonnet, "A new approach to text searching" (CACM 35(10), 1992): a bit for each sign of
 * the piece tells whether the signs up to it match what was read last. The bit of a _ stays while its code point goes
 * on.
 */
public final class WildcardSearch {
    private static final int BYTES = 256;

    private final int words;

    /** For each byte, the signs that match it. */
    private final long[] matching;

    /** The signs that are a _. */
    private final long[] wildcards;

    private final long[] reached;
    private final long end;

    /**
     * Prepares a piece.
     *
     * @param signs bytes as 0 to 255 and {@link LikePattern#ANY_CODE_POINT}; the first and the last one are bytes
     */
    public WildcardSearch(int[] signs) {
        this.words = words(signs.length);
        this.matching = new long[BYTES * words];
        this.wildcards = new long[words];
        this.reached = new long[words];
        this.end = 1L << signs.length - 1;
        for (int k = 0; k < signs.length; k++) {
            long bit = 1L << k;
            if (signs[k] == LikePattern.ANY_CODE_POINT) {
                wildcards[k / Long.SIZE] |= bit;
            } else {
                matching[signs[k] * words + k / Long.SIZE] |= bit;
            }
        }
    }

    static int words(int signs) {
        return (signs + Long.SIZE - 1) / Long.SIZE;
    }

    /** Bytes of memory of the search for a piece of so many signs. */
    public static long bytes(int signs) {
        return (long) words(signs) * Long.BYTES * (BYTES + 2);
    }

    /** Steps for each byte. */
    public int steps() {
        return words;
    }

    /** Begins with a text. */
    public void begin() {
        Arrays.fill(reached, 0);
    }

    /** Takes the next byte; returns whether the piece ends behind it. */
    public boolean take(byte unit) {
        boolean continues = !Utf8.isFirst(unit);
        int from = (unit & 0xff) * words;
        long carry = 1;
        for (int k = 0; k < words; k++) {
            long before = reached[k];
            long next = before << 1 | carry;
            long kept = continues ? before : next;
            reached[k] = next & matching[from + k] | kept & wildcards[k];
            carry = before >>> Long.SIZE - 1;
        }
        return (reached[words - 1] & end) != 0;
    }
}
