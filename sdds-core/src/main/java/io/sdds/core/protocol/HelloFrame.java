package io.sdds.core.protocol;

import io.netty.buffer.ByteBuf;

/**
 * Layout of a hello. Little endian. It is read before a version was agreed upon, so this layout stays for ever; new
 * components of {@link Hello} go to its end.
 *
 * <pre>
 *  0 i32 length of the frame, this field included
 *  4 u8  opcode HELLO, u8 0, u16 0
 *  8 i32 {@link #MAGIC}
 * 12     the components of {@link Hello} ({@link RecordCodec})
 * .. i32 CRC32C of all bytes before
 * </pre>
 */
public final class HelloFrame {
    /** First bytes after the opcode word. Other bytes are not this protocol. */
    public static final int MAGIC = 0x53444453;

    private static final int MAGIC_AT = 8;
    private static final int BODY = 12;
    private static final int CHECKSUM_BYTES = 4;

    private HelloFrame() {}

    /** Appends a whole frame. */
    public static void write(ByteBuf out, Hello hello) {
        int start = out.writerIndex();
        out.writeIntLE(0).writeIntLE(Opcode.HELLO).writeIntLE(MAGIC);
        RecordCodec.write(out, hello);
        int length = out.writerIndex() + CHECKSUM_BYTES - start;
        out.setIntLE(start, length);
        out.writeIntLE(new Checksum().of(out, start, length - CHECKSUM_BYTES));
    }

    /**
     * Reads the hello of the whole frame at {@code index}.
     *
     * @throws ProtocolViolation when the frame is no hello, was damaged on its way, or names an unknown role
     */
    public static Hello read(ByteBuf frame, int index, int length) {
        if (length < BODY + CHECKSUM_BYTES || frame.getIntLE(index + MAGIC_AT) != MAGIC) {
            throw new ProtocolViolation("not an SDDS hello");
        }
        int body = length - CHECKSUM_BYTES;
        if (new Checksum().of(frame, index, body) != frame.getIntLE(index + body)) {
            throw new ChecksumMismatch("the checksum of the hello is wrong");
        }
        Hello hello = RecordCodec.read(frame.slice(index + BODY, body - BODY), Hello.class);
        if (hello.role() == Hello.Role.UNKNOWN) {
            throw new ProtocolViolation("a hello of an unknown role");
        }
        return hello;
    }
}
