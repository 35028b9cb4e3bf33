package io.sdds.core.protocol;

import io.netty.buffer.ByteBuf;

/**
 * Layout of a batch: whole frames under one checksum. Little endian; offsets from the batch's start.
 *
 * <pre>
 *  0 i32 length of the batch, this field included: at most {@link Limits#BATCH_BYTES_MAX}
 *  4 u8  opcode BATCH
 *  5 u24 the length with all its bits inverted
 *  8     whole frames, none of them a batch
 * .. i32 CRC32C of all bytes before
 * </pre>
 *
 * The inverted length finds a damaged one at once, without waiting for bytes that will never come.
 */
public final class BatchFrame {
    /** Bytes before the first frame. */
    public static final int HEADER = 8;

    /** Bytes behind the last frame. */
    public static final int TRAILER = 4;

    private static final int WORD = 4;

    private BatchFrame() {}

    /** Appends room for a header; {@link #seal} fills it. */
    public static void begin(ByteBuf out) {
        out.writeLongLE(0);
    }

    /**
     * Ends the batch that begins at {@code start}: fills its header, and appends its checksum behind the last written
     * byte.
     */
    public static void seal(ByteBuf out, int start, Checksum checksum) {
        int covered = out.writerIndex() - start;
        int length = covered + TRAILER;
        out.setIntLE(start, length);
        out.setIntLE(start + WORD, word(length));
        out.writeIntLE(checksum.of(out, start, covered));
    }

    /**
     * Reads the length of the batch at {@code index}. At least {@link #HEADER} bytes of the batch must be in the
     * buffer.
     *
     * @throws ChecksumMismatch when the bytes are no header of a batch
     */
    public static int length(ByteBuf in, int index) {
        int length = in.getIntLE(index);
        if (length <= HEADER + TRAILER
                || length > Limits.BATCH_BYTES_MAX
                || in.getIntLE(index + WORD) != word(length)) {
            throw new ChecksumMismatch("damaged header of a batch of frames");
        }
        return length;
    }

    /**
     * Compares the checksum of the whole batch at {@code index}.
     *
     * @throws ChecksumMismatch when the bytes were damaged
     */
    public static void verify(ByteBuf in, int index, int length, Checksum checksum) {
        int covered = length - TRAILER;
        if (checksum.of(in, index, covered) != in.getIntLE(index + covered)) {
            throw new ChecksumMismatch("wrong checksum of a batch of " + length + " bytes");
        }
    }

    private static int word(int length) {
        return Opcode.BATCH | ~length << 8;
    }
}
