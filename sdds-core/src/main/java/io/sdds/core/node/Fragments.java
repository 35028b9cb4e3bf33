package io.sdds.core.node;

import io.netty.buffer.ByteBuf;
import io.sdds.core.protocol.Limits;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.ProtocolViolation;
import org.jspecify.annotations.Nullable;

/**
 * Cuts messages that are longer than a frame into fragment frames, which follow each other on the link, and puts the
 * fragments of the other end together.
 *
 * <pre>
 *  0 i32 length of the frame, this field included
 *  4 u8  opcode FRAGMENT
 *  5 u8  1 in the last fragment of a message, else 0
 *  6 u16 0
 *  8     the message's next bytes
 * </pre>
 */
final class Fragments {
    private static final int LAST = 5;
    private static final int HEADER = 8;
    private static final int PIECE_BYTES_MAX = Limits.FRAME_BYTES_MAX - HEADER;

    /** Memory for a message is at most so many times as long as what has been received of it. */
    private static final int GROWTH = 4;

    private final Env env;
    private @Nullable ByteBuf message;

    Fragments(Env env) {
        this.env = env;
    }

    /** Cuts a message, and sends each piece as a frame of its own. */
    static void cut(ByteBuf message, Outbox outbox) {
        while (message.isReadable()) {
            int piece = Math.min(PIECE_BYTES_MAX, message.readableBytes());
            ByteBuf out = outbox.claim(HEADER + piece);
            out.writeIntLE(HEADER + piece);
            out.writeIntLE(Opcode.FRAGMENT | (piece == message.readableBytes() ? 1 : 0) << 8);
            out.writeBytes(message, piece);
        }
    }

    /**
     * Takes a fragment. The last fragment of a message returns the whole message, whose reference passes to the caller.
     * Memory grows only with received bytes.
     */
    @Nullable
    ByteBuf take(ByteBuf buffer, int index, int length) {
        ByteBuf gathered = message == null ? env.allocate(2 * Limits.FRAME_BYTES_MAX) : message;
        message = gathered;
        if (gathered.readableBytes() + length - HEADER > Limits.MESSAGE_BYTES_MAX) {
            throw new ProtocolViolation("message of more than " + Limits.MESSAGE_BYTES_MAX + " bytes");
        }
        makeRoom(gathered, gathered.readableBytes() + length - HEADER);
        gathered.writeBytes(buffer, index + HEADER, length - HEADER);
        if (buffer.getByte(index + LAST) == 0) {
            return null;
        }
        message = null;
        return checked(gathered);
    }

    /** A message says how long it is. Growing to that length in few steps spares most of the copying. */
    private static void makeRoom(ByteBuf gathered, int bytes) {
        if (bytes > gathered.capacity()) {
            int announced = gathered.readableBytes() < Integer.BYTES ? bytes : gathered.getIntLE(0);
            int most = Math.min(GROWTH * bytes, Limits.MESSAGE_BYTES_MAX);
            int wanted = announced < bytes ? 2 * bytes : announced; // it is refused when all of it has come
            gathered.capacity(Math.min(wanted, most));
        }
    }

    private static ByteBuf checked(ByteBuf whole) {
        if (whole.readableBytes() < HEADER || whole.getIntLE(0) != whole.readableBytes()) {
            int bytes = whole.readableBytes();
            whole.release();
            throw new ProtocolViolation("fragments make " + bytes + " bytes, the message says otherwise");
        }
        byte opcode = whole.getByte(4);
        if (!Opcode.isKnown(opcode) || Opcode.isOfLink(opcode)) {
            whole.release();
            throw new ProtocolViolation("fragments of opcode " + opcode);
        }
        return whole;
    }

    /** Bytes of memory that the incomplete message takes. */
    int heldBytes() {
        return message == null ? 0 : message.capacity();
    }

    void release() {
        if (message != null) {
            message.release();
            message = null;
        }
    }
}
