package io.sdds.brick.bucket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sdds.brick.memory.RecordStore;
import io.sdds.core.Seeds;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HashBucketTest {

    private static final byte[] VALUE = new byte[150];

    private final BucketFixture fixture = new BucketFixture(256 << 20);
    private final HashBucket bucket = fixture.bucket;

    @AfterEach
    void giveMemoryBack() {
        fixture.close();
    }

    private static byte[] key(int number) {
        return "key-%012d".formatted(number).getBytes(StandardCharsets.US_ASCII);
    }

    private void insert(int from, int to) {
        for (int i = from; i < to; i++) {
            assertThat(fixture.put(key(i), VALUE, i, false)).isEqualTo(PutResult.INSERTED);
        }
    }

    @Test
    void emptyBucketFindsNothingAndHoldsNoMemory() {
        assertThat(fixture.find(key(1))).isZero();
        assertThat(fixture.remove(key(1))).isFalse();
        assertThat(bucket.touchBucket(5) + bucket.touchRecord(5)).isZero();
        assertThat(bucket.visit(0, (ref, hash) -> {
                    throw new AssertionError("visited " + ref);
                }))
                .isZero();
        bucket.dropMovedHalf();
        fixture.maintainToTheEnd();
        assertThat(bucket.level()).isOne();
        assertThat(fixture.budget.usedBytes()).isZero();
    }

    @Test
    void visitsLargeRecordsOfAnLhBucketAFewAtATime() {
        SplittableRandom random = new SplittableRandom(Seeds.next("HashBucketTest.visitsLargeRecords"));
        int records = 300;
        for (int i = 0; i < records; i++) {
            fixture.put(key(i), new byte[random.nextInt(3000)], i, false);
        }
        for (int bytesMax : new int[] {1, 1000, 10_000, 1 << 20}) {
            List<String> seen = new ArrayList<>();
            long cursor = 0;
            do {
                long start = cursor;
                List<Integer> lengths = new ArrayList<>();
                cursor = bucket.visitSome(start, bytesMax, (ref, hash) -> {
                    seen.add(new String(fixture.key(ref), StandardCharsets.US_ASCII));
                    lengths.add(fixture.key(ref).length + fixture.store.valueLength(ref));
                });
                int bytes = lengths.stream().mapToInt(each -> each).sum();
                assertThat(bytes <= bytesMax || lengths.size() == 1)
                        .as("%s of %d", lengths, bytesMax)
                        .isTrue();
            } while (cursor != 0);
            assertThat(seen).hasSize(records).doesNotHaveDuplicates();
        }
    }

    @Test
    void findsWhatWasPutWithVersionAndExpiry() {
        assertThat(fixture.put(key(1), "one".getBytes(StandardCharsets.US_ASCII), 7, 99, false))
                .isEqualTo(PutResult.INSERTED);
        long ref = fixture.find(key(1));
        assertThat(fixture.value(key(1))).isEqualTo("one".getBytes(StandardCharsets.US_ASCII));
        assertThat(fixture.store.version(ref)).isEqualTo(7);
        assertThat(fixture.store.expiry(ref)).isEqualTo(99);
        assertThat(fixture.find(key(2))).isZero();
    }

    @Test
    void replacesValueVersionAndExpiry() {
        fixture.put(key(1), VALUE, 1, 99, false);
        long ref = fixture.find(key(1));
        assertThat(fixture.put(key(1), new byte[151], 2, 98, false)).isEqualTo(PutResult.REPLACED);
        assertThat(fixture.find(key(1))).as("in place").isEqualTo(ref);
        assertThat(fixture.store.expiry(ref)).isEqualTo(98);
        assertThat(fixture.put(key(1), new byte[500], 3, false)).isEqualTo(PutResult.REPLACED);
        ref = fixture.find(key(1));
        assertThat(fixture.store.version(ref)).isEqualTo(3);
        assertThat(fixture.store.expiry(ref)).isEqualTo(RecordStore.NO_EXPIRY);
        assertThat(fixture.value(key(1))).hasSize(500);
        fixture.checkAtRest();
    }

    @Test
    void growsAndShrinksGradually() {
        long indexBytes = 0;
        for (int i = 0; i < 50_000; i++) {
            insert(i, i + 1);
            assertThat(bucket.indexBytes() - indexBytes).isLessThanOrEqualTo(256 * 64 + 64);
            indexBytes = bucket.indexBytes();
        }
        fixture.checkAtRest();
        for (int i = 0; i < 50_000; i++) {
            assertThat(fixture.remove(key(i))).isTrue();
            if (i % 10_000 == 0) {
                fixture.checkAtRest();
            }
        }
        assertThat(bucket.records()).isZero();
        assertThat(bucket.bytes()).isZero();
        assertThat(bucket.indexBytes()).isLessThanOrEqualTo(64);
    }

    @Test
    void holdsEmptyAndLargeValues() {
        for (int length : new int[] {0, 1, 70_000, 3 << 20, RecordStore.VALUE_BYTES_MAX}) {
            byte[] value = new byte[length];
            Arrays.fill(value, (byte) length);
            fixture.put(key(1), value, length, false);
            assertThat(fixture.value(key(1))).isEqualTo(value);
        }
        fixture.remove(key(1));
        assertThat(fixture.store.liveBytes()).isEqualTo(bucket.indexBytes());
    }

    @Test
    void keysOfOnePseudoKeyAreToldApart() {
        MemorySegment keys = MemorySegment.ofArray(new byte[8]);
        for (int i = 0; i < 8; i++) {
            keys.set(ValueLayout.JAVA_BYTE, i, (byte) i);
        }
        // No more records than one LH-bucket takes, because a split would notice the wrong pseudo-keys.
        MemorySegment value = MemorySegment.ofArray(VALUE);
        for (int i = 0; i < 8; i++) {
            assertThat(bucket.put(42, keys, i, 1, value, 0, i, 1, false)).isEqualTo(PutResult.INSERTED);
        }
        for (int i = 0; i < 8; i++) {
            long ref = bucket.find(42, keys, i, 1);
            assertThat(fixture.store.valueLength(ref)).isEqualTo(i);
        }
        for (int i = 0; i < 8; i++) {
            assertThat(bucket.remove(42, keys, i, 1)).isTrue();
            assertThat(bucket.find(42, keys, i, 1)).isZero();
        }
        assertThat(bucket.records()).isZero();
    }

    @Test
    void refusedPutLeavesTheOldValue() {
        BucketFixture small = new BucketFixture(1 << 20);
        int inserted = 0;
        while (small.put(key(inserted), VALUE, 1, false) == PutResult.INSERTED) {
            inserted++;
        }
        assertThat(inserted).isGreaterThan(4000);
        assertThat(small.find(key(inserted))).isZero();
        assertThat(small.put(key(0), new byte[3000], 2, false)).isEqualTo(PutResult.FULL);
        assertThat(small.value(key(0))).isEqualTo(VALUE);
        assertThat(small.store.version(small.find(key(0)))).isOne();
        small.checkAtRest();
        small.close();
    }

    @Test
    void fullMemoryStillTakesShorterValuesReservedPutsAndRemoves() {
        BucketFixture small = new BucketFixture(2 << 20);
        int inserted = 0;
        while (small.put(key(inserted), VALUE, 1, false) == PutResult.INSERTED) {
            inserted++;
        }
        assertThat(small.put(key(3), new byte[10], 2, false)).isEqualTo(PutResult.REPLACED);
        assertThat(small.put(key(inserted), VALUE, 2, true)).isEqualTo(PutResult.INSERTED);
        for (int i = 0; i <= inserted; i++) {
            assertThat(small.remove(key(i))).isTrue();
        }
        small.checkAtRest();
        assertThat(small.bucket.indexBytes()).isLessThanOrEqualTo(64);
        small.close();
    }

    @Test
    void dropMovedHalfHidesTheMovedRecordsAtOnceAndFreesThemInSteps() {
        insert(0, 20_000);
        long moving = bucket.movingRecords();
        long movingBytes = bucket.movingBytes();
        long bytes = bucket.bytes();
        assertThat(moving).isBetween(9_000L, 11_000L);
        bucket.dropMovedHalf();
        assertThat(bucket.level()).isOne();
        assertThat(bucket.records()).isEqualTo(20_000 - moving);
        assertThat(bucket.bytes()).isEqualTo(bytes - movingBytes);
        assertThat(fixture.store.recordCount()).isEqualTo(20_000);
        fixture.check();
        assertThat(bucket.maintain(1)).isTrue();
        assertThat(fixture.store.recordCount()).isBetween(19_950L, 20_000L);
        fixture.maintainToTheEnd();
        fixture.checkAtRest();
        for (int i = 0; i < 20_000; i++) {
            boolean moved = (BucketFixture.hash(key(i)) & 1) != 0;
            assertThat(fixture.find(key(i)) == 0).isEqualTo(moved);
        }
    }

    @Test
    void changesPushACompactionOn() {
        insert(0, 8_000);
        bucket.dropMovedHalf();
        int stay = 8_000;
        for (int changes = 0; changes < 2_000; stay++) {
            if ((BucketFixture.hash(key(stay)) & 1) == 0) {
                insert(stay, stay + 1);
                changes++;
            }
        }
        fixture.checkAtRest();
    }

    @Test
    void dropsHalfAfterHalfDownToOneLhBucket() {
        insert(0, 5_000);
        for (int level = 1; level <= 14; level++) {
            bucket.dropMovedHalf();
            fixture.check();
            if (level % 3 != 0) {
                fixture.maintainToTheEnd();
                fixture.checkAtRest();
            }
        }
        assertThat(bucket.level()).isEqualTo(14);
        for (int i = 0; i < 5_000; i++) {
            boolean stayed = (BucketFixture.hash(key(i)) & (1 << 14) - 1) == 0;
            assertThat(fixture.find(key(i)) != 0).isEqualTo(stayed);
        }
    }

    @Test
    void releaseEmptiesTheBucketAndGivesItsMemoryBackInSteps() {
        insert(0, 10_000);
        bucket.release();
        assertThat(bucket.records()).isZero();
        assertThat(fixture.find(key(1))).isZero();
        assertThat(fixture.visitAll()).isEmpty();
        assertThat(fixture.store.recordCount()).isPositive();
        assertThat(bucket.maintain(10)).isTrue();
        fixture.maintainToTheEnd();
        assertThat(fixture.budget.usedBytes()).isZero();
        assertThat(fixture.find(key(1))).isZero();
        assertThatThrownBy(() -> fixture.put(key(1), VALUE, 1, true)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> fixture.remove(key(1))).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void releaseInTheMiddleOfACompactionFreesEverything() {
        for (int steps : new int[] {0, 1, 100, 200, 299}) {
            BucketFixture other = new BucketFixture(64 << 20);
            for (int i = 0; i < 6_000; i++) {
                other.put(key(i), VALUE, 1, false);
            }
            other.bucket.dropMovedHalf();
            other.bucket.maintain(steps);
            other.bucket.release();
            other.maintainToTheEnd();
            assertThat(other.budget.usedBytes()).isZero();
            other.close();
        }
    }

    @Test
    void rejectsBadArguments() {
        assertThatThrownBy(() -> new HashBucket(fixture.store, -1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> fixture.put(new byte[0], VALUE, 1, false))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void widenedBucketTakesTheOtherHalfAndGivesItUpAgain() {
        insert(0, 10_000);
        bucket.dropMovedHalf();
        fixture.maintainToTheEnd();
        long records = bucket.records();
        bucket.beginWidening();
        assertThat(bucket.isChangingLevel()).isTrue();
        fixture.maintainToTheEnd();
        assertThat(bucket.level()).isZero();
        assertThat(bucket.records()).isEqualTo(records);
        assertThat(bucket.movingRecords()).isZero();

        for (int i = 0; i < 10_000; i++) {
            fixture.put(key(i), VALUE, i, false);
        }
        assertThat(bucket.records()).isEqualTo(10_000);
        assertThat(bucket.movingRecords()).isEqualTo(10_000 - records);
        fixture.checkAtRest();

        bucket.dropMovedHalf();
        assertThat(bucket.records()).isEqualTo(records);
        fixture.maintainToTheEnd();
        fixture.checkAtRest();
    }

    @Test
    void wideningWithoutMemoryLeavesTheBucketAsItWas() {
        try (BucketFixture full = new BucketFixture(4 << 20)) {
            int stored = 0;
            while (full.put(key(stored), VALUE, stored, false) != PutResult.FULL) {
                stored++;
            }
            full.bucket.dropMovedHalf();
            full.maintainToTheEnd();
            long records = full.bucket.records();
            BucketFixture other = full.sibling();
            for (int i = 0; other.put(key(i), VALUE, i, false) != PutResult.FULL; i++) {
                // until nothing is left
            }
            full.bucket.beginWidening();
            full.maintainToTheEnd();
            assertThat(full.bucket.isChangingLevel()).isFalse();
            assertThat(full.bucket.level()).isOne();
            assertThat(full.bucket.records()).isEqualTo(records);
            full.check();
        }
    }
}
