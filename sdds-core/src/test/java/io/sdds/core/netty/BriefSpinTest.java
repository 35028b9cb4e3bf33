package io.sdds.core.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.netty.channel.SelectStrategy;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BriefSpinTest {
    private final BriefSpin spin = new BriefSpin();
    private int ready;

    @BeforeEach
    void needsASecondProcessor() {
        assumeThat(Runtime.getRuntime().availableProcessors()).isGreaterThan(1);
    }

    @Test
    void looksAgainBeforeItSleeps() throws Exception {
        int looks = 0;
        for (int k = 0; k < 16; k++) {
            looks += untilItSleeps(); // 0 if the thread itself did not run for that long
        }
        assertThat(looks).isPositive();
    }

    @Test
    void hasEventsAndTasksDoneAtOnce() throws Exception {
        assertThat(spin.calculateStrategy(() -> 0, true)).isZero();
        ready = 3;
        assertThat(next()).isEqualTo(3);
    }

    @Test
    void sleepsAtOnceWhenLookingHasBeenInVain() throws Exception {
        vain();
        assertThat(next()).isEqualTo(SelectStrategy.SELECT);
    }

    @Test
    void looksAgainAfterOneSuccess() throws Exception {
        vain();
        while (next() == SelectStrategy.SELECT) {
            // sometimes it polls all the same
        }
        ready = 1;
        assertThat(next()).isEqualTo(1);
        ready = 0;
        assertThat(next()).isEqualTo(SelectStrategy.CONTINUE);
    }

    private void vain() throws Exception {
        for (int k = 0; k < 16; k++) {
            untilItSleeps();
        }
    }

    private int untilItSleeps() throws Exception {
        int looks = 0;
        while (next() == SelectStrategy.CONTINUE) {
            looks++;
        }
        return looks;
    }

    private int next() throws Exception {
        return spin.calculateStrategy(() -> ready, false);
    }
}
