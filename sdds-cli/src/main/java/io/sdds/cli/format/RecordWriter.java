package io.sdds.cli.format;

import java.io.Flushable;
import java.io.IOException;

/** Writes a file record by record. */
public interface RecordWriter extends Flushable {
    /** @throws IllegalArgumentException when a record can't be written in this format */
    void write(byte[] key, byte[] value) throws IOException;
}
