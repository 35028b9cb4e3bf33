package io.sdds.brick.memory;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Where a stage's off-heap memory comes from: it hands out large chunks and takes them back. The seam by which a
 * simulated brick gets memory that refuses, or that is poisoned on free.
 *
 * <p>A chunk's content is undefined when it is handed out.
 */
public interface MemorySource {

    /**
     * A chunk of exactly {@code bytes}, aligned to 64 bytes at least.
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
     * Tells that a slot inside a chunk holds nothing any more. A source that looks for use after free overwrites it;
     * others do nothing.
     *
     * @param chunk the chunk the slot lies in
     * @param offset of the slot in the chunk, in bytes
     * @param bytes size of the slot
     */
    default void retire(MemorySegment chunk, long offset, long bytes) {}
}
