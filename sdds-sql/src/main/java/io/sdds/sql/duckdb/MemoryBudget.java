package io.sdds.sql.duckdb;

import java.math.BigDecimal;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The memory that the statements of one client may use for rows of tables while they run: DuckDB has three quarters of
 * the budget, and the rows that are held in the heap have the rest. Thread-safe.
 */
public final class MemoryBudget {
    /** With less, DuckDB does not spill but fails. */
    public static final long BYTES_MIN = 64L << 20;

    /** What each thread of DuckDB needs for its part of a sort or join before it spills. */
    private static final long THREAD_BYTES = 48L << 20;

    private static final int HEAP_PART = 4;
    private static final int ARRAY_BYTES = 48;
    private static final int OBJECT_BYTES = 24;
    private static final int DECIMAL_BYTES = 80;
    private static final int TEXT_BYTES = 56;

    private final long bytes;
    private final AtomicLong held = new AtomicLong();

    /** @param bytes of the whole budget, {@link #BYTES_MIN} at least */
    public MemoryBudget(long bytes) {
        this.bytes = bytes;
    }

    /** A quarter of the largest heap, 64 MiB at least. */
    public static long byDefault() {
        return Math.max(BYTES_MIN, Runtime.getRuntime().maxMemory() / 4);
    }

    /** The whole budget. */
    public long bytes() {
        return bytes;
    }

    /** What DuckDB may have. */
    long ofDatabase() {
        return bytes - ofHeap();
    }

    /** How many threads DuckDB may have. */
    int threads() {
        long most = Math.max(1, ofDatabase() / THREAD_BYTES);
        return (int) Math.min(most, Runtime.getRuntime().availableProcessors());
    }

    private long ofHeap() {
        return bytes / HEAP_PART;
    }

    /** A share that holds nothing yet. */
    public Share share() {
        return new Share();
    }

    /** What one run of a statement holds in the heap. For one thread. */
    public final class Share {
        private long taken;

        private Share() {}

        /** Takes the bytes of a row, about. Returns false, and takes none, if the budget has no room. */
        public boolean take(@Nullable Object[] row) {
            long size = ARRAY_BYTES;
            for (Object value : row) {
                size += bytes(value);
            }
            return take(size);
        }

        /** Takes bytes. Returns false, and takes none, if the budget has no room. */
        public boolean take(long size) {
            if (held.addAndGet(size) > ofHeap()) {
                held.addAndGet(-size);
                return false;
            }
            taken += size;
            return true;
        }

        /** The bytes that are taken. */
        public long taken() {
            return taken;
        }

        /** Gives back what was taken since so many bytes were. */
        public void releaseTo(long bytes) {
            held.addAndGet(bytes - taken);
            taken = bytes;
        }
    }

    private static long bytes(@Nullable Object value) {
        if (value instanceof String text) {
            return TEXT_BYTES + 2L * text.length();
        }
        if (value instanceof byte[] array) {
            return OBJECT_BYTES + (long) array.length;
        }
        return value instanceof BigDecimal ? DECIMAL_BYTES : OBJECT_BYTES;
    }
}
