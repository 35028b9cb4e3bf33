package io.sdds.coordinator.state;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.sdds.core.protocol.ProtocolViolation;
import io.sdds.core.protocol.RecordCodec;
import java.util.List;

/**
 * Encodes and decodes commands and snapshots, for logs and files.
 *
 * <pre>
 * command   u8 format, u8 code, the record's components ({@link RecordCodec})
 * snapshot  u8 format, the components of {@link ClusterSnapshot}
 * </pre>
 *
 * Before the first release a format that changed refuses the earlier ones. After the first release it keeps reading
 * them, because answers to clients and bricks depend on the commands of the log.
 */
public final class StateCodec {
    /** Number of the format of commands and snapshots. It rises with each change before the first release. */
    static final byte FORMAT = 7;

    /** The command types in the order of their codes, from 1 on. New types go to the end. */
    private static final List<Class<? extends Command>> CODES = List.of(
            Command.RegisterBrick.class,
            Command.CreateTable.class,
            Command.DropTable.class,
            Command.BeginMigration.class,
            Command.CommitMigration.class,
            Command.AbandonMigration.class,
            Command.OpenSession.class,
            Command.EndSessions.class,
            Command.AcceptLoss.class,
            Command.ChangeGroups.class,
            Command.DrainBrick.class,
            Command.BeginLeave.class,
            Command.GrantLeases.class,
            Command.NameCluster.class,
            Command.BrickEnded.class,
            Command.ActivateFeatures.class,
            Command.ChangeParityGroups.class,
            Command.EndRecovery.class,
            Command.AddColumn.class,
            Command.AlterParity.class,
            Command.ConvertToParity.class,
            Command.EndConversion.class,
            Command.AlterReplicas.class,
            Command.ConvertToReplicas.class,
            Command.AlterSchema.class,
            Command.StoreStatistics.class);

    private StateCodec() {}

    /** Every command type, in the order of their codes. */
    public static List<Class<? extends Command>> commandTypes() {
        return CODES;
    }

    public static byte[] encode(Command command) {
        ByteBuf out = Unpooled.buffer(64);
        out.writeByte(FORMAT);
        out.writeByte(CODES.indexOf(command.getClass()) + 1);
        RecordCodec.write(out, (Record) command);
        return ByteBufUtil.getBytes(out);
    }

    /** @throws ProtocolViolation when the bytes are no command */
    public static Command decodeCommand(byte[] bytes) {
        ByteBuf in = Unpooled.wrappedBuffer(bytes);
        requireFormat(in, "command");
        int code = in.isReadable() ? in.readUnsignedByte() : 0;
        if (code == 0 || code > CODES.size()) {
            throw new ProtocolViolation("no command has code " + code);
        }
        return (Command) readAll(in, CODES.get(code - 1).asSubclass(Record.class));
    }

    public static byte[] encode(ClusterSnapshot snapshot) {
        ByteBuf out = Unpooled.buffer(4096);
        out.writeByte(FORMAT);
        RecordCodec.write(out, snapshot);
        return ByteBufUtil.getBytes(out);
    }

    /** @throws ProtocolViolation when the bytes are no snapshot */
    public static ClusterSnapshot decodeSnapshot(byte[] bytes) {
        ByteBuf in = Unpooled.wrappedBuffer(bytes);
        requireFormat(in, "snapshot");
        return readAll(in, ClusterSnapshot.class);
    }

    private static void requireFormat(ByteBuf in, String what) {
        byte found = in.isReadable() ? in.readByte() : 0;
        if (found != FORMAT) {
            throw new ProtocolViolation(what + " of format " + found + ", this version reads " + FORMAT);
        }
    }

    private static <R extends Record> R readAll(ByteBuf in, Class<R> type) {
        R record = RecordCodec.read(in, type);
        if (in.isReadable()) {
            throw new ProtocolViolation(in.readableBytes() + " bytes too many in " + type.getSimpleName());
        }
        return record;
    }
}
