package io.sdds.core.row;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the schema of a table may change. Clients make the next version with {@link Schema#add} and {@link Schema#drop};
 * coordinators check it before they store it. Each fault is one line without an end, which names the column.
 */
public final class SchemaChange {
    /** Most bytes of a schema, so that it fits in a control request of a client ({@code docs/protocol.md}). */
    public static final int BYTES_MAX = 15 << 10;

    /** Bytes of a column in the map, without its name and its default. */
    private static final int COLUMN_BYTES = 36;

    private SchemaChange() {}

    /** The fault of the schema of a new table, or null. {@link Schema#NONE} has no fault. */
    public static @Nullable String creationFault(Schema schema) {
        if (schema.exists() && schema.version() != 1) {
            return "a schema begins with version 1, not " + schema.version();
        }
        for (Column column : schema.columns()) {
            if (column.dropped()) {
                return named(column) + " is dropped from the start";
            }
        }
        return fault(schema);
    }

    /** The fault of a schema of any version, or null. */
    public static @Nullable String fault(Schema schema) {
        String problem = schema.problem();
        long bytes = bytes(schema);
        return problem == null && bytes > BYTES_MAX
                ? "the schema takes " + bytes + " bytes, and at most " + BYTES_MAX
                        + " are allowed: shorten names or defaults"
                : problem;
    }

    /** The bytes that a schema takes in the map of the cluster. */
    public static long bytes(Schema schema) {
        long bytes = 0;
        for (Column column : schema.columns()) {
            bytes +=
                    COLUMN_BYTES + column.name().getBytes(StandardCharsets.UTF_8).length + column.defaultValue().length;
        }
        return bytes;
    }

    /**
     * The fault of a change of a table's schema, or null. A change adds columns behind the others, and drops columns
     * that are not part of the key, so that the rows that are there can stay as they are.
     */
    public static @Nullable String fault(Schema before, Schema after) {
        if (!before.exists()) {
            return "the table was created without a schema, and gets none later";
        }
        if (after.version() != before.version() + 1) {
            return "the schema has version " + before.version() + " by now; look at it and try again";
        }
        List<Column> columns = before.columns();
        if (after.columns().size() < columns.size()) {
            return "the schema has " + columns.size() + " columns with those that were dropped, and keeps their places";
        }
        boolean changes = after.columns().size() > columns.size();
        for (int k = 0; k < columns.size(); k++) {
            Column was = columns.get(k);
            Column is = after.columns().get(k);
            if (!is.equals(was)) {
                String fault = dropFault(was, is);
                if (fault != null) {
                    return fault;
                }
                changes = true;
            }
        }
        if (!changes) {
            return "no column is added or dropped";
        }
        for (Column added :
                after.columns().subList(columns.size(), after.columns().size())) {
            String fault = additionFault(added);
            if (fault != null) {
                return fault;
            }
        }
        return fault(after);
    }

    private static @Nullable String dropFault(Column was, Column is) {
        boolean isDrop = is.dropped()
                && !was.dropped()
                && !is.hasDefault()
                && is.name().equals(was.name())
                && is.type().equals(was.type());
        if (!isDrop) {
            return named(was) + " can be dropped, and cannot be changed";
        }
        return was.key() ? named(was) + " is part of the key, and cannot be dropped" : null;
    }

    private static @Nullable String additionFault(Column added) {
        if (added.key()) {
            return named(added) + " cannot be part of the key: the key of a table stays what it is";
        }
        if (added.dropped()) {
            return named(added) + " is dropped from the start";
        }
        return added.notNull() && !added.hasDefault()
                ? named(added) + " is not null and has no default, but the rows of the table have no value of it"
                : null;
    }

    private static String named(Column column) {
        return "column '" + column.name() + "'";
    }
}
