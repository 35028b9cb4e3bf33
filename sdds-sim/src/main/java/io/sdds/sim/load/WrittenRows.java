package io.sdds.sim.load;

import io.sdds.core.row.Column;
import io.sdds.core.row.Schema;
import io.sdds.core.row.SchemaText;
import io.sdds.core.row.Values;
import io.sdds.sim.world.Trace;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What clients have written to a table with a schema, so that each column of each row can be checked.
 *
 * <p>The column {@code v} has a name that no other write has. All other columns of a row follow from the names of its
 * writes, from the schemas that the writers knew, and from the record that an update was for. A row whose {@code v} is
 * NULL is a number, which is in {@code n}; of its other columns nothing is known, because many writes give one number.
 */
public final class WrittenRows {
    /** The first version of the schema. */
    public static final Schema FIRST = SchemaText.parse(
            "k varchar key, v varbinary, n bigint, s varchar default 'usual', b boolean not null" + " default true");

    /** Ordinals in the value. */
    static final int NAME = 0;

    public static final int NUMBER = 1;

    /** A row that has fewer columns than the reader's schema. */
    private static final Object LACKED = new Object();

    /** Of a column of which nothing is known. */
    static final Object ANY = new Object();

    private static final int NUMBERS = 1000;

    private final Map<String, Write> writes = new HashMap<>();

    /**
     * A write.
     *
     * @param schema that the writer knew
     * @param base name of the row that an update was for; null: the whole row was put
     * @param assigned ordinals of the columns that an update gave values
     */
    private record Write(Schema schema, @Nullable String base, Set<Integer> assigned) {}

    /** Whether a name is a number; numbers are not unique. */
    static boolean isNumber(String name) {
        return !name.isEmpty() && name.chars().allMatch(sign -> sign >= '0' && sign <= '9');
    }

    /** A whole row is put under a schema; the schema with which the name was put before, if it was. */
    Schema put(String name, Schema schema) {
        if (isNumber(name)) {
            return schema;
        }
        return writes.computeIfAbsent(name, unseen -> new Write(schema, null, Collections.emptySet()))
                .schema();
    }

    /** An update is for the row of a name, and gives it another name. */
    void update(String name, Schema schema, String base, Set<Integer> assigned) {
        if (!isNumber(name)) {
            writes.put(name, new Write(schema, base, assigned));
        }
    }

    boolean knows(String name) {
        return writes.containsKey(name);
    }

    /** The value that a writer gives a column other than {@code v}. */
    static @Nullable Object drawn(String name, Column column, int ordinal) {
        if (ordinal == NUMBER && isNumber(name)) {
            return Long.parseLong(name);
        }
        long draw = Trace.mix(Trace.hashOf(name), ordinal);
        if (column.dropped() || !column.notNull() && (draw >>> 60) < 4) {
            return null;
        }
        if (column.hasDefault() && (draw >>> 60) < 7) {
            return Values.decode(column.type(), column.defaultValue());
        }
        long number = Math.floorMod(draw, (long) NUMBERS);
        return switch (column.type().kind()) {
            case BOOLEAN -> (draw & 1) == 0;
            case INTEGER -> (int) number;
            case BIGINT -> number;
            case DOUBLE -> number / 4.0;
            case DECIMAL -> BigDecimal.valueOf(number, column.type().scale());
            case DATE -> LocalDate.ofEpochDay(number * 20);
            case TIME -> LocalTime.ofSecondOfDay(number * 80);
            case TIMESTAMP -> LocalDateTime.of(2026, 1, 1, 0, 0).plusSeconds(number);
            case UUID -> new UUID(draw, number);
            case VARCHAR -> "s" + number % 5;
            case VARBINARY, UNKNOWN -> throw new IllegalArgumentException("no value of " + column);
        };
    }

    /**
     * What a reader finds in a column other than {@code v} of the row of a name; {@link #ANY} if that is not known.
     *
     * @param reader the schema of the reader
     */
    @Nullable
    Object seen(String name, int ordinal, Schema reader) {
        Object stored = stored(name, ordinal);
        return stored == LACKED ? defaultOf(ordinal, reader) : stored;
    }

    /** Whether the row of a name lacks a column, so that readers find its default. */
    boolean lacks(String name, int ordinal) {
        return stored(name, ordinal) == LACKED;
    }

    /**
     * Whether the row of a name was updated by a client that did not know one of so many columns, which the row has.
     */
    boolean keepsUnknown(String name, int columns) {
        Write write = writes.get(name);
        if (write == null || write.base() == null) {
            return false;
        }
        int known = write.schema().valueColumns().size();
        Object kept = known < columns ? stored(name, known) : LACKED;
        return kept != LACKED && kept != ANY;
    }

    private @Nullable Object stored(String name, int ordinal) {
        if (ordinal == NUMBER && isNumber(name)) {
            return Long.parseLong(name);
        }
        Write write = writes.get(name);
        if (write == null) {
            return ANY;
        }
        List<Column> columns = write.schema().valueColumns();
        boolean isKnown = ordinal < columns.size();
        if (write.base() == null || write.assigned().contains(ordinal)) {
            return isKnown ? drawn(name, columns.get(ordinal), ordinal) : LACKED;
        }
        Object before = stored(write.base(), ordinal);
        return before == LACKED && isKnown ? defaultOf(ordinal, write.schema()) : before;
    }

    private static @Nullable Object defaultOf(int ordinal, Schema schema) {
        Column column = schema.valueColumns().get(ordinal);
        return column.hasDefault() ? Values.decode(column.type(), column.defaultValue()) : null;
    }

    /**
     * Describes the first column of a row that is not what was written; null if there is none, or nobody wrote the
     * name.
     *
     * @param found the value of a column, by its ordinal
     */
    @Nullable
    String fault(String name, Schema reader, Found found) {
        List<Column> columns = reader.valueColumns();
        for (int ordinal = NUMBER; ordinal < columns.size(); ordinal++) {
            if (!columns.get(ordinal).dropped() && (knows(name) || ordinal == NUMBER && isNumber(name))) {
                Object written = seen(name, ordinal, reader);
                Object is = found.value(ordinal);
                if (written != ANY && !Objects.equals(written, is)) {
                    return "column " + columns.get(ordinal).name() + " of " + name + " is " + is
                            + ", and was written as " + written + " (read by version " + reader.version() + ")";
                }
            }
        }
        return null;
    }

    /** The columns of a row that was read. */
    interface Found {
        @Nullable
        Object value(int ordinal);
    }
}
