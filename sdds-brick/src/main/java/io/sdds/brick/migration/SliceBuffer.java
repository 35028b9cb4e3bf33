package io.sdds.brick.migration;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.partition.Request;
import io.sdds.core.node.Env;
import io.sdds.core.node.Link;
import io.sdds.core.protocol.Opcode;
import java.lang.foreign.MemorySegment;

/** Gathers entries until they leave as a slice. */
public final class SliceBuffer {
    private static final int FIRST_BYTES = 16 << 10;

    private final Env env;
    private final RecordStore store;
    private final ByteBuf bytes;

    SliceBuffer(Env env, RecordStore store) {
        this.env = env;
        this.store = store;
        this.bytes = env.allocate(FIRST_BYTES);
    }

    public int entryBytes() {
        return bytes.readableBytes();
    }

    void clear() {
        bytes.clear();
    }

    public void release() {
        bytes.release();
    }

    /** @param shiftNanos what is added to its expiry */
    void record(long ref, long shiftNanos) {
        long expiry = store.expiry(ref);
        boolean expires = expiry != RecordStore.NO_EXPIRY;
        begin(expires ? SliceFrame.EXPIRING_RECORD : SliceFrame.RECORD, ref);
        if (expires) {
            bytes.writeLongLE(Math.max(RecordStore.NO_EXPIRY + 1, expiry + shiftNanos));
        }
        content(ref);
    }

    /** A record that keeps its rank. */
    void rankedRecord(long ref) {
        begin(SliceFrame.RANKED_RECORD, ref);
        bytes.writeLongLE(store.expiry(ref)).writeIntLE(store.rank(ref));
        content(ref);
    }

    private void begin(byte kind, long ref) {
        int rest = 14 + Long.BYTES + Integer.BYTES;
        bytes.ensureWritable(1 + rest + store.contentLength(ref));
        bytes.writeByte(kind)
                .writeShortLE(store.keyLength(ref))
                .writeIntLE(store.valueLength(ref))
                .writeLongLE(store.version(ref));
    }

    private void content(long ref) {
        copy(store.segment(ref), store.keyOffset(ref), store.keyLength(ref));
        copy(store.segment(ref), store.valueOffset(ref), store.valueLength(ref));
    }

    void remove(MemorySegment from, long keyOffset, int keyLength) {
        bytes.ensureWritable(1 + 2 + keyLength);
        bytes.writeByte(SliceFrame.REMOVE).writeShortLE(keyLength);
        copy(from, keyOffset, keyLength);
    }

    void result(long session, long seq, long low, long hash, byte status, long value) {
        bytes.writeByte(SliceFrame.RESULT);
        bytes.writeLongLE(session).writeLongLE(seq).writeLongLE(low).writeLongLE(hash);
        bytes.writeByte(status).writeLongLE(value);
    }

    void seal(SliceFrame.Seal seal) {
        bytes.writeByte(SliceFrame.SEAL);
        bytes.writeLongLE(seal.epoch()).writeLongLE(seal.index());
        bytes.writeLongLE(seal.version()).writeLongLE(seal.timeNanos());
    }

    /** Moves all entries behind those of another buffer. */
    public void moveTo(SliceBuffer other) {
        other.bytes.discardReadBytes().writeBytes(bytes);
        bytes.clear();
    }

    /** Bytes of the first entries up to the second record, which it leaves out. */
    public int bytesOfOneRecord() {
        int at = bytes.readerIndex();
        for (int records = 0; at < bytes.writerIndex(); at += SliceFrame.entryBytes(bytes, at)) {
            if (SliceFrame.isRecord(bytes.getByte(at)) && records++ == 1) {
                break;
            }
        }
        return at - bytes.readerIndex();
    }

    /** Bytes of the first entries that have so many together at most, or of the first. */
    int bytesWithin(int most) {
        if (bytes.readableBytes() <= most) {
            return bytes.readableBytes();
        }
        int start = bytes.readerIndex();
        int end = start + SliceFrame.entryBytes(bytes, start);
        while (end + SliceFrame.entryBytes(bytes, end) - start <= most) {
            end += SliceFrame.entryBytes(bytes, end);
        }
        return end - start;
    }

    /** A copy of the first entries, that many bytes; to be released. */
    ByteBuf copyOf(int entryBytes) {
        return env.allocate(entryBytes).writeBytes(bytes, bytes.readerIndex(), entryBytes);
    }

    /** Sends the first entries, that many bytes, as one slice and forgets them; answers the bytes sent. */
    int send(int entryBytes, Link link, long migration, int attempt, int child, long number) {
        int length = write(bytes, entryBytes, link, migration, attempt, child, number);
        if (!bytes.isReadable()) {
            bytes.clear();
        }
        return length;
    }

    /** Reads so many bytes of entries into one slice; answers the bytes sent. */
    static int write(ByteBuf entries, int entryBytes, Link link, long migration, int attempt, int child, long number) {
        int length = SliceFrame.ENTRIES + entryBytes;
        ByteBuf out = link.claim(length);
        out.writeIntLE(length).writeIntLE(Opcode.SLICE).writeLongLE(migration);
        out.writeIntLE(attempt).writeIntLE(child).writeLongLE(number);
        out.writeBytes(entries, entryBytes);
        link.commit();
        return length;
    }

    private void copy(MemorySegment from, long offset, int length) {
        int at = bytes.writerIndex();
        MemorySegment.copy(from, offset, Request.memoryOf(bytes), at, length);
        bytes.writerIndex(at + length);
    }
}
