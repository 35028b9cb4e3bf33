package io.sdds.brick.bucket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sdds.brick.bucket.RankedFixture.Kind;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.range.RangeBucket;
import io.sdds.core.Seeds;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What holds for ranked buckets of both kinds. */
class RankedBucketTest {

    private static final byte[] VALUE = new byte[100];
    private static final byte[] SHORT = new byte[10];

    private static byte[] key(int number) {
        return "key-%012d".formatted(number).getBytes(StandardCharsets.US_ASCII);
    }

    @ParameterizedTest
    @EnumSource
    void aReplacedRecordKeepsItsRank(Kind kind) {
        try (RankedFixture fixture = new RankedFixture(kind, 8 << 20)) {
            fixture.insert(key(1), VALUE, RecordStore.NO_EXPIRY);
            int rank = fixture.insert(key(2), VALUE, 5);
            fixture.bucket.timeNanos(5);
            for (byte[] value : new byte[][] {VALUE, SHORT, VALUE}) {
                assertThat(fixture.put(key(2), value)).isEqualTo(PutResult.REPLACED);
                assertThat(fixture.ranks.reference(rank)).isEqualTo(fixture.find(key(2)));
                assertThat(fixture.store.rank(fixture.find(key(2)))).isEqualTo(rank);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aRankThatAReplacingPutDidNotNeedIsDropped(Kind kind) {
        try (RankedFixture fixture = new RankedFixture(kind, 8 << 20)) {
            fixture.insert(key(1), VALUE, RecordStore.NO_EXPIRY);
            int spare = fixture.ranks.allocate(false);
            for (byte[] value : new byte[][] {VALUE, SHORT}) {
                fixture.bucket.ranks().rankOfNext(spare);
                assertThat(fixture.put(key(1), value)).isEqualTo(PutResult.REPLACED);
                assertThat(fixture.ranks.reference(spare)).isZero();
                assertThatThrownBy(() -> fixture.put(key(2), VALUE)).isInstanceOf(IllegalStateException.class);
            }
            assertThat(fixture.bucket.records()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aRankMustBeAllocatedAndVacant(Kind kind) {
        try (RankedFixture fixture = new RankedFixture(kind, 8 << 20)) {
            int rank = fixture.insert(key(1), VALUE, RecordStore.NO_EXPIRY);
            for (int unfit : new int[] {rank, rank + 1, RecordStore.NO_RANK}) {
                fixture.bucket.ranks().rankOfNext(unfit);
                assertThatThrownBy(() -> fixture.put(key(2), VALUE)).isInstanceOf(IllegalStateException.class);
            }
            assertThat(fixture.store.recordCount()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void onlyAnEmptyBucketBecomesRankedAndOnlyOnce(Kind kind) {
        try (RankedFixture fixture = new RankedFixture(kind, 8 << 20)) {
            assertThat(fixture.bucket.ranks().space()).isSameAs(fixture.ranks);
            RankSpace other = new RankSpace(fixture.store.slots());
            assertThatThrownBy(() -> fixture.bucket.ranks().begin(other)).isInstanceOf(IllegalStateException.class);
            fixture.insert(key(1), VALUE, RecordStore.NO_EXPIRY);
            assertThatThrownBy(() -> fixture.bucket.ranks().begin(other)).isInstanceOf(IllegalStateException.class);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aBucketWithRecordsBecomesPartlyRanked(Kind kind) {
        try (RankedFixture fixture = new RankedFixture(kind, 8 << 20)) {
            Bucket bucket = fixture.unranked();
            fixture.putInto(bucket, key(1), VALUE);
            RankSpace ranks = new RankSpace(fixture.store.slots());
            assertThat(bucket.ranks().beginPartly(ranks)).isTrue();
            assertThat(bucket.ranks().unranked()).isEqualTo(1);
            assertThatThrownBy(bucket.ranks()::allRanked).isInstanceOf(IllegalStateException.class);
            fixture.putInto(bucket, key(2), VALUE);
            assertThat(bucket.ranks().unranked()).as("written without a rank").isEqualTo(2);
            for (int i = 1; i <= 3; i++) {
                bucket.ranks().rankOfNext(ranks.allocate(false));
                fixture.putInto(bucket, key(i), VALUE);
            }
            assertThat(bucket.ranks().unranked()).isZero();
            bucket.ranks().allRanked();
            assertThatThrownBy(() -> fixture.putInto(bucket, key(4), VALUE)).isInstanceOf(IllegalStateException.class);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aBucketBecomesPartlyRankedWhenTheRecordsOfASplitAreFree(Kind kind) {
        try (RankedFixture fixture = new RankedFixture(kind, 8 << 20)) {
            Bucket bucket = fixture.unranked();
            for (int i = 0; i < 2000; i++) {
                fixture.putInto(bucket, key(i), VALUE);
            }
            RankedFixture.dropHalf(bucket, key(999));
            assertThat(bucket.ranks().beginPartly(new RankSpace(fixture.store.slots())))
                    .isFalse();
            assertThat(bucket.ranks().space()).isNull();
            while (bucket.maintain(100)) {
                // Each call does a part of the work.
            }
            assertThat(bucket.ranks().beginPartly(new RankSpace(fixture.store.slots())))
                    .isTrue();
            assertThat(bucket.ranks().unranked()).isEqualTo(bucket.records());
        }
    }

    @ParameterizedTest
    @EnumSource
    void aPutThatWasReservedWithARankNeedsNoMemoryWithoutIt(Kind kind) {
        try (RankedFixture fixture = new RankedFixture(kind, 2 << 20)) {
            Bucket bucket = fixture.unranked();
            assertThat(bucket.ranks().beginPartly(new RankSpace(fixture.store.slots())))
                    .isTrue();
            MemoryReservations reservations = new MemoryReservations(fixture.store, bucket);
            for (int i = 1; i <= 100; i++) {
                assertThat(reservations.provide(i, 16, i, RecordStore.NO_EXPIRY, true))
                        .isTrue();
            }
            bucket.ranks().drop();
            for (int bytes = 32 << 10; bytes >= 16; bytes /= 2) {
                while (fixture.store.slots().allocate(bytes, true) != 0) {
                    // All memory is to be taken.
                }
            }
            for (int i = 1; i <= 100; i++) {
                reservations.use(i);
                assertThat(fixture.putInto(bucket, key(i), new byte[i])).isEqualTo(PutResult.INSERTED);
                reservations.used(i);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aRemovedRecordLeavesItsRankAllocated(Kind kind) {
        try (RankedFixture fixture = new RankedFixture(kind, 8 << 20)) {
            int first = fixture.insert(key(1), VALUE, RecordStore.NO_EXPIRY);
            int second = fixture.insert(key(2), VALUE, 5);
            fixture.bucket.timeNanos(5);
            assertThat(fixture.remove(key(1))).isTrue();
            assertThat(fixture.find(key(2))).isZero();
            assertThat(fixture.findAny(key(2))).isEqualTo(fixture.ranks.reference(second));
            assertThat(fixture.bucket.ranks().remove(second)).isTrue();
            assertThat(fixture.bucket.ranks().remove(second)).isFalse();
            assertThat(fixture.ranks.reference(first) + fixture.ranks.reference(second))
                    .isZero();
            assertThat(fixture.ranks.used()).isEqualTo(2);
            assertThat(fixture.bucket.records()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource
    void recordsThatASplitDropsLeaveTheirRanksWithoutRecord(Kind kind) {
        try (RankedFixture fixture = new RankedFixture(kind, 8 << 20)) {
            for (int i = 0; i < 2000; i++) {
                assertThat(fixture.insert(key(i), VALUE, RecordStore.NO_EXPIRY)).isEqualTo(i);
            }
            fixture.dropHalf(key(999));
            int dropped = 0;
            while (fixture.find(key(dropped)) != 0) {
                dropped++;
            }
            assertThat(fixture.bucket.ranks().remove(dropped)).isFalse();
            fixture.maintainToTheEnd();
            for (int i = 0; i < 2000; i++) {
                assertThat(fixture.ranks.reference(i)).isEqualTo(fixture.find(key(i)));
            }
            assertThat(fixture.ranks.used()).isEqualTo(2000);
            fixture.checkMemoryAtRest();
        }
    }

    @Test
    void anAppendedRecordHasItsRank() {
        try (RankedFixture fixture = new RankedFixture(Kind.RANGE, 8 << 20)) {
            RangeBucket bucket = (RangeBucket) fixture.bucket;
            MemorySegment value = MemorySegment.ofArray(VALUE);
            for (int i = 0; i < 1000; i++) {
                assertThat(fixture.ranks.take(999 - i, false)).isTrue();
                bucket.ranks().rankOfNext(999 - i);
                MemorySegment key = MemorySegment.ofArray(key(i));
                bucket.append(key, 0, 16, value, 0, VALUE.length, 1, RecordStore.NO_EXPIRY, 100, false);
            }
            for (int i = 0; i < 1000; i++) {
                assertThat(fixture.ranks.reference(999 - i)).isEqualTo(fixture.find(key(i)));
                assertThat(fixture.store.rank(fixture.find(key(i)))).isEqualTo(999 - i);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void expiredRecordsAreCollectedUntilTheyAreRemoved(Kind kind) {
        try (RankedFixture fixture = new RankedFixture(kind, 8 << 20)) {
            Set<Integer> expected = new HashSet<>();
            for (int i = 0; i < 1000; i++) {
                int rank = fixture.insert(key(i), VALUE, i % 3 == 0 ? 10 : i % 3 == 1 ? 20 : RecordStore.NO_EXPIRY);
                if (i % 3 == 0) {
                    expected.add(rank);
                }
            }
            fixture.bucket.timeNanos(10);
            for (int sweep = 0; sweep < 2; sweep++) {
                Set<Integer> collected = new HashSet<>();
                while (collected.size() < expected.size()) {
                    fixture.collectExpired(
                            1, (rank, ref) -> assertThat(collected.add(rank)).isTrue());
                }
                assertThat(collected).isEqualTo(expected);
                assertThat(fixture.bucket.records()).isEqualTo(1000);
                assertThat(fixture.find(key(0))).isZero();
                finishSweep(fixture);
                assertThat(fixture.bucket.mayHoldExpired()).isTrue();
            }
            expected.forEach(
                    rank -> assertThat(fixture.bucket.ranks().remove(rank)).isTrue());
            finishSweep(fixture);
            finishSweep(fixture);
            assertThat(fixture.bucket.mayHoldExpired()).isFalse();
            fixture.bucket.timeNanos(20);
            assertThat(fixture.bucket.mayHoldExpired()).isTrue();
        }
    }

    /** Looks at the LH-buckets or leaves that the sweep under way has not looked at. */
    private static void finishSweep(RankedFixture fixture) {
        int steps = 0;
        Set<Integer> seen = new HashSet<>();
        boolean[] again = new boolean[1];
        while (!again[0] && steps++ < 1000) {
            fixture.collectExpired(1, (rank, ref) -> again[0] |= !seen.add(rank));
        }
    }

    @ParameterizedTest
    @EnumSource
    void aReservedPutIsNotRefusedThoughNoMemoryIsLeft(Kind kind) {
        Random random = new Random(Seeds.next("RankedBucketTest.aReservedPutIsNotRefused", kind.ordinal()));
        try (RankedFixture fixture = new RankedFixture(kind, 2 << 20)) {
            MemoryReservations reservations = new MemoryReservations(fixture.store, fixture.bucket);
            byte[][] values = new byte[200][];
            int[] ranks = new int[values.length];
            for (int i = 0; i < values.length; i++) {
                values[i] = new byte[random.nextInt(300)];
                ranks[i] = fixture.ranks.allocate(true);
                assertThat(reservations.provide(i + 1, 16, values[i].length, RecordStore.NO_EXPIRY, true))
                        .isTrue();
            }
            for (int bytes = 32 << 10; bytes >= 16; bytes /= 2) {
                while (fixture.store.slots().allocate(bytes, true) != 0) {
                    // All memory is to be taken.
                }
            }
            for (int i = 0; i < values.length; i++) {
                reservations.use(i + 1);
                fixture.bucket.ranks().rankOfNext(ranks[i]);
                assertThat(fixture.put(key(i % 150), values[i], 1, RecordStore.NO_EXPIRY, true))
                        .isNotEqualTo(PutResult.FULL);
                reservations.used(i + 1);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aRankCostsEightBytesAndItsBit(Kind kind) {
        int records = 50_000;
        long[] bytes = new long[2];
        for (int ranked = 0; ranked < 2; ranked++) {
            Random random = new Random(1);
            try (RankedFixture fixture = new RankedFixture(kind, 64 << 20)) {
                Bucket bucket = ranked == 1 ? fixture.bucket : fixture.unranked();
                for (int i = 0; i < records; i++) {
                    if (ranked == 1) {
                        bucket.ranks().rankOfNext(fixture.ranks.allocate(false));
                    }
                    byte[] value = new byte[random.nextInt(300)];
                    assertThat(fixture.putInto(bucket, key(i), value)).isEqualTo(PutResult.INSERTED);
                }
                bytes[ranked] = fixture.store.liveBytes();
            }
        }
        double each = (double) (bytes[1] - bytes[0]) / records;
        System.out.printf("%s: a rank costs %.2f bytes a record%n", kind, each);
        assertThat(each).isBetween(8.0, 8.3);
    }
}
