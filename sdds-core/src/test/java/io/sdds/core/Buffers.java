package io.sdds.core;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;

/** Buffers for tests that leave them to the garbage collector. */
public final class Buffers {
    private static final UnpooledByteBufAllocator UNTRACKED = new UnpooledByteBufAllocator(false, true);

    private Buffers() {}

    /** An empty buffer that nobody needs to release. */
    public static ByteBuf heap() {
        return UNTRACKED.heapBuffer();
    }
}
