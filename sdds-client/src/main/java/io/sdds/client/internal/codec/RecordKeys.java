package io.sdds.client.internal.codec;

import io.sdds.client.Codec;
import io.sdds.core.row.Column;
import io.sdds.core.row.KeyEncoding;
import io.sdds.core.row.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Java records as the keys of a schema, in the order of the key columns. */
final class RecordKeys<R extends Record> implements Codec<R> {
    private final RecordShape<R> shape;
    private final KeyEncoding encoding;
    private final List<Column> columns;
    /** The number of the key column of each component. */
    private final int[] numbers;

    /** @throws IllegalArgumentException if components and key columns do not match one to one */
    RecordKeys(RecordShape<R> shape, Schema schema) {
        this.shape = shape;
        this.encoding = KeyEncoding.of(schema);
        this.columns = schema.keyColumns();
        this.numbers = shape.components().stream()
                .mapToInt(component -> ColumnNames.find(shape, component, schema, columns, "key"))
                .toArray();
        boolean[] isThere = new boolean[columns.size()];
        for (int number : numbers) {
            isThere[number] = true;
        }
        for (int k = 0; k < isThere.length; k++) {
            if (!isThere[k]) {
                Column column = columns.get(k);
                throw new IllegalArgumentException("key column '" + column.name() + "' has no component in "
                        + shape.name() + ": add a component " + Component.classOf(column.type()) + " " + column.name());
            }
        }
    }

    @Override
    public byte[] encode(R record) {
        @Nullable Object[] values = new Object[columns.size()];
        for (int k = 0; k < numbers.length; k++) {
            values[numbers[k]] = shape.components().get(k).of(record);
        }
        return encoding.encode(values);
    }

    @Override
    public R decode(byte[] bytes) {
        Object[] key = encoding.decode(bytes);
        @Nullable Object[] values = new Object[numbers.length];
        for (int k = 0; k < numbers.length; k++) {
            values[k] = shape.components().get(k).from(key[numbers[k]]);
        }
        return shape.make(values);
    }

    @Override
    public boolean ordered() {
        return true;
    }
}
