package io.sdds.cli.process;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Decides when a process that has ended starts again: the first time after a second, then after twice the previous
 * pause for each end within ten minutes. After five ends within ten minutes the process stays down, because a process
 * that ends repeatedly would harm its cluster. Thread-safe.
 */
public final class Respawns {
    /** Number of ends within {@link #WINDOW} after which a process stays down. */
    public static final int ENDS_MAX = 5;

    /** Time for which an end counts. */
    public static final Duration WINDOW = Duration.ofMinutes(10);

    private static final Duration PAUSE_MIN = Duration.ofSeconds(1);
    private static final Duration PAUSE_MAX = Duration.ofSeconds(60);

    private final Map<String, ArrayDeque<Long>> endNanos = new HashMap<>();

    /**
     * A process has ended.
     *
     * @param nowNanos current time of a monotonic clock
     * @return the pause before the next start; empty if the process stays down
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
