package io.sdds.client.internal.query.lang;

import io.sdds.client.internal.query.lang.Expression.Name;
import io.sdds.core.query.Op;
import io.sdds.core.query.RowShape;
import io.sdds.core.row.Column;
import io.sdds.core.row.NearNames;
import io.sdds.core.row.Schema;
import io.sdds.core.row.ValueType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the names of an expression mean. */
public final class Scope {
    /** Where a value comes from; {@code column} is -1 of a part of the record. */
    record Source(String name, Op op, int column, ValueType type) {}

    private final RowShape shape;
    private final Map<String, Source> names = new LinkedHashMap<>();
    private final Map<String, Source> bound = new HashMap<>();
    private final boolean isOfTuples;

    private Scope(RowShape shape, boolean isOfTuples) {
        this.shape = shape;
        this.isOfTuples = isOfTuples;
    }

    /**
     * The columns of a table, and {@code key}, {@code value}, {@code _key}, {@code _value} and {@code _version} as far
     * as no column has the name.
     */
    public static Scope of(Schema schema) {
        Scope scope = new Scope(RowShape.of(schema), false);
        scope.addColumns(schema.keyColumns(), Op.KEY_COLUMN);
        scope.addColumns(schema.valueColumns(), Op.VALUE_COLUMN);
        scope.addPart("key", Op.KEY, ValueType.VARBINARY);
        scope.addPart("value", Op.VALUE, ValueType.VARBINARY);
        scope.addPart("_key", Op.KEY, ValueType.VARBINARY);
        scope.addPart("_value", Op.VALUE, ValueType.VARBINARY);
        scope.addPart("_version", Op.RECORD_VERSION, ValueType.BIGINT);
        return scope;
    }

    /**
     * The columns of tuples of an {@link io.sdds.core.query.Output.Aggregate}. They have no names: {@link #bind} tells
     * of which expressions they are.
     */
    public static Scope ofTuples(List<ValueType> types) {
        List<byte @Nullable []> defaults = new ArrayList<>();
        types.forEach(type -> defaults.add(null));
        return new Scope(new RowShape(List.of(), types, defaults), true);
    }

    /** Says that an expression, wherever it stands in another one, is a column of the value. */
    public void bind(Expression expression, int column) {
        bound.put(
                expression.text(),
                new Source(
                        expression.text(),
                        Op.VALUE_COLUMN,
                        column,
                        shape.values().get(column)));
    }

    /** The names, columns first. */
    public List<String> names() {
        return names.values().stream().map(Source::name).toList();
    }

    /** The shape of the rows. */
    public RowShape shape() {
        return shape;
    }

    private void addColumns(List<Column> columns, Op op) {
        for (int k = 0; k < columns.size(); k++) {
            Column column = columns.get(k);
            if (!column.dropped()) {
                Source source = new Source(column.name(), op, k, column.type());
                names.put(column.name().toLowerCase(Locale.ROOT), source);
            }
        }
    }

    private void addPart(String name, Op op, ValueType type) {
        names.putIfAbsent(name, new Source(name, op, -1, type));
    }

    /** What an expression was bound to; null: nothing. */
    @Nullable
    Source boundTo(Expression expression) {
        return bound.isEmpty() ? null : bound.get(expression.text());
    }

    /** What a name means; null: nothing. */
    @Nullable
    Source find(Name name) {
        Source source = names.get(name.name().toLowerCase(Locale.ROOT));
        return source != null && name.quoted() && !source.name().equals(name.name()) ? null : source;
    }

    /** Why a name means nothing. */
    String problem(Name name) {
        return isOfTuples
                ? "'" + name.name() + "' is neither in group by nor in an aggregate"
                : "no column '" + name.name() + "'" + NearNames.hint(name.name(), names());
    }
}
