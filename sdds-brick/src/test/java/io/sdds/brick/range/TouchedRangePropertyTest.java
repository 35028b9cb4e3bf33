package io.sdds.brick.range;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.brick.memory.RecordStore;
import io.sdds.core.Seeds;
import java.lang.foreign.ValueLayout;
import java.util.Comparator;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lookups by pseudo-keys against a map, after the keys were touched and the bucket has changed since. */
class TouchedRangePropertyTest {
    private static final int KEYS = 4_000;
    private static final int ROUNDS = 3_000;
    private static final int BATCH = 32;
    private static final int[] IN_ORDER = IntStream.range(0, KEYS)
            .boxed()
            .sorted(Comparator.comparing(String::valueOf))
            .mapToInt(number -> number)
            .toArray();
    private static final int[] POSITIONS = new int[KEYS];

    static {
        IntStream.range(0, KEYS).forEach(position -> POSITIONS[IN_ORDER[position]] = position);
    }

    private final RangeFixture fixture = new RangeFixture(64 << 20);
    private final RangeBucket bucket = fixture.bucket;
    private final TreeMap<Integer, byte[]> model = new TreeMap<>(Comparator.comparing(String::valueOf));
    private final int[] batch = new int[BATCH];
    private int pseudoKeys;

    @AfterEach
    void giveMemoryBack() {
        fixture.close();
    }

    /** @param different number of different pseudo-keys: 1 gives all keys the same pseudo-key */
    @ParameterizedTest
    @ValueSource(ints = {1, 5, 100, 1_000_000})
    void keysAreFoundAsInAMapWhateverChangesAfterTheyWereTouched(int different) {
        pseudoKeys = different;
        Random random = new Random(Seeds.next("TouchedRangePropertyTest " + different));
        for (int round = 0; round < ROUNDS; round++) {
            touch(random);
            for (int number : batch) {
                // Every fourth operation is on a key that was touched long ago, or never.
                operate(random, random.nextInt(4) > 0 ? number : random.nextInt(KEYS));
            }
            if (random.nextInt(50) == 0) {
                bucket.maintain(random.nextInt(200));
            }
            if (random.nextInt(30) == 0) {
                dropAbove(random.nextInt(KEYS));
            }
        }
        fixture.check();
        assertThat(bucket.records()).isEqualTo(model.size());
    }

    /**
     * A search in a leaf leaves out the bytes that all keys of the leaf have in common. So in a leaf that was divided
     * since, a key may look like another key.
     */
    @Test
    void aKeyIsNotTakenForAnotherInALeafThatWasDividedSinceItWasTouched() {
        pseudoKeys = 1_000_000;
        byte[] value = new byte[8];
        for (int from = 0; from < KEYS - 10 * BATCH; from += BATCH) {
            for (int first = from; first < from + 10 * BATCH; first += BATCH) {
                System.arraycopy(IN_ORDER, first, batch, 0, BATCH);
                touchBatch();
                for (int number : batch) {
                    put(number, value);
                }
            }
            for (int position = from; position < from + 10 * BATCH; position++) {
                assertThat(value(IN_ORDER[position])).isEqualTo(value);
            }
            assertThat(bucket.records()).isEqualTo(10 * BATCH);
            fixture.dropAbove(key(IN_ORDER[from]));
            bucket.remove(hash(IN_ORDER[from]), RangeFixture.of(key(IN_ORDER[from])), 0, key(IN_ORDER[from]).length);
        }
    }

    /**
     * Keys of one to four digits, so that the prefix of a leaf becomes longer and shorter as leaves are divided and
     * joined.
     */
    private static byte[] key(int number) {
        return ("key-" + number).getBytes(US_ASCII);
    }

    private long hash(int number) {
        return number % pseudoKeys;
    }

    private void touch(Random random) {
        boolean isInOrder =
                random.nextBoolean(); // behind all others: then they divide the leaf that they were touched in
        int first = model.isEmpty() ? 0 : Math.min(POSITIONS[model.lastKey()] + 1, KEYS - BATCH);
        for (int k = 0; k < BATCH; k++) {
            batch[k] = isInOrder ? IN_ORDER[first + k] : random.nextInt(KEYS);
        }
        touchBatch();
    }

    private void touchBatch() {
        long[] leaves = new long[BATCH];
        for (int k = 0; k < BATCH; k++) {
            byte[] key = key(batch[k]);
            leaves[k] = bucket.touchIndex(hash(batch[k]), RangeFixture.of(key), 0, key.length);
        }
        for (int k = 0; k < BATCH; k++) {
            byte[] key = key(batch[k]);
            bucket.touchRecord(leaves[k], hash(batch[k]), RangeFixture.of(key), 0, key.length);
        }
    }

    private void operate(Random random, int number) {
        byte[] key = key(number);
        switch (random.nextInt(6)) {
            case 0 -> {
                boolean removed = bucket.remove(hash(number), RangeFixture.of(key), 0, key.length);
                assertThat(removed).isEqualTo(model.remove(number) != null);
            }
            case 1, 2, 3 -> {
                byte[] value = new byte[random.nextInt(3) * 200];
                random.nextBytes(value);
                put(number, value);
                model.put(number, value);
            }
            default -> assertThat(value(number)).isEqualTo(model.get(number));
        }
    }

    private void put(int number, byte[] value) {
        byte[] key = key(number);
        bucket.put(
                hash(number),
                RangeFixture.of(key),
                0,
                key.length,
                RangeFixture.of(value),
                0,
                value.length,
                1,
                RecordStore.NO_EXPIRY,
                false);
    }

    private byte[] value(int number) {
        byte[] key = key(number);
        long ref = bucket.find(hash(number), RangeFixture.of(key), 0, key.length);
        if (ref == 0) {
            return null;
        }
        assertThat(fixture.key(ref)).isEqualTo(key);
        return fixture.store
                .segment(ref)
                .asSlice(fixture.store.valueOffset(ref), fixture.store.valueLength(ref))
                .toArray(ValueLayout.JAVA_BYTE);
    }

    private void dropAbove(int number) {
        fixture.dropAbove(key(number));
        model.tailMap(number, false).clear();
    }
}
