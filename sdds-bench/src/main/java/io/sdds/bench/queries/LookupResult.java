package io.sdds.bench.queries;

import io.sdds.bench.load.LoadReports;
import io.sdds.bench.load.Machine;
import io.sdds.bench.load.Median;
import java.util.List;
import java.util.Locale;

/**
 * Result of the measurement of look-ups.
 *
 * @param rounds the rates of each round
 */
public record LookupResult(LookupSettings settings, Machine machine, String site, List<Round> rounds) {
    public LookupResult {
        rounds = List.copyOf(rounds);
    }

    /**
     * Look-ups a second of one round.
     *
     * @param get by {@code get} of the client
     * @param jdbc by a prepared statement
     */
    public record Round(double get, double jdbc) {
        /** Look-ups by statements over those by the client. */
        public double ratio() {
            return jdbc / get;
        }
    }

    /** Median of the rates of statements. */
    public double jdbcPerSecond() {
        return Median.of(rounds.stream().mapToDouble(Round::jdbc).toArray());
    }

    /** Median of the rates of the client. */
    public double getsPerSecond() {
        return Median.of(rounds.stream().mapToDouble(Round::get).toArray());
    }

    /** Median of the ratios of the rounds. */
    public double ratio() {
        return Median.of(rounds.stream().mapToDouble(Round::ratio).toArray());
    }

    /** The result as text: a line for each round, and the medians. */
    public String text(String command) {
        StringBuilder text = new StringBuilder();
        LoadReports.head(text, command, machine);
        text.append(String.format(Locale.ROOT, "%-12s %s%n%n", "cluster", site));
        text.append(String.format(Locale.ROOT, "%12s %12s %8s%n", "gets/s", "JDBC/s", "ratio"));
        for (Round round : rounds) {
            line(text, round.get(), round.jdbc(), round.ratio());
        }
        text.append(String.format(
                Locale.ROOT,
                "medians of look-ups of whole rows by key, %d threads, one at a time each:%n",
                settings.threads()));
        line(text, getsPerSecond(), jdbcPerSecond(), ratio());
        return text.toString();
    }

    private static void line(StringBuilder text, double get, double jdbc, double ratio) {
        text.append(String.format(Locale.ROOT, "%,12.0f %,12.0f %8.2f%n", get, jdbc, ratio));
    }
}
