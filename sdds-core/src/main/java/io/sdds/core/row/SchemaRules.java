package io.sdds.core.row;

import io.sdds.core.protocol.Limits;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What every schema of a table must be. */
final class SchemaRules {
    /** What queries call the parts of any record. A column of such a name would be taken for the part. */
    private static final List<String> PARTS_OF_RECORDS = List.of("_key", "_value", "_version");

    private SchemaRules() {}

    static @Nullable String problem(Schema schema) {
        List<Column> columns = schema.columns();
        if (schema.version() < 1) {
            return "version " + schema.version() + " of a schema: 1 or more";
        }
        if (columns.size() > Schema.COLUMNS_MAX) {
            return columns.size() + " columns, with those that were dropped: " + Schema.COLUMNS_MAX + " at most";
        }
        if (schema.keyColumns().isEmpty()) {
            return "no column is a key: say 'key' behind the type of each column of the key";
        }
        Set<String> names = new HashSet<>();
        for (Column column : columns) {
            String problem = problem(column);
            if (problem != null) {
                return "column '" + Values.shown(column.name()) + "' " + problem;
            }
            if (!column.dropped() && !names.add(column.name().toLowerCase(Locale.ROOT))) {
                return "column '" + column.name() + "' is there twice; names are matched without regard to case";
            }
        }
        return null;
    }

    private static @Nullable String problem(Column column) {
        if (column.name().isBlank() || column.name().length() > Schema.NAME_MAX) {
            return "needs a name of 1 to " + Schema.NAME_MAX + " characters";
        }
        if (!column.dropped() && PARTS_OF_RECORDS.contains(column.name().toLowerCase(Locale.ROOT))) {
            return "has a name that queries use for a part of every record; give it another one";
        }
        String problem = typeProblem(column.type());
        if (problem != null) {
            return "is " + column.type() + ": " + problem;
        }
        if (column.key() && column.hasDefault()) {
            return "is part of the key and can't have a default";
        }
        if (column.key() && (column.dropped() || !column.notNull())) {
            return "is part of the key, which is never null and never dropped";
        }
        return column.hasDefault() ? defaultProblem(column) : null;
    }

    /** What makes this no type of a column; null if it is well. */
    static @Nullable String typeProblem(ValueType type) {
        int precision = type.precision();
        return switch (type.kind()) {
            case DECIMAL -> {
                if (precision < 1 || precision > ValueType.DECIMAL_DIGITS_MAX) {
                    yield "1 to " + ValueType.DECIMAL_DIGITS_MAX + " digits";
                }
                yield type.scale() < 0 || type.scale() > precision
                        ? "0 to " + precision + " digits behind the point"
                        : null;
            }
            case VARCHAR, VARBINARY ->
                precision < 0 || precision > Limits.VALUE_BYTES_MAX || type.scale() != 0
                        ? "a length of 1 to " + Limits.VALUE_BYTES_MAX
                        : null;
            case UNKNOWN -> "a type of a later version";
            default -> precision != 0 || type.scale() != 0 ? "a type without a length" : null;
        };
    }

    /** A default must be the bytes that its value has, since programs compare bytes. */
    private static @Nullable String defaultProblem(Column column) {
        try {
            Object value = Values.decode(column.type(), column.defaultValue());
            byte[] canonical = Values.encode(column.type(), value, null);
            return java.util.Arrays.equals(canonical, column.defaultValue())
                    ? null
                    : "has a default that no row stores";
        } catch (MalformedRowException | IllegalArgumentException e) {
            return "has a default that does not fit: " + e.getMessage();
        }
    }
}
