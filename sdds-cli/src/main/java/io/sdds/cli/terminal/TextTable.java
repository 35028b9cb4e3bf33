package io.sdds.cli.terminal;

import java.util.ArrayList;
import java.util.List;

/** Formats rows of text in columns. The first columns are aligned left, the other columns right. */
public final class TextTable {
    private static final String GAP = "  ";

    private final int leftColumns;
    private final List<List<String>> rows = new ArrayList<>();

    /** @param leftColumns number of columns that are aligned left */
    public TextTable(int leftColumns, String... headings) {
        this.leftColumns = leftColumns;
        if (headings.length > 0) {
            row(headings);
        }
    }

    public TextTable row(String... cells) {
        rows.add(List.of(cells));
        return this;
    }

    /** The lines, headings first, without trailing blanks. */
    public List<String> lines() {
        int[] widths = new int[rows.stream().mapToInt(List::size).max().orElse(0)];
        for (List<String> row : rows) {
            for (int k = 0; k < row.size(); k++) {
                widths[k] = Math.max(widths[k], width(row.get(k)));
            }
        }
        return rows.stream().map(row -> line(row, widths)).toList();
    }

    private String line(List<String> row, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int k = 0; k < row.size(); k++) {
            String padding = " ".repeat(widths[k] - width(row.get(k)));
            line.append(k == 0 ? "" : GAP);
            line.append(k < leftColumns ? row.get(k) + padding : padding + row.get(k));
        }
        return line.toString().stripTrailing();
    }

    private static int width(String cell) {
        return cell.codePointCount(0, cell.length());
    }
}
