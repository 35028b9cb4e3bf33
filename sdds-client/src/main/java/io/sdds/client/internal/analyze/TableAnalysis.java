package io.sdds.client.internal.analyze;

import io.sdds.client.internal.Futures;
import io.sdds.client.internal.TableContext;
import io.sdds.client.internal.query.QuerySpec;
import io.sdds.client.internal.query.RangePlan;
import io.sdds.client.internal.query.ScanPlan;
import io.sdds.client.internal.query.lang.BoundText;
import io.sdds.client.internal.routing.KeyBounds;
import io.sdds.core.row.Statistics;
import java.util.concurrent.CompletableFuture;

/**
 * Makes the statistics of a table. A small table is read whole. Of a larger hash table intervals of points are read: a
 * point is a hash of the key, so that they are a uniform sample (docs/design/scans.md, rule 17), and bricks look at
 * nothing else. The keys of a range table are near those that are alike, so no interval of them is a sample; bricks
 * look at all its records and answer those that {@link VersionSample} names.
 */
public final class TableAnalysis {
    /** Rows of a sample; a table of so many rows is read whole. */
    static final long ROWS_MAX = 100_000;

    /** Bytes of records of a sample, so that a table with large values is sampled more thinly. */
    static final long BYTES_MAX = 64 << 20;

    private TableAnalysis() {}

    /**
     * Reads a sample of a table.
     *
     * @param rows of the table
     * @param rowBytes mean bytes of a record
     * @return the statistics; or {@link io.sdds.client.QueryException} when a row cannot be read
     */
    public static CompletableFuture<Statistics> of(
            TableContext<byte[], byte[]> context, long rows, double rowBytes, long timeMillis) {
        double fraction = fraction(rows, rowBytes);
        TableSample sample = new TableSample(context.table().schema());
        CompletableFuture<Void> read = context.table().isRange()
                ? range(context, fraction).forEachUnorderedAsync(sample::add)
                : new ScanPlan<>(QuerySpec.all(context)).forEachSampledAsync(fraction, sample::add);
        return Futures.map(read, done -> sample.statistics(timeMillis, rows, fraction == 1));
    }

    private static RangePlan<byte[], byte[]> range(TableContext<byte[], byte[]> context, double fraction) {
        RangePlan<byte[], byte[]> all = RangePlan.of(context, KeyBounds.ALL);
        return fraction == 1
                ? all
                : all.with(all.spec().withCondition(BoundText.of(VersionSample.condition(fraction))));
    }

    /** The part of the rows that is read; 1: all. */
    static double fraction(long rows, double rowBytes) {
        double byRows = (double) ROWS_MAX / Math.max(1, rows);
        double byBytes = BYTES_MAX / Math.max(1, rows * rowBytes);
        return Math.min(1, Math.min(byRows, byBytes));
    }
}
