package io.sdds.brick.bucket;

import io.sdds.brick.memory.RecordBatch;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.memory.SlotSpace;
import io.sdds.core.addressing.ScanOrder;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Visits the records of a hash bucket, one LH-bucket after the other, in the order of bit-reversed pseudo-keys. */
final class LhScan {

    /* LH-buckets that follow each other in this order lie anywhere in memory, and so do their records. A batch first
     * touches the first lines of all its LH-buckets, then all its records, so that the memory accesses overlap. A
     * pseudo-key is computed only where an LH-bucket may have records outside of the interval: at both ends of it. */

    /**
     * Most LH-buckets of a batch. At the mean load of a growing file these have as many records as a batch may have.
     */
    static final int BUCKETS_MAX = RecordBatch.RECORDS_MAX / LhFile.RECORDS_PER_BUCKET;

    private final RecordStore store;
    private final SlotSpace slots;
    private final LhFile file;
    private final ExpiryTimes expiries;
    private final RecordBatch visited = new RecordBatch();

    /** For each LH-bucket of the batch, the number of references found in it and in those before it. */
    private int[] founds = new int[1];

    private long touched;

    LhScan(RecordStore store, LhFile file, ExpiryTimes expiries) {
        this.store = store;
        this.slots = store.slots();
        this.file = file;
        this.expiries = expiries;
    }

    /** See {@link HashBucket#visit}. */
    long visit(long cursor, RecordVisitor visitor) {
        return visit(cursor, Integer.MAX_VALUE, Long.MAX_VALUE, visitor);
    }

    /** See {@link HashBucket#visitSome}. */
    long visitSome(long cursor, long bytesMax, RecordVisitor visitor) {
        return visit(cursor, Integer.MAX_VALUE, bytesMax, visitor);
    }

    private long visit(long cursor, int recordsMax, long bytesMax, RecordVisitor visitor) {
        long reached = gather(cursor, 0, 1, recordsMax, bytesMax, visited);
        for (int i = 0; i < visited.size(); i++) {
            long ref = visited.get(i);
            visitor.visit(ref, store.hash(ref));
        }
        return reached;
    }

    /** See {@link HashBucket#next}. */
    long next(long cursor, long end, long bytesMax, RecordBatch batch) {
        long buckets = bytesMax / Math.max(1, file.meanBytes());
        int bucketsMax = (int) Math.max(1, Math.min(buckets, BUCKETS_MAX));
        return gather(cursor, end, bucketsMax, RecordBatch.RECORDS_MAX, bytesMax, batch);
    }

    private long gather(long cursor, long end, int bucketsMax, int recordsMax, long bytesMax, RecordBatch batch) {
        batch.clear();
        if (bucketsMax > 1) {
            touchLines(cursor, end, bucketsMax);
        }
        int buckets = find(cursor, end, bucketsMax, recordsMax, batch);
        touched += store.touch(batch, 0);
        return keep(cursor, end, buckets, recordsMax, bytesMax, batch);
    }

    private void touchLines(long cursor, long end, int bucketsMax) {
        long at = cursor;
        for (int i = 0; i < bucketsMax && (i == 0 || isBefore(at, end)); i++) {
            long line = file.firstLine(Long.reverse(at));
            touched += slots.touch(line, 1);
            at = file.intervalEnd(at);
        }
    }

    /** Fills the batch with the references of some LH-buckets; returns the number of LH-buckets, at least one. */
    private int find(long cursor, long end, int bucketsMax, int recordsMax, RecordBatch batch) {
        if (founds.length < bucketsMax) {
            founds = new int[BUCKETS_MAX];
        }
        long at = cursor;
        int buckets = 0;
        do {
            int before = batch.size();
            find(file.firstLine(Long.reverse(at)), batch);
            if (buckets > 0 && batch.size() > recordsMax) {
                batch.truncate(before);
                break;
            }
            founds[buckets++] = batch.size();
            at = file.intervalEnd(at);
        } while (buckets < bucketsMax && isBefore(at, end));
        return buckets;
    }

    private void find(long firstLine, RecordBatch batch) {
        for (long line = firstLine; line != 0; ) {
            MemorySegment segment = slots.segment(line);
            long at = slots.offset(line);
            int count = LhLine.count(segment, at);
            for (int place = 0; place < count; place++) {
                batch.add(LhLine.reference(segment, at, place));
            }
            line = LhLine.overflow(segment, at);
        }
    }

    /**
     * Keeps the records of the interval that have not expired, as many as the limits allow; returns the point reached.
     */
    private long keep(long cursor, long end, int buckets, int recordsMax, long bytesMax, RecordBatch batch) {
        boolean anyExpired = expiries.anyExpired();
        long at = cursor;
        long bytes = 0;
        int next = 0;
        int expired = 0;
        batch.clear();
        for (int bucket = 0; bucket < buckets; bucket++) {
            long bucketEnd = file.intervalEnd(at);
            boolean mayExceed = bucket == 0 || !ScanOrder.before(bucketEnd - 1, end);
            int before = batch.size();
            for (; next < founds[bucket]; next++) {
                long ref = batch.get(next);
                if (anyExpired && expiries.hasExpired(ref)) {
                    expired++;
                } else if (!mayExceed || isWithin(ref, cursor, end)) {
                    batch.add(ref); // never overtakes the index that is read
                    bytes += store.contentLength(ref);
                }
            }
            batch.expired(expired, 0);
            if (bytes > bytesMax || batch.size() > recordsMax) {
                if (bucket == 0) {
                    return cut(isBefore(bucketEnd, end) ? bucketEnd : end, recordsMax, bytesMax, batch);
                }
                batch.truncate(before);
                return at;
            }
            at = bucketEnd;
        }
        return isBefore(at, end) ? at : end;
    }

    private boolean isWithin(long ref, long cursor, long end) {
        long point = ScanOrder.point(store.hash(ref));
        return Long.compareUnsigned(point, cursor) >= 0 && ScanOrder.before(point, end);
    }

    /** Whether a point that was reached, 0 being the end of the space, lies before the end of the interval. */
    private static boolean isBefore(long reached, long end) {
        return reached != 0 && ScanOrder.before(reached, end);
    }

    /**
     * Keeps the first records of an LH-bucket in the order of points: as many as the limits allow, and those of the
     * first point in any case. The records of one point stay together. Returns the point reached.
     */
    private long cut(long bucketEnd, int recordsMax, long bytesMax, RecordBatch batch) {
        List<Sized> records = new ArrayList<>();
        for (int i = 0; i < batch.size(); i++) {
            long ref = batch.get(i);
            records.add(new Sized(ref, ScanOrder.point(store.hash(ref)), store.contentLength(ref)));
        }
        records.sort(Comparator.comparing(Sized::point, Long::compareUnsigned));
        long cut = bucketEnd;
        long bytes = 0;
        for (int i = 0; i < records.size() && cut == bucketEnd; i++) {
            Sized each = records.get(i);
            bytes += each.bytes;
            if ((bytes > bytesMax || i >= recordsMax) && each.point != records.get(0).point) {
                cut = each.point;
            }
        }
        batch.clear();
        for (Sized each : records) {
            if (ScanOrder.before(each.point, cut)) {
                batch.add(each.ref);
            }
        }
        return cut;
    }

    private record Sized(long ref, long point, long bytes) {}

    /** A value that depends on all touched bytes, so that the touches are not optimised away. */
    long touched() {
        return touched;
    }
}
