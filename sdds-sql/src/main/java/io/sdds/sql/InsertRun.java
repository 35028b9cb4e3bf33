package io.sdds.sql;

import io.sdds.client.Table;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Writes the rows of an INSERT or UPSERT. */
final class InsertRun {
    private final Table<byte[], byte[]> table;
    private final TableRecords records;
    private final boolean isUpsert;
    private final PendingWrites writes;

    InsertRun(SddsTable table, boolean isUpsert, Deadline deadline) {
        this.table = table.open();
        this.records = table.format();
        this.isUpsert = isUpsert;
        this.writes = new PendingWrites(deadline);
    }

    void add(@Nullable Object[] engineRow) {
        @Nullable Object[] row = records.ofEngine(engineRow);
        byte[] key;
        byte[] value;
        try {
            key = records.key(row);
            value = records.value(row);
        } catch (IllegalArgumentException e) {
            String state = SqlErrors.line(e).contains("null") ? SqlErrors.NOT_NULL : SqlErrors.DATA;
            throw new StatementEnd(SqlErrors.line(e) + writes.tally(0), state, e);
        }
        CompletableFuture<Boolean> write =
                isUpsert ? table.putAsync(key, value).thenApply(done -> true) : table.putIfAbsentAsync(key, value);
        writes.add(write, () -> {
            throw new StatementEnd(
                    "duplicate key " + records.shownKey(row) + " in table " + table.name() + writes.tally(0),
                    SqlErrors.DUPLICATE_KEY);
        });
    }

    long finish() {
        writes.finish();
        return writes.written();
    }
}
