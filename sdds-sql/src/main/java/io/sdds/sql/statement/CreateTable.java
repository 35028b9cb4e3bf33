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
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code CREATE TABLE [IF NOT EXISTS] name (column type [NOT NULL] [DEFAULT value], ..., PRIMARY KEY (column, ...))
 * [WITH (option = value, ...)]}.
 */
final class CreateTable {
    /** A program of bricks gives back so many columns, and tests a condition besides. */
    private static final int COLUMNS_MAX = 250;

    /** Refuses a table with more columns than a statement can read. */
    static void checkColumns(int columns) {
        if (columns > COLUMNS_MAX) {
            throw new StatementEnd(
                    "the table has " + columns + " columns, and " + COLUMNS_MAX + " are allowed", SqlErrors.TOO_LARGE);
        }
    }

    private static final List<String> OPTIONS =
            List.of("kind", "replicas", "parity", "min_parities", "capacity", "partitions");
    private static final Pattern PRIMARY_KEY =
            Pattern.compile("(?is)^\\s*(?:constraint\\s+\\S+\\s+)?primary\\s+key\\s*\\((.*)\\)\\s*$");
    private static final Pattern KEY_COLUMN = Pattern.compile("(?is)^(.*)\\bprimary\\s+key\\b(.*)$");
    private static final Pattern REFUSED =
            Pattern.compile("(?is)^\\s*(?:constraint\\s+\\S+\\s+)?(unique|foreign\\s+key|check)\\b.*");

    private final DdlText text;
    private final List<Column> columns = new ArrayList<>();
    private final List<String> keys = new ArrayList<>();
    private final TableOptions.Builder options = TableOptions.builder();
    private boolean isRange;

    private CreateTable(DdlText text) {
        this.text = text;
    }

    /** What the statement does; its text is checked. */
    static Runnable parse(DdlText text, SddsSchema schema) {
        text.expect("CREATE");
        text.expectKind("TABLE");
        boolean maybe = text.accept("IF");
        if (maybe) {
            text.expect("NOT");
            text.expect("EXISTS");
        }
        String name = text.qualifiedName();
        if (text.peek().equalsIgnoreCase("AS")) {
            throw text.unsupported("CREATE TABLE AS");
        }
        CreateTable table = new CreateTable(text);
        try {
            table.readColumns();
            table.readOptions();
            TableOptions built = table.options.schema(table.schema()).build();
            boolean exists = maybe && schema.find(name) != null;
            return () -> {
                if (!exists) {
                    table.create(schema.client(), name, built);
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

    private void readColumns() {
        DdlText list = text.inParentheses();
        while (!list.peek().isEmpty()) {
            readColumn(list.untilComma());
        }
    }

    private void readColumn(DdlText column) {
        String item = column.remaining();
        Matcher key = PRIMARY_KEY.matcher(item);
        if (key.matches()) {
            DdlText names = new DdlText(key.group(1));
            while (!names.peek().isEmpty()) {
                keys.add(names.untilComma().name());
            }
            return;
        }
        Matcher refused = REFUSED.matcher(item);
        if (refused.matches()) {
            throw text.unsupported(refused.group(1).toUpperCase(Locale.ROOT));
        }
        Matcher ofKey = KEY_COLUMN.matcher(item);
        if (ofKey.matches()) {
            Column read = ColumnText.parse(column, ofKey.group(1) + ofKey.group(2));
            columns.add(read);
            keys.add(read.name());
        } else {
            columns.add(ColumnText.parse(column, item));
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
        }
        return Schema.of(columns.stream().map(this::declared).toList());
    }

    private Column declared(Column column) {
        boolean isKey = keys.stream().anyMatch(column.name()::equalsIgnoreCase);
        return isKey
                ? new Column(
                        column.name(), column.type(), true, true, column.hasDefault(), column.defaultValue(), false)
                : column;
    }

    // ---- options

    private void readOptions() {
        if (text.accept("WITH")) {
            DdlText list = text.inParentheses();
            while (!list.peek().isEmpty()) {
                DdlText option = list.untilComma();
                String name = nameOf(option);
                option.expect("=");
                setOption(option, name, unquoted(option.remaining()));
            }
        }
        text.expectEnd();
    }

    private static String nameOf(DdlText option) {
        String name = option.peek();
        if (!OPTIONS.contains(name.toLowerCase(Locale.ROOT))) {
            String hint = NearNames.hint(name, OPTIONS);
            throw option.wrong("unknown option '" + name + "'"
                    + (hint.isEmpty() ? "; the options are " + String.join(", ", OPTIONS) : hint));
        }
        return option.take().toLowerCase(Locale.ROOT);
    }

    private static String unquoted(String value) {
        boolean isQuoted = value.length() > 1 && value.startsWith("'") && value.endsWith("'");
        return isQuoted ? value.substring(1, value.length() - 1) : value;
    }

    private void setOption(DdlText option, String name, String value) {
        switch (name) {
            case "kind" -> {
                if (!value.equalsIgnoreCase("range") && !value.equalsIgnoreCase("hash")) {
                    throw option.wrong("kind is '" + value + "', expected 'hash' or 'range'");
                }
                isRange = value.equalsIgnoreCase("range");
            }
            case "replicas" -> options.replicas(number(option, name, value));
            case "capacity" ->
                options.capacityRecords(number(option, name, value)).capacityBytes(0);
            case "partitions" -> options.partitions(number(option, name, value));
            case "min_parities" -> options.minParities(number(option, name, value));
            case "parity" -> {
                String[] parts = value.split(",");
                if (parts.length != 2) {
                    throw option.wrong("parity is '" + value + "', expected 'data columns,parities' such as '4,2'");
                }
                options.parity(number(option, name, parts[0].strip()), number(option, name, parts[1].strip()));
            }
            default -> throw new IllegalStateException(name);
        }
    }

    private int number(DdlText option, String name, String value) {
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException e) {
            throw option.wrong("option " + name + " takes a whole number, found '" + value + "'");
        }
    }
}
