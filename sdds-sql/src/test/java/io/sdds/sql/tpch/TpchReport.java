package io.sdds.sql.tpch;

import io.sdds.sql.tpch.TpchRun.Answer;
import io.sdds.sql.tpch.TpchRun.Answers;
import io.sdds.sql.tpch.TpchRun.Engine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** The times of a test as a table in {@code target/tpch}, with a summary. */
final class TpchReport {
    private static final double NANOS_A_MILLI = 1e6;

    private final double scale;
    private final int runs;
    private final StringBuilder table = new StringBuilder();
    private final Map<Engine, Long> firsts = new EnumMap<>(Engine.class);
    private final Map<Engine, Long> fastests = new EnumMap<>(Engine.class);
    private long h2PlanNanos;
    private long planNanosMax;
    private int queries;

    /** @param runs of each query by each engine */
    TpchReport(double scale, int runs) {
        this.scale = scale;
        this.runs = runs;
        table.append(line("", "rows", "plan ms", "first ms", "fastest", "no pushdown", "H2 ms", "DuckDB", "query"));
    }

    private static String line(Object... columns) {
        return String.format(Locale.ROOT, "%-4s %6s %9s %9s %9s %12s %9s %9s   %s%n", columns);
    }

    void add(TpchText.Query query, Map<Engine, Answers> answers) {
        queries++;
        answers.forEach((engine, of) -> {
            firsts.merge(engine, of.first().nanos(), Long::sum);
            fastests.merge(engine, of.fastest().nanos(), Long::sum);
        });
        Answers h2 = answers.get(Engine.H2);
        h2PlanNanos += h2 == null ? 0 : h2.fastest().planNanos();
        Answers sdds = answers.get(Engine.SDDS);
        Answer first = sdds == null ? null : sdds.first();
        planNanosMax = Math.max(planNanosMax, first == null ? 0 : first.planNanos());
        table.append(line(
                "Q" + query.number(),
                first == null ? "-" : first.rows().size(),
                first == null ? "-" : millis(first.planNanos()),
                first == null ? "-" : millis(first.nanos()),
                fastest(answers, Engine.SDDS),
                fastest(answers, Engine.SDDS_WITHOUT_PUSHDOWN),
                fastest(answers, Engine.H2),
                fastest(answers, Engine.DUCKDB),
                query.name()));
    }

    private static String fastest(Map<Engine, Answers> answers, Engine engine) {
        Answers of = answers.get(engine);
        return of == null ? "-" : millis(of.fastest().nanos());
    }

    private static String millis(long nanos) {
        return String.format(Locale.ROOT, "%.1f", nanos / NANOS_A_MILLI);
    }

    private String summary() {
        return String.format(
                Locale.ROOT,
                "TPC-H at scale factor %s: %d queries, slowest plan %s ms (bar 2000)%n"
                        + "first runs with plans: %s%n"
                        + "fastest of %d runs, H2 with %s ms of plans, SDDS by plans that it has: %s",
                scale,
                queries,
                millis(planNanosMax),
                totals(firsts),
                runs,
                millis(h2PlanNanos),
                totals(fastests));
    }

    private static String totals(Map<Engine, Long> of) {
        return String.format(
                Locale.ROOT,
                "SDDS %s ms, without pushdown %s, H2 %s (bar), DuckDB %s",
                millis(of.getOrDefault(Engine.SDDS, 0L)),
                millis(of.getOrDefault(Engine.SDDS_WITHOUT_PUSHDOWN, 0L)),
                millis(of.getOrDefault(Engine.H2, 0L)),
                millis(of.getOrDefault(Engine.DUCKDB, 0L)));
    }

    void write() throws IOException {
        Path file = Path.of("target", "tpch", "times-sf" + scale + ".txt");
        Files.createDirectories(file.getParent());
        Files.writeString(file, table + System.lineSeparator() + summary() + System.lineSeparator());
        System.out.println(summary() + "; " + file);
    }
}
