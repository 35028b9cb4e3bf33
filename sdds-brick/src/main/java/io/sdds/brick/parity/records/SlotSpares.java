package io.sdds.brick.parity.records;

import io.sdds.brick.memory.SlotSpace;

/**
 * Slots of one size that were reserved and not needed. The next reservations take them, because the deltas of a table
 * mostly have one length.
 */
final class SlotSpares {

    private static final int SPARES_MAX = 256;
    private static final int SPARES_BYTES_MAX = 64 << 10;

    private final SlotSpace slots;
    private final int[] spares = new int[SPARES_MAX];
    private int count;

    /** Size of all spares. */
    private long slotBytes;

    private boolean closed;

    SlotSpares(SlotSpace slots) {
        this.slots = slots;
    }

    /**
     * Takes a slot of at least {@code bytes}, of the size that the slot space has for that number of bytes.
     *
     * @param reserved whether the last 5 % of the memory may be used
     * @return its reference, or 0 if there is no room
     */
    long take(int bytes, boolean reserved) {
        if (count > 0 && slots.slotBytesFor(bytes) == slotBytes) {
            return Integer.toUnsignedLong(spares[--count]);
        }
        long slot = slots.allocate(bytes, reserved);
        if (slot == 0 && count > 0) {
            release();
            slot = slots.allocate(bytes, reserved);
        }
        return slot;
    }

    /** Keeps a slot for the next reservation, or frees it. */
    void give(long slot) {
        long bytes = slots.slotBytes(slot);
        if (count == 0) {
            slotBytes = bytes;
        }
        boolean fits = bytes == slotBytes && count < SPARES_MAX && (count + 1) * bytes <= SPARES_BYTES_MAX;
        if (fits && !closed) {
            spares[count++] = (int) slot;
        } else {
            slots.free(slot);
        }
    }

    /** Frees all spares. */
    void release() {
        while (count > 0) {
            slots.free(Integer.toUnsignedLong(spares[--count]));
        }
    }

    /** Frees all spares, and keeps none from now on. */
    void close() {
        closed = true;
        release();
    }
}
