package io.sdds.brick.memory;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Finds use of memory that nobody owns: fills chunks with poison before they are handed out and after they are freed,
 * and slots when they are retired. For tests and the simulator.
 */
public final class PoisoningMemorySource implements MemorySource {

    /** The byte that fills unowned memory. A length or reference made of such bytes is invalid. */
    public static final byte POISON = (byte) 0xDB;

    private final MemorySource source;

    /**
     * Poisons the memory of another source.
     *
     * @param source hands out the memory
     */
    public PoisoningMemorySource(MemorySource source) {
        this.source = source;
    }

    @Override
    public @Nullable MemorySegment allocate(long bytes) {
        MemorySegment chunk = source.allocate(bytes);
        return chunk == null ? null : chunk.fill(POISON);
    }

    @Override
    public void free(MemorySegment chunk) {
        chunk.fill(POISON);
        source.free(chunk);
    }

    @Override
    public void retire(MemorySegment chunk, long offset, long bytes) {
        chunk.asSlice(offset, bytes).fill(POISON);
    }
}
