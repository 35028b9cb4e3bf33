package io.sdds.core.protocol;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** CRC32C (Castagnoli) over bytes of a buffer. An object keeps working memory, so each thread or link has its own. */
public final class Checksum {
    private final CRC32C crc = new CRC32C();

    /** The checksum of {@code length} bytes from {@code index} on. */
    public int of(ByteBuf bytes, int index, int length) {
        crc.reset();
        if (bytes.hasArray()) {
            crc.update(bytes.array(), bytes.arrayOffset() + index, length);
        } else if (bytes.nioBufferCount() == 1) {
            crc.update(bytes.internalNioBuffer(index, length));
        } else {
            for (ByteBuffer part : bytes.nioBuffers(index, length)) {
                crc.update(part);
            }
        }
        return (int) crc.getValue();
    }
}
