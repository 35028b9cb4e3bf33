package io.sdds.coordinator.raft;

import java.io.IOException;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Tracks the silence of the leader at one member. While the silence is short, the member neither stands for election
 * nor lets another member stand. Thread-safe.
 */
final class LeaderSilence {
    /*
     * The library checks the silence at random times between two bounds, counted from the previous check. If both
     * bounds were longer than a pause of 1 s, an election would begin up to two of them after the leader's death. Here
     * the lower bound is short, so that the library checks often. A detected silence counts only when the leader has
     * been silent for longer than it may pause. A refused pre-vote changes nothing. The upper bound is also the time
     * for which a leader waits for its majority before it steps down, and therefore is longer than such a pause.
     */
    private final long shortestNanos;
    private final LongSupplier clock;
    private volatile long heardNanos;
    private volatile boolean heard;

    /** @param shortest the shortest silence after which a member may stand for election */
    LeaderSilence(Duration shortest) {
        this(shortest, System::nanoTime);
    }

    LeaderSilence(Duration shortest, LongSupplier clock) {
        this.shortestNanos = shortest.toNanos();
        this.clock = clock;
    }

    /** The leader has sent a message. */
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
