package io.sdds.brick.group;

import io.sdds.brick.bucket.Bucket;
import java.lang.foreign.MemorySegment;

/**
 * Loads the parts of the bucket that a batch of committed entries needs into the processor's caches. The index is
 * loaded for all entries first, and then the records, so that the waits for memory overlap.
 */
public final class Prefetcher {
    public static final int ENTRIES_MAX = 32;

    private final long[] indexes = new long[ENTRIES_MAX];

    /** Consumes the loaded bytes, so that the compiler does not remove the loads. */
    @SuppressWarnings("UnusedVariable")
    private int touched;

    /** @param to the last entry; at most {@link #ENTRIES_MAX} entries from {@code from} on */
    void prefetch(Bucket bucket, GroupLog log, long from, long to) {
        MemorySegment memory = log.memory();
        for (long seq = from; seq <= to; seq++) {
            int at = log.index(seq);
            if (Entry.isOfKey(Entry.kind(memory, at))) {
                indexes[(int) (seq - from)] = bucket.touchIndex(
                        Entry.number(memory, at, Entry.HASH), memory, at + Entry.KEY, Entry.keyLength(memory, at));
            }
        }
        int consumed = 0;
        for (long seq = from; seq <= to; seq++) {
            int at = log.index(seq);
            if (Entry.isOfKey(Entry.kind(memory, at))) {
                consumed += bucket.touchRecord(
                        indexes[(int) (seq - from)],
                        Entry.number(memory, at, Entry.HASH),
                        memory,
                        at + Entry.KEY,
                        Entry.keyLength(memory, at));
            }
        }
        touched = consumed;
    }
}
