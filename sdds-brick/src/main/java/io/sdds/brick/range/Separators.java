package io.sdds.brick.range;

import io.sdds.brick.memory.RecordStore;

/**
 * The keys of inner nodes: each the shortest that tells the two records apart between which it was made. After R. Bayer,
 * K. Unterauer, "Prefix B-trees" (ACM TODS 1977).
 */
final class Separators {

    private final RecordStore store;
    private long bytes;

    Separators(RecordStore store) {
        this.store = store;
    }

    /** Bytes of the slots of all separators. */
    long bytes() {
        return bytes;
    }

    /**
     * A separator above {@code lower}'s key and not above {@code upper}'s.
     *
     * @return its reference, or 0 if there is no memory
     */
    long between(long lower, long upper, boolean reserved) {
        int length = store.commonKeyBytes(lower, upper) + 1;
        long separator = store.writeKey(store.segment(upper), store.keyOffset(upper), length, reserved);
        bytes += separator == 0 ? 0 : store.slotBytes(separator);
        return separator;
    }

    void free(long separator) {
        bytes -= store.slotBytes(separator);
        store.freeKey(separator);
    }
}
