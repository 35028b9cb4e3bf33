package io.sdds.brick.group;

import io.sdds.brick.bucket.Bucket;
import java.lang.foreign.MemorySegment;

/**
 * Loads what a batch of decided entries is going to need of the bucket, so that the waits for memory overlap: first of
 * all index, then of all records.
 */
final class Prefetcher {
    static final int ENTRIES_MAX = 32;

    private final long[] indexes = new long[ENTRIES_MAX];

    /** Consumes what was loaded, so that loading isn't optimised away. */
    @SuppressWarnings("UnusedVariable")
    private int touched;

    /** @param to at most {@link #ENTRIES_MAX} entries, this one included */
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
