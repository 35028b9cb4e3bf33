package io.sdds.cli.format;

import java.io.Flushable;
import java.io.IOException;

/** Writes a file record by record. */
public interface RecordWriter extends Flushable {
    /** Writes a record of any bytes. {@link RecordReader} reads the same bytes. */
    void write(byte[] key, byte[] value) throws IOException;
}
