package io.sdds.brick.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.IdentityHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Memory of this process: each chunk an arena of its own, closed when the chunk is freed, so that it goes back to the
 * system and a later access throws. Charges a budget and refuses when that is used up.
 *
 * <p>One thread, but several sources may share a budget.
 */
public final class ArenaMemorySource implements MemorySource, AutoCloseable {

    private static final long ALIGNMENT_BYTES = 64;
    private static final @Nullable NativePages PAGES = NativePages.SYSTEM;

    private final MemoryBudget budget;
    private final @Nullable ReadyChunks ready;

    private final IdentityHashMap<MemorySegment, Arena> arenas = new IdentityHashMap<>();

    /**
     * A source that has handed out nothing.
     *
     * @param budget charged for each chunk
     */
    public ArenaMemorySource(MemoryBudget budget) {
        this(budget, null);
    }

    /** @param ready where chunks of the usual size come from, while there are any */
    public ArenaMemorySource(MemoryBudget budget, @Nullable ReadyChunks ready) {
        this.budget = budget;
        this.ready = ready;
    }

    @Override
    public @Nullable MemorySegment allocate(long bytes) {
        if (!budget.reserve(bytes)) {
            return null;
        }
        Arena arena = Arena.ofShared();
        MemorySegment chunk = chunk(arena, bytes);
        if (chunk == null) {
            arena.close();
            budget.release(bytes);
            return null;
        }
        arenas.put(chunk, arena);
        return chunk;
    }

    private @Nullable MemorySegment chunk(Arena arena, long bytes) {
        if (PAGES == null) {
            return allocated(arena, bytes);
        }
        long address = ready != null && bytes == ReadyChunks.CHUNK_BYTES ? ready.take() : 0;
        if (address == 0) {
            address = PAGES.map(bytes);
        }
        return address == 0
                ? null
                : MemorySegment.ofAddress(address)
                        .reinterpret(bytes, arena, segment -> PAGES.unmap(segment.address(), bytes));
    }

    private static @Nullable MemorySegment allocated(Arena arena, long bytes) {
        try {
            return arena.allocate(bytes, ALIGNMENT_BYTES);
        } catch (OutOfMemoryError e) {
            // The system has less than the budget says: as good as a budget used up.
            return null;
        }
    }

    @Override
    public void free(MemorySegment chunk) {
        Arena arena = arenas.remove(chunk);
        if (arena == null) {
            throw new IllegalArgumentException("not a chunk of this source: " + chunk);
        }
        arena.close();
        budget.release(chunk.byteSize());
    }

    /** Frees all chunks still handed out: what happens to a node's memory when the node is gone. */
    @Override
    public void close() {
        arenas.forEach((chunk, arena) -> {
            arena.close();
            budget.release(chunk.byteSize());
        });
        arenas.clear();
    }
}
