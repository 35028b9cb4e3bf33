package io.sdds.client.internal.routing;

/**
 * The numbers of a session's writes: which are open, and the lowest open one ({@code low}), below which bricks may
 * forget results and never run a request (docs/design/writes.md, rule 6). Low always moves on, since every request ends
 * at its deadline. Used by one thread.
 */
public final class SequenceWindow {
    private static final int WORDS_FIRST = 1 << 8;

    /** Numbers between the lowest open one and the next, at most. */
    static final int SPAN_MAX = 1 << 24;

    /** One bit a number from low to next, set when it is closed, at its place modulo the ring's size. */
    private long[] closed = new long[WORDS_FIRST];

    private long low = 1;
    private long next = 1;

    /** The lowest open number, or the next when none is open. */
    public long low() {
        return low;
    }

    /** Whether a number can be opened: the lowest open one is not too far back. */
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

    /** Closes an open number: its request has ended. */
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
