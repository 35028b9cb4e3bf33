package io.sdds.bench.paper;

import static io.sdds.bench.load.Report.format;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Formats findings as comma-separated values (RFC 4180). Numbers have no thousands separators. */
public final class Csv {
    private Csv() {}

    /** The comparisons of several experiments: a line of headings, then one line for each comparison. */
    public static String comparisons(List<Findings> all) {
        StringBuilder text = new StringBuilder("experiment,figure,unit,paper,ours,goal,met\n");
        for (Findings findings : all) {
            for (Comparison each : findings.comparisons()) {
                Comparison.Goal goal = each.goal();
                line(
                        text,
                        findings.experiment(),
                        each.what(),
                        each.unit(),
                        number(each.paper()),
                        number(each.ours()),
                        goal == null ? "" : goal.text(),
                        goal == null ? "" : each.isMet() ? "yes" : "no");
            }
        }
        return text.toString();
    }

    /** All points of all curves: a line of headings, then one line for each point. */
    public static String points(Findings findings) {
        StringBuilder text = new StringBuilder("experiment,panel,curve,source,x,x_axis,y,y_axis\n");
        for (Panel panel : findings.panels()) {
            for (Panel.Curve curve : panel.curves()) {
                for (Panel.Point point : curve.points()) {
                    line(
                            text,
                            findings.experiment(),
                            panel.title(),
                            curve.name(),
                            curve.source().name().toLowerCase(Locale.ROOT),
                            number(point.x()),
                            panel.x().label(),
                            number(point.y()),
                            panel.y().label());
                }
            }
        }
        return text.toString();
    }

    private static String number(@Nullable Double value) {
        return value == null ? "" : format("%.6g", value);
    }

    private static void line(StringBuilder text, String... cells) {
        for (int k = 0; k < cells.length; k++) {
            text.append(k == 0 ? "" : ",").append(cell(cells[k]));
        }
        text.append('\n');
    }

    private static String cell(String value) {
        boolean plain = value.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
        return plain ? value : '"' + value.replace("\"", "\"\"") + '"';
    }
}
