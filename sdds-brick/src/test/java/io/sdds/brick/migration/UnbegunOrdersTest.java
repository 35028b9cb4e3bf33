package io.sdds.brick.migration;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

class UnbegunOrdersTest {
    private static final long LATE = Migration.STALLED_NANOS;

    private final UnbegunOrders orders = new UnbegunOrders();

    @Test
    void anOrderThatCannotBeginIsGivenUpOnceAndForgottenWithTheMap() {
        assertThat(orders.tick(1, Set.of(7L), Set.of(7L))).isEmpty();
        assertThat(orders.tick(LATE, Set.of(7L), Set.of(7L))).isEmpty();
        assertThat(orders.tick(LATE + 1, Set.of(7L), Set.of(7L))).containsExactly(7L);
        assertThat(orders.isGivenUp(7)).isTrue();
        assertThat(orders.tick(LATE + 2, Set.of(7L), Set.of(7L))).isEmpty();
        orders.tick(LATE + 3, Set.of(), Set.of());
        assertThat(orders.isGivenUp(7)).isFalse();
    }

    @Test
    void anOrderThatBeganMeanwhileWaitsAnew() {
        orders.tick(0, Set.of(7L), Set.of(7L));
        orders.tick(1, Set.of(), Set.of(7L));
        orders.tick(2, Set.of(7L), Set.of(7L));
        assertThat(orders.tick(LATE + 1, Set.of(7L), Set.of(7L))).isEmpty();
    }
}
