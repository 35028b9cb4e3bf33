package io.sdds.brick.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.brick.memory.ArenaMemorySource;
import io.sdds.brick.memory.MemoryBudget;
import io.sdds.brick.memory.PoisoningMemorySource;
import io.sdds.brick.memory.RecordBatch;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.memory.SegmentHash;
import io.sdds.core.addressing.ScanOrder;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** A bucket over poisoned memory, used with keys and values on the heap, and the checks that hold for any bucket. */
final class BucketFixture implements AutoCloseable {

    final MemoryBudget budget;
    final ArenaMemorySource source;
    final RecordStore store;
    final HashBucket bucket;
    private final RecordBatch batch = new RecordBatch();

    BucketFixture(long limitBytes) {
        budget = new MemoryBudget(limitBytes);
        source = new ArenaMemorySource(budget);
        store = new RecordStore(new PoisoningMemorySource(source), budget);
        bucket = new HashBucket(store, 0);
    }

    private BucketFixture(BucketFixture other) {
        budget = other.budget;
        source = other.source;
        store = other.store;
        bucket = new HashBucket(store, 0);
    }

    /** Another bucket in the same memory. */
    BucketFixture sibling() {
        return new BucketFixture(this);
    }

    @Override
    public void close() {
        source.close();
    }

    static long hash(byte[] key) {
        return SegmentHash.hash(MemorySegment.ofArray(key), 0, key.length);
    }

    long find(byte[] key) {
        return bucket.find(hash(key), MemorySegment.ofArray(key), 0, key.length);
    }

    PutResult put(byte[] key, byte[] value, long version, boolean reserved) {
        return put(key, value, version, RecordStore.NO_EXPIRY, reserved);
    }

    PutResult put(byte[] key, byte[] value, long version, long expiry, boolean reserved) {
        return bucket.put(
                hash(key),
                MemorySegment.ofArray(key),
                0,
                key.length,
                MemorySegment.ofArray(value),
                0,
                value.length,
                version,
                expiry,
                reserved);
    }

    boolean remove(byte[] key) {
        return bucket.remove(hash(key), MemorySegment.ofArray(key), 0, key.length);
    }

    byte @Nullable [] value(byte[] key) {
        long ref = find(key);
        return ref == 0 ? null : read(ref, store.valueOffset(ref), store.valueLength(ref));
    }

    byte[] key(long ref) {
        return read(ref, store.keyOffset(ref), store.keyLength(ref));
    }

    private byte[] read(long ref, long offset, int length) {
        return store.segment(ref).asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE);
    }

    void maintainToTheEnd() {
        while (bucket.maintain(100)) {
            // Each call does a part of the work.
        }
    }

    /** Visits the next batch of an interval, and checks that it keeps its limits; returns the point reached. */
    long next(long cursor, long end, long bytesMax, LongConsumer visitor) {
        long reached = bucket.next(cursor, end, bytesMax, batch);
        long bytes = 0;
        boolean ofOnePoint = true;
        for (int i = 0; i < batch.size(); i++) {
            long ref = batch.get(i);
            long point = ScanOrder.point(store.hash(ref));
            assertThat(Long.compareUnsigned(point, cursor) >= 0 && ScanOrder.before(point, reached))
                    .as("point %x in %x..%x", point, cursor, reached)
                    .isTrue();
            bytes += store.contentLength(ref);
            ofOnePoint &= store.hash(ref) == store.hash(batch.get(0));
            visitor.accept(ref);
        }
        assertThat(ofOnePoint || bytes <= bytesMax && batch.size() <= RecordBatch.RECORDS_MAX)
                .as("%d records of %d bytes, at most %d", batch.size(), bytes, bytesMax)
                .isTrue();
        return reached;
    }

    /** Visits every LH-bucket of partition 0, and returns all records. Checks that the intervals tile the space. */
    List<Long> visitAll() {
        List<Long> refs = new ArrayList<>();
        long end = bucket.level() == 0 ? 0 : 1L << -bucket.level();
        long cursor = 0;
        do {
            long start = cursor;
            List<Long> hashes = new ArrayList<>();
            cursor = bucket.visit(start, (ref, hash) -> {
                refs.add(ref);
                hashes.add(hash);
            });
            assertThat(Long.compareUnsigned(cursor - 1, start))
                    .as("interval that begins at %x", start)
                    .isNotNegative();
            for (long hash : hashes) {
                long point = Long.reverse(hash);
                assertThat(Long.compareUnsigned(point, start) >= 0 && Long.compareUnsigned(point, cursor - 1) <= 0)
                        .as("point %x in %x..%x", point, start, cursor)
                        .isTrue();
            }
        } while (cursor != end);
        return refs;
    }

    /** Checks the invariants that hold between any two calls. */
    void check() {
        List<Long> refs = visitAll();
        long bytes = 0;
        long movingRecords = 0;
        for (long ref : refs) {
            byte[] key = key(ref);
            assertThat(find(key)).isEqualTo(ref);
            assertThat(store.hash(ref)).isEqualTo(hash(key));
            bytes += store.slotBytes(ref);
            movingRecords += hash(key) >>> bucket.level() & 1;
        }
        assertThat(bucket.records()).isEqualTo(refs.size());
        assertThat(bucket.bytes()).isEqualTo(bytes);
        assertThat(bucket.movingRecords()).isLessThanOrEqualTo(movingRecords);
    }

    /**
     * Checks as {@link #check} does, and that no memory is used beyond the visible records. To be called when there is
     * nothing to maintain.
     */
    void checkAtRest() {
        check();
        long moving = visitAll().stream()
                .filter(ref -> (store.hash(ref) >>> bucket.level() & 1) != 0)
                .count();
        assertThat(bucket.movingRecords()).isEqualTo(moving);
        assertThat(store.recordCount()).isEqualTo(bucket.records());
        assertThat(store.liveBytes()).isEqualTo(bucket.bytes() + bucket.indexBytes());
    }
}
