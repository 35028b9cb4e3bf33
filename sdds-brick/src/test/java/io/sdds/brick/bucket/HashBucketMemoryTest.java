package io.sdds.brick.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.core.Seeds;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HashBucketMemoryTest {

    private static final int RECORDS = 200_000;
    private static final int KEY_BYTES = 16;
    private static final int VALUE_BYTES = 150;

    private final BucketFixture fixture = new BucketFixture(64 << 20);

    @AfterEach
    void giveMemoryBack() {
        fixture.close();
    }

    private static byte[] key(int number) {
        return "key-%012d".formatted(number).getBytes(StandardCharsets.US_ASCII);
    }

    @Test
    void needsAtMost40BytesARecordBeyondKeyAndValueAtEverySizeOfTheFile() {
        byte[] value = new byte[VALUE_BYTES];
        double most = 0;
        for (int i = 1; i <= RECORDS; i++) {
            fixture.put(key(i), value, i, false);
            if (i % 5_000 == 0 && i >= RECORDS / 2) {
                double each = (double) fixture.budget.usedBytes() / i - KEY_BYTES - VALUE_BYTES;
                most = Math.max(most, each);
            }
        }
        System.out.printf(
                "most bytes a record beyond key and value, %d..%d records: %.1f%n", RECORDS / 2, RECORDS, most);
        assertThat(most).isLessThanOrEqualTo(40);
    }

    @Test
    void memoryComesBackWhenAllIsRemoved() {
        byte[] value = new byte[VALUE_BYTES];
        for (int i = 0; i < RECORDS; i++) {
            fixture.put(key(i), value, i, false);
        }
        for (int i = 0; i < RECORDS; i++) {
            fixture.remove(key(i));
        }
        assertThat(fixture.store.liveBytes()).isLessThanOrEqualTo(64);
        assertThat(fixture.budget.usedBytes()).isLessThanOrEqualTo(4 << 20);
    }

    @Test
    void memoryComesBackAfterTheMovedHalfIsDropped() {
        byte[] value = new byte[VALUE_BYTES];
        for (int i = 0; i < RECORDS; i++) {
            fixture.put(key(i), value, i, false);
        }
        long before = fixture.budget.usedBytes();
        fixture.bucket.dropMovedHalf();
        fixture.maintainToTheEnd();
        assertThat(fixture.budget.usedBytes()).isLessThan(before * 3 / 4);
        fixture.checkAtRest();
    }

    @Test
    void overwritingWithOtherSizesDoesNotLeak() {
        Random random = new Random(Seeds.next("HashBucketMemoryTest.overwritingWithOtherSizesDoesNotLeak"));
        int records = 20_000;
        long valueBytes = 0;
        for (int round = 0; round < 12; round++) {
            valueBytes = 0;
            int length = 50 + 97 * round;
            for (int i = 0; i < records; i++) {
                // One record in twenty keeps the size of the round before, so that its page is not free.
                boolean kept = round > 0 && random.nextInt(20) == 0;
                if (!kept) {
                    fixture.put(key(i), new byte[length], round, false);
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
        BucketFixture other = fixture.sibling();
        byte[] value = new byte[VALUE_BYTES];
        for (int i = 0; i < RECORDS / 2; i++) {
            fixture.put(key(i), value, i, false);
            other.put(key(i), value, i, false);
        }
        long before = fixture.budget.usedBytes();
        fixture.bucket.dropMovedHalf();
        other.bucket.dropMovedHalf();
        while (fixture.bucket.maintain(7) | other.bucket.maintain(5)) {
            // One slice each in turn, as a stage does.
        }
        assertThat(fixture.budget.usedBytes()).isLessThan(before * 3 / 4);
        fixture.check();
        other.check();
        assertThat(fixture.store.recordCount()).isEqualTo(fixture.bucket.records() + other.bucket.records());
    }
}
