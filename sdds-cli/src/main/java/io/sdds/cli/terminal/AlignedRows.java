package io.sdds.cli.terminal;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/**
 * Prints rows in columns below their headings. The first rows decide the widths of the columns; a later cell that is
 * wider moves what is right of it.
 */
public final class AlignedRows {
    private static final int MEASURED_ROWS = 1_000;
    private static final String GAP = "  ";

    private final PrintStream out;
    private final int[] widths;
    private final boolean[] right;
    private final List<List<String>> waiting = new ArrayList<>();
    private boolean measured;

    public AlignedRows(PrintStream out, List<String> headings) {
        this.out = out;
        this.widths = new int[headings.size()];
        this.right = new boolean[headings.size()];
        measure(headings);
        waiting.add(headings);
    }

    /** Aligns a column right, as numbers are. */
    public void alignRight(int column) {
        right[column] = true;
    }

    /** Adds a row. */
    public void row(List<String> cells) {
        if (measured) {
            out.println(line(cells));
            return;
        }
        measure(cells);
        waiting.add(cells);
        if (waiting.size() > MEASURED_ROWS) {
            finish();
        }
    }

    /** Prints the rows that wait. */
    public void finish() {
        measured = true;
        waiting.forEach(cells -> out.println(line(cells)));
        waiting.clear();
    }

    private void measure(List<String> cells) {
        for (int k = 0; k < widths.length; k++) {
            widths[k] = Math.max(widths[k], width(cells.get(k)));
        }
    }

    private String line(List<String> cells) {
        StringBuilder line = new StringBuilder();
        for (int k = 0; k < widths.length; k++) {
            String padding = " ".repeat(Math.max(0, widths[k] - width(cells.get(k))));
            line.append(k == 0 ? "" : GAP);
            line.append(right[k] ? padding + cells.get(k) : cells.get(k) + padding);
        }
        return line.toString().stripTrailing();
    }

    private static int width(String cell) {
        return cell.codePointCount(0, cell.length());
    }
}
