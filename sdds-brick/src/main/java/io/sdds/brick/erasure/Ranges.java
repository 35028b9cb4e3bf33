package io.sdds.brick.erasure;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/** Checks of arguments before a kernel touches memory. */
final class Ranges {
    private Ranges() {}

    /** Throws unless the arguments of a fold are within their bounds. */
    static void checkFold(
            MemorySegment dst, long dstOffset, MemorySegment src, long srcOffset, int coefficient, int length) {
        check(dst, dstOffset, length);
        check(src, srcOffset, length);
        Objects.checkIndex(coefficient, GaloisField.SIZE);
    }

    /** Throws unless {@code length} bytes of each of the first {@code count} shards lie in their segments. */
    static void check(Shards shards, int count, int length) {
        for (int i = 0; i < count; i++) {
            check(shards.segment(i), shards.offset(i), length);
        }
    }

    private static void check(MemorySegment segment, long offset, int length) {
        Objects.checkFromIndexSize(offset, (long) length, segment.byteSize());
    }
}
