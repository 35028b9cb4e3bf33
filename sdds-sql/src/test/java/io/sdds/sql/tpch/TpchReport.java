package io.sdds.sql.tpch;

import io.sdds.sql.tpch.TpchRun.Answer;
import io.sdds.sql.tpch.TpchRun.Engine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** The times of a run as a table in {@code target/tpch}, with a summary in one line. */
final class TpchReport {
    private static final double NANOS_A_MILLI = 1e6;

    private final double scale;
    private final StringBuilder table = new StringBuilder();
    private final Map<Engine, Long> totals = new EnumMap<>(Engine.class);
    private long planNanosMax;
    private int queries;

    TpchReport(double scale) {
        this.scale = scale;
        table.append(String.format(
                Locale.ROOT,
                "%-4s %6s %9s %9s %12s %9s %9s   %s%n",
                "",
                "rows",
                "plan ms",
                "SDDS ms",
                "no pushdown",
                "H2 ms",
                "DuckDB",
                "query"));
    }

    void add(TpchText.Query query, Map<Engine, Answer> answers) {
        Answer sdds = answers.get(Engine.SDDS);
        queries++;
        planNanosMax = Math.max(planNanosMax, sdds == null ? 0 : sdds.planNanos());
        answers.forEach((engine, answer) -> totals.merge(engine, answer.nanos(), Long::sum));
        table.append(String.format(
                Locale.ROOT,
                "%-4s %6s %9s %9s %12s %9s %9s   %s%n",
                "Q" + query.number(),
                sdds == null ? "-" : sdds.rows().size(),
                sdds == null ? "-" : millis(sdds.planNanos()),
                total(answers, Engine.SDDS),
                total(answers, Engine.SDDS_WITHOUT_PUSHDOWN),
                total(answers, Engine.H2),
                total(answers, Engine.DUCKDB),
                query.name()));
    }

    private static String total(Map<Engine, Answer> answers, Engine engine) {
        Answer answer = answers.get(engine);
        return answer == null ? "-" : millis(answer.nanos());
    }

    private static String millis(long nanos) {
        return String.format(Locale.ROOT, "%.1f", nanos / NANOS_A_MILLI);
    }

    private String summary() {
        return String.format(
                Locale.ROOT,
                "TPC-H at scale factor %s: %d queries, slowest plan %s ms (bar 2000), in all with plans: SDDS %s ms,"
                        + " without pushdown %s, H2 %s (bar of SDDS), DuckDB %s",
                scale,
                queries,
                millis(planNanosMax),
                millis(totals.getOrDefault(Engine.SDDS, 0L)),
                millis(totals.getOrDefault(Engine.SDDS_WITHOUT_PUSHDOWN, 0L)),
                millis(totals.getOrDefault(Engine.H2, 0L)),
                millis(totals.getOrDefault(Engine.DUCKDB, 0L)));
    }

    void write() throws IOException {
        Path file = Path.of("target", "tpch", "times-sf" + scale + ".txt");
        Files.createDirectories(file.getParent());
        Files.writeString(file, table + System.lineSeparator() + summary() + System.lineSeparator());
        System.out.println(summary() + "; " + file);
    }
}
