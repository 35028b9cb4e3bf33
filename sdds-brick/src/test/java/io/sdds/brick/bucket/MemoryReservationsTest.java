package io.sdds.brick.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.brick.memory.RecordStore;
import io.sdds.core.Seeds;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import org.junit.jupiter.api.Test;

class MemoryReservationsTest {
    private static final long LIMIT_BYTES = 1 << 20;
    private static final long SEED = Seeds.next("MemoryReservationsTest", 5);

    private final Random random = new Random(SEED);

    private record Put(long number, byte[] key, byte[] value) {}

    /** Takes all memory, in slots of all sizes. */
    private static void takeAllMemory(RecordStore store) {
        for (int bytes = 32 << 10; bytes >= 16; bytes = bytes > 1024 ? bytes / 2 : bytes - 8) {
            while (store.slots().allocate(bytes, true) != 0) {
                // one more
            }
        }
    }

    private Put put(long number, int keys) {
        byte[] key = ("k" + random.nextInt(keys)).getBytes(StandardCharsets.US_ASCII);
        return new Put(number, key, new byte[random.nextInt(10) == 0 ? random.nextInt(60_000) : random.nextInt(300)]);
    }

    private static boolean provide(MemoryReservations reservations, Put put, boolean reserved) {
        return reservations.provide(put.number, put.key.length, put.value.length, RecordStore.NO_EXPIRY, reserved);
    }

    private static void make(BucketFixture fixture, MemoryReservations reservations, Put put) {
        reservations.use(put.number);
        assertThat(fixture.put(put.key, put.value, put.number, true))
                .as("put %d, seed %d", put.number, SEED)
                .isNotEqualTo(PutResult.FULL);
        reservations.used(put.number);
        assertThat(fixture.value(put.key)).isEqualTo(put.value);
    }

    @Test
    void whatIsProvidedForIsNeverRefusedThoughNoMemoryIsLeft() {
        for (int round = 0; round < 50; round++) {
            try (BucketFixture fixture = new BucketFixture(LIMIT_BYTES)) {
                MemoryReservations reservations = new MemoryReservations(fixture.store, fixture.bucket);
                int keys = 1 + random.nextInt(400);
                for (int k = random.nextInt(200); k > 0; k--) {
                    Put before = put(0, keys);
                    fixture.put(before.key, before.value, 1, false);
                }
                Deque<Put> puts = new ArrayDeque<>();
                for (long number = 1; number < 200; number++) {
                    Put put = put(number, keys);
                    if (random.nextInt(4) > 0 && provide(reservations, put, true)) {
                        puts.add(put);
                    }
                }
                takeAllMemory(fixture.store);
                for (Put put : puts) {
                    make(fixture, reservations, put);
                    if (random.nextInt(3) == 0) {
                        fixture.remove(put(0, keys).key);
                    }
                }
            }
        }
    }

    @Test
    void whatIsNotNeededComesFreeAgain() {
        try (BucketFixture fixture = new BucketFixture(LIMIT_BYTES)) {
            MemoryReservations reservations = new MemoryReservations(fixture.store, fixture.bucket);
            Put small = new Put(1, new byte[] {'a'}, new byte[10]);
            Put cut = new Put(2, new byte[] {'b'}, new byte[40_000]);
            Put released = new Put(2, new byte[] {'b'}, new byte[400]);
            assertThat(provide(reservations, small, true)).isTrue();
            assertThat(provide(reservations, cut, true)).isTrue();
            reservations.cut(1, 2);
            make(fixture, reservations, small);
            assertThat(provide(reservations, released, true)).isTrue();
            reservations.release();
            long live = fixture.store.liveBytes();
            assertThat(live).isEqualTo(fixture.bucket.bytes() + fixture.bucket.indexBytes());
        }
    }

    @Test
    void isRefusedAsAWholeWhenThereIsNoMemoryForAll() {
        try (BucketFixture fixture = new BucketFixture(LIMIT_BYTES)) {
            MemoryReservations reservations = new MemoryReservations(fixture.store, fixture.bucket);
            long number = 1;
            while (provide(reservations, put(number, 10), true)) {
                number++;
            }
            long live = fixture.store.liveBytes();
            assertThat(provide(reservations, new Put(number, new byte[10], new byte[1 << 20]), true))
                    .isFalse();
            assertThat(fixture.store.liveBytes()).isEqualTo(live);
        }
    }

    @Test
    void numbersWithoutAPutTakeNothingHoweverManyThereAre() {
        try (BucketFixture fixture = new BucketFixture(LIMIT_BYTES)) {
            MemoryReservations reservations = new MemoryReservations(fixture.store, fixture.bucket);
            Put first = new Put(3, new byte[] {'a'}, new byte[10]);
            Put last = new Put(1000, new byte[] {'b'}, new byte[20]);
            assertThat(provide(reservations, first, false)).isTrue();
            assertThat(provide(reservations, last, false)).isTrue();
            for (long number = 1; number <= 1000; number++) {
                if (number == first.number || number == last.number) {
                    make(fixture, reservations, number == first.number ? first : last);
                } else {
                    reservations.use(number);
                    reservations.used(number);
                }
            }
            reservations.releaseSpares();
            assertThat(fixture.store.liveBytes()).isEqualTo(fixture.bucket.bytes() + fixture.bucket.indexBytes());
            assertThat(fixture.bucket.find(
                            BucketFixture.hash(last.key), MemorySegment.ofArray(last.key), 0, last.key.length))
                    .isNotZero();
        }
    }
}
