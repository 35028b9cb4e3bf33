package io.sdds.brick.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 30, unit = TimeUnit.SECONDS)
class ReadyChunksTest {
    private final MemoryBudget budget = new MemoryBudget(4 * ReadyChunks.CHUNK_BYTES);

    @Test
    void chunkTakenIsWholeHugePagesOfZeroes() throws InterruptedException {
        try (Prepared prepared = new Prepared()) {
            ReadyChunks ready = prepared.ready;
            long address = takeOne(ready);
            MemorySegment chunk = MemorySegment.ofAddress(address).reinterpret(ReadyChunks.CHUNK_BYTES);
            assertThat(address % ReadyChunks.CHUNK_BYTES).isZero();
            assertThat(chunk.mismatch(MemorySegment.ofArray(new byte[(int) ReadyChunks.CHUNK_BYTES])))
                    .isEqualTo(-1);
            NativePages.SYSTEM.unmap(address, ReadyChunks.CHUNK_BYTES);
        }
    }

    @Test
    void sourceHandsOutAndChargesTheSameWhetherAChunkIsReadyOrNot() throws InterruptedException {
        try (Prepared prepared = new Prepared();
                ArenaMemorySource source = new ArenaMemorySource(budget, prepared.ready)) {
            ReadyChunks ready = prepared.ready;
            NativePages.SYSTEM.unmap(takeOne(ready), ReadyChunks.CHUNK_BYTES); // from now on some chunks are ready
            for (int k = 0; k < 4; k++) {
                MemorySegment chunk = source.allocate(ReadyChunks.CHUNK_BYTES);
                assertThat(chunk.byteSize()).isEqualTo(ReadyChunks.CHUNK_BYTES);
                chunk.set(ValueLayout.JAVA_BYTE, ReadyChunks.CHUNK_BYTES - 1, (byte) 1);
            }
            assertThat(source.allocate(ReadyChunks.CHUNK_BYTES)).isNull();
        }
        assertThat(budget.usedBytes()).isZero();
    }

    /** Ready chunks, with the thread that prepares them. */
    private static final class Prepared implements AutoCloseable {
        final ReadyChunks ready = ReadyChunks.open();
        private final Thread thread = new Thread(ready);

        Prepared() {
            assumeThat(ready).as("memory mapped by our own calls").isNotNull();
            thread.start();
        }

        @Override
        public void close() throws InterruptedException {
            thread.interrupt();
            thread.join();
            ready.close();
        }
    }

    private static long takeOne(ReadyChunks ready) {
        long address = ready.take();
        while (address == 0) {
            Thread.onSpinWait();
            address = ready.take();
        }
        return address;
    }
}
