package io.sdds.brick.group;

import io.sdds.brick.partition.MovedKeys;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The seqs of the last CLEAR, HANDOVER or SUBSUME, and ABSORB in the log: the entries that are about more than one key.
 * 0 stands for no such entry since the log was last cut. An entry is uncommitted while its seq is above the seq of the
 * last committed entry.
 */
final class BarrierEntries {
    private long clear;
    private long handOver;
    private @Nullable MovedKeys moving;
    private long absorb;

    /** The last CLEAR, which is about all keys. */
    long clear() {
        return clear;
    }

    /** The last HANDOVER or SUBSUME. */
    long handOver() {
        return handOver;
    }

    /** The keys that leave this partition by {@link #handOver}. */
    @Nullable
    MovedKeys moving() {
        return moving;
    }

    /** The last ABSORB. */
    long absorb() {
        return absorb;
    }

    /** Notes an entry of the log that is not about a single key. */
    void add(long seq, MemorySegment memory, int at, byte kind) {
        if (kind == Entry.CLEAR) {
            clear = seq;
        } else if (kind == Entry.HANDOVER || kind == Entry.SUBSUME) {
            handOver = seq;
            moving = Entry.moved(memory, at);
        } else if (kind == Entry.ABSORB) {
            absorb = seq;
        }
    }

    /** Forgets all entries, because the log is cut. The caller adds the entries that stay. */
    void cut() {
        clear = 0;
        handOver = 0;
        absorb = 0;
    }
}
