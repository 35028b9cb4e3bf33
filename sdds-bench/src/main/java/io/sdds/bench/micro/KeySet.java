package io.sdds.bench.micro;

import io.sdds.brick.memory.SegmentHash;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Random;

/**
 * Keys of 16 bytes in random order, adjacent in off-heap memory as in the buffer of a socket. So the keys are cheap to
 * read, but their records are scattered over the memory.
 */
final class KeySet {

    static final int KEY_BYTES = 16;

    private static final long SEED = 7;

    private final MemorySegment keys;
    private final int size;

    /**
     * Keys {@code prefix} plus a number, for each number below {@code size}.
     *
     * @param arena arena of the memory of the keys
     */
    KeySet(Arena arena, char prefix, int size) {
        this.keys = arena.allocate((long) size * KEY_BYTES, 64);
        this.size = size;
        int[] numbers = shuffled(size);
        for (int i = 0; i < size; i++) {
            byte[] key = (prefix + "%015d").formatted(numbers[i]).getBytes(StandardCharsets.US_ASCII);
            MemorySegment.copy(MemorySegment.ofArray(key), 0, keys, offset(i), KEY_BYTES);
        }
    }

    private static int[] shuffled(int size) {
        Random random = new Random(SEED);
        int[] numbers = new int[size];
        for (int i = 0; i < size; i++) {
            int other = random.nextInt(i + 1);
            numbers[i] = numbers[other];
            numbers[other] = i;
        }
        return numbers;
    }

    int size() {
        return size;
    }

    MemorySegment segment() {
        return keys;
    }

    /** Where key {@code index} starts in {@link #segment}. */
    long offset(int index) {
        return (long) index * KEY_BYTES;
    }

    long hash(int index) {
        return SegmentHash.hash(keys, offset(index), KEY_BYTES);
    }
}
