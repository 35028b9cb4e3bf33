package io.sdds.sql.run;

import io.sdds.core.row.Column;
import io.sdds.core.row.ValueText;
import io.sdds.sql.schema.SddsTable;
import io.sdds.sql.schema.SqlTypes;
import io.sdds.sql.schema.TableRecords;
import io.sdds.sql.shipped.Explanation;
import io.sdds.sql.shipped.KeyLookup;
import io.sdds.sql.shipped.RexShipper;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.apache.calcite.DataContext;
import org.apache.calcite.linq4j.Enumerable;
import org.apache.calcite.linq4j.Linq4j;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.runtime.Bindable;
import org.jspecify.annotations.Nullable;

/**
 * Look-ups by key, one after the other. Each reads the record of one table whose key parameters, constants and the
 * records before it give. So the result has one row at most. It has no state, so that statements share it.
 */
public final class KeyChain implements Bindable<@Nullable Object> {
    /** A value that each run gives. */
    public record Parameter(int index) {}

    /** A column of the record that a step reads. */
    public record Field(int step, int column) {}

    /**
     * The look-up of one record.
     *
     * @param name of the table in the statement
     * @param key constants, {@link Parameter}s, and {@link Field}s of steps before this one, in the order of the key
     * @param isOptional whether the columns of a missing record are NULL; else the result has no row
     */
    public record Step(SddsTable table, String name, List<Object> key, boolean isOptional) {}

    /**
     * A condition that the row fulfils. NULL is equal to nothing.
     *
     * @param value a constant, a {@link Parameter}, or a {@link Field}
     */
    public record Equality(Field field, Object value) {}

    private final List<Step> steps;
    private final List<Equality> equalities;
    private final List<Field> columns;
    private final List<RelDataType> types;

    /**
     * @param columns of the result
     * @param types of these columns
     */
    public KeyChain(List<Step> steps, List<Equality> equalities, List<Field> columns, List<RelDataType> types) {
        this.steps = List.copyOf(steps);
        this.equalities = List.copyOf(equalities);
        this.columns = List.copyOf(columns);
        this.types = List.copyOf(types);
    }

    /** The tables that the chain reads. */
    public List<SddsTable> tables() {
        return steps.stream().map(Step::table).distinct().toList();
    }

    /** Makes a reader for one statement. */
    public Reader reader() {
        return new Reader();
    }

    /** A row of one column is the value alone. */
    @Override
    public Enumerable<@Nullable Object> bind(DataContext context) {
        @Nullable Object[] row = reader().row(Parameters.of(context), Deadline.of(context));
        if (row == null) {
            return Linq4j.emptyEnumerable();
        }
        return Linq4j.singletonEnumerable(row.length == 1 ? row[0] : row);
    }

    /** Reads rows, for one thread. */
    public final class Reader {
        private final List<TableRecords> records =
                steps.stream().map(step -> step.table().format()).toList();

        private Reader() {}

        /** The row with the engine's values; null: there is none. */
        public @Nullable Object @Nullable [] row(IntFunction<@Nullable Object> parameters, Deadline deadline) {
            @Nullable Object[] @Nullable [] found = new @Nullable Object[steps.size()] @Nullable [];
            for (int k = 0; k < found.length; k++) {
                found[k] = record(k, found, parameters, deadline);
                if (found[k] == null && !steps.get(k).isOptional()) {
                    return null;
                }
            }
            for (Equality equality : equalities) {
                if (!holds(equality, found, parameters)) {
                    return null;
                }
            }
            return chosen(found);
        }

        private @Nullable Object @Nullable [] record(
                int number,
                @Nullable Object[] @Nullable [] found,
                IntFunction<@Nullable Object> parameters,
                Deadline deadline) {
            Step step = steps.get(number);
            List<@Nullable Object> key = new ArrayList<>(step.key().size());
            for (Object part : step.key()) {
                key.add(value(part, found, parameters));
            }
            byte[] bytes = KeyLookup.encoded(key, step.table(), records.get(number));
            if (bytes == null) {
                return null; // no record can have such a key
            }
            byte[] value = deadline.await(step.table().open().getAsync(bytes));
            return value == null ? null : records.get(number).row(bytes, value);
        }
    }

    private static @Nullable Object value(
            Object part, @Nullable Object[] @Nullable [] found, IntFunction<@Nullable Object> parameters) {
        if (part instanceof Field field) {
            @Nullable Object[] record = found[field.step()];
            return record == null ? null : record[field.column()];
        }
        return part instanceof Parameter parameter ? parameters.apply(parameter.index()) : part;
    }

    private boolean holds(
            Equality equality, @Nullable Object[] @Nullable [] found, IntFunction<@Nullable Object> parameters) {
        Object known = value(equality.field(), found, parameters);
        Object wanted = value(equality.value(), found, parameters);
        return known != null
                && Objects.deepEquals(
                        known,
                        KeyLookup.valueOf(wanted, column(equality.field()).type()));
    }

    private @Nullable Object[] chosen(@Nullable Object[] @Nullable [] found) {
        @Nullable Object[] row = new @Nullable Object[columns.size()];
        for (int k = 0; k < row.length; k++) {
            Field field = columns.get(k);
            @Nullable Object[] record = found[field.step()];
            row[k] = record == null ? null : SqlTypes.toEngine(record[field.column()], types.get(k));
        }
        return row;
    }

    private Column column(Field field) {
        return steps.get(field.step()).table().columns().get(field.column());
    }

    // ---- EXPLAIN

    /**
     * Describes the chain for EXPLAIN: the conditions beside the keys, the columns, and the look-ups in their order.
     */
    public Explanation explained() {
        String where = equalities.stream()
                .map(equality -> shown(equality.field()) + " = " + shown(equality.value(), column(equality.field())))
                .collect(Collectors.joining(" and "));
        Explanation explained = new Explanation("SddsKeyChain", new LinkedHashMap<>(), new ArrayList<>())
                .with("where", where.isEmpty() ? null : where)
                .with("select", columns.stream().map(this::shown).collect(Collectors.joining(", ")));
        for (Step step : steps) {
            explained.over(Explanation.of("SddsRows", step.table().name())
                    .with("keys", shownKey(step))
                    .with("join", step.isOptional() ? "left" : null));
        }
        return explained;
    }

    private String shownKey(Step step) {
        List<String> parts = new ArrayList<>();
        for (int k = 0; k < step.key().size(); k++) {
            int column = step.table().keys().get(k);
            parts.add(shown(step.key().get(k), step.table().columns().get(column)));
        }
        return "(" + String.join(", ", parts) + ")";
    }

    private String shown(Object value, Column column) {
        if (value instanceof Field field) {
            return shown(field);
        }
        return value instanceof Parameter parameter ? "?" + parameter.index() : ValueText.literal(column.type(), value);
    }

    private String shown(Field field) {
        return steps.get(field.step()).name() + "."
                + RexShipper.name(column(field)).text(true);
    }
}
