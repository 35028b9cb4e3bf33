package io.sdds.sql.run;

import io.sdds.sql.schema.SddsTable;
import io.sdds.sql.shipped.BrickChange;
import io.sdds.sql.shipped.Explanation;
import io.sdds.sql.shipped.KeyLookup;
import java.util.function.IntFunction;
import org.apache.calcite.DataContext;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Linq4j;
import org.apache.calcite.rel.core.TableModify;
import org.jspecify.annotations.Nullable;

/** Has bricks change the records of keys. */
public final class KeyChangeRun implements BatchWrite {
    private final SddsTable table;
    private final KeyLookup keys;
    private final BrickChange change;
    private final boolean removes;

    public KeyChangeRun(SddsTable table, KeyLookup keys, BrickChange change, boolean removes) {
        this.table = table;
        this.keys = keys;
        this.change = change;
        this.removes = removes;
    }

    public TableModify.Operation operation() {
        return removes ? TableModify.Operation.DELETE : TableModify.Operation.UPDATE;
    }

    /** Writes all records; the one row of the result is their number. */
    public Enumerable<Object> write(DataContext context) {
        PendingWrites writes = PendingWrites.ofStatement(Deadline.of(context));
        begin(Parameters.of(context), writes);
        return Linq4j.singletonEnumerable(writes.finish());
    }

    @Override
    public void begin(IntFunction<@Nullable Object> parameters, PendingWrites writes) {
        BrickChangeRun run = new BrickChangeRun(table, change, parameters, writes);
        keys.bytes(table, parameters).forEach(run::addKey);
    }

    @Override
    public boolean shipsInPrograms() {
        return true;
    }

    /** What EXPLAIN shows. */
    public Explanation explained() {
        return Explanation.of("SddsKeyChange", table.name())
                .with("operation", operation())
                .with("keys", keys)
                .with("where", change.where())
                .with("set", change.set());
    }
}
