package io.sdds.brick.range;

import io.sdds.brick.memory.RecordStore;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Makes the keys of inner nodes. A separator is the shortest key that tells two neighbouring records apart. After R.
 * Bayer, K. Unterauer, "Prefix B-trees" (ACM TODS 1977).
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
     * @return reference of the separator, or 0 if there is no memory
     */
    long between(long lower, long upper, boolean reserved) {
        int length = store.commonKeyBytes(lower, upper) + 1;
        long separator = store.writeKey(store.segment(upper), store.keyOffset(upper), length, reserved);
        bytes += separator == 0 ? 0 : store.slotBytes(separator);
        return separator;
    }

    /** The shortest key not below {@code lower}'s and below {@code upper}'s. */
    static byte[] dividing(RecordStore store, long lower, long upper) {
        int length = store.commonKeyBytes(lower, upper) + 1;
        boolean shorter = length < store.keyLength(lower) && length < store.keyLength(upper);
        long from = shorter ? upper : lower;
        byte[] key = new byte[shorter ? length : store.keyLength(lower)];
        MemorySegment.copy(store.segment(from), ValueLayout.JAVA_BYTE, store.keyOffset(from), key, 0, key.length);
        return key;
    }

    void free(long separator) {
        bytes -= store.slotBytes(separator);
        store.freeKey(separator);
    }
}
