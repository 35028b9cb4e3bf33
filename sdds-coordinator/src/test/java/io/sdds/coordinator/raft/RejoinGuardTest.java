package io.sdds.coordinator.raft;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RejoinGuardTest {
    private final AtomicInteger caughtUp = new AtomicInteger();
    private final RejoinGuard guard = new RejoinGuard(new Position(7, 5, 100), caughtUp::incrementAndGet);

    @Test
    void votesOnlyOnceItHasWhatTheOthersHad() {
        assertThat(guard.mayStand()).isFalse();
        assertThat(guard.mayVoteIn(8)).isFalse();
        guard.onApplied(4, 200); // an entry of an earlier term does not count
        guard.onApplied(5, 99);
        assertThat(guard.mayVoteIn(8)).isFalse();
        guard.onApplied(5, 100);
        assertThat(guard.mayStand()).isTrue();
        assertThat(guard.mayVoteIn(8)).isTrue();
        guard.onApplied(8, 101);
        assertThat(caughtUp).hasValue(1);
    }

    @Test
    void neverVotesInATermInWhichItMayHaveVoted() {
        guard.onApplied(8, 101);
        assertThat(guard.mayVoteIn(7)).isFalse();
        assertThat(guard.mayVoteIn(8)).isTrue();
    }

    @Test
    void doesNotFollowALeaderThatMayBeReplaced() {
        assertThat(guard.mayFollowIn(6)).isFalse();
        assertThat(guard.mayFollowIn(7)).isTrue();
    }

    @Test
    void inANewClusterThereIsNothingToWaitFor() {
        RejoinGuard first = new RejoinGuard(Position.NONE, caughtUp::incrementAndGet);
        assertThat(first.mayStand()).isTrue();
        assertThat(first.mayVoteIn(1)).isTrue();
    }

    @Test
    void theLaterOfTwoPositionsCoversBoth() {
        Position one = new Position(9, 3, 50);
        assertThat(one.and(new Position(4, 4, 10))).isEqualTo(new Position(9, 4, 10));
        assertThat(new Position(4, 3, 51).and(one)).isEqualTo(new Position(9, 3, 51));
        assertThat(Position.NONE.and(one)).isEqualTo(one);
    }
}
