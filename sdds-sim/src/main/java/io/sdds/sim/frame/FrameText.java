package io.sdds.sim.frame;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.sdds.core.control.ControlFrame;
import io.sdds.core.protocol.Opcode;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Formats frames as readable lines. */
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
        String name = opcode(opcode);
        try {
            if (Opcode.isRequest(opcode)) {
                return DecodedRequest.read(frame, index, length).toString();
            }
            return switch (opcode) {
                case Opcode.REPLY -> DecodedReply.read(frame, index, length).toString();
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

    private static String control(ByteBuf frame, int index, int length) {
        String kind = switch (frame.getByte(index + ControlFrame.KIND)) {
            case ControlFrame.REQUEST -> "ask";
            case ControlFrame.ANSWER -> "answer";
            default -> "notice";
        };
        return kind + " " + frame.getIntLE(index + ControlFrame.CORRELATION) + " "
                + ControlFrame.read(frame, index, length);
    }

    /** The name of an opcode. */
    static String opcode(byte code) {
        return OPCODES.getOrDefault(code, "opcode " + code);
    }

    /** The name of a status. */
    static String status(byte code) {
        return STATUSES.getOrDefault(code, "status " + code);
    }

    /** Formats bytes as text if they are printable, else in hexadecimal; shortened. */
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

    /** Formats a virtual instant, in seconds. */
    public static String time(long nanos) {
        return String.format(Locale.ROOT, "%d.%09d", nanos / 1_000_000_000L, nanos % 1_000_000_000L);
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
