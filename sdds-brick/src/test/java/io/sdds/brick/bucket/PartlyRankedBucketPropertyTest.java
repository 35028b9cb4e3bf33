package io.sdds.brick.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.brick.bucket.RankedFixture.Kind;
import io.sdds.brick.memory.RecordStore;
import io.sdds.core.Seeds;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Buckets of both kinds that become ranked while they have records, and lose their ranks again, against a map. */
class PartlyRankedBucketPropertyTest {
    private static final int OPERATIONS = 20_000;

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void ranksOfAHashBucketLeadToItsRecords(int run) {
        operate(Kind.HASH, new Random(Seeds.next("PartlyRankedBucketPropertyTest.ranksOfAHashBucket", run)));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void ranksOfARangeBucketLeadToItsRecords(int run) {
        operate(Kind.RANGE, new Random(Seeds.next("PartlyRankedBucketPropertyTest.ranksOfARangeBucket", run)));
    }

    private static void operate(Kind kind, Random random) {
        try (RankedFixture fixture = new RankedFixture(kind, 16 << 20)) {
            new Run(fixture, random).operate();
        }
    }

    private static final class Run {
        private final RankedFixture fixture;
        private final Random random;
        private final Bucket bucket;
        private final int keys;
        private final Map<String, byte[]> values = new TreeMap<>();
        private final Map<String, Integer> rankOf = new TreeMap<>();

        Run(RankedFixture fixture, Random random) {
            this.fixture = fixture;
            this.random = random;
            this.bucket = fixture.unranked();
            this.keys = 50 << random.nextInt(6);
        }

        void operate() {
            for (int i = 0; i < OPERATIONS; i++) {
                operateOnce();
                if (i % 1000 == 0) {
                    check();
                }
            }
            rankAll();
            check();
            bucket.ranks().allRanked();
            removeMost();
            check();
            bucket.release();
            while (bucket.maintain(100)) {
                // Each call does a part of the work.
            }
            assertThat(fixture.budget.usedBytes()).isZero();
        }

        private void operateOnce() {
            int choice = random.nextInt(1000);
            if (choice == 0) {
                bucket.ranks().drop();
                rankOf.clear();
            } else if (choice < 10) {
                if (!bucket.ranks().areGiven()) {
                    assertThat(bucket.ranks().beginPartly(new RankSpace(fixture.store.slots())))
                            .isTrue();
                }
            } else if (choice < 200) {
                remove(randomKey());
            } else if (choice < 400) {
                bucket.maintain(random.nextInt(20));
            } else if (choice < 700) {
                put(randomKey(), value(), random.nextBoolean());
            } else {
                giveRank(randomKey());
            }
        }

        private String randomKey() {
            int number = random.nextInt(keys);
            return ("k" + number).repeat(1 + number % 7);
        }

        private byte[] value() {
            byte[] value = new byte[random.nextInt(30) == 0 ? random.nextInt(3000) : random.nextInt(60)];
            random.nextBytes(value);
            return value;
        }

        private static byte[] bytes(String key) {
            return key.getBytes(StandardCharsets.US_ASCII);
        }

        private void put(String key, byte[] value, boolean withRank) {
            RankSpace ranks = bucket.ranks().space();
            boolean takes = ranks != null && withRank && !rankOf.containsKey(key);
            int rank = takes ? ranks.allocate(false) : RecordStore.NO_RANK;
            if (takes) {
                bucket.ranks().rankOfNext(rank);
                rankOf.put(key, rank);
            }
            assertThat(fixture.putInto(bucket, bytes(key), value))
                    .isEqualTo(values.containsKey(key) ? PutResult.REPLACED : PutResult.INSERTED);
            values.put(key, value);
            check(key);
        }

        /** Gives a record a rank in place, or else in another slot. */
        private void giveRank(String key) {
            RankSpace ranks = bucket.ranks().space();
            if (ranks == null || !values.containsKey(key) || rankOf.containsKey(key)) {
                return;
            }
            int rank = ranks.allocate(false);
            if (bucket.ranks().give(find(key), rank)) {
                rankOf.put(key, rank);
                check(key);
            } else {
                ranks.free(rank);
                put(key, values.get(key), true);
            }
        }

        private void remove(String key) {
            MemorySegment segment = MemorySegment.ofArray(bytes(key));
            assertThat(bucket.remove(RankedFixture.hash(bytes(key)), segment, 0, bytes(key).length))
                    .isEqualTo(values.remove(key) != null);
            Integer rank = rankOf.remove(key);
            if (rank != null) {
                bucket.ranks().space().free(rank);
            }
        }

        private long find(String key) {
            byte[] bytes = bytes(key);
            return bucket.find(RankedFixture.hash(bytes), MemorySegment.ofArray(bytes), 0, bytes.length);
        }

        private void rankAll() {
            if (!bucket.ranks().areGiven()) {
                bucket.ranks().beginPartly(new RankSpace(fixture.store.slots()));
            }
            values.keySet().forEach(this::giveRank);
            assertThat(bucket.ranks().unranked()).isZero();
        }

        /** So that the background moves the other records and the pages of the ranks. */
        private void removeMost() {
            List<String> all = new ArrayList<>(values.keySet());
            all.subList(0, all.size() * 3 / 4).forEach(this::remove);
            while (bucket.maintain(100)) {
                // Each call does a part of the work.
            }
        }

        private void check() {
            values.keySet().forEach(this::check);
            assertThat(bucket.records()).isEqualTo(values.size());
            @Nullable RankSpace ranks = bucket.ranks().space();
            assertThat(ranks == null ? 0 : ranks.used()).isEqualTo(rankOf.size());
            assertThat(bucket.ranks().unranked()).isEqualTo(ranks == null ? 0 : values.size() - rankOf.size());
        }

        private void check(String key) {
            long ref = find(key);
            assertThat(ref).isNotZero();
            assertThat(fixture.value(ref)).isEqualTo(values.get(key));
            Integer rank = rankOf.get(key);
            if (rank != null) {
                assertThat(fixture.store.rank(ref)).isEqualTo(rank);
                assertThat(bucket.ranks().space().reference(rank)).isEqualTo(ref);
            }
        }
    }
}
