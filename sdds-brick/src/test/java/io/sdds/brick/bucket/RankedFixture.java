package io.sdds.brick.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.brick.memory.ArenaMemorySource;
import io.sdds.brick.memory.MemoryBudget;
import io.sdds.brick.memory.PoisoningMemorySource;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.memory.SegmentHash;
import io.sdds.brick.range.RangeBucket;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** A ranked bucket of either kind over poisoned memory, used with keys and values on the heap. */
final class RankedFixture implements AutoCloseable {

    enum Kind {
        HASH,
        RANGE
    }

    final MemoryBudget budget;
    final ArenaMemorySource source;
    final RecordStore store;
    final RankSpace ranks;
    final Bucket bucket;
    private final Kind kind;

    RankedFixture(Kind kind, long limitBytes) {
        this.kind = kind;
        budget = new MemoryBudget(limitBytes);
        source = new ArenaMemorySource(budget);
        store = new RecordStore(new PoisoningMemorySource(source), budget);
        ranks = new RankSpace(store.slots());
        bucket = unranked();
        bucket.ranks().begin(ranks);
    }

    /** Another bucket of this kind in the same memory, which is not ranked. */
    Bucket unranked() {
        return kind == Kind.HASH ? new HashBucket(store, 0) : new RangeBucket(store);
    }

    @Override
    public void close() {
        source.close();
    }

    static long hash(byte[] key) {
        return SegmentHash.hash(MemorySegment.ofArray(key), 0, key.length);
    }

    PutResult put(byte[] key, byte[] value, long version, long expiry, boolean reserved) {
        return putInto(bucket, key, value, version, expiry, reserved);
    }

    PutResult putInto(Bucket into, byte[] key, byte[] value) {
        return putInto(into, key, value, 1, RecordStore.NO_EXPIRY, false);
    }

    private static PutResult putInto(
            Bucket into, byte[] key, byte[] value, long version, long expiry, boolean reserved) {
        return into.put(
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

    PutResult put(byte[] key, byte[] value) {
        return put(key, value, 1, RecordStore.NO_EXPIRY, false);
    }

    /** Inserts a record with the next rank, which it returns. */
    int insert(byte[] key, byte[] value, long expiry) {
        int rank = ranks.allocate(false);
        bucket.ranks().rankOfNext(rank);
        assertThat(put(key, value, 1, expiry, false)).isEqualTo(PutResult.INSERTED);
        return rank;
    }

    boolean remove(byte[] key) {
        return bucket.remove(hash(key), MemorySegment.ofArray(key), 0, key.length);
    }

    long find(byte[] key) {
        return bucket.find(hash(key), MemorySegment.ofArray(key), 0, key.length);
    }

    long findAny(byte[] key) {
        return bucket.findAny(hash(key), MemorySegment.ofArray(key), 0, key.length);
    }

    byte[] value(long ref) {
        return store.segment(ref)
                .asSlice(store.valueOffset(ref), store.valueLength(ref))
                .toArray(ValueLayout.JAVA_BYTE);
    }

    /** Visits the expired records of some LH-buckets or leaves; returns what the bucket returns. */
    boolean collectExpired(int steps, RankVisitor visitor) {
        return bucket instanceof HashBucket hash
                ? hash.collectExpired(0, 0, steps, visitor)
                : ((RangeBucket) bucket).collectExpired(steps, visitor);
    }

    /** Drops the half of the records that an LH* split moves, or the records above a key. */
    void dropHalf(byte[] key) {
        dropHalf(bucket, key);
    }

    static void dropHalf(Bucket bucket, byte[] key) {
        if (bucket instanceof HashBucket hash) {
            hash.dropMovedHalf();
        } else {
            ((RangeBucket) bucket).dropAbove(MemorySegment.ofArray(key), 0, key.length);
        }
    }

    void maintainToTheEnd() {
        while (bucket.maintain(100)) {
            // Each call does a part of the work.
        }
    }

    /** Checks that no memory is used beyond records, index and ranks. To be called with nothing to maintain. */
    void checkMemoryAtRest() {
        long indexBytes = bucket instanceof HashBucket hash ? hash.indexBytes() : ((RangeBucket) bucket).indexBytes();
        assertThat(store.recordCount()).isEqualTo(bucket.records());
        assertThat(store.liveBytes()).isEqualTo(bucket.bytes() + indexBytes + ranks.bytes());
    }
}
