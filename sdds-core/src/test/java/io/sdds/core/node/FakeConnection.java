package io.sdds.core.node;

import io.netty.buffer.ByteBuf;
import io.sdds.core.Buffers;

/** A connection that keeps written bytes until a test takes them. */
public final class FakeConnection implements Connection {
    private final ByteBuf written = Buffers.heap();
    private final ByteBuf flushed = Buffers.heap();
    public long pendingBytes;
    public boolean reading = true;
    public boolean closed;

    /** The bytes that were flushed since the last call. The caller releases the buffer. */
    public ByteBuf take() {
        ByteBuf taken = flushed.copy();
        flushed.clear();
        return taken;
    }

    @Override
    public void write(ByteBuf bytes) {
        written.writeBytes(bytes);
        bytes.release();
    }

    @Override
    public void flush() {
        flushed.writeBytes(written);
        written.clear();
    }

    @Override
    public long pendingBytes() {
        return pendingBytes;
    }

    @Override
    public void reading(boolean on) {
        reading = on;
    }

    @Override
    public void close() {
        closed = true;
    }

    @Override
    public String remote() {
        return "test";
    }
}
