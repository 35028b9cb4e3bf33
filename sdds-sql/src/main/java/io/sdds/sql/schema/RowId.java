package io.sdds.sql.schema;

import io.sdds.core.row.Column;
import io.sdds.core.row.Schema;
import io.sdds.core.row.ValueType;
import java.util.List;
import java.util.UUID;

/**
 * The hidden key of a table that was made without a PRIMARY KEY: a column of random UUIDs. The client that inserts a
 * row draws its UUID, so that clients need not agree. A statement sees the column if it names it. UPDATE and DELETE
 * always see it, because they write rows by their keys.
 */
public final class RowId {
    public static final String NAME = "_rowid";

    public static final Column COLUMN = new Column(NAME, ValueType.UUID, true, true, false, new byte[0], false);

    private RowId() {}

    /** Whether the rows of a schema have hidden keys. */
    static boolean isKeyOf(Schema schema) {
        return schema.exists()
                && schema.keyColumns().size() == 1
                && schema.keyColumns().get(0).name().equals(NAME)
                && schema.keyColumns().get(0).type().equals(ValueType.UUID);
    }

    /** The columns without the hidden key. */
    static List<Column> hidden(List<Column> columns) {
        return columns.stream().filter(column -> !column.key()).toList();
    }

    static UUID next() {
        return UUID.randomUUID();
    }
}
