package io.sdds.brick.shell;

import io.sdds.brick.memory.ReadyChunks;
import org.jspecify.annotations.Nullable;

/** The thread that prepares a brick's chunks. */
final class ChunkThread implements AutoCloseable {
    private final @Nullable ReadyChunks chunks = ReadyChunks.open();
    private final @Nullable Thread thread = chunks == null
            ? null
            : Thread.ofPlatform().daemon().name("sdds-chunks").start(chunks);

    /** The prepared chunks; null where chunks are not prepared. */
    @Nullable
    ReadyChunks chunks() {
        return chunks;
    }

    /** Ends the thread. To be called after the last chunk was taken. */
    @Override
    public void close() {
        if (chunks == null || thread == null) {
            return;
        }
        thread.interrupt();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        chunks.close();
    }
}
