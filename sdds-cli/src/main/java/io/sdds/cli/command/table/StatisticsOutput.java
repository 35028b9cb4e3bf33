package io.sdds.cli.command.table;

import io.sdds.cli.command.base.CommandContext;
import io.sdds.cli.terminal.Numbers;
import io.sdds.cli.terminal.TextTable;
import io.sdds.client.TableStatistics;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Formats the statistics of a table as text and as JSON documents. */
final class StatisticsOutput {
    private static final int SHOWN_MAX = 32;

    private final CommandContext context;
    private final TableStatistics statistics;

    StatisticsOutput(CommandContext context, TableStatistics statistics) {
        this.context = context;
        this.statistics = statistics;
    }

    /** Such as {@code 1,000,000 rows, estimated from 100,000 of them}. */
    String summary() {
        return Numbers.plural(statistics.rows(), "row")
                + (statistics.isExact()
                        ? ", all of them read"
                        : ", estimated from " + Numbers.count(statistics.sampledRows()) + " of them");
    }

    /** The time that has passed since the table was analyzed, such as {@code 2h ago}. */
    String age() {
        Duration age = Duration.between(statistics.time(), Instant.now());
        if (age.isNegative() || age.toSeconds() < 1) {
            return "just now";
        }
        if (age.toMinutes() < 1) {
            return age.toSeconds() + " s ago";
        }
        if (age.toHours() < 1) {
            return age.toMinutes() + " min ago";
        }
        return age.toDays() < 1 ? age.toHours() + " h ago" : age.toDays() + " d ago";
    }

    /** The columns as a table of text. */
    List<String> lines() {
        TextTable text = new TextTable(3, "COLUMN", "MIN", "MAX", "DISTINCT", "NULLS", "MEAN BYTES");
        for (TableStatistics.Column column : statistics.columns()) {
            text.row(
                    column.name(),
                    cell(column.min()),
                    cell(column.max()),
                    Numbers.count(column.distinct()),
                    String.format(Locale.ROOT, "%.1f %%", 100 * column.nulls()),
                    String.format(Locale.ROOT, "%.1f", column.meanBytes()));
        }
        return text.lines();
    }

    private String cell(@Nullable Object value) {
        if (value == null) {
            return "";
        }
        String text = shown(value).toString().replaceAll("\\p{Cntrl}", " ");
        return text.codePointCount(0, text.length()) <= SHOWN_MAX
                ? text
                : text.substring(0, text.offsetByCodePoints(0, SHOWN_MAX - 1)) + "…";
    }

    private Object shown(Object value) {
        return value instanceof byte[] bytes ? context.shown(bytes) : value;
    }

    Map<String, Object> document() {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("analyzed", statistics.time().toString());
        document.put("rows", statistics.rows());
        document.put("sampled_rows", statistics.sampledRows());
        List<Map<String, Object>> columns = new ArrayList<>();
        statistics.columns().forEach(column -> columns.add(document(column)));
        document.put("columns", columns);
        return document;
    }

    private Map<String, Object> document(TableStatistics.Column column) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("name", column.name());
        document.put("type", column.type());
        document.put("distinct", column.distinct());
        document.put("nulls", column.nulls());
        document.put("mean_bytes", column.meanBytes());
        document.put("min", json(column.min()));
        document.put("max", json(column.max()));
        return document;
    }

    /** Decimal numbers are texts, exactly, as in the records that commands print. */
    private @Nullable Object json(@Nullable Object value) {
        return switch (value) {
            case null -> null;
            case Integer number -> number;
            case Long number -> number;
            case Double number -> number;
            case Boolean truth -> truth;
            default -> shown(value).toString();
        };
    }
}
