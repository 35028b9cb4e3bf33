package io.sdds.coordinator.raft;

import java.io.IOException;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * How long a member has not heard the leader: while that is short, it neither stands for election nor lets another
 * stand. Thread-safe.
 */
final class LeaderSilence {
    /*
     * The library looks for silence after random times between two bounds, each of which begins when the one before has
     * passed. So with both bounds beyond a pause of 1 s an election would begin up to two of them after the leader's
     * death. Here the lower bound is short, so that it looks often, and what it finds counts only when the leader has
     * been silent for longer than it may pause. A pre-vote that is refused changes nothing. The upper bound is also how
     * long a leader waits for its majority before it steps down, and therefore longer than such a pause.
     */
    private final long shortestNanos;
    private final LongSupplier clock;
    private volatile long heardNanos;
    private volatile boolean heard;

    /** @param shortest silence after which another may stand */
    LeaderSilence(Duration shortest) {
        this(shortest, System::nanoTime);
    }

    LeaderSilence(Duration shortest, LongSupplier clock) {
        this.shortestNanos = shortest.toNanos();
        this.clock = clock;
    }

    /** The leader has sent something. */
    void heard() {
        heardNanos = clock.getAsLong();
        heard = true;
    }

    /** @throws IOException when the leader was heard so lately that it may only have paused */
    void requireForPreVote() throws IOException {
        if (heard && clock.getAsLong() - heardNanos < shortestNanos) {
            throw new IOException("the leader was heard a moment ago");
        }
    }
}
