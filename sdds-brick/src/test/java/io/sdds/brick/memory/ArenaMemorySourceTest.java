package io.sdds.brick.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

class ArenaMemorySourceTest {

    private static final long CHUNK_BYTES = 2 << 20;

    private final MemoryBudget budget = new MemoryBudget(3 * CHUNK_BYTES);
    private final ArenaMemorySource source = new ArenaMemorySource(budget);

    @Test
    void handsOutAlignedChunksOfTheSizeAskedForAndChargesThem() {
        for (long bytes : new long[] {4096, 64 << 10, CHUNK_BYTES}) {
            MemorySegment chunk = source.allocate(bytes);
            assertThat(chunk.byteSize()).isEqualTo(bytes);
            assertThat(chunk.address() % 64).isZero();
            chunk.fill((byte) 7);
        }
        assertThat(budget.usedBytes()).isEqualTo(4096 + (64 << 10) + CHUNK_BYTES);
        source.close();
    }

    @Test
    void refusesWhenTheBudgetIsUsedUp() {
        assertThat(source.allocate(3 * CHUNK_BYTES)).isNotNull();
        assertThat(source.allocate(1)).isNull();
        source.close();
    }

    @Test
    void accessToAFreedChunkThrows() {
        MemorySegment chunk = source.allocate(CHUNK_BYTES);
        source.free(chunk);
        assertThat(budget.usedBytes()).isZero();
        assertThatThrownBy(() -> chunk.get(ValueLayout.JAVA_BYTE, 0)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void closeFreesWhatIsStillHandedOut() {
        source.allocate(CHUNK_BYTES);
        source.allocate(4096);
        source.close();
        assertThat(budget.usedBytes()).isZero();
    }

    @Test
    void rejectsAChunkThatIsNotItsOwn() {
        MemorySegment other = MemorySegment.ofArray(new byte[8]);
        assertThatThrownBy(() -> source.free(other)).isInstanceOf(IllegalArgumentException.class);
    }
}
