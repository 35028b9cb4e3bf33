package io.sdds.cli.format;

import io.sdds.core.protocol.Limits;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Reads lines of bytes, up to a length that no valid record exceeds. */
final class LineReader implements AutoCloseable {
    /** Length of the largest record if each byte takes six bytes, as an escape of JSON does. */
    static final int LINE_BYTES_MAX = 6 * (Limits.KEY_BYTES_MAX + Limits.VALUE_BYTES_MAX) + 1024;

    private static final int BUFFER_BYTES = 256 << 10;

    private final InputStream in;
    private byte[] buffer = new byte[BUFFER_BYTES];
    private int from;
    private int to;
    private boolean ended;

    private long bytesRead;
    private long number;
    private int start;
    private int end;
    private boolean tooLong;

    LineReader(InputStream in) {
        this.in = in;
    }

    /** Reads the next line. Returns false at the end of the file. */
    boolean next() throws IOException {
        tooLong = false;
        int searched = from;
        while (true) {
            int at = indexOfNewline(searched);
            if (at >= 0) {
                line(from, at, at + 1);
                return true;
            }
            if (ended) {
                boolean rest = from < to;
                line(from, to, to);
                return rest;
            }
            int unsearched = to - from;
            fill();
            searched = from + Math.min(unsearched, to - from);
        }
    }

    /** Reads the next line that is not empty. Returns false at the end of the file. */
    boolean nextFilled() throws IOException {
        while (next()) {
            if (tooLong || end() > start) {
                return true;
            }
        }
        return false;
    }

    private void line(int first, int last, int nextFrom) {
        number++;
        start = first;
        end = last;
        tooLong |= last - first > LINE_BYTES_MAX;
        bytesRead += nextFrom - first;
        from = nextFrom;
    }

    private int indexOfNewline(int searched) {
        for (int k = searched; k < to; k++) {
            if (buffer[k] == '\n') {
                return k;
            }
        }
        return -1;
    }

    /** Reads more bytes into the buffer. Drops the bytes of a line that is too long, except its end. */
    private void fill() throws IOException {
        if (to - from > LINE_BYTES_MAX) {
            tooLong = true;
            bytesRead += to - from;
            from = to;
        }
        if (from > 0) {
            System.arraycopy(buffer, from, buffer, 0, to - from);
            to -= from;
            from = 0;
        }
        if (to == buffer.length) {
            buffer = Arrays.copyOf(buffer, 2 * buffer.length);
        }
        int count = in.read(buffer, to, buffer.length - to);
        ended = count < 0;
        to += Math.max(0, count);
    }

    /** The number of the line, from 1. */
    long number() {
        return number;
    }

    /** Start of the line in {@link #bytes}. Valid until the next line is read. */
    int start() {
        return start;
    }

    /** Position behind the last byte of the line, without a final carriage return. */
    int end() {
        return end > start && buffer[end - 1] == '\r' ? end - 1 : end;
    }

    /** Position behind the last byte of the line, with a final carriage return. */
    int rawEnd() {
        return end;
    }

    byte[] bytes() {
        return buffer;
    }

    /** Why the line cannot be read: it is too long, and its bytes were dropped. Null if it can. */
    @Nullable
    String problem() {
        return tooLong ? "the line has more than " + LINE_BYTES_MAX + " bytes" : null;
    }

    long bytesRead() {
        return bytesRead;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
