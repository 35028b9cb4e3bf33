package io.sdds.sim.frame;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.RequestFrame;
import io.sdds.core.query.Program;
import io.sdds.core.query.ProgramCodec;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A request, of a client or forwarded between bricks. {@link RequestFrame} has the layout.
 *
 * @param id of a write; null: the request is a read
 * @param body the bytes behind the key
 */
public record DecodedRequest(
        byte opcode,
        int flags,
        int addressingHops,
        int hops,
        int correlation,
        int table,
        int partition,
        int deadlineMillis,
        long mapVersion,
        @Nullable Id id,
        byte[] key,
        byte[] body) {

    /**
     * Names a write.
     *
     * @param lowDistance seq less the low of the session
     */
    public record Id(long session, long seq, int lowDistance) {
        /** The same write under a later seq, with the same low. */
        public Id later(int more) {
            return new Id(session, seq + more, lowDistance + more);
        }
    }

    /** The points that a SCAN, SIZE or CLEAR is about. */
    public record Interval(long from, long end) {}

    /**
     * Decodes a whole frame.
     *
     * @throws RuntimeException when the frame is shorter than its key
     */
    public static DecodedRequest read(ByteBuf frame, int index, int length) {
        byte opcode = frame.getByte(index + RequestFrame.OPCODE);
        int keyAt = index + RequestFrame.body(opcode);
        int keyLength = frame.getUnsignedShortLE(index + RequestFrame.KEY_LENGTH);
        return new DecodedRequest(
                opcode,
                frame.getUnsignedByte(index + RequestFrame.FLAGS),
                frame.getUnsignedByte(index + RequestFrame.ADDRESSING_HOPS),
                frame.getUnsignedByte(index + RequestFrame.HOPS),
                frame.getIntLE(index + RequestFrame.CORRELATION),
                frame.getIntLE(index + RequestFrame.TABLE),
                frame.getIntLE(index + RequestFrame.PARTITION),
                frame.getIntLE(index + RequestFrame.DEADLINE_MILLIS),
                frame.getLongLE(index + RequestFrame.MAP_VERSION),
                Opcode.isWrite(opcode) ? id(frame, index) : null,
                ByteBufUtil.getBytes(frame, keyAt, keyLength),
                ByteBufUtil.getBytes(frame, keyAt + keyLength, index + length - keyAt - keyLength));
    }

    private static Id id(ByteBuf frame, int index) {
        return new Id(
                frame.getLongLE(index + RequestFrame.SESSION),
                frame.getLongLE(index + RequestFrame.SEQ),
                frame.getIntLE(index + RequestFrame.LOW_DISTANCE));
    }

    /** The frame with these fields. */
    public ByteBuf frame() {
        int length = RequestFrame.body(opcode) + key.length + body.length;
        ByteBuf out = Unpooled.buffer(length);
        RequestFrame.writeHeader(
                out, length, opcode, flags, correlation, table, partition, deadlineMillis, mapVersion, key.length);
        out.setByte(RequestFrame.ADDRESSING_HOPS, addressingHops).setByte(RequestFrame.HOPS, hops);
        if (id != null) {
            RequestFrame.writeRequestId(out, id.session(), id.seq(), id.seq() - id.lowDistance());
        }
        return out.writeBytes(key).writeBytes(body);
    }

    // ---- the same with another field

    public DecodedRequest withOpcode(byte other) {
        return with(other, flags, correlation, table, id, key, body);
    }

    public DecodedRequest withFlags(int others) {
        return with(opcode, others, correlation, table, id, key, body);
    }

    public DecodedRequest withCorrelation(int other) {
        return with(opcode, flags, other, table, id, key, body);
    }

    public DecodedRequest withTable(int other) {
        return with(opcode, flags, correlation, other, id, key, body);
    }

    public DecodedRequest withId(Id other) {
        return with(opcode, flags, correlation, table, other, key, body);
    }

    public DecodedRequest withKey(byte[] other) {
        return with(opcode, flags, correlation, table, id, other, body);
    }

    public DecodedRequest withBody(byte[] other) {
        return with(opcode, flags, correlation, table, id, key, other);
    }

    private DecodedRequest with(
            byte itsOpcode,
            int itsFlags,
            int itsCorrelation,
            int itsTable,
            @Nullable Id itsId,
            byte[] itsKey,
            byte[] itsBody) {
        return new DecodedRequest(
                itsOpcode,
                itsFlags,
                addressingHops,
                hops,
                itsCorrelation,
                itsTable,
                partition,
                deadlineMillis,
                mapVersion,
                itsId,
                itsKey,
                itsBody);
    }

    // ---- bodies

    /** The points that a SCAN, SIZE or CLEAR is about. */
    public Interval interval() {
        ByteBuf in = Unpooled.wrappedBuffer(body);
        return new Interval(in.readLongLE(), in.readLongLE());
    }

    /** A SCAN, SIZE or CLEAR that begins at another point. */
    public DecodedRequest from(long point) {
        byte[] other = body.clone();
        Unpooled.wrappedBuffer(other).setLongLE(0, point);
        return withBody(other);
    }

    /** The filter of a SCAN; null: it has none. */
    @Nullable
    public Program filter() {
        int at = RequestFrame.SCAN_BODY;
        return body.length == at ? null : ProgramCodec.decode(Unpooled.wrappedBuffer(body, at, body.length - at));
    }

    /** A SCAN with another filter. */
    public DecodedRequest withFilter(Program other) {
        byte[] filter = ProgramCodec.encode(other);
        byte[] changed = Arrays.copyOf(body, RequestFrame.SCAN_BODY + filter.length);
        System.arraycopy(filter, 0, changed, RequestFrame.SCAN_BODY, filter.length);
        return withBody(changed);
    }

    public boolean hasVersion() {
        return (flags & RequestFrame.FLAG_VERSION) != 0;
    }

    /** A write that takes effect only on a record of its version, with that version raised. */
    public DecodedRequest raiseVersion(long more) {
        byte[] other = body.clone();
        ByteBuf version = Unpooled.wrappedBuffer(other);
        version.setLongLE(0, version.getLongLE(0) + more);
        return withBody(other);
    }

    // ---- text

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(FrameText.opcode(opcode));
        text.append(" t")
                .append(table)
                .append(" p")
                .append(partition)
                .append(" c")
                .append(correlation);
        text.append(" hops ").append(addressingHops).append('/').append(hops);
        text.append(" by v")
                .append(mapVersion)
                .append(' ')
                .append(deadlineMillis)
                .append(" ms");
        if (id != null) {
            text.append(" id ").append(id.session()).append('/').append(id.seq());
            text.append('-').append(id.lowDistance());
        }
        if (Opcode.isInterval(opcode)) {
            return text.append(String.format(
                            " [%016x, %016x)", interval().from(), interval().end()))
                    .toString();
        }
        text.append(' ').append(FrameText.bytes(key));
        if (opcode == Opcode.INCREMENT) {
            return text.append(" by ")
                    .append(Unpooled.wrappedBuffer(body).readLongLE())
                    .toString();
        }
        return text.append(body.length == 0 ? "" : " = " + FrameText.bytes(body))
                .toString();
    }
}
