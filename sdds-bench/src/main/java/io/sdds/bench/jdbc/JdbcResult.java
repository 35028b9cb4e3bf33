package io.sdds.bench.jdbc;

import io.sdds.bench.load.LoadReports;
import io.sdds.bench.load.Machine;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
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
        int roundsDone) {
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
            return this == PER_SECOND
                    ? String.format(Locale.ROOT, format, Math.round(figure))
                    : String.format(Locale.ROOT, format, figure);
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
    public boolean isSound() {
        return roundsDone > 0
                && failures.stream()
                        .noneMatch(failure ->
                                failure.startsWith(Database.SDDS) || failure.startsWith(JdbcBenchmark.TABLE));
    }

    /** The result as a table: figures, and beside them SDDS over each other store. */
    public String text(String command) {
        StringBuilder text = new StringBuilder();
        LoadReports.head(text, command, machine);
        text.append(String.format(Locale.ROOT, "%-12s %s%n", "cluster", site));
        text.append(String.format(
                Locale.ROOT,
                "%-12s %d of %d rounds, blocks of %d ms in turn after %d ms of warm-up; medians%n%n",
                "measured",
                roundsDone,
                settings.rounds(),
                settings.duration().toMillis(),
                settings.warmup().toMillis()));
        Set<String> stores = new LinkedHashSet<>();
        lines.forEach(line -> stores.addAll(line.figures().keySet()));
        head(text, stores);
        lines.forEach(line -> line(text, line, stores));
        text.append("\nbehind |: SDDS over each other store; more is better for /s, less for ms and ratios\n");
        absent.forEach(line -> text.append("absent: ").append(line).append('\n'));
        failures.forEach(line -> text.append("failed: ").append(line).append('\n'));
        return text.toString();
    }

    private static void head(StringBuilder text, Set<String> stores) {
        text.append(String.format(Locale.ROOT, "%-34s %5s", "", ""));
        for (String store : stores) {
            text.append(String.format(Locale.ROOT, " %15s", store));
        }
        text.append(" |");
        for (String store : stores) {
            text.append(store.equals(Database.SDDS) ? "" : String.format(Locale.ROOT, " %10s", shortName(store)));
        }
        text.append('\n');
    }

    private static String shortName(String store) {
        return store.split(" ", 2)[0];
    }

    private static void line(StringBuilder text, Line line, Set<String> stores) {
        text.append(String.format(Locale.ROOT, "%-34s %5s", line.name(), line.unit().text));
        for (String store : stores) {
            Double figure = line.figures().get(store);
            text.append(String.format(
                    Locale.ROOT, " %15s", figure == null ? "" : line.unit().shown(figure)));
        }
        text.append(" |");
        for (String store : stores) {
            if (!store.equals(Database.SDDS)) {
                Double ratio = line.ratios().get(store);
                text.append(ratio == null ? " ".repeat(11) : String.format(Locale.ROOT, " %10.2f", ratio));
            }
        }
        text.append('\n');
    }
}
