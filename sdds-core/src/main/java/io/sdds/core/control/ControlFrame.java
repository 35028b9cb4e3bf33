package io.sdds.core.control;

import io.netty.buffer.ByteBuf;
import io.sdds.core.node.Env;
import io.sdds.core.node.Link;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.ProtocolViolation;
import io.sdds.core.protocol.RecordCodec;
import java.util.List;

/**
 * Layout of a control message. Little endian.
 *
 * <pre>
 *  0 i32 length of the frame, this field included
 *  4 u8  opcode CONTROL
 *  5 u8  kind: 0 request, 1 answer, 2 notice
 *  6 u16 code of the message
 *  8 i32 correlation id (0 in a notice)
 * 12     the record's components ({@link RecordCodec})
 * </pre>
 */
public final class ControlFrame {
    public static final int KIND = 5;
    public static final int CODE = 6;
    public static final int CORRELATION = 8;
    public static final int BODY = 12;

    /** First capacity of a message's buffer. Most messages are shorter. */
    private static final int SEND_BYTES = 256;

    public static final byte REQUEST = 0;
    public static final byte ANSWER = 1;
    public static final byte NOTICE = 2;

    /** The message types in the order of their codes, from 1 on. New types go to the end. */
    private static final List<Class<? extends ControlMessage>> CODES = List.of(
            ControlMessage.Done.class,
            ControlMessage.Refused.class,
            ControlMessage.OpenSession.class,
            ControlMessage.SessionOpened.class,
            ControlMessage.RenewSession.class,
            ControlMessage.CloseSession.class,
            ControlMessage.CreateTable.class,
            ControlMessage.DropTable.class,
            ControlMessage.AcceptLoss.class,
            ControlMessage.FetchStatus.class,
            ControlMessage.FindTable.class,
            ControlMessage.TableFound.class,
            ControlMessage.FetchBlock.class,
            ControlMessage.BlockFetched.class,
            ControlMessage.FindCoordinators.class,
            ControlMessage.Coordinators.class,
            ControlMessage.ClusterStatus.class,
            ControlMessage.RegisterBrick.class,
            ControlMessage.BrickRegistered.class,
            ControlMessage.Heartbeat.class,
            ControlMessage.MapUpdate.class,
            ControlMessage.SnapshotOpen.class,
            ControlMessage.SnapshotOpened.class,
            ControlMessage.SnapshotAck.class,
            ControlMessage.Activate.class,
            ControlMessage.DescribeCoordinator.class,
            ControlMessage.CoordinatorDescribed.class,
            ControlMessage.DrainBrick.class,
            ControlMessage.DrainStatus.class,
            ControlMessage.BrickEnded.class,
            ControlMessage.AlterParity.class,
            ControlMessage.AlterReplicas.class,
            ControlMessage.AlterSchema.class,
            ControlMessage.StoreStatistics.class,
            ControlMessage.FetchStatistics.class,
            ControlMessage.StatisticsFound.class);

    private ControlFrame() {}

    /** Every message type, in the order of their codes. */
    public static List<Class<? extends ControlMessage>> types() {
        return CODES;
    }

    /** Appends a whole frame. */
    public static void write(ByteBuf out, byte kind, int correlation, ControlMessage message) {
        int start = out.writerIndex();
        out.writeIntLE(0);
        out.writeByte(Opcode.CONTROL);
        out.writeByte(kind);
        out.writeShortLE(CODES.indexOf(message.getClass()) + 1);
        out.writeIntLE(correlation);
        RecordCodec.write(out, (Record) message);
        out.setIntLE(start, out.writerIndex() - start);
    }

    /**
     * Writes a message to a link. The message leaves with the link's next flush, in fragments if it is longer than a
     * frame.
     *
     * @return length of the message in bytes
     */
    public static int send(Env env, Link link, byte kind, int correlation, ControlMessage message) {
        return send(env, List.of(link), kind, correlation, message);
    }

    /**
     * Writes a message to several links. The message is encoded once.
     *
     * @return length of the message in bytes, on one link
     */
    public static int send(Env env, List<Link> links, byte kind, int correlation, ControlMessage message) {
        ByteBuf frame = env.allocate(SEND_BYTES);
        try {
            write(frame, kind, correlation, message);
            int bytes = frame.readableBytes();
            for (Link link : links) {
                link.claim(bytes).writeBytes(frame, frame.readerIndex(), bytes);
                link.commit();
            }
            return bytes;
        } finally {
            frame.release();
        }
    }

    /** Reads the message of the whole frame at {@code index}. */
    public static ControlMessage read(ByteBuf frame, int index, int length) {
        if (length < BODY) {
            throw new ProtocolViolation("control frame of " + length + " bytes");
        }
        int code = frame.getUnsignedShortLE(index + CODE);
        if (code == 0 || code > CODES.size()) {
            throw new ProtocolViolation("no control message has code " + code);
        }
        ByteBuf body = frame.slice(index + BODY, length - BODY);
        ControlMessage message =
                (ControlMessage) RecordCodec.read(body, CODES.get(code - 1).asSubclass(Record.class));
        if (body.isReadable()) {
            throw new ProtocolViolation(body.readableBytes() + " bytes too many in "
                    + message.getClass().getSimpleName());
        }
        return message;
    }
}
