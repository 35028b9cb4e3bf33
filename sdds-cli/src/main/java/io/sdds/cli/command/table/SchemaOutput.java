package io.sdds.cli.command.table;

import io.sdds.cli.terminal.TextTable;
import io.sdds.core.row.Column;
import io.sdds.core.row.Schema;
import io.sdds.core.row.SchemaText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Formats the columns of a table as text and as JSON documents. Dropped columns are left out. */
public final class SchemaOutput {
    private SchemaOutput() {}

    /** Adds the columns of a table, if the table has a schema. */
    public static void put(Map<String, Object> document, Schema schema) {
        if (schema.exists()) {
            List<Map<String, Object>> columns = new ArrayList<>();
            schema.liveColumns().forEach(column -> columns.add(document(column)));
            document.put("schema_version", schema.version());
            document.put("columns", columns);
        }
    }

    private static Map<String, Object> document(Column column) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("name", column.name());
        document.put("type", column.type().toString());
        document.put("key", column.key());
        document.put("not_null", column.notNull() || column.key());
        document.put("default", column.hasDefault() ? defaultOf(column) : null);
        return document;
    }

    /** The columns as a table of text. */
    public static List<String> lines(Schema schema) {
        TextTable text = new TextTable(5, "COLUMN", "TYPE", "KEY", "NULL", "DEFAULT");
        int keys = 0;
        for (Column column : schema.liveColumns()) {
            text.row(
                    SchemaText.name(column.name()),
                    column.type().toString(),
                    column.key() ? Integer.toString(++keys) : "",
                    column.notNull() || column.key() ? "no" : "yes",
                    column.hasDefault() ? defaultOf(column) : "");
        }
        return text.lines();
    }

    /** The default as the text of a schema has it, such as {@code 'Uppsala'}. */
    private static String defaultOf(Column column) {
        Column plain = new Column("x", column.type(), false, false, true, column.defaultValue(), false);
        String text = SchemaText.print(plain);
        return text.substring(text.indexOf(" default ") + " default ".length());
    }
}
