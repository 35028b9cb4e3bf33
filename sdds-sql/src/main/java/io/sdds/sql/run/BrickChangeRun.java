package io.sdds.sql.run;

import io.sdds.client.internal.TableContext;
import io.sdds.client.internal.query.Attempt;
import io.sdds.core.row.Schema;
import io.sdds.sql.schema.SddsTable;
import io.sdds.sql.schema.TableRecords;
import io.sdds.sql.shipped.BrickChange;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** Has bricks update or remove rows, each if the condition still holds. Another outcome is no row of the statement. */
final class BrickChangeRun {
    private final SddsTable table;
    private final TableRecords records;
    private final TableContext<?, ?> context;
    private final Schema schema;
    private final Attempt<byte[]> program;
    private final PendingWrites writes;

    BrickChangeRun(
            SddsTable table, BrickChange change, IntFunction<@Nullable Object> parameters, PendingWrites writes) {
        this.table = table;
        this.records = table.format();
        this.context = table.scan().spec().context();
        this.schema = context.table().schema();
        this.program = change.update().program(schema, Parameters.constants(parameters));
        this.writes = writes;
    }

    void add(@Nullable Object[] engineRow) {
        addKey(records.key(records.ofEngine(engineRow)));
    }

    void addKey(byte[] key) {
        writes.add(key, () -> change(key), null);
    }

    private CompletableFuture<Boolean> change(byte[] key) {
        return context.begin(context.update(key, ScanRun.require(program, table), schema, null));
    }
}
