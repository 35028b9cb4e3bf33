package io.sdds.sim.planted;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sdds.core.control.ControlFrame;
import io.sdds.core.control.ControlMessage;
import io.sdds.core.protocol.Opcode;
import io.sdds.sim.frame.DecodedEntry;
import io.sdds.sim.frame.DecodedPrepare;
import io.sdds.sim.frame.DecodedRequest;
import io.sdds.sim.frame.DecodedSlice;
import io.sdds.sim.frame.DecodedVote;
import io.sdds.sim.frame.SliceEntry;
import io.sdds.sim.world.SimNetwork.Fate;
import io.sdds.sim.world.SimNetwork.FrameFilter;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Filters of planted bugs that decode a frame, change it, and encode it again. An edit that answers what it was given
 * changes nothing.
 */
public final class FrameEdits {
    private FrameEdits() {}

    /** Edits the requests of one opcode. */
    static FrameFilter requests(byte opcode, UnaryOperator<DecodedRequest> edit) {
        return (from, to, frame, index, length) -> {
            if (frame.getByte(index + 4) != opcode) {
                return Fate.SENT;
            }
            DecodedRequest request = DecodedRequest.read(frame, index, length);
            return sent(request, edit.apply(request));
        };
    }

    /** A request as it is, or as it was changed. */
    static Fate sent(DecodedRequest request, DecodedRequest edited) {
        return edited == request ? Fate.SENT : Fate.replacedBy(edited.frame());
    }

    /** Edits the control messages of one kind. */
    public static <M extends ControlMessage> FrameFilter messages(Class<M> kind, UnaryOperator<M> edit) {
        return (from, to, frame, index, length) -> {
            ControlMessage message = message(frame, index, length);
            return kind.isInstance(message)
                    ? Fate.replacedBy(frame(frame, index, edit.apply(kind.cast(message))))
                    : Fate.SENT;
        };
    }

    /** The message of a control frame; null: the frame is none. */
    public static @Nullable ControlMessage message(ByteBuf frame, int index, int length) {
        return frame.getByte(index + 4) == Opcode.CONTROL ? ControlFrame.read(frame, index, length) : null;
    }

    /** The control frame at an index with another message. */
    public static ByteBuf frame(ByteBuf frame, int index, ControlMessage message) {
        ByteBuf edited = Unpooled.buffer();
        ControlFrame.write(
                edited,
                frame.getByte(index + ControlFrame.KIND),
                frame.getIntLE(index + ControlFrame.CORRELATION),
                message);
        return edited;
    }

    /** The slice at an index; null: the frame is none. */
    static @Nullable DecodedSlice slice(ByteBuf frame, int index, int length) {
        return frame.getByte(index + 4) == Opcode.SLICE ? DecodedSlice.read(frame, index, length) : null;
    }

    /** Edits slices. */
    static FrameFilter slices(UnaryOperator<DecodedSlice> edit) {
        return (from, to, frame, index, length) -> frame.getByte(index + 4) == Opcode.SLICE
                ? Fate.replacedBy(
                        edit.apply(DecodedSlice.read(frame, index, length)).frame())
                : Fate.SENT;
    }

    /** Edits the entries of one kind in slices. */
    static <E extends SliceEntry> FrameFilter sliceEntries(Class<E> kind, UnaryOperator<E> edit) {
        return slices(slice -> slice.withEntries(slice.entries().stream()
                .<SliceEntry>map(entry -> kind.isInstance(entry) ? edit.apply(kind.cast(entry)) : entry)
                .toList()));
    }

    /** Edits the records of slices that do not expire. */
    static FrameFilter sliceRecords(UnaryOperator<SliceEntry.Copied> edit) {
        return sliceEntries(
                SliceEntry.Copied.class, record -> record.expiryNanos() == null ? edit.apply(record) : record);
    }

    /** Edits PREPAREs. */
    static FrameFilter prepares(UnaryOperator<DecodedPrepare> edit) {
        return (from, to, frame, index, length) -> frame.getByte(index + 4) == Opcode.PREPARE
                ? Fate.replacedBy(
                        edit.apply(DecodedPrepare.read(frame, index, length)).frame())
                : Fate.SENT;
    }

    /** Edits the entries of logs, as backups receive them. */
    static FrameFilter logEntries(UnaryOperator<DecodedEntry> edit) {
        return prepares(prepare ->
                prepare.withEntries(prepare.entries().stream().map(edit).toList()));
    }

    /** Edits the entries by which keys change hands: of one kind. */
    static FrameFilter ownerChanges(byte kind, UnaryOperator<DecodedEntry.Moving> edit) {
        return logEntries(entry -> {
            DecodedEntry.Moving moving = entry.moving();
            return moving == null || entry.kind() != kind ? entry : entry.withMoving(edit.apply(moving));
        });
    }

    /** Edits VOTEs. */
    static FrameFilter votes(UnaryOperator<DecodedVote> edit) {
        return (from, to, frame, index, length) -> frame.getByte(index + 4) == Opcode.VOTE
                ? Fate.replacedBy(
                        edit.apply(DecodedVote.read(frame, index, length)).frame())
                : Fate.SENT;
    }

    /** A key that no client writes, of the same length. */
    static byte[] otherKey(byte[] key) {
        return withFirst(key, (byte) '?');
    }

    /** A key with another first byte. */
    static byte[] withFirst(byte[] key, byte first) {
        byte[] other = key.clone();
        other[0] = first;
        return other;
    }
}
