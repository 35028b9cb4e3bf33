package io.sdds.sql.run;

import io.sdds.client.Table;
import io.sdds.sql.error.SqlErrors;
import io.sdds.sql.error.StatementEnd;
import io.sdds.sql.schema.SddsTable;
import io.sdds.sql.schema.TableRecords;
import org.jspecify.annotations.Nullable;

/** Writes the rows of an INSERT or UPSERT. */
public final class InsertRun {
    private final Table<byte[], byte[]> table;
    private final TableRecords records;
    private final boolean isUpsert;
    private final PendingWrites writes;

    public InsertRun(SddsTable table, boolean isUpsert, PendingWrites writes) {
        this.table = table.open();
        this.records = table.format();
        this.isUpsert = isUpsert;
        this.writes = writes;
    }

    /** Adds a row of the engine. */
    void add(@Nullable Object[] engineRow) {
        addValues(records.ofEngine(engineRow));
    }

    /** Adds a row with the values of the client. */
    public void addValues(@Nullable Object[] row) {
        byte[] key;
        byte[] value;
        try {
            key = records.key(row);
            value = records.value(row);
        } catch (IllegalArgumentException e) {
            String state = SqlErrors.line(e).contains("null") ? SqlErrors.NOT_NULL : SqlErrors.DATA;
            writes.fail(new StatementEnd(SqlErrors.line(e), state, e));
            return;
        }
        if (isUpsert) {
            writes.add(key, () -> table.putAsync(key, value).thenApply(done -> true), null);
        } else {
            writes.add(
                    key,
                    () -> table.putIfAbsentAsync(key, value),
                    () -> new StatementEnd(
                            "duplicate key " + records.shownKey(row) + " in table " + table.name(),
                            SqlErrors.DUPLICATE_KEY));
        }
    }
}
