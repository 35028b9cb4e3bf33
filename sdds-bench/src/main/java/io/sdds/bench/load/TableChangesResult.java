package io.sdds.bench.load;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The result of a measurement of tables that were created and dropped.
 *
 * @param create latency of creations, one after the other
 * @param drop latency of drops, one after the other
 * @param createAtOnce creations that began together
 * @param dropAtOnce drops that began together
 */
public record TableChangesResult(
        Machine machine, Latency create, Latency drop, AtOnce createAtOnce, AtOnce dropAtOnce) {

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
    public boolean isSound() {
        return createAtOnce.failed() == 0 && dropAtOnce.failed() == 0;
    }

    /** The result for people. */
    public String text(String command) {
        StringBuilder text = new StringBuilder();
        LoadReports.head(text, command, machine);
        text.append(format("%n%-18s %10s %10s %10s%n", "one by one", "p50 ms", "p99 ms", "max ms"));
        text.append(line("create", create)).append(line("drop", drop));
        text.append(format("%n%-18s %10s %10s %10s%n", "at once", "tables", "s", "failed"));
        for (AtOnce changes : List.of(createAtOnce, dropAtOnce)) {
            text.append(format(
                    "%-18s %,10d %10.2f %,10d%n",
                    changes.name(), changes.count(), changes.seconds(), changes.failed()));
        }
        for (AtOnce changes : List.of(createAtOnce, dropAtOnce)) {
            if (changes.firstFailure() != null) {
                text.append(changes.name() + ": " + changes.firstFailure() + "\n");
            }
        }
        return text.toString();
    }

    private static String line(String name, Latency latency) {
        return format(
                "%-18s %10.2f %10.2f %10.2f%n",
                name, latency.p50Micros() / 1000, latency.p99Micros() / 1000, latency.maxMicros() / 1000);
    }

    private static String format(String form, Object... values) {
        return String.format(Locale.ROOT, form, values);
    }
}
