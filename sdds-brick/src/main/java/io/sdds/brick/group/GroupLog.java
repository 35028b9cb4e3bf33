package io.sdds.brick.group;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.partition.Request;
import java.lang.foreign.MemorySegment;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A group's log at one member: the entries that some member may not know to be committed, by seq, one behind the other
 * in one buffer. Bounded by whoever appends. Holds no memory while it is empty and {@link #rest} was called.
 */
final class GroupLog {
    private static final int FIRST_BYTES = 4 << 10;
    private static final int FIRST_ENTRIES = 64;

    private final IntFunction<ByteBuf> allocator;
    private @Nullable ByteBuf buffer;
    private MemorySegment memory = MemorySegment.NULL;
    private int capacity;

    /** Where an entry begins, by the low bits of its seq. */
    private int[] at = new int[FIRST_ENTRIES];

    private int from;
    private int to;
    private long trimmed;
    private long last;

    /** @param allocator of direct memory */
    GroupLog(IntFunction<ByteBuf> allocator) {
        this.allocator = allocator;
    }

    /** The seq of the last entry, whether it is still here or not. */
    long last() {
        return last;
    }

    /** The seq of the last entry that is no longer here: those from the next one on are. */
    long trimmed() {
        return trimmed;
    }

    /** Bytes of all entries that are here. */
    int bytes() {
        return to - from;
    }

    /** Begins behind a seq. */
    void begin(long seq) {
        trimmed = seq;
        last = seq;
        from = 0;
        to = 0;
    }

    /** What {@link #index} is an offset of; another after each {@link #claim}. */
    MemorySegment memory() {
        return memory;
    }

    /** Where an entry that is here begins. */
    int index(long seq) {
        return at[(int) seq & at.length - 1];
    }

    long epochOf(long seq) {
        return Entry.number(memory, index(seq), Entry.EPOCH);
    }

    /** Room for the next entry: where it begins. To be written, its length first of all, and then {@link #appended}. */
    int claim(int length) {
        if (buffer == null || capacity - to < length) {
            makeRoom(length);
        }
        return to;
    }

    /** The entry claimed last is written. */
    void appended() {
        if (last - trimmed == at.length) {
            growIndex();
        }
        last++;
        at[(int) last & at.length - 1] = to;
        to += Entry.length(memory, to);
    }

    /** Takes an entry that was received. */
    void append(MemorySegment source, int index, int length) {
        int start = claim(length);
        MemorySegment.copy(source, index, memory, start, length);
        appended();
    }

    /** Forgets entries up to a seq: all members know that they are committed. */
    void trim(long seq) {
        if (seq > trimmed) {
            trimmed = Math.min(seq, last);
            from = trimmed == last ? to : index(trimmed + 1);
            if (from == to) {
                from = 0;
                to = 0;
            }
        }
    }

    /** Cuts off entries behind a seq. */
    void cut(long seq) {
        last = seq;
        if (seq == trimmed) {
            from = 0;
            to = 0;
        } else {
            to = index(seq) + Entry.length(memory, index(seq));
        }
    }

    /**
     * The last of the entries from {@code first} on that fit into so many bytes together; the first one in any case.
     */
    long lastFitting(long first, int bytes) {
        long end = first;
        int start = index(first);
        while (end < last && endOf(end + 1) - start <= bytes) {
            end++;
        }
        return end;
    }

    /** Bytes of some entries. */
    int bytes(long first, long end) {
        return endOf(end) - index(first);
    }

    /** Appends entries to a frame. */
    void write(ByteBuf out, long first, long end) {
        ByteBuf source = buffer;
        if (source != null) {
            out.writeBytes(source, index(first), bytes(first, end));
        }
    }

    private int endOf(long seq) {
        return seq == last ? to : index(seq + 1);
    }

    /** Gives its memory back while it is empty. */
    void rest() {
        if (from == to) {
            release();
        }
    }

    void release() {
        if (buffer != null) {
            buffer.release();
            buffer = null;
            memory = MemorySegment.NULL;
            capacity = 0;
        }
    }

    private void makeRoom(int length) {
        int live = to - from;
        int wanted = Math.max(FIRST_BYTES, 2 * (live + length));
        if (buffer != null && live + length <= capacity && live <= capacity / 2) {
            MemorySegment.copy(memory, from, memory, 0, live);
        } else {
            ByteBuf larger = allocator.apply(wanted);
            MemorySegment view = Request.memoryOf(larger);
            MemorySegment.copy(memory, from, view, 0, live);
            release();
            buffer = larger;
            memory = view;
            capacity = larger.capacity();
        }
        for (long seq = trimmed + 1; seq <= last; seq++) {
            at[(int) seq & at.length - 1] -= from;
        }
        to = live;
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
