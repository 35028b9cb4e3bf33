package io.sdds.client.internal.codec;

import io.sdds.client.Codec;
import io.sdds.client.internal.SchemaCodec;
import io.sdds.core.row.Column;
import io.sdds.core.row.Schema;
import io.sdds.core.row.ValueType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Java records as rows or keys. Not bound to a table, it encodes rows of a table without a schema. */
public final class RecordCodec<R extends Record> implements SchemaCodec<R> {
    private final RecordShape<R> shape;

    /** Made at the first use, which several threads may have at once. */
    private volatile @Nullable Codec<R> unbound;

    private RecordCodec(RecordShape<R> shape) {
        this.shape = shape;
    }

    /** @throws IllegalArgumentException if a component can be no column, or the class can't be accessed */
    public static <R extends Record> Codec<R> of(Class<R> type) {
        return new RecordCodec<>(new RecordShape<>(type));
    }

    @Override
    public Codec<R> ofKey(Schema schema) {
        return new RecordKeys<>(shape, schema.exists() ? schema : own(true));
    }

    @Override
    public Codec<R> ofValue(Schema schema) {
        return new RecordRows<>(shape, schema.exists() ? schema : own(false));
    }

    /** The components as columns, of which none is null if it is primitive. */
    private Schema own(boolean key) {
        List<Column> columns = new ArrayList<>();
        for (Component component : shape.components()) {
            ValueType type = component.ownType();
            if (type == null) {
                throw ColumnNames.misfit(
                        shape, component, "BigDecimal needs a table with a schema, which says its digits");
            }
            boolean notNull = key || component.isPrimitive();
            columns.add(new Column(component.name(), type, key, notNull, false, new byte[0], false));
        }
        return new Schema(1, columns);
    }

    private Codec<R> unbound() {
        Codec<R> made = unbound;
        if (made == null) {
            made = ofValue(Schema.NONE);
            unbound = made;
        }
        return made;
    }

    @Override
    public byte[] encode(R record) {
        return unbound().encode(record);
    }

    @Override
    public R decode(byte[] bytes) {
        return unbound().decode(bytes);
    }

    /** As keys. */
    @Override
    public boolean ordered() {
        return true;
    }
}
