package io.sdds.client.internal.query;

import io.sdds.client.QueryException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Bounds what the client holds of a query whose rows it can give only at the end. */
final class MemoryBound {
    /** Most bytes of the groups, or of the rows to sort, of one query. */
    static final long BYTES_MAX = 256L << 20;

    /** About what the JVM needs for a tuple, and for each value of it, besides the bytes of the value. */
    private static final int TUPLE_BYTES = 96;

    private static final int VALUE_BYTES = 32;

    private final String what;
    private final long bytesMax;
    private long bytes;

    /** @param what what is held, for the message: "groups", "rows to sort" */
    MemoryBound(String what, long bytesMax) {
        this.what = what;
        this.bytesMax = bytesMax;
    }

    /** @throws QueryException when the tuple is too much */
    void add(List<byte @Nullable []> tuple) {
        grow(size(tuple));
    }

    /**
     * Counts a tuple of some values.
     *
     * @param bytes of all values
     * @throws QueryException when the tuple is too much
     */
    void add(int values, int bytes) {
        grow(TUPLE_BYTES + (long) values * VALUE_BYTES + bytes);
    }

    /**
     * Counts a value that takes the place of another one, as the MIN or MAX of a text does.
     *
     * @throws QueryException when the value is too much
     */
    void replace(byte @Nullable [] before, byte @Nullable [] after) {
        grow(size(after) - size(before));
    }

    private void grow(long more) {
        bytes += more;
        if (bytes > bytesMax) {
            throw new QueryException("the query needs more than " + (bytesMax >> 20) + " MiB at the client for its "
                    + what + ": ask for fewer of them, by a filter, a limit or other keys");
        }
    }

    void remove(List<byte @Nullable []> tuple) {
        bytes -= size(tuple);
    }

    private static long size(List<byte @Nullable []> tuple) {
        long size = TUPLE_BYTES;
        for (byte[] value : tuple) {
            size += size(value);
        }
        return size;
    }

    private static long size(byte @Nullable [] value) {
        return value == null ? 0 : VALUE_BYTES + value.length;
    }
}
