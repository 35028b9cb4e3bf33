package io.sdds.brick.range;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.brick.bucket.PutResult;
import io.sdds.core.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The bucket against a tree map, under random use. */
class RangeBucketPropertyTest {

    private static final int OPERATIONS = Seeds.part(60_000);

    @ParameterizedTest
    @EnumSource(Keys.class)
    void behavesLikeATreeMap(Keys keys) {
        operate(
                keys,
                512 << 20,
                new Random(Seeds.next("RangeBucketPropertyTest.behavesLikeATreeMap " + keys, keys.ordinal())));
    }

    @ParameterizedTest
    @EnumSource(Keys.class)
    void losesNothingWhenMemoryIsShort(Keys keys) {
        long limitBytes = keys == Keys.LARGE ? 8 << 20 : 1 << 20;
        Random random =
                new Random(Seeds.next("RangeBucketPropertyTest.losesNothingWhenMemoryIsShort " + keys, keys.ordinal()));
        operate(keys, limitBytes, random);
    }

    private static void operate(Keys keys, long limitBytes, Random random) {
        try (RangeFixture fixture = new RangeFixture(limitBytes)) {
            new Run(fixture, keys, random).operate();
        }
    }

    /** One run: a bucket, its model, and a walk that goes on all the while. */
    private static final class Run {

        private final RangeFixture fixture;
        private final RangeBucket bucket;
        private final Keys kind;
        private final Random random;
        private final NavigableMap<byte[], byte[]> model = new TreeMap<>(Arrays::compareUnsigned);
        private final int keys;
        private final boolean limited;
        private long version;
        private int refused;

        private boolean walkDescends;
        private byte @Nullable [] walkAt;
        private final TreeMap<byte[], Boolean> walkExpected = new TreeMap<>(Arrays::compareUnsigned);
        private final TreeMap<byte[], Boolean> walkSeen = new TreeMap<>(Arrays::compareUnsigned);

        Run(RangeFixture fixture, Keys kind, Random random) {
            this.fixture = fixture;
            this.bucket = fixture.bucket;
            this.kind = kind;
            this.random = random;
            this.keys = 200 << random.nextInt(7);
            this.limited = fixture.budget.limitBytes() < 16 << 20;
        }

        void operate() {
            int operations = kind == Keys.LARGE ? OPERATIONS / 6 : OPERATIONS;
            for (int i = 0; i < operations; i++) {
                int removePercent = i / (operations / 5) % 2 == 0 ? 10 : 60;
                operateOnce(removePercent);
                if (i % (operations / 10) == 0) {
                    fixture.check();
                }
            }
            fixture.maintainToTheEnd();
            fixture.checkAtRest();
            assertThat(fixture.visit(new KeyRange(), false, Integer.MAX_VALUE))
                    .usingElementComparator(Arrays::compareUnsigned)
                    .containsExactlyElementsOf(model.keySet());
            model.forEach((key, value) -> assertThat(fixture.value(key)).isEqualTo(value));
            System.out.printf("  %s: %d records, %d puts refused%n", kind, model.size(), refused);
            removeAll();
        }

        private void operateOnce(int removePercent) {
            int choice = random.nextInt(1000);
            if (choice < 1 && random.nextInt(4) == 0) {
                dropAbove(kind.key(random, keys));
            } else if (choice < 30) {
                bucket.maintain(random.nextInt(10));
            } else if (choice < 100) {
                walkOn();
            } else if (choice < 200) {
                assertNeighbours(kind.key(random, keys));
            } else if (choice < 230) {
                assertRange();
            } else if (choice < 260) {
                assertRanks();
            } else if (choice < 300) {
                append();
            } else if (choice < 300 + 7 * removePercent) {
                remove(kind.key(random, keys));
            } else {
                put(kind.key(random, keys));
            }
        }

        private void put(byte[] key) {
            byte[] value = value();
            long expiry = random.nextInt(4) == 0 ? 1 + random.nextInt(1000) : 0;
            byte[] before = model.get(key);
            PutResult result = fixture.put(key, value, ++version, expiry, random.nextInt(10) == 0);
            note(result, key, value, before);
            if (result != PutResult.FULL) {
                assertThat(fixture.store.version(fixture.find(key))).isEqualTo(version);
                assertThat(fixture.store.expiry(fixture.find(key))).isEqualTo(expiry);
            }
        }

        private byte[] value() {
            int length = switch (random.nextInt(20)) {
                case 0 -> random.nextInt(20_000);
                case 1, 2 -> random.nextInt(1000);
                default -> random.nextInt(200);
            };
            byte[] value = new byte[length];
            random.nextBytes(value);
            return value;
        }

        private void append() {
            byte[] key = kind.key(random, keys);
            if (!model.isEmpty() && random.nextInt(4) > 0) {
                byte[] last = model.lastKey();
                key = last.length < 60_000 ? Arrays.copyOf(last, last.length + 1 + random.nextInt(3)) : last;
            }
            byte[] value = value();
            byte[] before = model.get(key);
            note(fixture.append(key, value, ++version, 50 + random.nextInt(51), false), key, value, before);
        }

        private void note(PutResult result, byte[] key, byte[] value, byte @Nullable [] before) {
            switch (result) {
                case INSERTED -> assertThat(before).isNull();
                case REPLACED -> assertThat(before).isNotNull();
                case FULL -> assertThat(limited || kind == Keys.LARGE).isTrue();
            }
            if (result == PutResult.FULL) {
                refused++;
            } else {
                model.put(key, value);
            }
            assertFound(key);
        }

        private void remove(byte[] key) {
            boolean present = model.remove(key) != null;
            assertThat(fixture.remove(key)).isEqualTo(present);
            walkExpected.remove(key);
            assertFound(key);
        }

        private void assertFound(byte[] key) {
            assertThat(fixture.value(key)).isEqualTo(model.get(key));
            assertThat(bucket.records()).isEqualTo(model.size());
        }

        private void dropAbove(byte[] key) {
            long records = bucket.recordsAbove(RangeFixture.of(key), 0, key.length);
            long bytes = bucket.bytesAbove(RangeFixture.of(key), 0, key.length);
            long left = bucket.bytes() - bytes;
            fixture.dropAbove(key);
            assertThat(records).isEqualTo(model.tailMap(key, false).size());
            model.tailMap(key, false).clear();
            walkExpected.tailMap(key, false).clear();
            assertThat(bucket.records()).isEqualTo(model.size());
            assertThat(bucket.bytes()).isEqualTo(left);
            fixture.check();
        }

        private void assertNeighbours(byte[] key) {
            var segment = RangeFixture.of(key);
            assertThat(fixture.key(bucket.nearest().floor(segment, 0, key.length)))
                    .isEqualTo(model.floorKey(key));
            assertThat(fixture.key(bucket.nearest().ceiling(segment, 0, key.length)))
                    .isEqualTo(model.ceilingKey(key));
            assertThat(fixture.key(bucket.nearest().lower(segment, 0, key.length)))
                    .isEqualTo(model.lowerKey(key));
            assertThat(fixture.key(bucket.nearest().higher(segment, 0, key.length)))
                    .isEqualTo(model.higherKey(key));
            assertThat(fixture.key(bucket.nearest().first())).isEqualTo(model.isEmpty() ? null : model.firstKey());
            assertThat(fixture.key(bucket.nearest().last())).isEqualTo(model.isEmpty() ? null : model.lastKey());
            long leaf = bucket.touchLeaf(segment, 0, key.length);
            int touched = bucket.touchRecord(leaf, segment, 0, key.length);
            assertThat(touched == 0 || !model.isEmpty()).isTrue();
            assertThat(bucket.findIn(leaf, segment, 0, key.length)).isEqualTo(fixture.find(key));
        }

        private void assertRange() {
            byte[] low = random.nextInt(5) == 0 ? null : kind.key(random, keys);
            byte[] high = random.nextInt(5) == 0 ? null : kind.key(random, keys);
            boolean lowIncluded = random.nextBoolean();
            boolean highIncluded = random.nextBoolean();
            boolean descending = random.nextBoolean();
            int most = random.nextInt(3) == 0 ? Integer.MAX_VALUE : 1 + random.nextInt(100);
            NavigableMap<byte[], byte[]> expected = subMap(low, lowIncluded, high, highIncluded);
            KeyRange range = RangeFixture.range(low, lowIncluded, high, highIncluded);
            assertThat(bucket.count(range)).isEqualTo(expected.size());
            List<byte[]> keysExpected = new ArrayList<>((descending ? expected.descendingMap() : expected).keySet());
            assertThat(fixture.visit(range, descending, most))
                    .usingElementComparator(Arrays::compareUnsigned)
                    .containsExactlyElementsOf(keysExpected.subList(0, Math.min(most, keysExpected.size())));
            assertThat(fixture.batches(range, descending, most))
                    .usingElementComparator(Arrays::compareUnsigned)
                    .containsExactlyElementsOf(keysExpected);
        }

        private NavigableMap<byte[], byte[]> subMap(
                byte @Nullable [] low, boolean lowIncluded, byte @Nullable [] high, boolean highIncluded) {
            if (low != null && high != null && Arrays.compareUnsigned(low, high) > 0) {
                return new TreeMap<>(Arrays::compareUnsigned);
            }
            NavigableMap<byte[], byte[]> map = low == null ? model : model.tailMap(low, lowIncluded);
            if (low != null && high != null && Arrays.equals(low, high) && !(lowIncluded && highIncluded)) {
                return new TreeMap<>(Arrays::compareUnsigned);
            }
            return high == null ? map : map.headMap(high, highIncluded);
        }

        private void assertRanks() {
            if (model.isEmpty()) {
                assertThat(bucket.splitKeys().median()).isZero();
                return;
            }
            int rank = random.nextInt(model.size());
            byte[] key = fixture.key(bucket.splitKeys().select(rank));
            assertThat(model.headMap(key, false)).hasSize(rank);
            byte[] median = fixture.key(bucket.splitKeys().median());
            int upTo = model.headMap(median, true).size();
            assertThat(upTo - (model.size() - upTo)).isBetween(0, 1);
        }

        /** A step of a walk over all records, which goes on behind the last key it saw. */
        private void walkOn() {
            if (walkAt == null) {
                walkDescends = random.nextBoolean();
                walkSeen.clear();
                walkExpected.clear();
                model.keySet().forEach(key -> walkExpected.put(key, true));
            }
            KeyRange range = walkDescends
                    ? RangeFixture.range(null, false, walkAt, false)
                    : RangeFixture.range(walkAt, false, null, false);
            int most = 1 + random.nextInt(50);
            List<byte[]> seen = fixture.visit(range, walkDescends, most);
            seen.forEach(key -> assertThat(walkSeen.put(key, true)).isNull());
            walkAt = seen.isEmpty() ? null : seen.getLast();
            if (walkAt == null) {
                assertThat(walkSeen.keySet()).containsAll(walkExpected.keySet());
            }
        }

        private void removeAll() {
            for (Map.Entry<byte[], byte[]> entry : new ArrayList<>(model.entrySet())) {
                remove(entry.getKey());
            }
            fixture.checkAtRest();
            assertThat(bucket.indexBytes()).isZero();
            fixture.maintainToTheEnd();
            assertThat(fixture.budget.usedBytes()).isZero();
        }
    }
}
