package io.sdds.brick.parity.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.sdds.brick.parity.records.ParityFixture.Column;
import io.sdds.core.Seeds;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DeltaReservationsTest {

    private static final long LIMIT_BYTES = 1 << 20;
    private static final long SEED = Seeds.next("DeltaReservationsTest");

    private final Random random = new Random(SEED);
    private final MemorySegment delta = MemorySegment.ofArray(new byte[1000]).fill((byte) 1);

    /** Takes all memory, in slots of all sizes. */
    private static void takeAllMemory(ParityFixture fixture) {
        for (int bytes = 32 << 10; bytes >= 16; bytes = bytes > 1024 ? bytes / 2 : bytes - 8) {
            while (fixture.slots.allocate(bytes, true) != 0) {
                // one more
            }
        }
    }

    private ParityCheck.Coded coded() {
        byte[] value = new byte[random.nextInt(10) == 0 ? random.nextInt(5000) : random.nextInt(300)];
        random.nextBytes(value);
        return ParityFixture.coded(random.nextLong(), value, 1);
    }

    @Test
    void whatIsProvidedForIsNeverRefusedThoughNoMemoryIsLeft() {
        for (int round = 0; round < 20; round++) {
            try (ParityFixture fixture = new ParityFixture(LIMIT_BYTES, 4)) {
                int ranks = 1 + random.nextInt(600);
                for (int i = 0; i < 300; i++) {
                    Column column = fixture.columns.get(random.nextInt(4));
                    int rank = random.nextInt(ranks);
                    boolean removed = column.prepared.containsKey(rank) && random.nextInt(3) == 0;
                    column.prepare(List.of(column.change(rank, removed ? null : coded())), true);
                }
                takeAllMemory(fixture);
                while (fixture.columns.stream().anyMatch(column -> !column.log.isEmpty())) {
                    Column column = fixture.columns.get(random.nextInt(4));
                    if (!column.log.isEmpty()) {
                        column.commit();
                    }
                }
                fixture.check(SEED);
            }
        }
    }

    @Test
    void refusalKeepsNothingForTheEntryAndAllForTheEntriesBefore() {
        try (ParityFixture fixture = new ParityFixture(LIMIT_BYTES, 2)) {
            ParityRecords parity = fixture.parities.getFirst();
            DeltaReservations reservations = new DeltaReservations(parity, 0);
            assertThat(reservations.provide(1, 0, 100, true)).isTrue();
            long live = fixture.slots.liveBytes();
            assertThat(reservations.provide(2, 300, 100, true)).isTrue();
            assertThat(reservations.provideMore(2, 600, 200, true)).isTrue();
            assertThat(reservations.provideMore(2, 900, 2 << 20, true)).isFalse();
            assertThat(fixture.slots.liveBytes()).isEqualTo(live);
            reservations.use(1);
            reservations.fold(0, delta, 0, 100, 5);
            reservations.used(1);
            assertThat(parity.fieldLength(0)).isEqualTo(100);
            assertThat(fixture.slots.liveBytes()).isEqualTo(parity.bytes());
        }
    }

    @Test
    void memoryOfCutAndUnusedFoldsComesFreeAgain() {
        try (ParityFixture fixture = new ParityFixture(LIMIT_BYTES, 2)) {
            ParityRecords parity = fixture.parities.getFirst();
            DeltaReservations reservations = new DeltaReservations(parity, 1);
            reservations.begin(10);
            for (int number = 11; number <= 200; number++) {
                assertThat(reservations.provide(number, number * 10, 50, true)).isTrue();
            }
            reservations.cut(12, 200);
            assertThat(reservations.provide(13, 5000, 60, true)).isTrue();
            for (int number = 11; number <= 13; number++) {
                reservations.use(number);
                reservations.used(number);
            }
            reservations.releaseSpares();
            assertThat(fixture.slots.liveBytes()).isZero();
            assertThat(parity.records()).isZero();
        }
    }

    @Test
    void aCutKeepsThePageOfAnEntryThatStays() {
        try (ParityFixture fixture = new ParityFixture(LIMIT_BYTES, 2)) {
            ParityRecords parity = fixture.parities.getFirst();
            DeltaReservations first = new DeltaReservations(parity, 0);
            DeltaReservations second = new DeltaReservations(parity, 1);
            assertThat(first.provide(1, 700, 50, true)).isTrue();
            assertThat(first.provide(2, 701, 50, true)).isTrue();
            assertThat(second.provide(1, 702, 50, true)).isTrue();
            first.cut(1, 2);
            second.release();
            takeAllMemory(fixture);
            first.use(1);
            first.fold(700, delta, 0, 50, 9);
            first.used(1);
            assertThat(parity.fieldLength(700)).isEqualTo(50);
            assertThat(parity.fingerprint(0, 700)).isEqualTo(9);
        }
    }

    @Test
    void providingAgainReplacesTheReservation() {
        try (ParityFixture fixture = new ParityFixture(LIMIT_BYTES, 2)) {
            ParityRecords parity = fixture.parities.getFirst();
            DeltaReservations reservations = new DeltaReservations(parity, 1);
            assertThat(reservations.provide(1, 5, 500, true)).isTrue();
            assertThat(reservations.provide(1, 6, 50, true)).isTrue();
            reservations.use(1);
            reservations.fold(6, delta, 0, 50, 9);
            reservations.used(1);
            reservations.release();
            assertThat(fixture.slots.liveBytes()).isEqualTo(parity.bytes());
        }
    }

    @Test
    void unneededSlotsServeTheNextReservations() {
        try (ParityFixture fixture = new ParityFixture(LIMIT_BYTES, 2)) {
            ParityRecords parity = fixture.parities.getFirst();
            DeltaReservations reservations = new DeltaReservations(parity, 0);
            for (int number = 1; number <= 100; number++) {
                assertThat(reservations.provide(number, 1, 100, true)).isTrue();
                reservations.use(number);
                reservations.fold(1, delta, 0, 100, 1 + number % 2);
                reservations.used(number);
            }
            assertThat(fixture.slots.liveBytes()).isLessThanOrEqualTo(parity.bytes() + 2 * 104);
            reservations.release();
            assertThat(fixture.slots.liveBytes()).isEqualTo(parity.bytes());
        }
    }

    @Test
    void aFoldThatWasNotProvidedForIsABug() {
        try (ParityFixture fixture = new ParityFixture(LIMIT_BYTES, 2)) {
            DeltaReservations reservations = new DeltaReservations(fixture.parities.getFirst(), 0);
            assertThat(reservations.provide(1, 1, 100, true)).isTrue();
            assertThat(reservations.provide(2, 1, 100, true)).isTrue();
            assertThatIllegalStateException().isThrownBy(() -> reservations.use(2));
            reservations.use(1);
            assertThatIllegalStateException().isThrownBy(() -> reservations.fold(2, delta, 0, 100, 1));
            assertThatIllegalStateException().isThrownBy(() -> reservations.fold(1, delta, 0, 101, 1));
            reservations.fold(1, delta, 0, 100, 1);
            assertThatIllegalStateException().isThrownBy(() -> reservations.fold(1, delta, 0, 100, 1));
            reservations.used(1);
            assertThatIllegalArgumentException().isThrownBy(() -> reservations.provide(1, 1, 100, true));
            assertThatIllegalArgumentException().isThrownBy(() -> reservations.provide(3, -1, 100, true));
        }
    }
}
