package io.sdds.core.node;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.Printable;
import java.nio.charset.StandardCharsets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The reason for which a link is closed: in a GOODBYE frame for the other end, and in a log line at this end.
 *
 * <pre>
 *  0 i32 length of the frame, this field included
 *  4 u8  opcode GOODBYE
 *  5 u8  1: the process fails, and any request that it has not answered may be the cause; else 0
 *  6 u16 0
 *  8     the reason, as UTF-8
 * </pre>
 */
final class Goodbye {
    private static final int CAUSE = 5;
    private static final byte ANY_REQUEST = 1;
    private static final int HEADER = 8;
    private static final int CHARS_MAX = 300;
    private static final int BYTES_MAX = 4 * CHARS_MAX;

    private static final int LINES_MAX = 10;
    private static final long LINES_NANOS = 10_000_000_000L;
    private static final LogLimit CLIENT_LINES = new LogLimit(LINES_MAX, LINES_NANOS);
    private static final LogLimit SERVER_LINES = new LogLimit(LINES_MAX, LINES_NANOS);
    private static final Logger log = LoggerFactory.getLogger(Link.class);

    private Goodbye() {}

    /**
     * Writes a GOODBYE frame.
     *
     * @param blamesRequests whether the process fails, and any request that it has not answered may be the cause
     */
    static void write(ByteBuf frame, String reason, boolean blamesRequests) {
        int start = frame.writerIndex();
        frame.writeIntLE(0).writeIntLE(Opcode.GOODBYE);
        frame.setByte(start + CAUSE, blamesRequests ? ANY_REQUEST : 0);
        int text = ByteBufUtil.writeUtf8(frame, reason.substring(0, Math.min(reason.length(), CHARS_MAX)));
        frame.setIntLE(start, HEADER + text);
    }

    /** Whether a GOODBYE frame blames the requests that its sender has not answered. */
    static boolean blamesRequests(ByteBuf buffer, int index) {
        return buffer.getByte(index + CAUSE) == ANY_REQUEST;
    }

    /** Reads the reason from a GOODBYE frame, made safe for the log. */
    static String read(ByteBuf buffer, int index, int length) {
        int bytes = Math.min(length - HEADER, BYTES_MAX);
        return Printable.of(buffer.toString(index + HEADER, bytes, StandardCharsets.UTF_8), CHARS_MAX);
    }

    /**
     * Logs that this end closes a link. However many clients do harm, a few lines tell as much. Bricks and coordinators
     * have a limit of their own, so that clients do not hide their lines.
     */
    static void log(Link link, String reason, long nowNanos) {
        long leftOut = (link.isWithServer() ? SERVER_LINES : CLIENT_LINES).admit(nowNanos);
        if (leftOut == LogLimit.LEAVE_OUT) {
            return;
        }
        String others = leftOut == 0 ? "" : " (" + leftOut + " lines such as this were left out)";
        log.warn("closing link with {}: {}{}", link.remote(), Printable.of(reason, CHARS_MAX), others);
    }
}
