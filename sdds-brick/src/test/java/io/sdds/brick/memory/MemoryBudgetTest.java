package io.sdds.brick.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class MemoryBudgetTest {

    private final MemoryBudget budget = new MemoryBudget(1000);

    @Test
    void reservesUpToTheLimitAndNotBeyond() {
        assertThat(budget.reserve(600)).isTrue();
        assertThat(budget.reserve(401)).isFalse();
        assertThat(budget.usedBytes()).isEqualTo(600);
        assertThat(budget.reserve(400)).isTrue();
        assertThat(budget.usedBytes()).isEqualTo(1000);
    }

    @Test
    void admitsWhatIsNewUpTo95Percent() {
        assertThat(budget.admitsOrdinary(950)).isTrue();
        assertThat(budget.admitsOrdinary(951)).isFalse();
        budget.reserve(900);
        assertThat(budget.admitsOrdinary(50)).isTrue();
        assertThat(budget.admitsOrdinary(51)).isFalse();
    }

    @Test
    void releaseMakesRoomAgain() {
        budget.reserve(1000);
        budget.release(300);
        assertThat(budget.reserve(300)).isTrue();
    }

    @Test
    void refusesToReleaseMoreThanWasReserved() {
        budget.reserve(10);
        assertThatThrownBy(() -> budget.release(11)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void rejectsALimitThatIsNotPositive() {
        assertThatThrownBy(() -> new MemoryBudget(0)).isInstanceOf(IllegalArgumentException.class);
    }
}
