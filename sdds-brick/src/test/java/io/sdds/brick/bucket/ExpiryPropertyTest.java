package io.sdds.brick.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.brick.memory.RecordStore;
import io.sdds.core.Seeds;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The bucket of partition 0 against a map whose entries expire, under random use and a virtual clock. */
class ExpiryPropertyTest {

    private static final int OPERATIONS = 30_000;

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7})
    void behavesLikeAMapWhoseEntriesExpire(int run) {
        Random random = new Random(Seeds.next("ExpiryPropertyTest.behavesLikeAMapWhoseEntriesExpire", run));
        try (BucketFixture fixture = new BucketFixture(random.nextInt(3) == 0 ? 1 << 20 : 256 << 20)) {
            new Run(fixture, random).operate();
        }
    }

    private record Entry(byte[] value, long expiry) {}

    private static final class Run {
        private final BucketFixture fixture;
        private final Random random;
        private final Map<ByteBuffer, Entry> model = new HashMap<>();
        private final int keys;
        private final int expiringPercent;
        private final boolean limited;
        private long time;
        private long version;

        Run(BucketFixture fixture, Random random) {
            this.fixture = fixture;
            this.random = random;
            this.keys = 100 << random.nextInt(7);
            this.expiringPercent = random.nextInt(1, 101);
            this.limited = fixture.budget.limitBytes() < 2 << 20;
        }

        void operate() {
            for (int i = 0; i < OPERATIONS; i++) {
                operateOnce();
                if (i % 3000 == 0) {
                    assertAllVisited();
                }
            }
            comeToRest();
            if (model.values().stream().anyMatch(entry -> entry.expiry() != RecordStore.NO_EXPIRY)) {
                assertThat(fixture.bucket.mayExpire()).isTrue();
            }
            moveTo(Long.MAX_VALUE - 1);
            comeToRest();
            assertThat(fixture.bucket.mayExpire()).isFalse();
            fixture.bucket.release();
            fixture.maintainToTheEnd();
            assertThat(fixture.budget.usedBytes()).isZero();
        }

        private void operateOnce() {
            int choice = random.nextInt(1000);
            if (choice < 1 && fixture.bucket.level() < 6) {
                dropMovedHalf();
            } else if (choice < 30) {
                fixture.bucket.maintain(random.nextInt(20));
            } else if (choice < 150) {
                moveTo(time + random.nextInt(random.nextInt(10) == 0 ? 1000 : 20));
            } else if (choice < 250) {
                fixture.bucket.sweep(0, end(), random.nextInt(10));
            } else if (choice < 350) {
                remove(randomKey());
            } else if (choice < 500) {
                assertFound(randomKey());
            } else {
                put(randomKey());
            }
        }

        /** A random key that partition 0 has at its current level. */
        private byte[] randomKey() {
            for (int number = random.nextInt(keys); ; number++) {
                byte[] key = ("k" + number).repeat(1 + number % 3).getBytes(StandardCharsets.US_ASCII);
                if ((BucketFixture.hash(key) & (1L << fixture.bucket.level()) - 1) == 0) {
                    return key;
                }
            }
        }

        private void put(byte[] key) {
            byte[] value = new byte[random.nextInt(random.nextInt(10) == 0 ? 1000 : 60)];
            random.nextBytes(value);
            boolean expires = random.nextInt(100) < expiringPercent;
            long expiry = expires ? time + 1 + random.nextInt(3000) : RecordStore.NO_EXPIRY;
            PutResult result = fixture.put(key, value, ++version, expiry, false);
            if (result == PutResult.FULL) {
                assertThat(limited).isTrue();
            } else {
                model.put(ByteBuffer.wrap(key), new Entry(value, expiry));
            }
            assertFound(key);
        }

        private void remove(byte[] key) {
            boolean present = present(key) != null;
            model.remove(ByteBuffer.wrap(key));
            assertThat(fixture.remove(key)).isEqualTo(present);
            assertThat(fixture.find(key)).isZero();
        }

        /** The model's record of a key now; null if there is none. */
        private @Nullable Entry present(byte[] key) {
            Entry entry = model.get(ByteBuffer.wrap(key));
            return entry == null || isPast(entry) ? null : entry;
        }

        private boolean isPast(Entry entry) {
            return entry.expiry() != RecordStore.NO_EXPIRY && entry.expiry() <= time;
        }

        private void assertFound(byte[] key) {
            Entry entry = present(key);
            assertThat(fixture.value(key)).isEqualTo(entry == null ? null : entry.value());
            if (entry != null) {
                assertThat(fixture.store.expiry(fixture.find(key))).isEqualTo(entry.expiry());
            }
            assertThat(fixture.bucket.records()).isGreaterThanOrEqualTo(presentRecords());
            if (!fixture.bucket.mayHoldExpired()) {
                assertThat(fixture.bucket.records()).isEqualTo(presentRecords());
            }
        }

        /** Number of live records. Counts the model only now and then, because the count visits all records. */
        private long presentRecords() {
            return random.nextInt(50) == 0
                    ? model.values().stream().filter(entry -> !isPast(entry)).count()
                    : fixture.bucket.records();
        }

        /** Moves the time on. A step back has no effect. */
        private void moveTo(long to) {
            time = to;
            fixture.bucket.timeNanos(to);
            fixture.bucket.timeNanos(to - random.nextInt(100));
            assertThat(fixture.bucket.timeNanos()).isEqualTo(time);
        }

        private void dropMovedHalf() {
            int level = fixture.bucket.level();
            fixture.bucket.dropMovedHalf();
            model.keySet().removeIf(key -> (BucketFixture.hash(key.array()) >>> level & 1) != 0);
        }

        private long end() {
            return fixture.bucket.level() == 0 ? 0 : 1L << -fixture.bucket.level();
        }

        private void assertAllVisited() {
            Set<ByteBuffer> expected = new HashSet<>(model.keySet());
            expected.removeIf(key -> isPast(model.get(key)));
            Set<ByteBuffer> visited = new HashSet<>();
            fixture.visitAll()
                    .forEach(ref -> assertThat(visited.add(ByteBuffer.wrap(fixture.key(ref))))
                            .isTrue());
            assertThat(visited).isEqualTo(expected);
        }

        /** The memory of expired records is freed, though no request asks for these records. */
        private void comeToRest() {
            for (int steps = 0; fixture.bucket.mayHoldExpired(); steps++) {
                assertThat(steps).isLessThan(100_000);
                fixture.bucket.sweep(0, end(), 1 + random.nextInt(50));
            }
            fixture.maintainToTheEnd();
            model.values().removeIf(this::isPast);
            assertThat(fixture.bucket.records()).isEqualTo(model.size());
            assertAllVisited();
            fixture.checkAtRest();
        }
    }
}
