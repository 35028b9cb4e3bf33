package io.sdds.testkit.sim;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.sdds.core.control.ControlFrame;
import io.sdds.core.model.KeySpan;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.ReplyFrame;
import io.sdds.core.protocol.RequestFrame;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/** Frames as lines that can be read. */
public final class FrameText {
    private static final int BYTES_SHOWN = 24;

    /** Of a CONFIRM or CONFIRMED. */
    private static final int ROUND = GroupHeader.BYTES;

    private static final Map<Byte, String> OPCODES = constants(Opcode.class);
    private static final Map<Byte, String> STATUSES = constants(io.sdds.core.protocol.Status.class);

    private FrameText() {}

    /** One line for the frame at an index. */
    public static String of(ByteBuf frame, int index, int length) {
        byte opcode = frame.getByte(index + 4);
        String name = OPCODES.getOrDefault(opcode, "opcode " + opcode);
        try {
            if (Opcode.isRequest(opcode)) {
                return name + request(frame, index, length, opcode);
            }
            return switch (opcode) {
                case Opcode.REPLY -> reply(frame, index, length);
                case Opcode.CONTROL -> control(frame, index, length);
                case Opcode.PREPARE -> DecodedPrepare.read(frame, index, length).toString();
                case Opcode.VOTE -> DecodedVote.read(frame, index, length).toString();
                case Opcode.SLICE -> DecodedSlice.read(frame, index, length).toString();
                case Opcode.CONFIRM, Opcode.CONFIRMED ->
                    name + " " + GroupHeader.read(frame, index) + " round " + frame.getLongLE(index + ROUND);
                default -> name + " of " + length + " bytes";
            };
        } catch (RuntimeException e) {
            return name + " of " + length + " bytes, unreadable: " + e.getMessage();
        }
    }

    private static String request(ByteBuf frame, int index, int length, byte opcode) {
        StringBuilder text = new StringBuilder();
        text.append(" t").append(frame.getIntLE(index + RequestFrame.TABLE));
        text.append(" p").append(frame.getIntLE(index + RequestFrame.PARTITION));
        text.append(" c").append(frame.getIntLE(index + RequestFrame.CORRELATION));
        text.append(" hops ").append(frame.getByte(index + RequestFrame.ADDRESSING_HOPS));
        text.append('/').append(frame.getByte(index + RequestFrame.HOPS));
        text.append(" by v").append(frame.getLongLE(index + RequestFrame.MAP_VERSION));
        text.append(' ')
                .append(frame.getIntLE(index + RequestFrame.DEADLINE_MILLIS))
                .append(" ms");
        if (Opcode.isWrite(opcode)) {
            text.append(" id ").append(frame.getLongLE(index + RequestFrame.SESSION));
            text.append('/').append(frame.getLongLE(index + RequestFrame.SEQ));
            text.append('-').append(frame.getIntLE(index + RequestFrame.LOW_DISTANCE));
        }
        int body = index + RequestFrame.body(opcode);
        int key = frame.getUnsignedShortLE(index + RequestFrame.KEY_LENGTH);
        if (Opcode.isInterval(opcode)) {
            return text.append(String.format(" [%016x, %016x)", frame.getLongLE(body), frame.getLongLE(body + 8)))
                    .toString();
        }
        text.append(' ').append(bytes(frame, body, key));
        if (opcode == Opcode.INCREMENT) {
            return text.append(" by ").append(frame.getLongLE(body + key)).toString();
        }
        int value = index + length - body - key;
        return value == 0
                ? text.toString()
                : text.append(" = ").append(bytes(frame, body + key, value)).toString();
    }

    private static String reply(ByteBuf frame, int index, int length) {
        StringBuilder text = new StringBuilder("REPLY c").append(frame.getIntLE(index + ReplyFrame.CORRELATION));
        text.append(' ').append(status(frame.getByte(index + ReplyFrame.STATUS)));
        int hops = frame.getUnsignedByte(index + ReplyFrame.HOPS);
        if (hops != 0) {
            text.append(" forwarded ").append(hops & 15).append('/').append(hops >> 4);
        }
        if ((frame.getByte(index + ReplyFrame.FLAGS) & ReplyFrame.FLAG_ADJUSTMENT) != 0) {
            text.append(" adjust j=").append(frame.getIntLE(index + ReplyFrame.ADJUSTMENT_LEVEL));
            text.append(" a=").append(frame.getIntLE(index + ReplyFrame.ADJUSTMENT_PARTITION));
            text.append(" v").append(frame.getLongLE(index + ReplyFrame.ADJUSTMENT_VERSION));
            text.append(" at ").append(frame.getIntLE(index + ReplyFrame.ADJUSTMENT_BRICK));
        }
        if ((frame.getByte(index + ReplyFrame.FLAGS) & ReplyFrame.FLAG_SPAN) != 0) {
            text.append(" span ").append(span(frame, index + ReplyFrame.HEADER + ReplyFrame.ADJUSTMENT));
        }
        int body = ReplyFrame.body(frame, index);
        int bytes = index + length - body;
        return bytes == 0
                ? text.toString()
                : text.append(' ').append(bytes(frame, body, bytes)).toString();
    }

    private static KeySpan span(ByteBuf frame, int at) {
        byte[] low = new byte[frame.getUnsignedShortLE(at)];
        byte[] high = new byte[frame.getUnsignedShortLE(at + Short.BYTES)];
        int keys = at + ReplyFrame.SPAN_LENGTHS;
        frame.getBytes(keys, low).getBytes(keys + low.length, high);
        return new KeySpan(low, high);
    }

    private static String control(ByteBuf frame, int index, int length) {
        String kind = switch (frame.getByte(index + ControlFrame.KIND)) {
            case ControlFrame.REQUEST -> "ask";
            case ControlFrame.ANSWER -> "answer";
            default -> "notice";
        };
        return kind + " " + frame.getIntLE(index + ControlFrame.CORRELATION) + " "
                + ControlFrame.read(frame, index, length);
    }

    /** The name of a status. */
    static String status(byte code) {
        return STATUSES.getOrDefault(code, "status " + code);
    }

    /** Text where it is printable, else hexadecimal; shortened. */
    static String bytes(byte[] bytes) {
        return bytes(Unpooled.wrappedBuffer(bytes), 0, bytes.length);
    }

    private static String bytes(ByteBuf frame, int index, int length) {
        int shown = Math.min(length, BYTES_SHOWN);
        String more = length > shown ? "… (" + length + ")" : "";
        for (int k = 0; k < shown; k++) {
            int c = frame.getUnsignedByte(index + k);
            if (c < ' ' || c > '~') {
                return "x" + ByteBufUtil.hexDump(frame, index, shown) + more;
            }
        }
        return "'" + frame.toString(index, shown, StandardCharsets.US_ASCII) + "'" + more;
    }

    private static Map<Byte, String> constants(Class<?> holder) {
        Map<Byte, String> names = new TreeMap<>();
        for (var field : holder.getFields()) {
            if (field.getType() == byte.class && Modifier.isStatic(field.getModifiers())) {
                try {
                    names.put(field.getByte(null), field.getName());
                } catch (IllegalAccessException e) {
                    throw new IllegalStateException(e);
                }
            }
        }
        return names;
    }
}
