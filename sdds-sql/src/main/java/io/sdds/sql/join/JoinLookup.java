package io.sdds.sql.join;

import io.sdds.sql.run.Deadline;
import io.sdds.sql.run.RecordRows;
import io.sdds.sql.schema.SddsTable;
import io.sdds.sql.schema.SqlTypes;
import io.sdds.sql.schema.TableRecords;
import io.sdds.sql.shipped.KeyLookup;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.calcite.DataContext;
import org.apache.calcite.avatica.util.ByteString;
import org.apache.calcite.linq4j.Enumerator;
import org.apache.calcite.rel.type.RelDataType;
import org.jspecify.annotations.Nullable;

/**
 * Reads the records whose keys a packet of the left side has, and computes at the client what bricks compute in a scan.
 *
 * @param left for each key column of the table the position of its value in rows of the left side
 * @param types of the columns of the table
 * @param rows computes the rows of the scan
 */
record JoinLookup(SddsTable table, List<Integer> left, List<RelDataType> types, RecordRows rows) {
    /** Asks for the records at once. */
    Enumerator<@Nullable Object[]> ask(JoinTable packet, DataContext context) {
        TableRecords records = table.format();
        Map<ByteString, byte[]> keys = new LinkedHashMap<>();
        for (int k = 0; k < packet.size(); k++) {
            byte[] key = key(packet.row(k), records);
            if (key != null) {
                keys.put(new ByteString(key), key);
            }
        }
        return new Found(table.open().getAllAsync(List.copyOf(keys.values())), context);
    }

    private byte @Nullable [] key(@Nullable Object[] row, TableRecords records) {
        List<@Nullable Object> values = new ArrayList<>();
        for (int column : left) {
            values.add(row[column]);
        }
        return KeyLookup.encoded(values, table, records);
    }

    /** The rows of the records that were found. */
    private final class Found implements Enumerator<@Nullable Object[]> {
        private final CompletableFuture<Map<byte[], byte[]>> records;
        private final DataContext context;
        private @Nullable Iterator<@Nullable Object[]> found;
        private @Nullable Object[] current = new @Nullable Object[0];

        Found(CompletableFuture<Map<byte[], byte[]>> records, DataContext context) {
            this.records = records;
            this.context = context;
        }

        @Override
        public @Nullable Object[] current() {
            return current;
        }

        @Override
        public boolean moveNext() {
            if (found == null) {
                found = computed().iterator();
            }
            boolean hasNext = found.hasNext();
            if (hasNext) {
                current = found.next();
            }
            return hasNext;
        }

        private List<@Nullable Object[]> computed() {
            TableRecords format = table.format();
            RecordRows.Computation computation = rows.begin(context);
            List<@Nullable Object[]> all = new ArrayList<>();
            Deadline.of(context).await(records).forEach((key, value) -> {
                @Nullable Object[] record = format.row(key, value);
                for (int k = 0; k < record.length; k++) {
                    record[k] = SqlTypes.toEngine(record[k], types.get(k));
                }
                @Nullable Object[] row = computation.row(record);
                if (row != null) {
                    all.add(row);
                }
            });
            return all;
        }

        @Override
        public void reset() {
            throw new UnsupportedOperationException("rows are read once");
        }

        @Override
        public void close() {
            records.cancel(false);
        }
    }
}
