package io.sdds.brick.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.brick.bucket.RankedFixture.Kind;
import io.sdds.brick.memory.RecordStore;
import io.sdds.core.Seeds;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranked buckets of both kinds against a map of records and a map of ranks, in memory that becomes fragmented. */
class RankedBucketPropertyTest {

    private static final int OPERATIONS = 30_000;

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5})
    void ranksOfAHashBucketLeadToItsRecords(int run) {
        operate(Kind.HASH, new Random(Seeds.next("RankedBucketPropertyTest.ranksOfAHashBucket", run)));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5})
    void ranksOfARangeBucketLeadToItsRecords(int run) {
        operate(Kind.RANGE, new Random(Seeds.next("RankedBucketPropertyTest.ranksOfARangeBucket", run)));
    }

    private static void operate(Kind kind, Random random) {
        boolean limited = random.nextInt(3) == 0;
        try (RankedFixture fixture = new RankedFixture(kind, limited ? 1 << 20 : 8 << 20)) {
            new Run(fixture, random, limited).operate();
        }
    }

    private record Entry(int rank, byte[] value, long expiry) {}

    private static final class Run {
        private final RankedFixture fixture;
        private final Random random;
        private final boolean limited;
        private final int keys;
        private final Map<ByteBuffer, Entry> model = new HashMap<>();
        private final TreeMap<Integer, byte[]> keyOfRank = new TreeMap<>();

        /** Allocated ranks whose record has been removed. */
        private final List<Integer> vacant = new ArrayList<>();

        private long time;

        Run(RankedFixture fixture, Random random, boolean limited) {
            this.fixture = fixture;
            this.random = random;
            this.limited = limited;
            this.keys = limited ? 20_000 : 100 << random.nextInt(8);
        }

        void operate() {
            for (int i = 0; i < OPERATIONS; i++) {
                operateOnce(i / 7500 % 2 == 0 ? 100 : 350);
                if (i % 3000 == 0) {
                    check();
                }
            }
            fragment();
            fixture.maintainToTheEnd();
            check();
            fixture.checkMemoryAtRest();
            fixture.bucket.release();
            fixture.maintainToTheEnd();
            assertThat(fixture.budget.usedBytes()).isZero();
        }

        private void operateOnce(int removePermille) {
            int choice = random.nextInt(1000);
            if (choice < removePermille / 2) {
                remove(randomKey());
            } else if (choice < removePermille) {
                removeRank(random.nextInt(1 + fixture.ranks.top()));
            } else if (choice < 400) {
                fixture.bucket.maintain(random.nextInt(20));
            } else if (choice < 450) {
                freeVacant();
            } else if (choice < 500) {
                time += random.nextInt(20);
                fixture.bucket.timeNanos(time);
            } else if (choice < 520) {
                collectExpired();
            } else if (choice < 550) {
                rerank();
            } else {
                put(randomKey());
            }
        }

        private byte[] randomKey() {
            int number = random.nextInt(keys);
            return ("k" + number).repeat(1 + number % 7).getBytes(StandardCharsets.US_ASCII);
        }

        private void put(byte[] key) {
            byte[] value = new byte[random.nextInt(20) == 0 ? random.nextInt(3000) : random.nextInt(200)];
            random.nextBytes(value);
            long expiry = random.nextInt(4) == 0 ? time + 1 + random.nextInt(5000) : RecordStore.NO_EXPIRY;
            Entry old = model.get(ByteBuffer.wrap(key));
            int rank = old == null ? fixture.ranks.allocate(false) : old.rank;
            if (rank == RankSpace.REFUSED) {
                assertThat(limited).isTrue();
                return;
            }
            if (old == null) {
                fixture.bucket.ranks().rankOfNext(rank);
            }
            PutResult result = fixture.put(key, value, 1, expiry, false);
            if (result == PutResult.FULL) {
                assertThat(limited).isTrue();
                if (old == null) {
                    fixture.ranks.free(rank);
                }
            } else {
                assertThat(result).isEqualTo(old == null ? PutResult.INSERTED : PutResult.REPLACED);
                model.put(ByteBuffer.wrap(key), new Entry(rank, value, expiry));
                keyOfRank.put(rank, key);
            }
            check(key);
        }

        private void remove(byte[] key) {
            Entry entry = model.get(ByteBuffer.wrap(key));
            assertThat(fixture.remove(key)).isEqualTo(entry != null && !isPast(entry));
            forget(key);
        }

        private void removeRank(int rank) {
            byte[] key = keyOfRank.get(rank);
            assertThat(fixture.bucket.ranks().remove(rank)).isEqualTo(key != null);
            if (key != null) {
                forget(key);
            }
        }

        /** Moves the record of the highest rank into the lowest hole. */
        private void rerank() {
            int from = keyOfRank.isEmpty() ? 0 : keyOfRank.lastKey();
            if (fixture.ranks.holes() == 0 || fixture.ranks.lowestHole() > from) {
                return;
            }
            int to = fixture.ranks.allocate(false);
            fixture.bucket.ranks().rerank(from, to);
            fixture.ranks.free(from);
            byte[] key = keyOfRank.remove(from);
            keyOfRank.put(to, key);
            Entry entry = model.get(ByteBuffer.wrap(key));
            model.put(ByteBuffer.wrap(key), new Entry(to, entry.value, entry.expiry));
            check(key);
        }

        private void forget(byte[] key) {
            Entry entry = model.remove(ByteBuffer.wrap(key));
            if (entry != null) {
                keyOfRank.remove(entry.rank);
                vacant.add(entry.rank);
            }
            assertThat(fixture.findAny(key)).isZero();
        }

        private void freeVacant() {
            vacant.forEach(fixture.ranks::free);
            vacant.clear();
        }

        private boolean isPast(Entry entry) {
            return entry.expiry != RecordStore.NO_EXPIRY && entry.expiry <= time;
        }

        private void collectExpired() {
            List<Integer> expired = new ArrayList<>();
            fixture.collectExpired(1 + random.nextInt(50), (rank, ref) -> {
                assertThat(fixture.ranks.reference(rank)).isEqualTo(ref);
                assertThat(isPast(model.get(ByteBuffer.wrap(keyOfRank.get(rank)))))
                        .isTrue();
                expired.add(rank);
            });
            expired.removeIf(rank -> random.nextInt(10) == 0);
            expired.forEach(this::removeRank);
        }

        /** Removes most records, so that the background moves the other records and the pages of the ranks. */
        private void fragment() {
            List<ByteBuffer> all = new ArrayList<>(model.keySet());
            Collections.shuffle(all, random);
            for (ByteBuffer key : all.subList(0, all.size() * 3 / 4)) {
                remove(key.array());
            }
            freeVacant();
        }

        private void check() {
            model.keySet().forEach(key -> check(key.array()));
            for (int rank = 0; rank <= fixture.ranks.top(); rank++) {
                if (!keyOfRank.containsKey(rank)) {
                    assertThat(fixture.ranks.reference(rank)).isZero();
                }
            }
            assertThat(fixture.bucket.records()).isEqualTo(model.size());
            assertThat(fixture.ranks.used()).isEqualTo(model.size() + vacant.size());
        }

        private void check(byte[] key) {
            Entry entry = model.get(ByteBuffer.wrap(key));
            long ref = fixture.findAny(key);
            assertThat(ref != 0).isEqualTo(entry != null);
            if (entry != null) {
                assertThat(fixture.ranks.reference(entry.rank)).isEqualTo(ref);
                assertThat(fixture.store.rank(ref)).isEqualTo(entry.rank);
                assertThat(fixture.value(ref)).isEqualTo(entry.value);
                assertThat(fixture.store.expiry(ref)).isEqualTo(entry.expiry);
                assertThat(fixture.find(key)).isEqualTo(isPast(entry) ? 0 : ref);
            }
        }
    }
}
