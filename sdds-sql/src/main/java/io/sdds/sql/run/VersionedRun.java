package io.sdds.sql.run;

import io.sdds.client.SddsException;
import io.sdds.client.Table;
import io.sdds.client.Versioned;
import io.sdds.sql.error.SqlErrors;
import io.sdds.sql.error.StatementEnd;
import io.sdds.sql.schema.SddsTable;
import io.sdds.sql.schema.SqlTypes;
import io.sdds.sql.schema.TableRecords;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.calcite.avatica.util.ByteString;
import org.jspecify.annotations.Nullable;

/**
 * Writes rows that the client has computed, each if its record is as it was read. The statement is then run again for
 * the rows that other clients have changed meanwhile.
 */
final class VersionedRun {
    private final Table<byte[], byte[]> table;
    private final TableRecords records;
    private final SddsTable columns;
    private final boolean removes;
    private final List<Integer> changed;
    private final Deadline deadline;
    private Set<ByteString> lost = new HashSet<>();
    private @Nullable Set<ByteString> only;
    private long written;

    VersionedRun(SddsTable table, boolean removes, List<Integer> changed, Deadline deadline) {
        this.table = table.open();
        this.records = table.format();
        this.columns = table;
        this.removes = removes;
        this.changed = changed;
        this.deadline = deadline;
    }

    long written() {
        return written;
    }

    boolean hasLost() {
        return !lost.isEmpty();
    }

    int lost() {
        return lost.size();
    }

    /** Begins a run for the rows that were lost in the run before. */
    void again() {
        only = lost;
        lost = new HashSet<>();
    }

    void add(@Nullable Object[] engineRow) {
        @Nullable Object[] read = records.ofEngine(engineRow);
        byte[] key = records.key(read);
        ByteString name = new ByteString(key);
        if (only != null && !only.contains(name)) {
            return;
        }
        Versioned<byte[]> record = awaited(table.getVersionedAsync(key), false);
        if (record == null || !isAsRead(records.row(key, record.value()), read)) {
            lost.add(name);
        } else if (removes) {
            count(awaited(table.removeIfVersionAsync(key, record.version()), true), name);
        } else {
            byte[] value = changed(engineRow, record.value());
            count(awaited(table.replaceIfVersionAsync(key, value, record.version(), record.timeToLive()), true), name);
        }
    }

    private <T> T awaited(CompletableFuture<T> request, boolean isWrite) {
        try {
            return deadline.await(request);
        } catch (SddsException e) {
            throw StatementEnd.after(e, written, isWrite && e.isOutcomeUnknown() ? 1 : 0);
        } catch (StatementEnd e) {
            throw StatementEnd.after(e, written, isWrite ? 1 : 0);
        }
    }

    /** There are no more rows. */
    void fail(RuntimeException failure) {
        throw StatementEnd.after(failure, written, 0);
    }

    private void count(boolean isWritten, ByteString name) {
        if (isWritten) {
            written++;
        } else {
            lost.add(name);
        }
    }

    private byte[] changed(@Nullable Object[] engineRow, byte[] value) {
        List<@Nullable Object> values = new ArrayList<>();
        int first = columns.columns().size();
        for (int k = 0; k < changed.size(); k++) {
            values.add(SqlTypes.toClient(
                    engineRow[first + k], columns.columns().get(changed.get(k)).type()));
        }
        try {
            return records.changed(value, changed, values);
        } catch (IllegalArgumentException e) {
            String state = SqlErrors.line(e).contains("NULL") ? SqlErrors.NOT_NULL : SqlErrors.DATA;
            throw StatementEnd.after(new StatementEnd(SqlErrors.line(e), state, e), written, 0);
        }
    }

    /** Whether a record has the values that were read, as far as the engine sees them. */
    private boolean isAsRead(@Nullable Object[] now, @Nullable Object[] read) {
        for (int k = 0; k < now.length; k++) {
            Object seen = SqlTypes.seen(now[k]);
            boolean isEqual = seen instanceof byte[] bytes
                    ? read[k] instanceof byte[] other && Arrays.equals(bytes, other)
                    : java.util.Objects.equals(seen, read[k]);
            if (!isEqual) {
                return false;
            }
        }
        return true;
    }
}
