package io.sdds.brick.erasure;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * A list of places in memory, each the begin of a shard: a segment of any kind and an offset of any alignment. Made
 * once and filled again for each use, so that coding allocates nothing. One thread uses a list.
 */
public final class Shards {
    private final MemorySegment[] segments;
    private final long[] offsets;

    /** Makes a list of {@code size} empty places. */
    public Shards(int size) {
        segments = new MemorySegment[size];
        Arrays.fill(segments, MemorySegment.NULL);
        offsets = new long[size];
    }

    /** Sets a place. Returns this list. */
    public Shards set(int index, MemorySegment segment, long offset) {
        segments[index] = segment;
        offsets[index] = offset;
        return this;
    }

    /** Number of places. */
    public int size() {
        return segments.length;
    }

    /** Segment of a shard. */
    public MemorySegment segment(int index) {
        return segments[index];
    }

    /** Offset of a shard in its segment, in bytes. */
    public long offset(int index) {
        return offsets[index];
    }

    /** Sets a place to that of another list. */
    void set(int index, Shards other, int otherIndex) {
        segments[index] = other.segments[otherIndex];
        offsets[index] = other.offsets[otherIndex];
    }

    /** Forgets all segments, so that the list keeps no memory alive. */
    public void clear() {
        Arrays.fill(segments, MemorySegment.NULL);
    }
}
