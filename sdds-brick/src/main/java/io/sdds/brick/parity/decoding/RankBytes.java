package io.sdds.brick.parity.decoding;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** Some bytes for each rank of a decoding, in one piece of memory. */
public final class RankBytes {
    private final int[] offsets;
    private final int[] lengths;
    private final int[] rooms;
    private MemorySegment memory;

    /** Everything behind this offset is zero and belongs to no rank. */
    private int end;

    /**
     * Makes room for the bytes of each rank, which are zeros. All lengths are 0.
     *
     * @param rooms bytes of each rank; belongs to the new object
     * @throws ArithmeticException if an array can't have so many bytes
     */
    public RankBytes(int[] rooms) {
        this.rooms = rooms;
        this.offsets = new int[rooms.length];
        this.lengths = new int[rooms.length];
        long bytes = 0;
        for (int k = 0; k < rooms.length; k++) {
            offsets[k] = (int) bytes;
            bytes += rooms[k];
        }
        this.end = Math.toIntExact(bytes);
        this.memory = MemorySegment.ofArray(new byte[end]);
    }

    /** Number of ranks. */
    public int count() {
        return lengths.length;
    }

    /** The memory of all ranks, until {@link #lengthen}. */
    public MemorySegment memory() {
        return memory;
    }

    /** Where the bytes of the k-th rank begin in the memory. */
    public int offset(int k) {
        return offsets[k];
    }

    /** Number of bytes of the k-th rank. */
    public int length(int k) {
        return lengths[k];
    }

    /** Gives the k-th rank at least so many bytes. Those that are new are zeros. */
    public void lengthen(int k, int length) {
        if (length > rooms[k]) {
            move(k, length);
        }
        lengths[k] = Math.max(lengths[k], length);
    }

    /** Moves the bytes of a rank to a larger room behind all others. */
    private void move(int k, int room) {
        int next = Math.addExact(end, room);
        if (next > memory.byteSize()) {
            byte[] old = (byte[]) memory.heapBase().orElseThrow();
            memory =
                    MemorySegment.ofArray(Arrays.copyOf(old, (int) Math.clamp(2L * next, next, Integer.MAX_VALUE - 8)));
        }
        MemorySegment.copy(memory, offsets[k], memory, end, lengths[k]);
        offsets[k] = end;
        rooms[k] = room;
        end = next;
    }

    /** Sets the bytes of the k-th rank, which has room for them. */
    public void set(int k, MemorySegment from, long at, int length) {
        lengths[k] = length;
        MemorySegment.copy(from, at, memory, offsets[k], length);
    }
}
