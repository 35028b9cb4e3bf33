package io.sdds.brick.partition;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.memory.SegmentHash;
import io.sdds.core.addressing.ScanOrder;
import io.sdds.core.node.Link;
import io.sdds.core.protocol.Hello;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.ProtocolViolation;
import io.sdds.core.protocol.RequestFrame;
import io.sdds.core.query.ProgramHash;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/** A request read from its frame. A stage uses a few objects for all requests. Offsets are in {@link #frame}. */
public final class Request {
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    @SuppressWarnings("NullAway.Init") // set by the first read
    public Link link;

    @SuppressWarnings("NullAway.Init")
    public ByteBuf buffer;

    @SuppressWarnings("NullAway.Init")
    public MemorySegment frame;

    public int at;
    public int length;
    public byte opcode;
    /** See {@link RequestFrame}. */
    public int flags;

    public int addressingHops;
    public int hops;
    public int correlation;
    public int table;
    public int partition;
    public int deadlineMillis;
    public long mapVersion;
    public long keyOffset;
    public int keyLength;
    /** The pseudo-key of the key, or of the first point of the interval. */
    public long hash;
    /** The result of touching the bucket's index ahead of time. */
    public long touched;
    /** Offset of the value, or of anything else that follows the key up to the end of the frame. */
    public long valueOffset;

    public int valueLength;
    public long session;
    public long seq;
    public long low;
    /** Time to live of a write with {@link RequestFrame#FLAG_TTL}. */
    public long ttlMillis;
    /** Version that a write with {@link RequestFrame#FLAG_VERSION} expects. */
    public long expectedVersion;
    /** Point at which an interval request begins. */
    public long from;

    public long end;

    /** Length of the key at which a range request ends. The key stands before {@link #valueOffset}. */
    public int endLength;

    /** The slice in which the stage's background runs the request; null: the request runs outside of slices. */
    public @Nullable Slice slice;

    /** A slice of background work that a request was routed again for. */
    public interface Slice {}

    /** The memory of a received buffer. Offsets in it are the indexes of the buffer. */
    public static MemorySegment memoryOf(ByteBuf buffer) {
        return MemorySegment.ofBuffer(buffer.nioBuffer(0, buffer.capacity()));
    }

    /**
     * Reads the frame at {@code index}.
     *
     * @throws ProtocolViolation when its lengths don't add up
     */
    public void read(Link from, ByteBuf frames, MemorySegment memory, int index, int frameLength) {
        String problem = RequestFrame.problem(frames, index, frameLength);
        if (problem != null) {
            throw new ProtocolViolation(problem);
        }
        slice = null;
        link = from;
        buffer = frames;
        frame = memory;
        at = index;
        length = frameLength;
        int word = memory.get(INT, index + RequestFrame.OPCODE);
        opcode = (byte) word;
        flags = word >>> 8 & 0xff;
        addressingHops = word >>> 16 & 0xff;
        hops = word >>> 24;
        if (hops != 0 || addressingHops != 0) {
            checkForwarded();
        }
        correlation = memory.get(INT, index + RequestFrame.CORRELATION);
        table = memory.get(INT, index + RequestFrame.TABLE);
        partition = memory.get(INT, index + RequestFrame.PARTITION);
        deadlineMillis = memory.get(INT, index + RequestFrame.DEADLINE_MILLIS);
        mapVersion = memory.get(LONG, index + RequestFrame.MAP_VERSION);
        keyLength = memory.get(INT, index + RequestFrame.KEY_LENGTH) & 0xffff;
        boolean write = Opcode.isWrite(opcode);
        if (write) {
            seq = memory.get(LONG, index + RequestFrame.SEQ);
            session = memory.get(LONG, index + RequestFrame.SESSION);
            low = seq - (memory.get(INT, index + RequestFrame.LOW_DISTANCE) & 0xffffffffL);
        }
        keyOffset = (long) index + (write ? RequestFrame.WRITE_BODY : RequestFrame.READ_BODY);
        valueOffset = keyOffset + keyLength;
        if (flags != 0 && write) {
            readTerms();
        }
        if (Opcode.isRange(opcode)) {
            endLength = memory.get(SHORT, valueOffset) & 0xffff;
            valueOffset += Short.BYTES + endLength;
        }
        valueLength = (int) (index + frameLength - valueOffset);
        if (!Opcode.isInterval(opcode)) {
            hash = SegmentHash.hash(memory, keyOffset, keyLength);
        } else {
            this.from = memory.get(LONG, keyOffset);
            end = memory.get(LONG, keyOffset + Long.BYTES);
            hash = ScanOrder.point(this.from);
        }
    }

    /** Only bricks forward. A client could skip admission control with a count of forwards that is not 0. */
    private void checkForwarded() {
        if (link.peer().role() == Hello.Role.CLIENT) {
            throw new ProtocolViolation("a client's request after " + hops + " forwards");
        }
    }

    /** Reads the fields between key and value. */
    private void readTerms() {
        if ((flags & RequestFrame.FLAG_VERSION) != 0) {
            expectedVersion = frame.get(LONG, valueOffset);
            valueOffset += Long.BYTES;
        }
        if ((flags & RequestFrame.FLAG_TTL) != 0) {
            ttlMillis = frame.get(LONG, valueOffset);
            valueOffset += Long.BYTES;
        }
    }

    /** A copy of the key. */
    public byte[] key() {
        return frame.asSlice(keyOffset, keyLength).toArray(ValueLayout.JAVA_BYTE);
    }

    /** Whether the request was sent to all bricks of its table, and no partition has taken it yet. */
    public boolean isMulticast() {
        return (flags & RequestFrame.FLAG_MULTICAST) != 0;
    }

    /** Whether every partition that has keys of a multicast request's range is to answer. */
    public boolean isForEachPartition() {
        return isMulticast() && isParallel();
    }

    /**
     * Whether this is one partition's part of such a request, and begins where the partition's keys began instead of
     * where the range begins; see {@link RangePartition#ownPart}.
     */
    public boolean beginsAtPartition() {
        return !isMulticast() && isParallel();
    }

    private boolean isParallel() {
        return opcode == Opcode.RANGE && (flags & RequestFrame.FLAG_PARALLEL) != 0;
    }

    /** Whether a partition without such a record does not answer a RANGE. */
    public boolean wantsFindsAlone() {
        return (flags & RequestFrame.FLAG_FOUND_ONLY) != 0;
    }

    /** Whether the reply should carry an image adjustment. */
    public boolean wantsAdjustment() {
        return hops > 0 || (flags & RequestFrame.FLAG_TEACH) != 0;
    }

    /** Addresses the request to a partition, in its frame too, because the request may have to wait or be forwarded. */
    public void takenBy(int number) {
        partition = number;
        flags &= ~RequestFrame.FLAG_MULTICAST;
        buffer.setByte(at + RequestFrame.FLAGS, flags);
        buffer.setIntLE(at + RequestFrame.PARTITION, number);
    }

    /** Of a RANGE: whether it is walked from high to low keys. */
    public boolean isDescending() {
        return (flags & RequestFrame.FLAG_DESCENDING) != 0;
    }

    /** Of a range request: whether the key at which it begins is part of it. */
    public boolean includesKey() {
        return (flags & RequestFrame.FLAG_INCLUSIVE) != 0;
    }

    /** Of a range request: whether the key at which it ends is part of it. */
    public boolean includesEnd() {
        return (flags & RequestFrame.FLAG_END_INCLUSIVE) != 0;
    }

    /** Of a range request: where the key at which it ends stands. */
    public long endOffset() {
        return valueOffset - endLength;
    }

    /** Of a RANGE: the most bytes to answer with. */
    public int rangeBytesMax() {
        return frame.get(INT, valueOffset);
    }

    /** Of a RANGE: the most records to answer with. */
    public int rangeRecordsMax() {
        return frame.get(INT, valueOffset + Integer.BYTES);
    }

    /**
     * What a RANGE asks for: {@link RequestFrame#SCAN_RECORDS} or another of these, and
     * {@link RequestFrame#SCAN_BOUND}.
     */
    public byte rangeWhat() {
        return frame.get(ValueLayout.JAVA_BYTE, valueOffset + 2 * Integer.BYTES);
    }

    /** The encoded filter or the program of a RANGE. */
    public ByteBuf rangeFilter() {
        return behindBound(rangeWhat(), (int) valueOffset + RequestFrame.RANGE_BODY);
    }

    private ByteBuf behindBound(byte what, int from) {
        boolean bounded = (what & RequestFrame.SCAN_BOUND) != 0;
        int start = bounded ? from + Short.BYTES + buffer.getUnsignedShortLE(from) : from;
        return buffer.slice(start, at + length - start);
    }

    /** The bound of the order of the program of a SCAN or RANGE; null: there is none. */
    public @Nullable ByteBuf bound() {
        boolean isRange = opcode == Opcode.RANGE;
        if (((isRange ? rangeWhat() : scanWhat()) & RequestFrame.SCAN_BOUND) == 0) {
            return null;
        }
        int from = (int) (isRange ? valueOffset + RequestFrame.RANGE_BODY : keyOffset + RequestFrame.SCAN_BODY);
        return buffer.slice(from + Short.BYTES, buffer.getUnsignedShortLE(from));
    }

    /** Whether the request has a program in the place of a filter. */
    public boolean shipsProgram() {
        return switch (opcode) {
            case Opcode.RANGE -> RequestFrame.isProgram(rangeWhat());
            case Opcode.SCAN -> RequestFrame.isProgram(scanWhat());
            default -> false;
        };
    }

    /** Whether the request names a program that the brick should keep. */
    public boolean namesProgram() {
        return shipsProgram() && RequestFrame.isKeptProgram(opcode == Opcode.RANGE ? rangeWhat() : scanWhat());
    }

    /** The hash of the program that a PROGRAM brings a part of. */
    public ProgramHash programHash() {
        return ProgramHash.read(buffer, (int) keyOffset);
    }

    /** The length of the whole program that a PROGRAM brings a part of. */
    public int programLength() {
        return frame.get(INT, keyOffset + RequestFrame.PROGRAM_LENGTH);
    }

    /** The place in the program of the part that a PROGRAM brings. */
    public int programOffset() {
        return frame.get(INT, keyOffset + RequestFrame.PROGRAM_OFFSET);
    }

    /** A copy of the part that a PROGRAM brings. */
    public byte[] programPart() {
        long start = keyOffset + RequestFrame.PROGRAM_BODY;
        return frame.asSlice(start, at + length - start).toArray(ValueLayout.JAVA_BYTE);
    }

    public boolean isWrite() {
        return Opcode.isWrite(opcode);
    }

    /** Of a write: whether it names a time to live. */
    boolean hasTtl() {
        return (flags & RequestFrame.FLAG_TTL) != 0;
    }

    /** The number that an INCREMENT adds. */
    public long delta() {
        return frame.get(LONG, valueOffset);
    }

    /** Of a COMPARE_AND_SET. */
    public int expectedLength() {
        return frame.get(INT, valueOffset);
    }

    /** Of a COMPARE_AND_SET. */
    public long expectedOffset() {
        return valueOffset + Integer.BYTES;
    }

    /** Of a SCAN: the most bytes to answer with. */
    public int scanBytesMax() {
        return frame.get(INT, keyOffset + RequestFrame.INTERVAL_BODY);
    }

    /**
     * What a SCAN asks for: {@link RequestFrame#SCAN_RECORDS} or another of these, and {@link RequestFrame#SCAN_BOUND}.
     */
    public byte scanWhat() {
        return frame.get(ValueLayout.JAVA_BYTE, keyOffset + RequestFrame.INTERVAL_BODY + Integer.BYTES);
    }

    /** The encoded filter or the program of a SCAN. */
    public ByteBuf scanFilter() {
        return behindBound(scanWhat(), (int) keyOffset + RequestFrame.SCAN_BODY);
    }
}
