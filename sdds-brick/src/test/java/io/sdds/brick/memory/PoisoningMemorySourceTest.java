package io.sdds.brick.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PoisoningMemorySourceTest {

    private final PoisoningMemorySource source = new PoisoningMemorySource(new HeapSource());

    @Test
    void poisonsBeforeHandingOutAndAfterFreeing() {
        MemorySegment chunk = source.allocate(64);
        assertThat(chunk.toArray(ValueLayout.JAVA_BYTE)).containsOnly(PoisoningMemorySource.POISON);
        chunk.fill((byte) 1);
        source.free(chunk);
        assertThat(chunk.toArray(ValueLayout.JAVA_BYTE)).containsOnly(PoisoningMemorySource.POISON);
    }

    @Test
    void poisonsJustTheSlotThatIsRetired() {
        MemorySegment chunk = source.allocate(64);
        chunk.fill((byte) 1);
        source.retire(chunk, 8, 16);
        for (int i = 0; i < 64; i++) {
            boolean retired = i >= 8 && i < 24;
            assertThat(chunk.get(ValueLayout.JAVA_BYTE, i)).isEqualTo(retired ? PoisoningMemorySource.POISON : 1);
        }
    }

    @Test
    void passesARefusalOn() {
        assertThat(source.allocate(65)).isNull();
    }

    private static final class HeapSource implements MemorySource {
        @Override
        public @Nullable MemorySegment allocate(long bytes) {
            return bytes > 64 ? null : MemorySegment.ofArray(new byte[(int) bytes]);
        }

        @Override
        public void free(MemorySegment chunk) {}
    }
}
