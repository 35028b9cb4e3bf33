package io.sdds.brick.bucket;

import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.memory.SlotSpace;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** Visits the records of a hash bucket, one LH-bucket after the other, in the order of bit-reversed pseudo-keys. */
final class LhScan {

    private final RecordStore store;
    private final SlotSpace slots;
    private final LhFile file;
    private final ExpiryTimes expiries;

    LhScan(RecordStore store, LhFile file, ExpiryTimes expiries) {
        this.store = store;
        this.slots = store.slots();
        this.file = file;
        this.expiries = expiries;
    }

    /** See {@link HashBucket#visit}. */
    long visit(long cursor, RecordVisitor visitor) {
        for (long line = file.firstLine(Long.reverse(cursor)); line != 0; ) {
            MemorySegment segment = slots.segment(line);
            long at = slots.offset(line);
            visitLine(segment, at, cursor, visitor);
            line = LhLine.overflow(segment, at);
        }
        return file.intervalEnd(cursor);
    }

    /** See {@link HashBucket#visitSome}. */
    long visitSome(long cursor, long bytesMax, RecordVisitor visitor) {
        if (bytesFrom(cursor) <= bytesMax) {
            return visit(cursor, visitor);
        }
        long cut = cut(cursor, bytesMax);
        visit(cursor, (ref, hash) -> {
            if (cut == 0 || Long.compareUnsigned(Long.reverse(hash), cut) < 0) {
                visitor.visit(ref, hash);
            }
        });
        return cut;
    }

    private long bytesFrom(long cursor) {
        long[] bytes = new long[1];
        visit(cursor, (ref, hash) -> bytes[0] += bytes(ref));
        return bytes[0];
    }

    /** The point up to which the records of an LH-bucket stay within a limit of bytes, or have one pseudo-key. */
    private long cut(long cursor, long bytesMax) {
        List<Sized> records = new ArrayList<>();
        long end = visit(cursor, (ref, hash) -> records.add(new Sized(Long.reverse(hash), bytes(ref))));
        records.sort((one, other) -> Long.compareUnsigned(one.point, other.point));
        long bytes = 0;
        for (Sized each : records) {
            bytes += each.bytes;
            if (bytes > bytesMax && each.point != records.get(0).point) {
                return each.point;
            }
        }
        return end;
    }

    private record Sized(long point, long bytes) {}

    private long bytes(long ref) {
        return (long) store.keyLength(ref) + store.valueLength(ref);
    }

    private void visitLine(MemorySegment segment, long at, long cursor, RecordVisitor visitor) {
        int count = LhLine.count(segment, at);
        for (int place = 0; place < count; place++) {
            long ref = LhLine.reference(segment, at, place);
            long hash = store.hash(ref);
            if (Long.compareUnsigned(Long.reverse(hash), cursor) >= 0 && !expiries.hasExpired(ref)) {
                visitor.visit(ref, hash);
            }
        }
    }
}
