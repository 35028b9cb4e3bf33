package io.sdds.brick.group;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.partition.Request;
import java.lang.foreign.MemorySegment;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A group's log at one member. The log has the entries that some member may not know to be committed, in the order of
 * their seqs, in one buffer. Callers that append bound the size. An empty log has no memory after
 * {@link #releaseSpareMemory}.
 */
public final class GroupLog {
    private static final int FIRST_BYTES = 4 << 10;
    private static final int FIRST_ENTRIES = 64;

    private static final int GROWTH_BYTES_MAX = 2 << 20;

    /** A buffer that is larger than this is given back when its entries need less than a quarter of it. */
    private static final int SPARE_BYTES_MAX = 4 << 20;

    private final IntFunction<ByteBuf> allocator;
    private @Nullable ByteBuf buffer;
    private MemorySegment memory = MemorySegment.NULL;
    private int capacity;

    /** Offset of each entry in the buffer, by the low bits of the entry's seq. */
    private int[] at = new int[FIRST_ENTRIES];

    private final LongEntries longEntries;
    private int from;
    private int to;
    private long trimmed;
    private long last;

    /**
     * @param allocator of direct memory
     * @param shareBytesMax as of {@link LongEntries}
     */
    GroupLog(IntFunction<ByteBuf> allocator, int shareBytesMax) {
        this.allocator = allocator;
        this.longEntries = new LongEntries(shareBytesMax);
    }

    /** The seq of the last entry, even if the entry has been trimmed. */
    public long last() {
        return last;
    }

    /** The seq of the last trimmed entry. The log has the entries behind it. */
    public long trimmed() {
        return trimmed;
    }

    /** Bytes of all entries that the log has. */
    int bytes() {
        return to - from;
    }

    /** Bytes of all entries that the log has, with the share of each long entry ({@link LongEntries}). */
    public long shareBytes() {
        return to - from - longEntries.excessBytes();
    }

    /** The bytes with which an entry of so many bytes counts in {@link #shareBytes}. */
    public int share(int bytes) {
        return longEntries.share(bytes);
    }

    /** Bytes of the long entries beyond their shares. */
    public long excessBytes() {
        return longEntries.excessBytes();
    }

    /** Begins an empty log behind a seq. */
    public void begin(long seq) {
        longEntries.trimmed(last);
        trimmed = seq;
        last = seq;
        from = 0;
        to = 0;
    }

    /** The memory that {@link #index} is an offset of. {@link #claim} may replace it. */
    public MemorySegment memory() {
        return memory;
    }

    /** The offset of an entry that the log has. */
    public int index(long seq) {
        return at[(int) seq & at.length - 1];
    }

    long epochOf(long seq) {
        return Entry.number(memory, index(seq), Entry.EPOCH);
    }

    /**
     * Makes room for the next entry, and returns the offset of the entry. The caller writes the entry, the length
     * included, and then calls {@link #appended}.
     */
    public int claim(int length) {
        if (buffer == null || capacity - to < length) {
            makeRoom(length);
        }
        return to;
    }

    /** Adds the entry that was claimed last, which is written now. */
    public void appended() {
        if (last - trimmed == at.length) {
            growIndex();
        }
        last++;
        at[(int) last & at.length - 1] = to;
        int length = Entry.length(memory, to);
        longEntries.appended(last, length);
        to += length;
    }

    /** Appends a received entry. */
    void append(MemorySegment source, int index, int length) {
        int start = claim(length);
        MemorySegment.copy(source, index, memory, start, length);
        appended();
    }

    /** Forgets the entries up to a seq, because all members know that they are committed. */
    public void trim(long seq) {
        if (seq > trimmed) {
            trimmed = Math.min(seq, last);
            longEntries.trimmed(trimmed);
            from = trimmed == last ? to : index(trimmed + 1);
            if (from == to) {
                from = 0;
                to = 0;
            }
        }
    }

    /** Cuts off the entries behind a seq. */
    public void cut(long seq) {
        last = seq;
        longEntries.cut(seq);
        if (seq == trimmed) {
            from = 0;
            to = 0;
        } else {
            to = index(seq) + Entry.length(memory, index(seq));
        }
    }

    /**
     * The last of the entries from {@code first} on that fit into {@code bytes} together; {@code first} if not even
     * this entry fits.
     */
    long lastFitting(long first, int bytes) {
        long end = first;
        int start = index(first);
        while (end < last && endOf(end + 1) - start <= bytes) {
            end++;
        }
        return end;
    }

    /** Bytes of the entries from {@code first} to {@code end}. */
    int bytes(long first, long end) {
        return endOf(end) - index(first);
    }

    /** Writes the entries from {@code first} to {@code end} into a frame. */
    void write(ByteBuf out, long first, long end) {
        ByteBuf source = buffer;
        if (source != null) {
            out.writeBytes(source, index(first), bytes(first, end));
        }
    }

    private int endOf(long seq) {
        return seq == last ? to : index(seq + 1);
    }

    /** Gives memory back that the log does not need: all if it is empty, most of it behind a long entry. */
    public void releaseSpareMemory() {
        if (from == to) {
            release();
        } else if (capacity > SPARE_BYTES_MAX && to - from < capacity / 4) {
            moveTo(allocator.apply(Math.max(FIRST_BYTES, 2 * (to - from))));
        }
    }

    public void release() {
        if (buffer != null) {
            buffer.release();
            buffer = null;
            memory = MemorySegment.NULL;
            capacity = 0;
        }
    }

    private void makeRoom(int length) {
        int live = to - from;
        int needed = live + length;
        if (buffer != null && needed <= capacity && live <= capacity / 2) {
            MemorySegment.copy(memory, from, memory, 0, live);
            shiftToFront();
        } else {
            moveTo(allocator.apply(Math.max(FIRST_BYTES, needed + Math.min(needed, GROWTH_BYTES_MAX))));
        }
    }

    /** Moves the entries to the front of another buffer. */
    private void moveTo(ByteBuf other) {
        MemorySegment view = Request.memoryOf(other);
        MemorySegment.copy(memory, from, view, 0, to - from);
        release();
        buffer = other;
        memory = view;
        capacity = other.capacity();
        shiftToFront();
    }

    /** The entries have been copied to the front of the buffer. */
    private void shiftToFront() {
        for (long seq = trimmed + 1; seq <= last; seq++) {
            at[(int) seq & at.length - 1] -= from;
        }
        to -= from;
        from = 0;
    }

    private void growIndex() {
        int[] larger = new int[at.length * 2];
        for (long seq = trimmed + 1; seq <= last; seq++) {
            larger[(int) seq & larger.length - 1] = index(seq);
        }
        at = larger;
    }
}
