package io.sdds.sql.run;

import io.sdds.client.Table;
import io.sdds.sql.schema.SddsTable;
import io.sdds.sql.schema.TableRecords;
import io.sdds.sql.shipped.BrickChange;
import io.sdds.sql.shipped.ShippedText;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Has bricks update or remove rows, each if the condition still holds. Another outcome is no row of the statement. */
final class BrickChangeRun {
    private static final String ANY = "true";

    private final String name;
    private final Table<byte[], byte[]> table;
    private final TableRecords records;
    private final boolean removes;
    private final String condition;
    private final String assignments;
    private final PendingWrites writes;

    BrickChangeRun(
            SddsTable table,
            BrickChange change,
            boolean removes,
            IntFunction<@Nullable Object> parameters,
            PendingWrites writes) {
        this.name = table.name();
        this.table = table.open();
        this.records = table.format();
        this.removes = removes;
        ShippedText tested = change.condition();
        this.condition = tested == null ? ANY : tested.text(parameters);
        this.assignments = change.assignments().text(parameters);
        this.writes = writes;
    }

    void add(@Nullable Object[] engineRow) {
        addKey(records.key(records.ofEngine(engineRow)));
    }

    void addKey(byte[] key) {
        writes.add(key, () -> change(key), null);
    }

    private CompletableFuture<Boolean> change(byte[] key) {
        try {
            return removes ? table.removeIfAsync(key, condition) : table.updateIfAsync(key, condition, assignments);
        } catch (IllegalArgumentException e) {
            throw ScanRun.noProgram(name, e);
        }
    }
}
