package io.sdds.brick.query;

import io.sdds.brick.memory.RecordBatch;
import io.sdds.brick.memory.RecordStore;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Up to {@link Lane#ROWS} records that are evaluated together: where their keys and values lie. Rows that do not pass a
 * part of the filter leave the batch, and the others move up.
 */
final class RowBatch {
    private final RecordStore store;
    final long[] refs = new long[Lane.ROWS];
    final MemorySegment[] segments = new MemorySegment[Lane.ROWS];
    final long[] keyOffsets = new long[Lane.ROWS];
    final int[] keyLengths = new int[Lane.ROWS];
    final long[] valueOffsets = new long[Lane.ROWS];
    final int[] valueLengths = new int[Lane.ROWS];

    /** For each row its number when the batch was full; the selection vector of the filter. */
    final int[] origins = new int[Lane.ROWS];

    private int rows;
    private int loaded;

    RowBatch(RecordStore store) {
        this.store = store;
        Arrays.fill(segments, MemorySegment.NULL);
    }

    int rows() {
        return rows;
    }

    /**
     * Begins with the first of {@code count} records, whose references are given from {@code from} on: as many as have
     * together no more than some bytes, and at least one.
     *
     * @return number of the records
     */
    int load(RecordBatch records, int from, int count, long bytesMax) {
        load(records, from, count);
        long bytes = 0;
        for (int i = 0; i < count; i++) {
            bytes += keyLengths[i] + valueLengths[i];
            if (bytes > bytesMax && i > 0) {
                rows = i;
                loaded = i;
                break;
            }
        }
        return rows;
    }

    /** Begins with {@code count} records, whose references are given from {@code from} on. */
    void load(RecordBatch records, int from, int count) {
        store.locate(records, from, count, segments, keyOffsets, keyLengths, valueLengths);
        for (int i = 0; i < count; i++) {
            valueOffsets[i] = keyOffsets[i] + keyLengths[i];
            refs[i] = records.get(from + i);
            origins[i] = i;
        }
        rows = count;
        loaded = count;
    }

    /** Whether the batch began with one row, so that it cannot be divided. */
    boolean wasOne() {
        return loaded == 1;
    }

    long version(int row) {
        return store.version(refs[row]);
    }

    /** Keeps the selected rows alone. */
    void compact(int[] selected, int count) {
        Lane.compact(refs, selected, count);
        Lane.compact(segments, selected, count);
        Lane.compact(keyOffsets, selected, count);
        Lane.compact(keyLengths, selected, count);
        Lane.compact(valueOffsets, selected, count);
        Lane.compact(valueLengths, selected, count);
        Lane.compact(origins, selected, count);
        rows = count;
    }
}
