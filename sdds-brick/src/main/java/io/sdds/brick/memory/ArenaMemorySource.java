package io.sdds.brick.memory;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.IdentityHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Hands out memory of this process. Each chunk is an arena of its own. The arena is closed when the chunk is freed, so
 * that the memory goes back to the system and a later access throws. The source charges a budget, and refuses when the
 * budget is used up.
 *
 * <p>One thread uses a source. Several sources may share a budget.
 */
public final class ArenaMemorySource implements MemorySource, AutoCloseable {

    private static final long ALIGNMENT_BYTES = 64;
    private static final @Nullable NativePages PAGES = NativePages.SYSTEM;

    private final MemoryBudget budget;
    private final @Nullable ReadyChunks ready;

    private final IdentityHashMap<MemorySegment, Arena> arenas = new IdentityHashMap<>();

    /**
     * Makes a source that has handed out nothing.
     *
     * @param budget is charged for each chunk
     */
    public ArenaMemorySource(MemoryBudget budget) {
        this(budget, null);
    }

    /** @param ready hands out chunks of the usual size while it has some */
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
            // The system has less memory than the budget, which counts as a budget that is used up.
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

    /** Frees all chunks that are still handed out, as the system does when the process of a node ends. */
    @Override
    public void close() {
        arenas.forEach((chunk, arena) -> {
            arena.close();
            budget.release(chunk.byteSize());
        });
        arenas.clear();
    }
}
