package io.sdds.cli.format;

import java.io.Flushable;
import java.io.IOException;

/** Writes a file record by record. */
public interface RecordWriter extends Flushable {
    /** Any bytes: {@link RecordReader} reads the same back. */
    void write(byte[] key, byte[] value) throws IOException;
}
