package io.sdds.brick.bucket;

import io.sdds.brick.memory.RecordStore;
import java.util.Arrays;

/** Tags and references of records while an LH-bucket is rewritten. One list is used for all rewrites. */
final class RecordList {

    private int[] references = new int[2 * LhLine.PLACES];
    private byte[] tags = new byte[2 * LhLine.PLACES];
    private int size;

    void clear() {
        size = 0;
    }

    void add(int tag, long reference) {
        ensure(size + 1);
        references[size] = (int) reference;
        tags[size++] = (byte) tag;
    }

    int size() {
        return size;
    }

    long reference(int index) {
        return Integer.toUnsignedLong(references[index]);
    }

    int tag(int index) {
        return tags[index] & 0xFF;
    }

    /** Moves the records whose pseudo-key has bit {@code bit} set to another list, in their order. */
    void moveTo(RecordList other, int bit, RecordStore store) {
        other.ensure(other.size + size);
        int kept = 0;
        for (int i = 0; i < size; i++) {
            // Written to both lists and counted in one: a branch would go wrong half the time, and each time end the
            // overlap of the accesses to records.
            int moving = (int) (store.hash(reference(i)) >>> bit) & 1;
            other.references[other.size] = references[i];
            other.tags[other.size] = tags[i];
            references[kept] = references[i];
            tags[kept] = tags[i];
            other.size += moving;
            kept += 1 - moving;
        }
        size = kept;
    }

    /** Moves the expired records to another list, in their order, and notes the expiries of the other records. */
    void moveExpired(RecordList other, ExpiryTimes expiries, RecordStore store) {
        int kept = 0;
        for (int i = 0; i < size; i++) {
            long expiry = store.expiry(reference(i));
            if (expiries.isPast(expiry)) {
                other.add(tags[i], reference(i));
            } else {
                expiries.has(expiry);
                references[kept] = references[i];
                tags[kept++] = tags[i];
            }
        }
        size = kept;
    }

    private void ensure(int capacity) {
        if (capacity > references.length) {
            int length = Math.max(capacity, 2 * references.length);
            references = Arrays.copyOf(references, length);
            tags = Arrays.copyOf(tags, length);
        }
    }
}
