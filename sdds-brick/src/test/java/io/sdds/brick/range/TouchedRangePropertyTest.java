package io.sdds.brick.range;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.brick.memory.RecordStore;
import io.sdds.core.Seeds;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is found by pseudo-keys, after keys were touched and anything has changed since, is what a map has. */
class TouchedRangePropertyTest {
    private static final int KEYS = 4_000;
    private static final int ROUNDS = 3_000;
    private static final int BATCH = 32;

    private final RangeFixture fixture = new RangeFixture(64 << 20);
    private final RangeBucket bucket = fixture.bucket;
    private final TreeMap<Integer, byte[]> model = new TreeMap<>();
    private final int[] batch = new int[BATCH];
    private int pseudoKeys;

    @AfterEach
    void giveMemoryBack() {
        fixture.close();
    }

    /** @param different pseudo-keys: of many keys the same one, or of each its own */
    @ParameterizedTest
    @ValueSource(ints = {1, 5, 100, 1_000_000})
    void keysAreFoundAsInAMapWhateverChangesAfterTheyWereTouched(int different) {
        pseudoKeys = different;
        Random random = new Random(Seeds.next("TouchedRangePropertyTest " + different));
        for (int round = 0; round < ROUNDS; round++) {
            touch(random);
            for (int number : batch) {
                operate(random, number);
            }
            if (random.nextInt(50) == 0) {
                bucket.maintain(random.nextInt(200));
            }
            if (random.nextInt(300) == 0) {
                dropAbove(random.nextInt(KEYS));
            }
        }
        fixture.check();
        assertThat(bucket.records()).isEqualTo(model.size());
    }

    private long hash(int number) {
        return number % pseudoKeys;
    }

    private void touch(Random random) {
        long[] leaves = new long[BATCH];
        for (int k = 0; k < BATCH; k++) {
            batch[k] = random.nextInt(KEYS);
            byte[] key = RangeFixture.key(batch[k]);
            leaves[k] = bucket.touchIndex(hash(batch[k]), RangeFixture.of(key), 0, key.length);
        }
        for (int k = 0; k < BATCH; k++) {
            byte[] key = RangeFixture.key(batch[k]);
            bucket.touchRecord(leaves[k], hash(batch[k]), RangeFixture.of(key), 0, key.length);
        }
    }

    private void operate(Random random, int number) {
        byte[] key = RangeFixture.key(number);
        switch (random.nextInt(6)) {
            case 0 -> {
                boolean removed = bucket.remove(hash(number), RangeFixture.of(key), 0, key.length);
                assertThat(removed).isEqualTo(model.remove(number) != null);
            }
            case 1, 2, 3 -> {
                byte[] value = new byte[random.nextInt(3) * 200];
                random.nextBytes(value);
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
                model.put(number, value);
            }
            default -> assertThat(value(number)).isEqualTo(model.get(number));
        }
    }

    private byte[] value(int number) {
        byte[] key = RangeFixture.key(number);
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
        fixture.dropAbove(RangeFixture.key(number));
        model.tailMap(number, false).clear();
    }
}
