package io.sdds.bench.queries;

import io.sdds.bench.load.BenchResult;
import io.sdds.bench.load.Machine;
import io.sdds.bench.load.Median;
import io.sdds.bench.load.Report;
import java.util.List;

/**
 * Result of the measurement of look-ups.
 *
 * @param rounds the rates of each round
 */
public record LookupResult(LookupSettings settings, Machine machine, String site, List<Round> rounds)
        implements BenchResult {
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
        return Median.of(rounds, Round::jdbc);
    }

    /** Median of the rates of the client. */
    public double getsPerSecond() {
        return Median.of(rounds, Round::get);
    }

    /** Median of the ratios of the rounds. */
    public double ratio() {
        return Median.of(rounds, Round::ratio);
    }

    /** The result as text: a line for each round, and the medians. */
    @Override
    public String text(String command) {
        Report text = new Report(command, machine);
        text.add("%-12s %s%n%n", "cluster", site);
        text.add("%12s %12s %8s%n", "gets/s", "JDBC/s", "ratio");
        for (Round round : rounds) {
            line(text, round.get(), round.jdbc(), round.ratio());
        }
        text.add("medians of look-ups of whole rows by key, %d threads, one at a time each:%n", settings.threads());
        line(text, getsPerSecond(), jdbcPerSecond(), ratio());
        return text.toString();
    }

    private static void line(Report text, double get, double jdbc, double ratio) {
        text.add("%,12.0f %,12.0f %8.2f%n", get, jdbc, ratio);
    }
}
