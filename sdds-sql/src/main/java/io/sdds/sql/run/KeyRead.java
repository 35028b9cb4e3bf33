package io.sdds.sql.run;

import io.sdds.sql.schema.SddsTable;
import io.sdds.sql.schema.SqlTypes;
import io.sdds.sql.schema.TableRecords;
import io.sdds.sql.shipped.KeyLookup;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.apache.calcite.avatica.Meta;
import org.apache.calcite.rel.type.RelDataType;
import org.jspecify.annotations.Nullable;

/**
 * A prepared SELECT of plain columns of the record of one key. Its parameters go to one request, and its row to the
 * result, without a plan and without the engine. Statements share it.
 */
public final class KeyRead {
    /** A part of the key that each run gives. */
    public record Parameter(int index) {}

    private final SddsTable table;
    private final List<Object> key;
    private final int[] columns;
    private final Meta.Signature signature;
    private final List<RelDataType> types;

    /**
     * @param key constants and {@link Parameter}s, in the order of the key
     * @param columns positions of the columns of the result in those of the table
     * @param signature what the engine says about parameters and result
     * @param types of the columns of the result
     */
    public KeyRead(
            SddsTable table, List<Object> key, int[] columns, Meta.Signature signature, List<RelDataType> types) {
        this.table = table;
        this.key = key;
        this.columns = columns;
        this.signature = signature;
        this.types = types;
    }

    /** What the engine says about parameters and result. */
    public Meta.Signature signature() {
        return signature;
    }

    /** What one statement reads with. */
    public Reader reader() {
        return new Reader();
    }

    /** Reads rows, for one thread. */
    public final class Reader {
        private final TableRecords records = table.format();

        private Reader() {}

        /** The row with the engine's values; null: there is none. */
        public @Nullable Object @Nullable [] row(IntFunction<@Nullable Object> parameters, Deadline deadline) {
            byte[] bytes = KeyLookup.encoded(values(parameters), table, records);
            if (bytes == null) {
                return null; // no record can have such a key
            }
            byte[] value = deadline.await(table.open().getAsync(bytes));
            return value == null ? null : chosen(records.row(bytes, value));
        }

        private @Nullable Object[] chosen(@Nullable Object[] record) {
            @Nullable Object[] row = new @Nullable Object[columns.length];
            for (int k = 0; k < row.length; k++) {
                row[k] = SqlTypes.toEngine(record[columns[k]], types.get(k));
            }
            return row;
        }

        private List<@Nullable Object> values(IntFunction<@Nullable Object> parameters) {
            List<@Nullable Object> values = new ArrayList<>(key.size());
            for (Object part : key) {
                values.add(part instanceof Parameter parameter ? parameters.apply(parameter.index()) : part);
            }
            return values;
        }
    }
}
