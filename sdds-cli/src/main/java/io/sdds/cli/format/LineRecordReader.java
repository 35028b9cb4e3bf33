package io.sdds.cli.format;

import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** Reads files with a record on each line. Skips empty lines. */
abstract class LineRecordReader implements RecordReader {
    final LineReader lines;

    LineRecordReader(InputStream in) {
        this.lines = new LineReader(in);
    }

    /**
     * The record of the present line.
     *
     * @throws IllegalArgumentException if the line is not a record
     */
    abstract Entry entry() throws IOException;

    /** Whether the present line is a record, and not a header. */
    boolean isRecord() {
        return true;
    }

    @Override
    public @Nullable Item next() throws IOException {
        while (lines.nextFilled()) {
            String problem = lines.problem();
            if (problem != null) {
                return new Refused(lines.number(), problem);
            }
            if (isRecord()) {
                try {
                    return entry();
                } catch (IllegalArgumentException e) {
                    return new Refused(lines.number(), String.valueOf(e.getMessage()));
                }
            }
        }
        return null;
    }

    @Override
    public long bytesRead() {
        return lines.bytesRead();
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }
}
