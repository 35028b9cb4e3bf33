package io.sdds.bench.jdbc;

import io.sdds.bench.load.BenchResult;
import io.sdds.bench.load.Machine;
import io.sdds.bench.load.Report;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Result of the measurement of JDBC drivers.
 *
 * @param absent a line for each database that is not here, and why
 * @param failures a line for each store with operations that failed
 * @param roundsDone rounds that ended before the deadline
 */
public record JdbcResult(
        JdbcSettings settings,
        Machine machine,
        String site,
        List<Line> lines,
        List<String> absent,
        List<String> failures,
        int roundsDone)
        implements BenchResult {
    public JdbcResult {
        lines = List.copyOf(lines);
        absent = List.copyOf(absent);
        failures = List.copyOf(failures);
    }

    /** The unit of a figure. */
    public enum Unit {
        /** A rate: more is better. */
        PER_SECOND("/s", "%,d"),
        /** A time: less is better. */
        MILLIS("ms", "%.1f"),
        RATIO("ratio", "%.2f");

        private final String text;
        private final String format;

        Unit(String text, String format) {
            this.text = text;
            this.format = format;
        }

        private String shown(double figure) {
            return this == PER_SECOND ? Report.format(format, Math.round(figure)) : Report.format(format, figure);
        }
    }

    /**
     * One figure of each store.
     *
     * @param figures by the names of the stores
     * @param ratios SDDS over each other store, of blocks that ran one after another
     */
    public record Line(String name, Unit unit, Map<String, Double> figures, Map<String, Double> ratios) {}

    /** Whether SDDS did all that was asked for. */
    @Override
    public boolean isSound() {
        return roundsDone > 0
                && failures.stream()
                        .noneMatch(failure ->
                                failure.startsWith(Database.SDDS) || failure.startsWith(JdbcBenchmark.TABLE));
    }

    /** The result as a table: figures, and beside them SDDS over each other store. */
    @Override
    public String text(String command) {
        Report text = new Report(command, machine);
        text.add("%-12s %s%n", "cluster", site);
        text.add(
                "%-12s %d of %d rounds, blocks of %d ms in turn after %d ms of warm-up; medians%n%n",
                "measured",
                roundsDone,
                settings.rounds(),
                settings.duration().toMillis(),
                settings.warmup().toMillis());
        Set<String> stores = new LinkedHashSet<>();
        lines.forEach(line -> stores.addAll(line.figures().keySet()));
        head(text, stores);
        lines.forEach(line -> line(text, line, stores));
        text.add("%nbehind |: SDDS over each other store; more is better for /s, less for ms and ratios%n");
        absent.forEach(line -> text.add("absent: %s%n", line));
        failures.forEach(line -> text.add("failed: %s%n", line));
        return text.toString();
    }

    private static void head(Report text, Set<String> stores) {
        text.add("%-34s %5s", "", "");
        for (String store : stores) {
            text.add(" %15s", store);
        }
        text.add(" |");
        for (String store : stores) {
            if (!store.equals(Database.SDDS)) {
                text.add(" %10s", shortName(store));
            }
        }
        text.add("%n");
    }

    private static String shortName(String store) {
        return store.split(" ", 2)[0];
    }

    private static void line(Report text, Line line, Set<String> stores) {
        text.add("%-34s %5s", line.name(), line.unit().text);
        for (String store : stores) {
            Double figure = line.figures().get(store);
            text.add(" %15s", figure == null ? "" : line.unit().shown(figure));
        }
        text.add(" |");
        for (String store : stores) {
            if (!store.equals(Database.SDDS)) {
                Double ratio = line.ratios().get(store);
                text.add(" %10s", ratio == null ? "" : Report.format("%.2f", ratio));
            }
        }
        text.add("%n");
    }
}
