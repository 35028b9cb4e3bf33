package io.sdds.bench.load;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of a measurement of bursts: how long each burst took, and how many of its operations failed.
 *
 * @param quiet latency of the other client's gets before the bursts; null: there is no other client
 */
public record BurstResult(
        BurstSettings settings, Machine machine, @Nullable Latency quiet, List<Burst> bursts) implements BenchResult {

    /**
     * The figures of one burst.
     *
     * @param name of the operations, and whether the client was warm
     * @param seconds from the first operation's begin to the last one's end
     * @param refused operations that failed by overload
     * @param timedOut operations that failed at their deadline for another reason
     * @param failed operations that failed for another reason, and gets with a wrong value
     * @param firstFailure text of the first failure; null: none failed
     * @param busy requests that bricks refused
     * @param seenPerAnswered requests that the bricks saw for each request that they answered: in the worst second, or
     *     in the whole burst if the burst took less than a second
     * @param beside latency of the other client's gets; null: there is no other client
     */
    public record Burst(
            String name,
            double seconds,
            long refused,
            long timedOut,
            long failed,
            @Nullable String firstFailure,
            long busy,
            double seenPerAnswered,
            @Nullable Latency beside) {

        /** Number of operations that failed. */
        public long lost() {
            return refused + timedOut + failed;
        }
    }

    /** Whether no operation failed. */
    @Override
    public boolean isSound() {
        return bursts.stream().allMatch(burst -> burst.lost() == 0);
    }

    @Override
    public String text(String command) {
        Report text = new Report(command, machine);
        text.add(
                "%n%-10s %8s %12s %9s %9s %9s %12s %10s %14s%n",
                "burst", "s", "ops/s", "refused", "late", "failed", "BUSY", "seen/ans.", "beside p99 µs");
        if (quiet != null) {
            text.add("%-91s %14.0f%n", "(none)", quiet.p99Micros());
        }
        for (Burst burst : bursts) {
            text.add(
                    "%-10s %8.2f %,12.0f %9d %9d %9d %,12d %10.3f %14s%n",
                    burst.name(),
                    burst.seconds(),
                    settings.operations() / burst.seconds(),
                    burst.refused(),
                    burst.timedOut(),
                    burst.failed(),
                    burst.busy(),
                    burst.seenPerAnswered(),
                    burst.beside() == null
                            ? "-"
                            : Report.format("%.0f", burst.beside().p99Micros()));
        }
        bursts.stream()
                .filter(burst -> burst.firstFailure() != null)
                .forEach(burst -> text.add("%s: %s%n", burst.name(), burst.firstFailure()));
        return text.toString();
    }
}
