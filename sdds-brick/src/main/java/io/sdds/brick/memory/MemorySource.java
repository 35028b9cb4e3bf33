package io.sdds.brick.memory;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Hands out the off-heap memory of a stage in large chunks, and takes the chunks back. The simulator gives bricks a
 * source that refuses, or that poisons freed memory.
 *
 * <p>A chunk's content is undefined when it is handed out.
 */
public interface MemorySource {

    /**
     * Hands out a chunk of exactly {@code bytes}, aligned to 64 bytes at least.
     *
     * @param bytes size, positive
     * @return the chunk, or null when there is no room; nothing has changed then
     */
    @Nullable
    MemorySegment allocate(long bytes);

    /**
     * Takes back a chunk that {@link #allocate} handed out. The caller never touches it again.
     *
     * @param chunk the very segment that was handed out
     */
    void free(MemorySegment chunk);

    /**
     * Tells that a slot inside a chunk is not used any more. A source that looks for use after free overwrites the
     * slot; other sources do nothing.
     *
     * @param chunk the chunk the slot lies in
     * @param offset of the slot in the chunk, in bytes
     * @param bytes size of the slot
     */
    default void retire(MemorySegment chunk, long offset, long bytes) {}
}
