package io.sdds.brick.group;

import java.util.ArrayDeque;

/**
 * The long entries of a log. A long entry counts in the log's room with a share of its bytes only, so that short
 * entries find room beside it. The rest of its bytes is its excess, which has a bound of its own ({@link LogRoom}).
 */
final class LongEntries {
    private final int shareBytesMax;
    private final ArrayDeque<LongEntry> entries = new ArrayDeque<>();
    private long excessBytes;

    private record LongEntry(long seq, int excessBytes) {}

    /** @param shareBytesMax bytes with which a long entry counts in the room of the log; a shorter entry is not long */
    LongEntries(int shareBytesMax) {
        this.shareBytesMax = shareBytesMax;
    }

    /** The bytes with which an entry counts in the room of the log. */
    int share(int bytes) {
        return Math.min(bytes, shareBytesMax);
    }

    /** The excess of all long entries. */
    long excessBytes() {
        return excessBytes;
    }

    /** The log has a new entry. */
    void appended(long seq, int bytes) {
        if (bytes > shareBytesMax) {
            entries.add(new LongEntry(seq, bytes - shareBytesMax));
            excessBytes += bytes - shareBytesMax;
        }
    }

    /** The log has forgotten the entries up to a seq. */
    void trimmed(long seq) {
        while (!entries.isEmpty() && entries.getFirst().seq() <= seq) {
            excessBytes -= entries.removeFirst().excessBytes();
        }
    }

    /** The log has lost the entries behind a seq. */
    void cut(long seq) {
        while (!entries.isEmpty() && entries.getLast().seq() > seq) {
            excessBytes -= entries.removeLast().excessBytes();
        }
    }
}
