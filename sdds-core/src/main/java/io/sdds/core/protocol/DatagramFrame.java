package io.sdds.core.protocol;

import io.netty.buffer.ByteBuf;

/**
 * A request to all bricks of a range table as one datagram (RP*N, section 2.1). A brick takes the request as if it had
 * come over the connection of the client that sent it, and answers over this connection.
 *
 * <pre>
 *  0 i32 {@link #MAGIC}
 *  4 i32 CRC32C of all bytes behind it
 *  8 i64 token of the client: the incarnation in its hello on the connection
 * 16     a {@link RequestFrame} with MULTICAST
 * </pre>
 *
 * Little endian. A brick drops a datagram when no client with this token is connected, or when the bytes are not such a
 * datagram.
 */
public final class DatagramFrame {
    public static final int MAGIC = 0x4d444453;
    public static final int TOKEN = 8;
    public static final int HEADER = 16;

    private static final int CHECKSUM = 4;

    /**
     * Largest datagram. With the headers of IP and UDP it fits an Ethernet frame. Longer requests go over the
     * connections.
     */
    public static final int BYTES_MAX = 1400;

    private DatagramFrame() {}

    public static void writeHeader(ByteBuf out, long token) {
        out.writeIntLE(MAGIC);
        out.writeIntLE(0);
        out.writeLongLE(token);
    }

    /** Writes the checksum of a datagram that is otherwise complete. */
    public static void seal(ByteBuf datagram) {
        datagram.setIntLE(datagram.readerIndex() + CHECKSUM, checksum(datagram));
    }

    private static int checksum(ByteBuf datagram) {
        return new Checksum().of(datagram, datagram.readerIndex() + TOKEN, datagram.readableBytes() - TOKEN);
    }

    /** Whether the readable bytes are a datagram with one whole request. */
    public static boolean isWhole(ByteBuf datagram) {
        int at = datagram.readerIndex();
        int length = datagram.readableBytes() - HEADER;
        int frame = at + HEADER;
        return length >= RequestFrame.READ_BODY
                && datagram.getIntLE(at) == MAGIC
                && datagram.getIntLE(at + CHECKSUM) == checksum(datagram)
                && datagram.getIntLE(frame) == length
                && Opcode.isRequest(datagram.getByte(frame + RequestFrame.OPCODE))
                && (datagram.getByte(frame + RequestFrame.FLAGS) & RequestFrame.FLAG_MULTICAST) != 0
                && RequestFrame.problem(datagram, frame, length) == null;
    }
}
