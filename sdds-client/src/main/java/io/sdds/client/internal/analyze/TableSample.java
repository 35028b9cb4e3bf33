package io.sdds.client.internal.analyze;

import io.sdds.client.QueryException;
import io.sdds.client.internal.routing.KeyText;
import io.sdds.core.row.Column;
import io.sdds.core.row.ColumnStatistics;
import io.sdds.core.row.KeyEncoding;
import io.sdds.core.row.MalformedRowException;
import io.sdds.core.row.RowLayout;
import io.sdds.core.row.RowReader;
import io.sdds.core.row.Schema;
import io.sdds.core.row.Statistics;
import io.sdds.core.row.ValueType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The columns of the rows of a sample. A table without a schema has the columns {@code key} and {@code value}.
 *
 * <p>Used by one thread at a time.
 */
final class TableSample {
    /** Most values that are kept to count different ones, of all columns together. */
    private static final int DISTINCT_ALL_MAX = 4 << 20;

    private static final int DISTINCT_MAX = 128 << 10;
    private static final int DISTINCT_MIN = 2 << 10;

    private final Schema schema;
    private final List<ColumnSample> columns = new ArrayList<>();

    /** Of each column its number among the columns of the key, or, from {@link #keys} on, of the value. */
    private final List<Integer> ordinals = new ArrayList<>();

    private final int keys;
    private final @Nullable KeyEncoding key;
    private final @Nullable RowReader row;
    private long rows;

    TableSample(Schema schema) {
        this.schema = schema;
        this.key = schema.exists() ? KeyEncoding.of(schema) : null;
        this.row = schema.exists() ? new RowReader(RowLayout.of(schema)) : null;
        this.keys = key == null ? 1 : key.columns();
        if (!schema.exists()) {
            add(0, ValueType.VARBINARY, 0, DISTINCT_MAX);
            add(1, ValueType.VARBINARY, 1, DISTINCT_MAX);
            return;
        }
        int each = Math.max(
                DISTINCT_MIN,
                Math.min(DISTINCT_MAX, DISTINCT_ALL_MAX / schema.columns().size()));
        int ofKey = 0;
        int ofValue = keys;
        for (int k = 0; k < schema.columns().size(); k++) {
            Column column = schema.columns().get(k);
            int ordinal = column.key() ? ofKey++ : ofValue++;
            if (!column.dropped()) {
                add(k, column.type(), ordinal, each);
            }
        }
    }

    private void add(int column, ValueType type, int ordinal, int distinctMax) {
        columns.add(new ColumnSample(column, type, distinctMax));
        ordinals.add(ordinal);
    }

    /** Rows that were added. */
    long rows() {
        return rows;
    }

    /**
     * Adds a row.
     *
     * @throws QueryException when the row cannot be read
     */
    void add(byte[] keyBytes, byte[] value) {
        rows++;
        if (key == null || row == null) {
            columns.get(0).add(keyBytes);
            columns.get(1).add(value);
            return;
        }
        try {
            byte[][] parts = key.stored(keyBytes);
            row.read(value);
            for (int k = 0; k < columns.size(); k++) {
                int ordinal = ordinals.get(k);
                columns.get(k).add(ordinal < keys ? parts[ordinal] : row.stored(ordinal - keys));
            }
        } catch (MalformedRowException e) {
            throw new QueryException(e.getMessage() + " at key " + KeyText.of(schema, keyBytes));
        }
    }

    /**
     * The statistics of the table.
     *
     * @param rowsCounted rows of the table; of a sample that has them all this number does not count
     */
    Statistics statistics(long timeMillis, long rowsCounted, boolean whole) {
        long all = whole ? rows : Math.max(rows, rowsCounted);
        double fraction = all == 0 ? 1 : (double) rows / all;
        for (int boundMax = Statistics.BOUND_BYTES_MAX; ; boundMax /= 2) {
            Statistics made = new Statistics(timeMillis, schema.version(), all, rows, of(fraction, all, boundMax));
            if (made.bytes() <= Statistics.BYTES_MAX) {
                return made;
            }
            if (boundMax == 0) {
                return withoutLast(made);
            }
        }
    }

    private List<ColumnStatistics> of(double fraction, long all, int boundMax) {
        List<ColumnStatistics> list = new ArrayList<>();
        for (int k = 0; k < columns.size(); k++) {
            boolean unique = keys == 1 && ordinals.get(k) == 0;
            list.add(columns.get(k).statistics(fraction, unique, all, boundMax));
        }
        return list;
    }

    /** As many columns as fit: a schema of very many columns with very short names may have a few too many. */
    private static Statistics withoutLast(Statistics all) {
        Statistics made = all;
        while (made.bytes() > Statistics.BYTES_MAX) {
            List<ColumnStatistics> fewer =
                    made.columns().subList(0, made.columns().size() - 1);
            made = new Statistics(made.timeMillis(), made.schemaVersion(), made.rows(), made.sampled(), fewer);
        }
        return made;
    }
}
