package io.sdds.sql.run;

import io.sdds.sql.error.SqlErrors;
import io.sdds.sql.error.StatementEnd;
import io.sdds.sql.schema.SddsTable;
import io.sdds.sql.shipped.BrickChange;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.apache.calcite.DataContext;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Enumerator;
import org.apache.calcite.linq4j.Linq4j;
import org.jspecify.annotations.Nullable;

/** Runs a statement that writes. */
public final class ModifyRun {
    /** What a statement does with its rows. */
    public enum Kind {
        INSERT,
        UPSERT,
        UPDATE,
        DELETE
    }

    /** Rows that are kept when a statement reads the table that it writes. */
    private static final int SPOOLED_ROWS_MAX = 1_000_000;

    /** How often a row is tested again after another client has changed it. */
    private static final int RACES_MAX = 10;

    private final SddsTable table;
    private final Kind kind;
    private final List<Integer> changed;
    private final @Nullable BrickChange brickChange;
    private final boolean readsItself;

    public ModifyRun(
            SddsTable table, Kind kind, List<Integer> changed, @Nullable BrickChange brickChange, boolean readsItself) {
        this.table = table;
        this.kind = kind;
        this.changed = changed;
        this.brickChange = brickChange;
        this.readsItself = readsItself;
    }

    /** Writes all rows; the one row of the result is their number. */
    public Enumerable<Object> write(Enumerable<?> rows, DataContext context) {
        for (int column : changed) {
            if (table.columns().get(column).key()) {
                String name = table.columns().get(column).name();
                throw new StatementEnd(
                        "column '" + name + "' is part of the key, whose values cannot be changed: delete the row and"
                                + " insert another",
                        SqlErrors.UNSUPPORTED);
            }
        }
        long written = switch (kind) {
            case INSERT, UPSERT -> inserted(rows, context);
            case UPDATE, DELETE -> changed(rows, context);
        };
        return Linq4j.singletonEnumerable(written);
    }

    private long inserted(Enumerable<?> rows, DataContext context) {
        PendingWrites writes = PendingWrites.ofStatement(Deadline.of(context));
        InsertRun run = new InsertRun(table, kind == Kind.UPSERT, writes);
        if (readsItself) {
            // Rows that were just written would be read again.
            spooled(rows).forEach(run::add);
        } else {
            forEach(rows, run::add, writes::fail);
        }
        return writes.finish();
    }

    private List<@Nullable Object[]> spooled(Enumerable<?> rows) {
        List<@Nullable Object[]> spooled = new ArrayList<>();
        forEach(
                rows,
                row -> {
                    if (spooled.size() == SPOOLED_ROWS_MAX) {
                        throw new StatementEnd(
                                "a statement that writes the table it reads has at most " + SPOOLED_ROWS_MAX
                                        + " rows; nothing was written",
                                SqlErrors.UNSUPPORTED);
                    }
                    spooled.add(row);
                },
                failure -> {
                    throw failure;
                });
        return spooled;
    }

    private long changed(Enumerable<?> rows, DataContext context) {
        Deadline deadline = Deadline.of(context);
        if (brickChange != null) {
            IntFunction<@Nullable Object> parameters = Parameters.of(context);
            PendingWrites writes = PendingWrites.ofStatement(deadline);
            BrickChangeRun run = new BrickChangeRun(table, brickChange, parameters, writes);
            forEach(rows, run::add, writes::fail);
            return writes.finish();
        }
        VersionedRun run = new VersionedRun(table, kind == Kind.DELETE, changed, deadline);
        forEach(rows, run::add, run::fail);
        for (int races = 1; run.hasLost(); races++) {
            if (races == RACES_MAX) {
                String what = "other clients changed " + run.lost() + " rows " + RACES_MAX
                        + " times between reading and writing";
                run.fail(new StatementEnd(what, SqlErrors.LOST_RACES));
            }
            run.again();
            forEach(rows, run::add, run::fail);
        }
        return run.written();
    }

    /** @param ifFailed is told why there are no more rows, and throws what the statement ends with */
    private static void forEach(
            Enumerable<?> rows, Consumer<@Nullable Object[]> consumer, Consumer<RuntimeException> ifFailed) {
        try (Enumerator<?> each = rows.enumerator()) {
            while (hasNext(each, ifFailed)) {
                Object row = each.current();
                consumer.accept(row instanceof Object[] array ? array : new Object[] {row});
            }
        }
    }

    private static boolean hasNext(Enumerator<?> rows, Consumer<RuntimeException> ifFailed) {
        try {
            return rows.moveNext();
        } catch (RuntimeException e) {
            ifFailed.accept(e);
            return false;
        }
    }
}
