package io.sdds.coordinator.raft;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sdds.coordinator.shell.CoordinatorConfig;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class LeaderSilenceTest {
    /** A leader may pause for 1 s, just before a heartbeat was due. */
    private static final Duration PAUSE = Duration.ofMillis(1000 + 75);

    private long nowNanos = -5;
    private final LeaderSilence silence = new LeaderSilence(CoordinatorConfig.DEFAULT_ELECTION_TIMEOUT, () -> nowNanos);

    private void pass(Duration time) {
        nowNanos += time.toNanos();
    }

    @Test
    void nobodyStandsWhileTheLeaderMayOnlyHavePaused() {
        silence.heard();
        pass(PAUSE);
        assertThatThrownBy(silence::requireForPreVote).isInstanceOf(IOException.class);
        silence.heard();
        pass(PAUSE);
        assertThatThrownBy(silence::requireForPreVote).isInstanceOf(IOException.class);
    }

    @Test
    void anotherMayStandSoonAfterThat() {
        silence.heard();
        pass(PAUSE.plusMillis(200));
        assertThatCode(silence::requireForPreVote).doesNotThrowAnyException();
    }

    @Test
    void whoHasHeardNoLeaderMayStandAtOnce() {
        assertThatCode(silence::requireForPreVote).doesNotThrowAnyException();
    }
}
