package io.sdds.brick.parity.records;

import static org.assertj.core.api.Assertions.assertThat;

import io.sdds.brick.erasure.KernelType;
import io.sdds.brick.memory.ArenaMemorySource;
import io.sdds.brick.memory.MemoryBudget;
import io.sdds.brick.memory.PoisoningMemorySource;
import io.sdds.brick.memory.SlotSpace;
import io.sdds.core.Seeds;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An index finds the ranks that a search of all ranks finds. */
class FingerprintIndexTest {
    private static final int PART_RANKS = 1 << 16;
    private static final MemorySegment NOTHING = MemorySegment.ofArray(new byte[0]);

    private final MemoryBudget budget = new MemoryBudget(32 << 20);
    private final ArenaMemorySource source = new ArenaMemorySource(budget);
    private final SlotSpace slots = new SlotSpace(new PoisoningMemorySource(source), budget);
    private final ParityRecords records =
            new ParityRecords(slots, KernelType.fastest().open(), 0, 2);
    private final FingerprintIndex index = records.index(1);

    @AfterEach
    void close() {
        source.close();
    }

    private void set(int column, int rank, int fingerprint) {
        assertThat(records.tryFold(column, rank, NOTHING, 0, 0, fingerprint, true))
                .isTrue();
    }

    private void check(int fingerprint) {
        List<Integer> expected = new ArrayList<>();
        int rank = records.find(1, fingerprint, 0, records.top());
        while (rank >= 0) {
            expected.add(rank);
            rank = records.find(1, fingerprint, rank + 1, records.top());
        }
        List<Integer> found = new ArrayList<>();
        index.forEach(fingerprint, found::add);
        assertThat(found).as("fingerprint %08x", fingerprint).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void findsWhatASearchOfAllRanksFinds(int run) {
        Random random = new Random(Seeds.next("FingerprintIndexTest.finds", run));
        int top = random.nextInt(1, 3 * PART_RANKS);
        int different = 1 << random.nextInt(4, 31);
        int filled = random.nextInt(1, 101);
        for (int rank = 0; rank < top; rank++) {
            if (random.nextInt(100) < filled) {
                set(1, rank, 1 + random.nextInt(different) * 0x1234_5677);
            }
            if (random.nextInt(100) == 0) {
                set(0, rank, 1 + random.nextInt(different));
            }
        }
        for (int k = 0; k < 200; k++) {
            check(1 + random.nextInt(different) * 0x1234_5677);
            int present = records.fingerprint(1, random.nextInt(top));
            check(present == 0 ? 1 : present);
        }
        assertThat(index.builtRanks()).isGreaterThanOrEqualTo(records.top());
    }

    @Test
    void eachSearchBuildsOnePartMore() {
        for (int rank = 0; rank < 2 * PART_RANKS + 1; rank += 64) {
            set(1, rank, rank + 1);
        }
        for (int part = 1; part <= 3; part++) {
            check(65);
            assertThat(index.builtRanks()).isEqualTo(part * PART_RANKS);
        }
        check(2 * PART_RANKS + 1);
        assertThat(index.builtRanks()).isEqualTo(3 * PART_RANKS);
    }

    @Test
    void aPartWithoutRecordsTakesNoMemory() {
        set(0, PART_RANKS + 5, 7);
        set(1, PART_RANKS, 7);
        long bytesBefore = slots.liveBytes();
        check(7);
        assertThat(index.builtRanks()).isEqualTo(PART_RANKS);
        assertThat(slots.liveBytes()).isEqualTo(bytesBefore);
        check(7);
        assertThat(slots.liveBytes()).isEqualTo(bytesBefore + slots.slotBytesFor(64));
    }

    @Test
    void ranksForWhichMemoryIsRefusedAreSearchedOneByOneUntilThereIsMemory() {
        for (int rank = 0; rank < 2 * PART_RANKS; rank += 2) {
            set(1, rank, rank % 1000 + 1);
        }
        List<Long> filling = new ArrayList<>();
        for (long slot = slots.allocate(64 << 10, false); slot != 0; slot = slots.allocate(64 << 10, false)) {
            filling.add(slot);
        }
        check(11);
        check(12);
        assertThat(index.builtRanks()).isZero();
        filling.forEach(slots::free);
        check(11);
        assertThat(index.builtRanks()).as("before maintain").isZero();
        index.maintain();
        check(11);
        assertThat(index.builtRanks()).isEqualTo(PART_RANKS);
    }

    @Test
    void releaseFreesAllTables() {
        for (int rank = 0; rank < 2 * PART_RANKS; rank += 2) {
            set(1, rank, rank + 1);
        }
        long bytesBefore = slots.liveBytes();
        check(1);
        check(1);
        assertThat(slots.liveBytes()).isGreaterThan(bytesBefore);
        index.release();
        assertThat(slots.liveBytes()).isEqualTo(bytesBefore);
        check(3);
        index.release();
        assertThat(slots.liveBytes()).isEqualTo(bytesBefore);
    }

    @Test
    void tablesMoveOutOfMemoryThatIsNearlyEmpty() {
        for (int rank = 0; rank < 100; rank++) {
            set(1, rank, rank + 1);
        }
        long bytes = slots.slotBytesFor(4 * 256);
        List<Long> kept = new ArrayList<>();
        List<Long> freed = new ArrayList<>();
        for (int k = 0; k < 10_000; k++) {
            (k % 1_000 == 0 ? kept : freed).add(slots.allocate(bytes, false));
            if (k == 5_000) {
                check(5);
            }
        }
        freed.forEach(slots::free);
        long usedBefore = slots.usedBytes();
        for (int k = 0; k < 1_000; k++) {
            records.maintain(16);
            index.maintain();
            kept.replaceAll(slot -> slots.isEvacuating(slot) ? slots.relocate(slot) : slot);
        }
        assertThat(slots.evacuationRound()).isPositive();
        assertThat(slots.usedBytes()).isLessThan(usedBefore);
        for (int rank = 0; rank < 100; rank++) {
            check(rank + 1);
        }
    }
}
