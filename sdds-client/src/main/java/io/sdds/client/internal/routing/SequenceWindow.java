package io.sdds.client.internal.routing;

/**
 * The sequence numbers of a session's writes. Tracks the open numbers and the lowest open number ({@code low}). Bricks
 * may forget results below {@code low} and never run such a request (docs/design/writes.md, rule 6). {@code low} always
 * moves on, because every request ends at its deadline. One thread uses the window.
 */
public final class SequenceWindow {
    private static final int WORDS_FIRST = 1 << 8;

    /** Largest distance from the lowest open number to the next number. */
    static final int SPAN_MAX = 1 << 24;

    /**
     * A ring of one bit for each number from low to next, at the number modulo the ring's size. The bit is set when the
     * number is closed.
     */
    private long[] closed = new long[WORDS_FIRST];

    private long low = 1;
    private long next = 1;

    /** The lowest open number, or the next number when none is open. */
    public long low() {
        return low;
    }

    /** Whether a number can be opened, because the lowest open number is not too far back. */
    public boolean hasRoom() {
        return next - low < SPAN_MAX;
    }

    /** Opens the next number. */
    public long open() {
        if (next - low == span()) {
            grow();
        }
        closed[word(next)] &= ~(1L << next);
        return next++;
    }

    /** Closes an open number, because its request has ended. */
    public void close(long seq) {
        closed[word(seq)] |= 1L << seq;
        if (seq == low) {
            do {
                low++;
            } while (low < next && (closed[word(low)] >>> low & 1) != 0);
        }
    }

    private long span() {
        return (long) closed.length * Long.SIZE;
    }

    private int word(long seq) {
        return (int) (seq >>> 6) & (closed.length - 1);
    }

    private void grow() {
        if (!hasRoom()) {
            throw new IllegalStateException("sequence number " + low + " is open, " + next + " is the next");
        }
        long[] old = closed;
        closed = new long[2 * old.length];
        for (long seq = low; seq < next; seq++) {
            if ((old[(int) (seq >>> 6) & (old.length - 1)] >>> seq & 1) != 0) {
                closed[word(seq)] |= 1L << seq;
            }
        }
    }
}
