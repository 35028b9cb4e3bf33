package io.sdds.brick.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.core.Seeds;
import io.sdds.core.addressing.ScanOrder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The bucket of partition 0 against a map, under random use. */
class HashBucketPropertyTest {

    private static final int OPERATIONS = 40_000;

    static IntStream runs() {
        return IntStream.range(0, Seeds.part(40));
    }

    @ParameterizedTest
    @MethodSource("runs")
    void behavesLikeAMap(int run) {
        operate(new Random(Seeds.next("HashBucketPropertyTest.behavesLikeAMap", run)));
    }

    /**
     * Seeds that once found a bug: a record that was removed while a merge was prepared was still counted as a record
     * that would move.
     */
    @ParameterizedTest
    @ValueSource(longs = {24_702_606_583_747L})
    void keptSeedsBehaveLikeAMap(long seed) {
        operate(new Random(seed));
    }

    static void operate(Random random) {
        long limitBytes = random.nextInt(3) == 0 ? 1 << 20 : 256 << 20;
        try (BucketFixture fixture = new BucketFixture(limitBytes)) {
            new Run(fixture, random).operate();
        }
    }

    /** One run: a bucket, its model, and a scan that goes on all the while. */
    private static final class Run {

        private final BucketFixture fixture;
        private final Random random;
        private final Map<ByteBuffer, byte[]> model = new HashMap<>();
        private final int keys;
        private final boolean limited;
        private long version;

        private long scanCursor;
        private final Set<ByteBuffer> scanExpected = new HashSet<>();
        private final Map<ByteBuffer, Integer> scanSeen = new HashMap<>();

        Run(BucketFixture fixture, Random random) {
            this.fixture = fixture;
            this.random = random;
            this.keys = 100 << random.nextInt(9);
            this.limited = fixture.budget.limitBytes() < 2 << 20;
        }

        void operate() {
            for (int i = 0; i < OPERATIONS; i++) {
                int removePercent = i / 8000 % 2 == 0 ? 15 : 60;
                operateOnce(removePercent);
                if (i % 5000 == 0) {
                    fixture.check();
                    assertBatches(fixture.visitAll());
                }
            }
            fixture.maintainToTheEnd();
            fixture.checkAtRest();
            assertModel();
            removeAll();
        }

        private void operateOnce(int removePercent) {
            int choice = random.nextInt(1000);
            if (choice < 1 && fixture.bucket.level() < 6) {
                dropMovedHalf();
            } else if (choice < 2 && fixture.bucket.level() > 0 && !fixture.bucket.isChangingLevel()) {
                fixture.bucket.beginWidening();
            } else if (choice < 50) {
                fixture.bucket.maintain(random.nextInt(20));
            } else if (choice < 200) {
                scanOn();
            } else if (choice < 300) {
                assertFound(randomKey());
            } else if (choice < 300 + 7 * removePercent) {
                remove(randomKey());
            } else {
                put(randomKey());
            }
        }

        /** A random key that partition 0 has at its current level. */
        private byte[] randomKey() {
            for (int tries = 0; tries < 200; tries++) {
                int number = random.nextInt(keys);
                byte[] key = ("k" + number).repeat(1 + number % 7).getBytes(StandardCharsets.US_ASCII);
                if (isOfPartition(key)) {
                    return key;
                }
            }
            // If none of so few keys is in the partition, any key of the partition will do.
            for (int number = 0; ; number++) {
                byte[] key = ("p" + number).getBytes(StandardCharsets.US_ASCII);
                if (isOfPartition(key)) {
                    return key;
                }
            }
        }

        private boolean isOfPartition(byte[] key) {
            return (BucketFixture.hash(key) & (1L << fixture.bucket.level()) - 1) == 0;
        }

        private void put(byte[] key) {
            byte[] value = new byte[randomLength()];
            random.nextBytes(value);
            long expiry = random.nextInt(4) == 0 ? 1 + random.nextInt(1000) : 0;
            byte[] before = model.get(ByteBuffer.wrap(key));
            PutResult result = fixture.put(key, value, ++version, expiry, random.nextInt(10) == 0);
            switch (result) {
                case INSERTED -> assertThat(before).isNull();
                case REPLACED -> assertThat(before).isNotNull();
                case FULL -> assertThat(limited).isTrue();
            }
            if (result != PutResult.FULL) {
                model.put(ByteBuffer.wrap(key), value);
                assertThat(fixture.store.version(fixture.find(key))).isEqualTo(version);
                assertThat(fixture.store.expiry(fixture.find(key))).isEqualTo(expiry);
            }
            assertFound(key);
        }

        private int randomLength() {
            return switch (random.nextInt(20)) {
                case 0 -> random.nextInt(20_000);
                case 1, 2 -> random.nextInt(1000);
                default -> random.nextInt(200);
            };
        }

        private void remove(byte[] key) {
            boolean present = model.remove(ByteBuffer.wrap(key)) != null;
            assertThat(fixture.remove(key)).isEqualTo(present);
            scanExpected.remove(ByteBuffer.wrap(key));
            assertThat(fixture.find(key)).isZero();
        }

        private void assertFound(byte[] key) {
            assertThat(fixture.value(key)).isEqualTo(model.get(ByteBuffer.wrap(key)));
            assertThat(fixture.bucket.records()).isEqualTo(model.size());
        }

        private void dropMovedHalf() {
            fixture.bucket.finishWidening();
            int level = fixture.bucket.level();
            fixture.bucket.dropMovedHalf();
            model.keySet().removeIf(key -> moves(key, level));
            scanExpected.removeIf(key -> moves(key, level));
            scanCursor = endIfBehind(scanCursor);
            assertThat(fixture.bucket.records()).isEqualTo(model.size());
        }

        private static boolean moves(ByteBuffer key, int level) {
            return (BucketFixture.hash(key.array()) >>> level & 1) != 0;
        }

        /** The end of the partition's interval if the cursor lies behind it. */
        private long endIfBehind(long cursor) {
            long end = 1L << -fixture.bucket.level();
            return Long.compareUnsigned(cursor, end) > 0 ? end : cursor;
        }

        private void scanOn() {
            if (scanCursor == 0) {
                scanExpected.clear();
                scanExpected.addAll(model.keySet());
                scanSeen.clear();
            }
            long end = fixture.bucket.level() == 0 ? 0 : 1L << -fixture.bucket.level();
            if (scanCursor == 0 || scanCursor != end) {
                scanCursor = fixture.next(
                        scanCursor,
                        end,
                        1L << random.nextInt(16),
                        ref -> scanSeen.merge(ByteBuffer.wrap(fixture.key(ref)), 1, Integer::sum));
            }
            if (scanCursor == end) {
                scanExpected.forEach(key -> assertThat(scanSeen.get(key)).isEqualTo(1));
                scanCursor = 0;
            }
        }

        private void assertModel() {
            List<Long> refs = fixture.visitAll();
            assertThat(refs).hasSize(model.size());
            model.forEach((key, value) -> assertThat(fixture.value(key.array())).isEqualTo(value));
            assertBatches(refs);
        }

        /** Batches of an interval have the records of the interval once each. */
        private void assertBatches(List<Long> refs) {
            int level = fixture.bucket.level();
            long one = random.nextLong() >>> level;
            long other = random.nextInt(3) == 0 ? (level == 0 ? 0 : 1L << -level) : random.nextLong() >>> level;
            boolean inOrder = other == 0 || one != other && ScanOrder.before(one, other);
            long start = inOrder ? one : other;
            long end = inOrder ? other : one;
            long bytesMax = 1L << random.nextInt(20);
            List<Long> seen = new ArrayList<>();
            for (long cursor = start; cursor != end; ) {
                cursor = fixture.next(cursor, end, bytesMax, seen::add);
            }
            assertThat(seen.stream().sorted())
                    .containsExactlyElementsOf(refs.stream()
                            .filter(ref -> {
                                long point = ScanOrder.point(fixture.store.hash(ref));
                                return Long.compareUnsigned(point, start) >= 0 && ScanOrder.before(point, end);
                            })
                            .sorted()
                            .toList());
        }

        private void removeAll() {
            for (ByteBuffer key : new ArrayList<>(model.keySet())) {
                remove(key.array());
            }
            fixture.maintainToTheEnd();
            fixture.checkAtRest();
            fixture.bucket.release();
            fixture.maintainToTheEnd();
            assertThat(fixture.budget.usedBytes()).isZero();
        }
    }
}
