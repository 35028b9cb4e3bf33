package io.sdds.sim.world;

import io.sdds.brick.memory.MemoryBudget;
import io.sdds.brick.memory.MemorySource;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A simulated stage's off-heap memory: within a budget, so that it refuses; gone when its process crashes. What it
 * hands out holds whatever was there before: put {@link io.sdds.brick.memory.PoisoningMemorySource} in front of it.
 */
public final class SimMemory implements MemorySource {
    private static final long ALIGNMENT_BYTES = 64;
    private static final int KEPT_MAX = 256;

    /** Chunks by size, shared by all simulations of the JVM. */
    private static final Map<Long, ArrayDeque<MemorySegment>> FREE = new TreeMap<>();

    private final MemoryBudget budget;
    private final List<MemorySegment> chunks = new ArrayList<>();

    public SimMemory(MemoryBudget budget) {
        this.budget = budget;
    }

    @Override
    public @Nullable MemorySegment allocate(long bytes) {
        if (!budget.reserve(bytes)) {
            return null;
        }
        MemorySegment chunk = take(bytes);
        chunks.add(chunk);
        return chunk;
    }

    @Override
    public void free(MemorySegment chunk) {
        for (int k = chunks.size() - 1; k >= 0; k--) {
            if (chunks.get(k).address() == chunk.address()) {
                give(chunks.remove(k));
                budget.release(chunk.byteSize());
                return;
            }
        }
        throw new IllegalArgumentException("not a chunk of this source: " + chunk);
    }

    /** The process is gone, and its memory with it. */
    public void release() {
        chunks.forEach(SimMemory::give);
        chunks.clear();
    }

    private static MemorySegment take(long bytes) {
        synchronized (FREE) {
            ArrayDeque<MemorySegment> free = FREE.get(bytes);
            MemorySegment chunk = free == null ? null : free.pollLast();
            return chunk == null ? Arena.ofAuto().allocate(bytes, ALIGNMENT_BYTES) : chunk;
        }
    }

    private static void give(MemorySegment chunk) {
        synchronized (FREE) {
            ArrayDeque<MemorySegment> free = FREE.computeIfAbsent(chunk.byteSize(), size -> new ArrayDeque<>());
            if (free.size() < KEPT_MAX) {
                free.addLast(chunk);
            }
        }
    }
}
