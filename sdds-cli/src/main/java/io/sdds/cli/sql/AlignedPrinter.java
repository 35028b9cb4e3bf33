package io.sdds.cli.sql;

import io.sdds.cli.terminal.AlignedRows;
import java.io.PrintStream;
import java.sql.SQLException;
import java.util.Objects;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** Prints rows for people: in columns with headings, or each row as a record with a line for each column. */
final class AlignedPrinter implements ResultPrinter {
    private final PrintStream out;
    private final IntSupplier lineWidth;
    private boolean asRecords;
    private @Nullable AlignedRows aligned;
    private boolean wasCut;

    /** @param lineWidth columns of the terminal; 0 for no limit */
    AlignedPrinter(PrintStream out, IntSupplier lineWidth) {
        this.out = out;
        this.lineWidth = lineWidth;
    }

    /** Prints each row as a record, even if its columns fit on a line. */
    void asRecords(boolean wanted) {
        asRecords = wanted;
    }

    boolean isAsRecords() {
        return asRecords;
    }

    /** Whether cells of the last result were cut. */
    boolean wasCut() {
        return wasCut;
    }

    @Override
    public void begin(ResultCells cells) {
        AlignedRows rows = new AlignedRows(out, cells.labels(), lineWidth.getAsInt());
        if (asRecords) {
            rows.asRecords();
        }
        for (int k = 0; k < cells.labels().size(); k++) {
            if (cells.isNumber(k)) {
                rows.alignRight(k);
            }
        }
        aligned = rows;
        wasCut = false;
    }

    @Override
    public void row(ResultCells cells) throws SQLException {
        Objects.requireNonNull(aligned).row(cells.texts());
    }

    @Override
    public void end(long rows) {
        AlignedRows ended = Objects.requireNonNull(aligned);
        ended.finish();
        wasCut = ended.wasCut();
        aligned = null;
    }

    @Override
    public void updated(long rows) {}

    @Override
    public boolean showsPlansAsLines() {
        return true;
    }

    @Override
    public long keptRows() {
        return AlignedRows.MEASURED_ROWS;
    }
}
