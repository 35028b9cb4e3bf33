package io.sdds.cli.format;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Reads a file record by record. Returns an item for each invalid line too, and continues after the line. */
public interface RecordReader extends AutoCloseable {

    /** A record or an invalid line. An item may span several lines. */
    sealed interface Item {
        /** The number of the first line of the item, from 1. */
        long line();
    }

    /** A valid record. */
    record Entry(long line, byte[] key, byte[] value) implements Item {}

    /** A line that is not a record, with the reason. */
    record Refused(long line, String reason) implements Item {}

    /** The next item; null at the end of the file. */
    @Nullable
    Item next() throws IOException;

    /** Bytes of the file that were read so far. */
    long bytesRead();

    @Override
    void close() throws IOException;
}
