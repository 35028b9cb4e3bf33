package io.sdds.cli.format;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Reads a file record by record. What can't be read is told and passed over. */
public interface RecordReader extends AutoCloseable {

    /** What stands on a line, or several. */
    sealed interface Item {
        /** The number of its first line, from 1. */
        long line();
    }

    /** A record. */
    record Entry(long line, byte[] key, byte[] value) implements Item {}

    /** A line that is none, and why. */
    record Refused(long line, String reason) implements Item {}

    /** The next item; null at the end. */
    @Nullable
    Item next() throws IOException;

    /** Bytes of the file that were read so far. */
    long bytesRead();

    @Override
    void close() throws IOException;
}
