package io.sdds.cli.format;

import io.sdds.core.protocol.Limits;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/** Reads lines of bytes, up to a length at which no line can be a record any more. */
final class LineReader implements AutoCloseable {
    /** Of the largest record when each of its bytes takes six, as an escape of JSON does. */
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

    /** Goes to the next line; false at the end of the file. */
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

    /** Makes room behind what is there and reads into it. Of a line that is too long only the end is kept. */
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

    /** The line's number, from 1. */
    long number() {
        return number;
    }

    /** Where the line is in {@link #bytes}, without its end; valid until the next one. */
    int start() {
        return start;
    }

    /** Behind its last byte; a carriage return before the line's end is not part of it. */
    int end() {
        return end > start && buffer[end - 1] == '\r' ? end - 1 : end;
    }

    /** Behind its last byte, a carriage return before the line's end included. */
    int rawEnd() {
        return end;
    }

    byte[] bytes() {
        return buffer;
    }

    /** Whether it was too long to be kept. */
    boolean isTooLong() {
        return tooLong;
    }

    long bytesRead() {
        return bytesRead;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
