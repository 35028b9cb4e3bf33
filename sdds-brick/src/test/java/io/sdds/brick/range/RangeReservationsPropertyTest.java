package io.sdds.brick.range;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.brick.bucket.MemoryReservations;
import io.sdds.brick.bucket.PutResult;
import io.sdds.brick.memory.RecordStore;
import io.sdds.core.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Puts into trees of each height, with full leaves and others. The memory of each put is reserved beforehand, and then
 * all other memory is used up.
 */
class RangeReservationsPropertyTest {
    private static final long LIMIT_BYTES = 16 << 20;
    private static final int ROUNDS = Seeds.part(50);

    private record Put(long number, byte[] key, byte[] value) {}

    @ParameterizedTest
    @ValueSource(ints = {0, 40, 82, 82 * 30, 82 * 63, 82 * 63 * 2})
    void isNeverRefusedThoughNoMemoryIsLeft(int size) {
        long seed = Seeds.next("RangeReservationsPropertyTest", size);
        Random random = new Random(seed);
        for (int round = 0; round < ROUNDS; round++) {
            try (RangeFixture fixture = new RangeFixture(LIMIT_BYTES)) {
                run(fixture, size, random, seed);
            }
        }
    }

    /** Every node on the way is full, so each node is split, and the tree gets a new root. */
    @ParameterizedTest
    @ValueSource(ints = {0, 82, 82 * 63})
    void oneThatSplitsTheWholeWayIsNotRefusedEither(int size) {
        try (RangeFixture fixture = new RangeFixture(LIMIT_BYTES)) {
            for (int k = 0; k < size; k++) {
                fixture.append(RangeFixture.key(1000 * k), new byte[20], 1, 100, false);
            }
            MemoryReservations reservations = new MemoryReservations(fixture.store, fixture.bucket);
            byte[] key = RangeFixture.key(1000 * (size / 2) + 1);
            assertThat(reservations.provide(1, key.length, 10, RecordStore.NO_EXPIRY, false))
                    .isTrue();
            takeAllMemory(fixture);
            reservations.use(1);
            assertThat(fixture.put(key, new byte[10], 1, true)).isEqualTo(PutResult.INSERTED);
            reservations.used(1);
            fixture.check();
            assertThat(fixture.put(RangeFixture.key(1000 * (size / 2) + 2), new byte[10], 1, true))
                    .as("the next one, for which nothing was provided")
                    .isEqualTo(PutResult.FULL);
        }
    }

    private static void run(RangeFixture fixture, int size, Random random, long seed) {
        int fill = random.nextInt(50, 101);
        for (int k = 0; k < size; k++) {
            fixture.append(RangeFixture.key(1000 * k), new byte[20], 1, fill, false);
        }
        MemoryReservations reservations = new MemoryReservations(fixture.store, fixture.bucket);
        List<Put> puts = new ArrayList<>();
        boolean ascending = random.nextBoolean();
        int near = random.nextInt(1000 * (size + 1));
        for (long number = 1; number <= 300; number++) {
            int place = ascending
                    ? near + (int) number
                    : random.nextInt(3) == 0 ? random.nextInt(1000 * (size + 1)) : near + random.nextInt(2000);
            Put put = new Put(number, key(place, random), new byte[random.nextInt(60)]);
            if (reservations.provide(
                    number, put.key.length, put.value.length, RecordStore.NO_EXPIRY, random.nextBoolean())) {
                puts.add(put);
            }
        }
        takeAllMemory(fixture);
        for (Put put : puts) {
            reservations.use(put.number);
            assertThat(fixture.put(put.key, put.value, put.number, true))
                    .as("put %d of %d into %d records, seed %d", put.number, puts.size(), size, seed)
                    .isNotEqualTo(PutResult.FULL);
            reservations.used(put.number);
            if (random.nextInt(3) == 0) {
                fixture.remove(RangeFixture.key(1000 * random.nextInt(size + 1)));
            }
        }
        fixture.check();
    }

    /** A key. Some keys are long, and have much in common. */
    private static byte[] key(int place, Random random) {
        byte[] key = RangeFixture.key(place);
        return random.nextInt(50) > 0
                ? key
                : RangeFixture.bytes("key-%012d".formatted(place) + "x".repeat(random.nextInt(3000)) + "y");
    }

    private static void takeAllMemory(RangeFixture fixture) {
        for (int bytes = 64 << 10; bytes >= 16; bytes = bytes > 1024 ? bytes / 2 : bytes - 8) {
            while (fixture.store.slots().allocate(bytes, true) != 0) {
                // one more
            }
        }
    }
}
