package io.sdds.client.internal.codec;

import io.sdds.client.Codec;
import io.sdds.core.row.Column;
import io.sdds.core.row.RowLayout;
import io.sdds.core.row.RowReader;
import io.sdds.core.row.RowWriter;
import io.sdds.core.row.Schema;
import io.sdds.core.row.Values;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Java records as rows of a schema. Columns without a component are written with their defaults. */
final class RecordRows<R extends Record> implements Codec<R> {
    private final RecordShape<R> shape;
    private final List<Column> columns;
    private final RowLayout layout;
    private final RowWriter writer;
    /** The number of the column of each component. */
    private final int[] numbers;
    /** What columns without a component have in a row. */
    private final @Nullable Object[] others;
    /** Why no record can be written; null: it can. */
    private final @Nullable String unwritable;

    /** @throws IllegalArgumentException if a component has no column, or one of another type */
    RecordRows(RecordShape<R> shape, Schema schema) {
        this.shape = shape;
        this.columns = schema.valueColumns();
        this.layout = RowLayout.of(schema);
        this.writer = new RowWriter(schema);
        this.numbers = shape.components().stream()
                .mapToInt(component -> ColumnNames.find(shape, component, schema, columns, "value"))
                .toArray();
        this.others = new Object[columns.size()];
        String missing = null;
        boolean[] isThere = new boolean[columns.size()];
        for (int number : numbers) {
            isThere[number] = true;
        }
        for (int k = 0; k < columns.size(); k++) {
            Column column = columns.get(k);
            if (!isThere[k] && column.hasDefault()) {
                others[k] = Values.decode(column.type(), column.defaultValue());
            } else if (!isThere[k] && column.notNull()) {
                missing = "column '" + column.name() + "' is not null, has no default, and " + shape.name()
                        + " has no component of it: add a component " + Component.classOf(column.type()) + " "
                        + column.name() + " to write rows";
            }
        }
        this.unwritable = missing;
    }

    @Override
    public byte[] encode(R record) {
        if (unwritable != null) {
            throw new IllegalArgumentException(unwritable);
        }
        @Nullable Object[] values = others.clone();
        for (int k = 0; k < numbers.length; k++) {
            Object value = shape.components().get(k).of(record);
            Column column = columns.get(numbers[k]);
            if (value == null && column.notNull()) {
                throw new IllegalArgumentException("column '" + column.name() + "' is not null, and component '"
                        + shape.components().get(k).name() + "' of " + shape.name() + " is null");
            }
            values[numbers[k]] = value;
        }
        return writer.write(values);
    }

    @Override
    public R decode(byte[] bytes) {
        RowReader reader = new RowReader(layout);
        reader.read(bytes);
        @Nullable Object[] values = new Object[numbers.length];
        for (int k = 0; k < numbers.length; k++) {
            int number = numbers[k];
            values[k] = shape.component(
                    shape.components().get(k),
                    reader.value(number),
                    columns.get(number).name());
        }
        return shape.make(values);
    }

    /** Rows have no order. */
    @Override
    public boolean ordered() {
        return false;
    }
}
