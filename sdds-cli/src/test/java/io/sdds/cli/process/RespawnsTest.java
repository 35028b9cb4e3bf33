package io.sdds.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class RespawnsTest {
    private final Respawns respawns = new Respawns();

    @Test
    void thePauseDoublesWithEachEndAndTheFifthWithinTenMinutesIsTheLast() {
        assertThat(respawns.onEnd("b1", 0)).contains(Duration.ofSeconds(1));
        assertThat(respawns.onEnd("b1", seconds(100))).contains(Duration.ofSeconds(2));
        assertThat(respawns.onEnd("b1", seconds(200))).contains(Duration.ofSeconds(4));
        assertThat(respawns.onEnd("b1", seconds(300))).contains(Duration.ofSeconds(8));
        assertThat(respawns.onEnd("b1", seconds(600))).isEmpty();
    }

    @Test
    void anEndIsForgottenAfterTenMinutes() {
        for (int k = 0; k < 100; k++) {
            assertThat(respawns.onEnd("b1", seconds(601L * k))).contains(Duration.ofSeconds(1));
        }
    }

    @Test
    void oneProcessDoesNotPayForAnother() {
        for (int k = 0; k < Respawns.ENDS_MAX; k++) {
            respawns.onEnd("b1", seconds(k));
        }
        assertThat(respawns.onEnd("b2", seconds(9))).contains(Duration.ofSeconds(1));
    }

    private static long seconds(long count) {
        return Duration.ofSeconds(count).toNanos();
    }
}
