package io.sdds.brick.range;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.brick.bucket.PutResult;
import io.sdds.brick.memory.ArenaMemorySource;
import io.sdds.brick.memory.MemoryBudget;
import io.sdds.brick.memory.PoisoningMemorySource;
import io.sdds.brick.memory.RecordBatch;
import io.sdds.brick.memory.RecordStore;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A range bucket over poisoned memory, used with keys and values on the heap, and the checks that hold for any. */
final class RangeFixture implements AutoCloseable {

    final MemoryBudget budget;
    final ArenaMemorySource source;
    final RecordStore store;
    final RangeBucket bucket;
    private final RecordBatch batch = new RecordBatch();

    RangeFixture(long limitBytes) {
        budget = new MemoryBudget(limitBytes);
        source = new ArenaMemorySource(budget);
        store = new RecordStore(new PoisoningMemorySource(source), budget);
        bucket = new RangeBucket(store);
    }

    private RangeFixture(RangeFixture other) {
        budget = other.budget;
        source = other.source;
        store = other.store;
        bucket = new RangeBucket(store);
    }

    /** Another bucket in the same memory. */
    RangeFixture sibling() {
        return new RangeFixture(this);
    }

    @Override
    public void close() {
        source.close();
    }

    static byte[] key(int number) {
        return "key-%012d".formatted(number).getBytes(StandardCharsets.US_ASCII);
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    static MemorySegment of(byte[] bytes) {
        return MemorySegment.ofArray(bytes);
    }

    long find(byte[] key) {
        return bucket.find(of(key), 0, key.length);
    }

    PutResult put(byte[] key, byte[] value, long version, boolean reserved) {
        return put(key, value, version, RecordStore.NO_EXPIRY, reserved);
    }

    PutResult put(byte[] key, byte[] value, long version, long expiry, boolean reserved) {
        return bucket.put(of(key), 0, key.length, of(value), 0, value.length, version, expiry, reserved);
    }

    PutResult append(byte[] key, byte[] value, long version, int fillPercent, boolean reserved) {
        return bucket.append(of(key), 0, key.length, of(value), 0, value.length, version, 0, fillPercent, reserved);
    }

    boolean remove(byte[] key) {
        return bucket.remove(of(key), 0, key.length);
    }

    void dropAbove(byte[] key) {
        bucket.dropAbove(of(key), 0, key.length);
    }

    byte @Nullable [] value(byte[] key) {
        long ref = find(key);
        return ref == 0 ? null : read(ref, store.valueOffset(ref), store.valueLength(ref));
    }

    byte @Nullable [] key(long ref) {
        return ref == 0 ? null : read(ref, store.keyOffset(ref), store.keyLength(ref));
    }

    private byte[] read(long ref, long offset, int length) {
        return store.segment(ref).asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE);
    }

    static KeyRange range(byte @Nullable [] low, boolean lowIncluded, byte @Nullable [] high, boolean highIncluded) {
        KeyRange range = new KeyRange();
        if (low != null) {
            range.from(of(low), 0, low.length, lowIncluded);
        }
        if (high != null) {
            range.to(of(high), 0, high.length, highIncluded);
        }
        return range;
    }

    /** The first keys of a range, in the order in which they were visited. */
    List<byte[]> visit(KeyRange range, boolean descending, int most) {
        List<byte[]> keys = new ArrayList<>();
        RangeVisitor visitor = ref -> {
            keys.add(key(ref));
            return keys.size() < most;
        };
        boolean ended = most > 0 && (descending ? bucket.descend(range, visitor) : bucket.ascend(range, visitor));
        assertThat(ended || keys.size() == most).isTrue();
        return keys;
    }

    /** All keys of a range, by batches of at most so many records. */
    List<byte[]> batches(KeyRange range, boolean descending, int recordsMax) {
        List<byte[]> keys = new ArrayList<>();
        bucket.begin(range, descending);
        boolean more;
        do {
            more = bucket.next(batch, recordsMax);
            assertThat(batch.size()).isLessThanOrEqualTo(Math.min(recordsMax, RecordBatch.RECORDS_MAX));
            for (int i = 0; i < batch.size(); i++) {
                keys.add(key(batch.get(i)));
            }
        } while (more);
        return keys;
    }

    void maintainToTheEnd() {
        while (bucket.maintain(100)) {
            // Each call does a part of the work.
        }
    }

    /** Leaves of the tree. */
    int leaves() {
        int leaves = 0;
        Tree tree = bucket.tree();
        for (long leaf = tree.isEmpty() ? 0 : tree.descendToFirst(); leaf != 0; leaf = tree.nodes.next(leaf)) {
            leaves++;
        }
        return leaves;
    }

    /** The part of the leaves' room that is used, from 0 to 1. */
    double fill() {
        return (double) bucket.records() / leaves() / Nodes.LEAF_KEYS;
    }

    /** Checks the invariants that hold between any two calls. */
    void check() {
        new TreeCheck(this).run();
    }

    /**
     * Checks as {@link #check} does, and that no memory is used beyond the visible records. To be called when there is
     * nothing to maintain.
     */
    void checkAtRest() {
        TreeCheck check = new TreeCheck(this);
        check.run();
        assertThat(bucket.indexBytes()).isEqualTo(check.indexBytes());
        assertThat(store.recordCount()).isEqualTo(bucket.records());
        assertThat(store.liveBytes()).isEqualTo(bucket.bytes() + bucket.indexBytes());
    }
}
