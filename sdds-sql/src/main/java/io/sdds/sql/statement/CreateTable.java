package io.sdds.sql.statement;

import io.sdds.client.Codec;
import io.sdds.client.SddsClient;
import io.sdds.client.TableOptions;
import io.sdds.core.row.Column;
import io.sdds.core.row.NearNames;
import io.sdds.core.row.Schema;
import io.sdds.sql.error.SqlErrors;
import io.sdds.sql.error.StatementEnd;
import io.sdds.sql.schema.RowId;
import io.sdds.sql.schema.SddsSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * {@code CREATE TABLE [IF NOT EXISTS] name (column type [NOT NULL] [DEFAULT value], ..., PRIMARY KEY (column, ...))
 * [WITH (option = value, ...)]}.
 */
final class CreateTable {
    /** A program of bricks gives back so many columns, and tests a condition besides. */
    private static final int COLUMNS_MAX = 250;

    private static final List<String> OPTIONS =
            List.of("kind", "replicas", "parity", "min_parities", "capacity", "partitions");

    private final DdlText text;
    private final List<Column> columns = new ArrayList<>();
    private final List<String> keys = new ArrayList<>();
    private final TableOptions.Builder options = TableOptions.builder();
    private boolean isRange;

    private CreateTable(DdlText text) {
        this.text = text;
    }

    /** Refuses a table with more columns than a statement can read. */
    static void checkColumns(int columns) {
        if (columns > COLUMNS_MAX) {
            throw new StatementEnd(
                    "the table has " + columns + " columns, and " + COLUMNS_MAX + " are allowed", SqlErrors.TOO_LARGE);
        }
    }

    /** What the statement does; its text is checked. */
    static Runnable parse(DdlText text, SddsSchema schema) {
        text.expectOfTable("CREATE");
        boolean maybe = text.accept("IF");
        if (maybe) {
            text.expect("NOT");
            text.expect("EXISTS");
        }
        String name = text.qualifiedName();
        if (text.isNext("AS")) {
            throw text.unsupported("CREATE TABLE AS");
        }
        CreateTable table = new CreateTable(text);
        try {
            text.list(table::readColumn);
            table.readOptions();
            TableOptions built = table.options.schema(table.schema()).build();
            boolean exists = maybe && schema.find(name) != null;
            return () -> {
                if (!exists) {
                    table.create(schema.shared().client(), name, built);
                }
            };
        } catch (IllegalArgumentException e) {
            throw new StatementEnd(SqlErrors.line(e), SqlErrors.SYNTAX, e);
        }
    }

    private void create(SddsClient client, String name, TableOptions built) {
        if (isRange) {
            client.createRangeTable(name, built, Codec.bytes(), Codec.bytes());
        } else {
            client.createHashTable(name, built, Codec.bytes(), Codec.bytes());
        }
    }

    // ---- columns

    private void readColumn() {
        int from = text.at();
        if (text.accept("CONSTRAINT")) {
            text.take();
        }
        if (text.accept("PRIMARY", "KEY") && text.isNext("(")) {
            text.list(this::readKey);
            return;
        }
        for (String constraint : List.of("UNIQUE", "CHECK", "FOREIGN KEY")) {
            if (text.accept(constraint.split(" "))) {
                throw text.unsupported(constraint);
            }
        }
        text.moveTo(from);
        Column column = ColumnText.parse(text);
        columns.add(column);
        if (column.key()) {
            keys.add(column.name());
        }
    }

    private void readKey() {
        keys.add(text.name());
        while (!text.isItemOver()) {
            text.take(); // such as an order
        }
    }

    /** The schema. The key has its columns in the order in which the table has them. */
    private Schema schema() {
        checkColumns(columns.size());
        if (columns.stream().anyMatch(column -> column.name().equalsIgnoreCase(RowId.NAME))) {
            throw text.wrong("the name " + RowId.NAME + " is kept for the keys of tables without a PRIMARY KEY");
        }
        if (keys.isEmpty()) {
            columns.add(0, RowId.COLUMN);
            return Schema.of(columns);
        }
        List<String> names = columns.stream().map(Column::name).toList();
        int last = -1;
        for (String key : keys) {
            int at = (int) names.stream()
                    .takeWhile(name -> !name.equalsIgnoreCase(key))
                    .count();
            if (at == names.size()) {
                throw text.wrong("PRIMARY KEY has no column '" + key + "'" + NearNames.hint(key, names));
            }
            if (at <= last) {
                throw text.wrong("PRIMARY KEY names '" + key + "' behind a column that the table has later; declare the"
                        + " columns in the order of the key");
            }
            last = at;
            columns.set(at, ColumnText.ofKey(columns.get(at)));
        }
        return Schema.of(columns);
    }

    // ---- options

    private void readOptions() {
        if (text.accept("WITH")) {
            text.list(this::readOption);
        }
        text.expectEnd();
    }

    private void readOption() {
        String name = text.peek();
        if (!OPTIONS.contains(name.toLowerCase(Locale.ROOT))) {
            String hint = NearNames.hint(name, OPTIONS);
            throw text.wrong("unknown option '" + name + "'"
                    + (hint.isEmpty() ? "; the options are " + String.join(", ", OPTIONS) : hint));
        }
        text.take();
        text.expect("=");
        int at = text.at();
        StringBuilder value = new StringBuilder();
        while (!text.isItemOver()) {
            value.append(value.isEmpty() ? text.take() : text.takeSpaced());
        }
        setOption(at, name.toLowerCase(Locale.ROOT), unquoted(value.toString()));
    }

    private static String unquoted(String value) {
        boolean isQuoted = value.length() > 1 && value.startsWith("'") && value.endsWith("'");
        return isQuoted ? value.substring(1, value.length() - 1) : value;
    }

    private void setOption(int at, String name, String value) {
        switch (name) {
            case "kind" -> {
                isRange = value.equalsIgnoreCase("range");
                if (!isRange && !value.equalsIgnoreCase("hash")) {
                    throw text.wrong(at, "kind is '" + value + "', expected 'hash' or 'range'");
                }
            }
            case "replicas" -> options.replicas(number(at, name, value));
            case "capacity" -> options.capacityRecords(number(at, name, value)).capacityBytes(0);
            case "partitions" -> options.partitions(number(at, name, value));
            case "min_parities" -> options.minParities(number(at, name, value));
            case "parity" -> {
                String[] parts = value.split(",");
                if (parts.length != 2) {
                    throw text.wrong(at, "parity is '" + value + "', expected 'data columns,parities' such as '4,2'");
                }
                options.parity(number(at, name, parts[0].strip()), number(at, name, parts[1].strip()));
            }
            default -> throw new IllegalStateException(name);
        }
    }

    private int number(int at, String name, String value) {
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException e) {
            throw text.wrong(at, "option " + name + " takes a whole number, found '" + value + "'");
        }
    }
}
