package io.sdds.brick.range;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.brick.bucket.PutResult;
import io.sdds.core.Seeds;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RangeBucketMemoryTest {

    private static final int RECORDS = 100_000;
    private static final int KEY_BYTES = 16;
    private static final byte[] VALUE = new byte[100 - KEY_BYTES];

    private final RangeFixture fixture = new RangeFixture(128 << 20);

    @AfterEach
    void giveMemoryBack() {
        fixture.close();
    }

    private static List<Integer> shuffled(int count, Random random) {
        List<Integer> numbers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            numbers.add(i);
        }
        Collections.shuffle(numbers, random);
        return numbers;
    }

    private void insertAll(Random random) {
        for (int number : shuffled(RECORDS, random)) {
            assertThat(fixture.put(RangeFixture.key(number), VALUE, 1, false)).isEqualTo(PutResult.INSERTED);
        }
    }

    private double overheadBytes() {
        return (double) fixture.budget.usedBytes() / fixture.bucket.records() - KEY_BYTES - VALUE.length;
    }

    @Test
    void needsAtMost56BytesARecordBeyondKeyAndValueAfterRandomInserts() {
        Random random = new Random(Seeds.next("RangeBucketMemoryTest.needsAtMost56BytesARecord"));
        double most = 0;
        int inserted = 0;
        for (int number : shuffled(RECORDS, random)) {
            fixture.put(RangeFixture.key(number), VALUE, 1, false);
            if (++inserted % 5_000 == 0 && inserted >= RECORDS / 2) {
                most = Math.max(most, overheadBytes());
            }
        }
        System.out.printf(
                "most bytes a record beyond key and value, %d..%d records: %.1f; leaves %.1f %% full%n",
                RECORDS / 2, RECORDS, most, 100 * fixture.fill());
        assertThat(most).isLessThanOrEqualTo(56);
        assertThat(fixture.fill()).isGreaterThan(0.75);
        fixture.checkAtRest();
    }

    @Test
    void ascendingInsertsLeaveTheLeavesFull() {
        for (int i = 0; i < RECORDS; i++) {
            fixture.put(RangeFixture.key(i), VALUE, 1, false);
        }
        System.out.printf("after ascending inserts leaves %.1f %% full%n", 100 * fixture.fill());
        assertThat(fixture.fill()).isGreaterThan(0.98);
        fixture.checkAtRest();
    }

    @Test
    void ascendingInsertsInTheMiddleLeaveTheLeavesFull() {
        fixture.put(RangeFixture.bytes("a"), VALUE, 1, false);
        fixture.put(RangeFixture.bytes("z"), VALUE, 1, false);
        for (int i = 0; i < RECORDS; i++) {
            fixture.put(RangeFixture.key(i), VALUE, 1, false);
        }
        assertThat(fixture.fill()).isGreaterThan(0.98);
        fixture.checkAtRest();
    }

    @Test
    void descendingInsertsLeaveTheLeavesThreeQuartersFull() {
        for (int i = RECORDS; i > 0; i--) {
            fixture.put(RangeFixture.key(i), VALUE, 1, false);
        }
        System.out.printf("after descending inserts leaves %.1f %% full%n", 100 * fixture.fill());
        assertThat(fixture.fill()).isGreaterThan(0.75);
        fixture.checkAtRest();
    }

    @Test
    void bulkBuildFillsLeavesToThePercentageAskedFor() {
        for (int percent : new int[] {50, 75, 90, 100}) {
            RangeFixture bulk = fixture.sibling();
            for (int i = 0; i < 50_000; i++) {
                assertThat(bulk.append(RangeFixture.key(i), VALUE, i, percent, false))
                        .isEqualTo(PutResult.INSERTED);
            }
            assertThat(bulk.fill()).isBetween(percent / 100.0 - 0.01, percent / 100.0 + 0.02);
            bulk.check();
            bulk.bucket.release();
            bulk.maintainToTheEnd();
        }
        assertThat(fixture.budget.usedBytes()).isZero();
    }

    @Test
    void memoryComesBackAsRecordsAreRemoved() {
        Random random = new Random(Seeds.next("RangeBucketMemoryTest.memoryComesBackAsRecordsAreRemoved"));
        insertAll(random);
        List<Integer> numbers = shuffled(RECORDS, random);
        for (int i = 0; i < RECORDS; i++) {
            assertThat(fixture.remove(RangeFixture.key(numbers.get(i)))).isTrue();
            if (i == RECORDS / 2 || i == RECORDS * 9 / 10) {
                assertThat(fixture.fill()).isGreaterThan(0.38); // 0.40 on average, a little less with some seeds
                fixture.checkAtRest();
            }
        }
        assertThat(fixture.store.liveBytes()).isZero();
        assertThat(fixture.budget.usedBytes()).isZero();
    }

    @Test
    void memoryComesBackAfterACutInSteps() {
        insertAll(new Random(Seeds.next("RangeBucketMemoryTest.memoryComesBackAfterACutInSteps")));
        long before = fixture.budget.usedBytes();
        byte[] median = fixture.key(fixture.bucket.splitKeys().median());
        long freedBefore = fixture.store.recordCount();
        fixture.dropAbove(median);
        assertThat(fixture.bucket.records()).isEqualTo(RECORDS / 2);
        assertThat(freedBefore - fixture.store.recordCount())
                .as("freed at once")
                .isLessThan(100);
        fixture.check();
        long held = fixture.store.recordCount();
        while (fixture.bucket.maintain(1)) {
            assertThat(held - fixture.store.recordCount()).as("freed in a step").isLessThanOrEqualTo(16);
            held = fixture.store.recordCount();
        }
        fixture.checkAtRest();
        assertThat(fixture.budget.usedBytes()).isLessThan(before * 3 / 4);
    }

    @Test
    void recordsAreMovedTogetherInStepsAndFoundMeanwhile() {
        Random random = new Random(Seeds.next("RangeBucketMemoryTest.recordsAreMovedTogetherInSteps"));
        byte[] value = new byte[1024];
        for (int number : shuffled(20_000, random)) {
            fixture.put(RangeFixture.key(number), value, 1, false);
        }
        byte[] median = fixture.key(fixture.bucket.splitKeys().median());
        fixture.dropAbove(median);
        long[] before = references();
        long moved = 0;
        while (fixture.bucket.maintain(64)) {
            long[] after = references();
            long movedNow = IntStream.range(0, after.length)
                    .filter(k -> before[k] != after[k])
                    .count();
            assertThat(movedNow).as("moved by 64 units of work").isLessThanOrEqualTo(64 * 4 + Nodes.LEAF_KEYS);
            moved += movedNow;
            System.arraycopy(after, 0, before, 0, after.length);
            byte[] key = fixture.key(before[random.nextInt(before.length)]);
            assertThat(fixture.value(key)).isEqualTo(value);
        }
        assertThat(moved).isPositive();
        fixture.checkAtRest();
    }

    /** The references of all records, in key order. */
    private long[] references() {
        long[] references = new long[(int) fixture.bucket.records()];
        int[] count = new int[1];
        fixture.bucket.ascend(new KeyRange(), ref -> {
            references[count[0]++] = ref;
            return true;
        });
        return references;
    }

    @Test
    void overwritingWithOtherSizesDoesNotLeak() {
        Random random = new Random(Seeds.next("RangeBucketMemoryTest.overwritingWithOtherSizesDoesNotLeak"));
        int records = 20_000;
        long valueBytes = 0;
        for (int round = 0; round < 12; round++) {
            valueBytes = 0;
            int length = 50 + 97 * round;
            for (int i = 0; i < records; i++) {
                // One record in twenty keeps the size of the round before, so that its page is not free.
                boolean kept = round > 0 && random.nextInt(20) == 0;
                if (!kept) {
                    fixture.put(RangeFixture.key(i), new byte[length], round, false);
                }
                valueBytes += length;
                fixture.bucket.maintain(2);
            }
        }
        fixture.maintainToTheEnd();
        assertThat(fixture.budget.usedBytes()).isLessThan(valueBytes * 3 / 2);
        fixture.checkAtRest();
    }

    @Test
    void bucketsOfOneStageEmptyChunksTogether() {
        RangeFixture other = fixture.sibling();
        for (int number : shuffled(RECORDS / 2, new Random(Seeds.next("RangeBucketMemoryTest.bucketsOfOneStage")))) {
            fixture.put(RangeFixture.key(number), VALUE, 1, false);
            other.put(RangeFixture.key(number), VALUE, 1, false);
        }
        long before = fixture.budget.usedBytes();
        fixture.dropAbove(fixture.key(fixture.bucket.splitKeys().median()));
        other.dropAbove(other.key(other.bucket.splitKeys().median()));
        while (fixture.bucket.maintain(7) | other.bucket.maintain(5)) {
            // One slice each in turn, as a stage does.
        }
        assertThat(fixture.budget.usedBytes()).isLessThan(before * 3 / 4);
        fixture.check();
        other.check();
        assertThat(fixture.store.recordCount()).isEqualTo(fixture.bucket.records() + other.bucket.records());
    }

    @Test
    void operationsMakeNoGarbage() {
        insertAll(new Random(Seeds.next("RangeBucketMemoryTest.operationsMakeNoGarbage")));
        GarbageCount garbage = new GarbageCount(fixture, RECORDS);
        garbage.operate(50_000);
        long bytes = garbage.bytesAllocatedBy(50_000);
        System.out.printf("%.2f heap bytes an operation%n", bytes / 50_000.0);
        assertThat(bytes / 50_000).isLessThan(2);
    }
}
