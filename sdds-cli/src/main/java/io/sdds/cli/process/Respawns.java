package io.sdds.cli.process;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * When a process that ended is started again: after a second the first time, twice as long each time it ends again
 * within ten minutes, and never once it has ended five times in that time. A process that ends again and again would
 * otherwise take its cluster with it. Thread-safe.
 */
public final class Respawns {
    /** Ends within {@link #WINDOW} after which a process stays down. */
    public static final int ENDS_MAX = 5;

    /** How long an end counts. */
    public static final Duration WINDOW = Duration.ofMinutes(10);

    private static final Duration PAUSE_MIN = Duration.ofSeconds(1);
    private static final Duration PAUSE_MAX = Duration.ofSeconds(60);

    private final Map<String, ArrayDeque<Long>> endNanos = new HashMap<>();

    /**
     * A process has ended.
     *
     * @param nowNanos by a monotonic clock
     * @return the pause before it is started again; empty when it stays down
     */
    public synchronized Optional<Duration> onEnd(String id, long nowNanos) {
        ArrayDeque<Long> ends = endNanos.computeIfAbsent(id, any -> new ArrayDeque<>());
        while (!ends.isEmpty() && nowNanos - ends.getFirst() > WINDOW.toNanos()) {
            ends.removeFirst();
        }
        ends.addLast(nowNanos);
        if (ends.size() >= ENDS_MAX) {
            return Optional.empty();
        }
        Duration pause = PAUSE_MIN.multipliedBy(1L << ends.size() - 1);
        return Optional.of(pause.compareTo(PAUSE_MAX) < 0 ? pause : PAUSE_MAX);
    }
}
