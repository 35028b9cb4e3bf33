package io.sdds.bench.load;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of a measurement of tables that were created and dropped.
 *
 * @param create latency of creations, one after the other
 * @param drop latency of drops, one after the other
 * @param createAtOnce creations that began together
 * @param dropAtOnce drops that began together
 */
public record TableChangesResult(Machine machine, Latency create, Latency drop, AtOnce createAtOnce, AtOnce dropAtOnce)
        implements BenchResult {

    /**
     * Requests that began together.
     *
     * @param name of what each of them does
     * @param count number of requests
     * @param seconds from the begin of the first request to the end of the last one
     * @param failed number of requests that failed
     * @param firstFailure text of the first failure; null: none failed
     */
    public record AtOnce(
            String name,
            int count,
            double seconds,
            long failed,
            @Nullable String firstFailure) {}

    /** Whether no request failed. */
    @Override
    public boolean isSound() {
        return createAtOnce.failed() == 0 && dropAtOnce.failed() == 0;
    }

    @Override
    public String text(String command) {
        Report text = new Report(command, machine);
        text.add("%n%-18s %10s %10s %10s%n", "one by one", "p50 ms", "p99 ms", "max ms");
        line(text, "create", create);
        line(text, "drop", drop);
        text.add("%n%-18s %10s %10s %10s%n", "at once", "tables", "s", "failed");
        for (AtOnce changes : List.of(createAtOnce, dropAtOnce)) {
            text.add(
                    "%-18s %,10d %10.2f %,10d%n", changes.name(), changes.count(), changes.seconds(), changes.failed());
        }
        for (AtOnce changes : List.of(createAtOnce, dropAtOnce)) {
            if (changes.firstFailure() != null) {
                text.add("%s: %s%n", changes.name(), changes.firstFailure());
            }
        }
        return text.toString();
    }

    private static void line(Report text, String name, Latency latency) {
        text.add(
                "%-18s %10.2f %10.2f %10.2f%n",
                name, latency.p50Micros() / 1000, latency.p99Micros() / 1000, latency.maxMicros() / 1000);
    }
}
