package io.sdds.cli.sql;

import io.sdds.cli.format.RowCells;
import java.io.PrintStream;
import java.sql.SQLException;
import java.util.stream.Collectors;

/** Prints rows for programs: as CSV with headings, or with tabs between the cells. */
final class LinePrinter implements ResultPrinter {
    private final PrintStream out;
    private final boolean csv;

    LinePrinter(PrintStream out, boolean csv) {
        this.out = out;
        this.csv = csv;
    }

    boolean isCsv() {
        return csv;
    }

    @Override
    public void begin(ResultCells cells) {
        if (csv) {
            print(cells.labels().stream().map(RowCells::csvCell).collect(Collectors.joining(",")));
        }
    }

    @Override
    public void row(ResultCells cells) throws SQLException {
        print(csv ? String.join(",", cells.csv()) : String.join("\t", cells.texts()));
    }

    @Override
    public void end(long rows) {}

    @Override
    public void updated(long rows) {}

    @Override
    public boolean showsPlansAsLines() {
        return !csv;
    }

    /** The end of a line is the same on all systems. */
    private void print(String line) {
        out.print(line + "\n");
    }
}
