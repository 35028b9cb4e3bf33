package io.sdds.brick.group;

import io.sdds.brick.partition.KeySet;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The last entries prepared that are about more than one key, each by its seq; 0: none since the log was cut. They are
 * undecided while that is beyond what is committed.
 */
final class BarrierEntries {
    private long clear;
    private long handOver;
    private @Nullable KeySet moving;
    private long absorb;

    /** The last CLEAR: it is about all keys. */
    long clear() {
        return clear;
    }

    /** The last HANDOVER or SUBSUME. */
    long handOver() {
        return handOver;
    }

    /** The keys that the last hand-over gives up. */
    @Nullable
    KeySet moving() {
        return moving;
    }

    /** The last ABSORB. */
    long absorb() {
        return absorb;
    }

    /** An entry is in the log. */
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

    /** All undecided ones are cut off; those that stay are prepared again. */
    void cut() {
        clear = 0;
        handOver = 0;
        absorb = 0;
    }
}
