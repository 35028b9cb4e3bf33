package io.sdds.brick.bucket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sdds.brick.memory.ArenaMemorySource;
import io.sdds.brick.memory.MemoryBudget;
import io.sdds.brick.memory.PoisoningMemorySource;
import io.sdds.brick.memory.SlotSpace;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RankSpaceTest {

    private final MemoryBudget budget = new MemoryBudget(8 << 20);
    private final ArenaMemorySource source = new ArenaMemorySource(budget);
    private final SlotSpace slots = new SlotSpace(new PoisoningMemorySource(source), budget);
    private final RankSpace ranks = new RankSpace(slots);

    @AfterEach
    void giveMemoryBack() {
        source.close();
    }

    private void allocate(int count) {
        for (int i = 0; i < count; i++) {
            assertThat(ranks.allocate(false)).isEqualTo(ranks.top() - 1);
        }
    }

    @Test
    void anEmptySpaceHoldsNoMemory() {
        assertThat(ranks.bytes()).isZero();
        assertThat(ranks.reference(0)).isZero();
        assertThat(ranks.isAllocated(0)).isFalse();
        assertThat(ranks.maintain()).isFalse();
        assertThat(budget.usedBytes()).isZero();
    }

    @Test
    void theFirstPageGrowsWithTheRanks() {
        allocate(1);
        assertThat(ranks.bytes()).isEqualTo(256);
        allocate(31);
        assertThat(ranks.bytes()).isEqualTo(256);
        allocate(1);
        assertThat(ranks.bytes()).isEqualTo(512);
        allocate(992 - 33);
        assertThat(ranks.bytes()).isEqualTo(4096);
        allocate(1);
        assertThat(ranks.bytes()).isEqualTo(2 * 4096);
        assertThat(slots.liveBytes()).isEqualTo(ranks.bytes());
    }

    @Test
    void aRankCostsLittleMoreThanFourBytes() {
        allocate(100_000);
        assertThat((double) ranks.bytes() / 100_000).isLessThan(4.2);
    }

    @Test
    void theLowestHoleIsAllocatedFirst() {
        allocate(5000);
        ranks.free(3000);
        ranks.free(17);
        ranks.free(1200);
        assertThat(ranks.holes()).isEqualTo(3);
        assertThat(List.of(ranks.allocate(false), ranks.allocate(false), ranks.allocate(false), ranks.allocate(false)))
                .containsExactly(17, 1200, 3000, 5000);
        assertThat(ranks.holes()).isZero();
    }

    @Test
    void theTopSinksWhenTheHighestRanksAreFree() {
        allocate(5000);
        for (int rank = 10; rank < 4999; rank++) {
            ranks.free(rank);
        }
        assertThat(ranks.top()).isEqualTo(5000);
        ranks.free(4999);
        while (ranks.maintain()) {
            assertThat(ranks.top()).isGreaterThanOrEqualTo(10);
        }
        assertThat(ranks.top()).isEqualTo(10);
        assertThat(ranks.bytes()).isEqualTo(4096);
        for (int rank = 0; rank < 10; rank++) {
            ranks.free(rank);
        }
        assertThat(ranks.top()).isZero();
        assertThat(budget.usedBytes()).isZero();
    }

    @Test
    void ranksAreTakenInAnyOrder() {
        assertThat(ranks.take(2500, false)).isTrue();
        assertThat(ranks.take(3, false)).isTrue();
        assertThat(ranks.take(992, false)).isTrue();
        assertThat(ranks.top()).isEqualTo(2501);
        assertThat(ranks.used()).isEqualTo(3);
        assertThat(List.of(ranks.allocate(false), ranks.allocate(false), ranks.allocate(false), ranks.allocate(false)))
                .containsExactly(0, 1, 2, 4);
        assertThatThrownBy(() -> ranks.take(992, false)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aRankThatIsFreeOrHasARecordIsNotFreed() {
        allocate(2);
        ranks.setReference(1, 0xFFFF_FFFFL);
        assertThat(ranks.reference(1)).isEqualTo(0xFFFF_FFFFL);
        assertThatThrownBy(() -> ranks.free(1)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> ranks.free(2)).isInstanceOf(IllegalStateException.class);
        ranks.setReference(1, 0);
        ranks.free(1);
        assertThatThrownBy(() -> ranks.free(1)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void refusedMemoryChangesNothing() {
        allocate(992);
        List<Long> taken = new ArrayList<>();
        for (long slot = slots.allocate(4096, true); slot != 0; slot = slots.allocate(4096, true)) {
            taken.add(slot);
        }
        long live = slots.liveBytes();
        assertThat(ranks.allocate(true)).isEqualTo(RankSpace.REFUSED);
        assertThat(ranks.take(5000, true)).isFalse();
        assertThat(ranks.take(992, false)).isFalse();
        assertThat(ranks.top()).isEqualTo(992);
        assertThat(ranks.used()).isEqualTo(992);
        assertThat(slots.liveBytes()).isEqualTo(live);
        slots.free(taken.getLast());
        slots.free(taken.getFirst());
        assertThat(ranks.take(5000, true)).isFalse();
        assertThat(slots.liveBytes()).isEqualTo(live - 2 * 4096);
        assertThat(ranks.allocate(true)).isEqualTo(992);
    }

    @Test
    void aReleaseFreesOnePageAtATime() {
        allocate(5000);
        ranks.release();
        assertThat(ranks.reference(10)).isZero();
        int steps = 1;
        while (ranks.maintain()) {
            steps++;
        }
        assertThat(steps).isEqualTo(6);
        assertThat(budget.usedBytes()).isZero();
        assertThatThrownBy(() -> ranks.allocate(false)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void pagesLeaveTheChunksThatAreEvacuated() {
        List<Long> others = new ArrayList<>();
        for (int rank = 0; rank < 30_000; rank++) {
            assertThat(ranks.allocate(false)).isEqualTo(rank);
            ranks.setReference(rank, rank + 1);
            if (rank % 992 == 0) {
                for (int i = 0; i < 32; i++) {
                    others.add(slots.allocate(4096, false));
                }
            }
        }
        others.forEach(slots::free);
        assertThat(slots.usedBytes()).isGreaterThan(10 * slots.liveBytes());
        for (int round = 0; round < 10; round++) {
            while (slots.planEvacuation() || ranks.maintain()) {
                // Each call works on one chunk or one page.
            }
        }
        assertThat(slots.usedBytes()).isLessThan(4 * slots.liveBytes());
        for (int rank = 0; rank < 30_000; rank++) {
            assertThat(ranks.reference(rank)).isEqualTo(rank + 1);
        }
    }
}
