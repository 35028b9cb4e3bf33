package io.sdds.brick.bucket;

import io.sdds.brick.memory.RecordStore;
import java.util.Arrays;

/** Tags and references of records, for the moment while an LH-bucket is rewritten. Kept and reused. */
final class RecordList {

    private int[] references = new int[2 * LhLine.PLACES];
    private byte[] tags = new byte[2 * LhLine.PLACES];
    private int size;

    void clear() {
        size = 0;
    }

    void add(int tag, long reference) {
        if (size == references.length) {
            references = Arrays.copyOf(references, 2 * size);
            tags = Arrays.copyOf(tags, 2 * size);
        }
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
        int kept = 0;
        for (int i = 0; i < size; i++) {
            if ((store.hash(reference(i)) >>> bit & 1) != 0) {
                other.add(tags[i], reference(i));
            } else {
                references[kept] = references[i];
                tags[kept++] = tags[i];
            }
        }
        size = kept;
    }
}
