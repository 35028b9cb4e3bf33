package io.sdds.cli.command.record;

import io.sdds.cli.command.base.CommandContext;
import io.sdds.cli.command.base.CommandFailure;
import io.sdds.cli.format.Rows;
import io.sdds.cli.format.Text;
import io.sdds.client.Table;
import io.sdds.core.row.Schema;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The notation of the records of a table: the columns of a table with a schema, else the bytes of key and value as
 * text. With {@code --hex} all records are bytes.
 */
final class RecordText {
    private final Text text;
    private final String table;
    private final @Nullable Rows rows;

    /** The rows of a table with a schema, whatever the notation is. */
    private final @Nullable Rows checks;

    RecordText(CommandContext context, Table<byte[], byte[]> table) {
        this.text = context.text();
        this.table = table.name();
        Schema schema = table.schema();
        this.checks = schema.exists() ? new Rows(schema) : null;
        this.rows = text.hex() ? null : checks;
    }

    /** Checks hexadecimal digits before the cluster is asked. */
    static void checkHex(CommandContext context, String key) {
        if (context.text().hex()) {
            context.text().parse(key);
        }
    }

    /** The rows of a table with a schema; null if records are shown as bytes. */
    @Nullable
    Rows rows() {
        return rows;
    }

    byte[] key(String key) {
        return rows == null ? text.parse(key) : rows.key(key);
    }

    /**
     * The bytes with which keys begin: only of a text as the one key column, whose bytes are in the key as they are.
     */
    byte[] prefix(String prefix) {
        if (rows == null || rows.hasTextKey()) {
            return text.parse(prefix);
        }
        throw CommandFailure.usage("--prefix: the key of table '" + table + "' is no varchar alone; use FROM and TO, or"
                + " --where with a condition on its first columns");
    }

    /**
     * The bytes of the value of a record.
     *
     * @param given one value, or of a table with a schema {@code COLUMN=VALUE} for each column or a JSON object
     */
    byte[] value(byte[] key, List<String> given) {
        if (rows != null) {
            return rows.row(given);
        }
        if (given.size() != 1) {
            throw CommandFailure.usage("table '" + table + "' takes one VALUE, not " + given.size());
        }
        return checked(key, text.parse(given.get(0)));
    }

    /** The same from standard input: the bytes, hexadecimal digits, or a JSON object of columns. */
    byte[] input(byte[] key, byte[] read) {
        if (rows != null) {
            return rows.row(List.of(new String(read, StandardCharsets.UTF_8).strip()));
        }
        return checked(key, text.hex() ? text.parse(new String(read, StandardCharsets.ISO_8859_1).strip()) : read);
    }

    /** Refuses bytes that are no row of a table with a schema. */
    private byte[] checked(byte[] key, byte[] value) {
        if (checks != null) {
            checks.check(key, value);
        }
        return value;
    }
}
