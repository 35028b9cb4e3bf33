package io.sdds.cli.terminal;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/**
 * Prints rows in columns below their headings. The first rows decide the widths of the columns; a later cell that is
 * wider moves what is right of it. If lines have a limit, cells that are too long are cut; and rows with too many
 * columns for a line are printed as records, which have a line for each column.
 */
public final class AlignedRows {
    /** Number of rows that are kept until the widths of the columns are decided. */
    public static final int MEASURED_ROWS = 1_000;

    private static final int CUT_WIDTH_MIN = 8;
    private static final String GAP = "  ";
    private static final String CUT = "…";

    private final PrintStream out;
    private final List<String> headings;
    private final int lineWidthMax;
    private final int[] widths;
    private final boolean[] right;
    private final List<List<String>> waiting = new ArrayList<>();
    private boolean measured;
    private boolean asRecords;
    private boolean wasCut;
    private long records;

    /** Rows without a limit of their lines. */
    public AlignedRows(PrintStream out, List<String> headings) {
        this(out, headings, 0);
    }

    /** @param lineWidthMax characters of a line, as a terminal has; 0 for no limit */
    public AlignedRows(PrintStream out, List<String> headings, int lineWidthMax) {
        this.out = out;
        this.headings = headings;
        this.lineWidthMax = lineWidthMax;
        this.widths = new int[headings.size()];
        this.right = new boolean[headings.size()];
        measure(headings);
    }

    /** Aligns a column right, as numbers are. */
    public void alignRight(int column) {
        right[column] = true;
    }

    /** Prints each row as a record, whose cells are whole. */
    public void asRecords() {
        asRecords = true;
    }

    /** Whether a cell was cut. */
    public boolean wasCut() {
        return wasCut;
    }

    /** Adds a row. */
    public void row(List<String> cells) {
        if (measured) {
            print(cells);
            return;
        }
        measure(cells);
        waiting.add(cells);
        if (waiting.size() == MEASURED_ROWS) {
            finish();
        }
    }

    /** Prints the rows that wait. */
    public void finish() {
        if (!measured) {
            measured = true;
            fit();
            if (!asRecords) {
                print(headings);
            }
        }
        waiting.forEach(this::print);
        waiting.clear();
    }

    private void measure(List<String> cells) {
        for (int k = 0; k < widths.length; k++) {
            widths[k] = Math.max(widths[k], width(cells.get(k)));
        }
    }

    /** Takes width from the widest columns until a line fits. */
    private void fit() {
        int excess = lineWidthMax == 0 ? 0 : lineWidth() - lineWidthMax;
        while (excess > 0) {
            int widest = 0;
            for (int k = 1; k < widths.length; k++) {
                widest = widths[k] > widths[widest] ? k : widest;
            }
            if (widths[widest] <= CUT_WIDTH_MIN) {
                asRecords = true;
                return;
            }
            widths[widest]--;
            excess--;
        }
    }

    private int lineWidth() {
        int sum = GAP.length() * (widths.length - 1);
        for (int width : widths) {
            sum += width;
        }
        return sum;
    }

    private void print(List<String> cells) {
        if (asRecords) {
            printRecord(cells);
        } else {
            out.println(line(cells));
        }
    }

    private void printRecord(List<String> cells) {
        int width = headings.stream().mapToInt(AlignedRows::width).max().orElse(0);
        out.println("-- " + Numbers.count(++records) + " --");
        for (int k = 0; k < widths.length; k++) {
            String heading = headings.get(k);
            String padding = " ".repeat(width - width(heading));
            out.println((heading + padding + GAP + cells.get(k)).stripTrailing());
        }
    }

    private String line(List<String> cells) {
        StringBuilder line = new StringBuilder();
        for (int k = 0; k < widths.length; k++) {
            String cell = cut(cells.get(k), widths[k]);
            String padding = " ".repeat(Math.max(0, widths[k] - width(cell)));
            line.append(k == 0 ? "" : GAP);
            line.append(right[k] ? padding + cell : cell + padding);
        }
        return line.toString().stripTrailing();
    }

    private String cut(String cell, int width) {
        if (lineWidthMax == 0 || width(cell) <= width) {
            return cell;
        }
        wasCut = true;
        return cell.substring(0, cell.offsetByCodePoints(0, width - 1)) + CUT;
    }

    private static int width(String cell) {
        return cell.codePointCount(0, cell.length());
    }
}
