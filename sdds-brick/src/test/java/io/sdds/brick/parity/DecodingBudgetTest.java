package io.sdds.brick.parity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class DecodingBudgetTest {
    private final DecodingBudget budget = new DecodingBudget(100);

    @Test
    void givesNoMoreThanItHasUnlessNothingIsTaken() {
        assertThat(budget.take(60)).isTrue();
        assertThat(budget.take(41)).isFalse();
        assertThat(budget.take(40)).isTrue();
        budget.giveBack(100);
        assertThat(budget.take(1_000)).isTrue();
        assertThat(budget.take(1)).isFalse();
    }

    @Test
    void leavesAsMuchForMoreUrgentWork() {
        assertThat(budget.takeHalf(50)).isTrue();
        assertThat(budget.takeHalf(26)).isFalse();
        assertThat(budget.takeHalf(25)).isTrue();
        assertThat(budget.take(25)).isTrue();
    }

    @Test
    void refusesToTakeBackWhatItHasNotGiven() {
        budget.take(10);
        assertThatThrownBy(() -> budget.giveBack(11)).isInstanceOf(IllegalStateException.class);
    }
}
