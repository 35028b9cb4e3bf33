package io.sdds.bench.queries;

import io.sdds.bench.load.Report;
import io.sdds.bench.queries.QueryResult.Figure;
import io.sdds.bench.queries.QueryResult.Gets;
import io.sdds.bench.queries.QueryResult.Pair;
import io.sdds.bench.queries.QueryResult.Place;
import io.sdds.bench.queries.QueryResult.TableResult;
import java.util.List;
import java.util.Locale;

/** Formats the result of a measurement of queries as text. */
public final class QueryReport {
    private QueryReport() {}

    /** A table of the queries, a line of the cancels and a table of the gets for each table. */
    public static String text(String command, QueryResult result) {
        Report text = new Report(command, result.machine());
        text.add("%-12s %s%n", "cluster", result.site());
        for (TableResult table : result.tables()) {
            text.add(
                    "%n%s table, %,d rows of about 100 bytes, %d partitions%n",
                    table.kind().name().toLowerCase(Locale.ROOT),
                    result.settings().rows(),
                    table.partitions());
            figures(text, table.figures(), result.settings().rounds());
            if (table.cancels().count() > 0) {
                text.add(
                        "cancel to the last answer of a brick: %.1f ms, at most %.1f ms (median of %d)%n",
                        table.cancels().medianMillis(),
                        table.cancels().maxMillis(),
                        table.cancels().count());
            }
            gets(text, table.gets());
        }
        return text.toString();
    }

    private static void figures(Report text, List<Figure> figures, int rounds) {
        if (figures.isEmpty()) {
            return;
        }
        text.add("%-10s %-10s %10s %14s %14s %10s %8s%n", "query", "by", "ms", "rows/s", "bytes", "results", "times");
        for (Figure figure : figures) {
            String times = figure.place() == Place.BRICKS ? "" : Report.format("%8.1f", times(figure, figures));
            String line = Report.format(
                    "%-10s %-10s %,10.1f %,14.0f %,14d %,10d %s",
                    figure.query(),
                    figure.place().name().toLowerCase(Locale.ROOT),
                    figure.medianMillis(),
                    figure.rowsPerSecond(),
                    figure.receivedBytes(),
                    figure.results(),
                    times);
            text.add("%s%n", line.stripTrailing());
        }
        text.add("medians of %d rounds in turn; times: over the same query by the bricks%n", rounds);
    }

    private static double times(Figure figure, List<Figure> figures) {
        return figures.stream()
                .filter(other -> other.place() == Place.BRICKS && other.query().equals(figure.query()))
                .mapToDouble(other -> figure.medianMillis() / other.medianMillis())
                .findFirst()
                .orElse(0);
    }

    private static void gets(Report text, Gets gets) {
        if (gets.pairs().isEmpty()) {
            return;
        }
        text.add(
                "gets: %,.0f/s saturate; at %,d/s, without and with a filter query at a time%n",
                gets.saturationPerSecond(), gets.ratePerSecond());
        text.add(
                "%10s %10s %10s %10s %10s %10s %8s%n",
                "p50 µs", "p99 µs", "p99.9 µs", "with p50", "with p99", "with p99.9", "queries/s");
        for (Pair pair : gets.pairs()) {
            text.add(
                    "%,10.1f %,10.1f %,10.1f %,10.1f %,10.1f %,10.1f %8.1f%n",
                    pair.quiet().p50Micros(),
                    pair.quiet().p99Micros(),
                    pair.quiet().p999Micros(),
                    pair.beside().p50Micros(),
                    pair.beside().p99Micros(),
                    pair.beside().p999Micros(),
                    pair.queriesPerSecond());
        }
        text.add("p99 with queries over that without: %.2f (median)%n", gets.p99Ratio());
    }
}
