package io.sdds.cli.sql;

import io.sdds.cli.terminal.AlignedRows;
import io.sdds.core.row.NearNames;
import java.io.PrintStream;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The commands of the prompt, which begin with a backslash. */
final class SqlCommands {
    /** Each command and what it does. */
    static final List<List<String>> HELP = List.of(
            List.of("\\d", "list the tables"),
            List.of("\\d NAME", "list the columns of a table"),
            List.of("\\timing [on|off]", "print the time of each statement, or no longer"),
            List.of("\\x [on|off]", "print each row as a record with a line for each column, or no longer"),
            List.of("\\?", "print this help; so do \\help and help"),
            List.of("\\q", "leave; so do quit, exit and Ctrl-D"));

    static final String HELP_COMMAND = "\\?";
    static final String QUIT_COMMAND = "\\q";

    private static final String WRONG_COMMAND = "42000";
    private static final String NO_TABLE = "42S02";

    private final SqlSession session;
    private final PrintStream out;
    private boolean isEnded;

    SqlCommands(SqlSession session, PrintStream out) {
        this.session = session;
        this.out = out;
    }

    boolean isEnded() {
        return isEnded;
    }

    /** Runs a command. */
    void run(String text) throws SQLException {
        String[] words = text.split("\\s+", 2);
        String argument = words.length == 1 ? "" : words[1].strip();
        switch (words[0]) {
            case "\\d" -> describe(argument);
            case "\\timing" -> session.timed(isOn(words[0], argument, session.isTimed()));
            case "\\x" -> records(argument);
            case HELP_COMMAND, "\\help", "\\h" -> {
                needsText(words[0]);
                print(new AlignedRows(out, List.of("command", "")), HELP);
            }
            case QUIT_COMMAND, "\\quit" -> isEnded = true;
            default -> throw wrong("there is no command " + words[0] + "; \\? lists the commands");
        }
    }

    private static boolean isOn(String command, String argument, boolean before) throws SQLException {
        return switch (argument.toLowerCase(Locale.ROOT)) {
            case "" -> !before;
            case "on" -> true;
            case "off" -> false;
            default -> throw wrong(command + " takes on or off, not '" + argument + "'");
        };
    }

    private void records(String argument) throws SQLException {
        if (!(session.printer() instanceof AlignedPrinter aligned)) {
            throw wrong("\\x works for aligned output on a terminal only");
        }
        aligned.asRecords(isOn("\\x", argument, aligned.isAsRecords()));
    }

    private static SQLException wrong(String what) {
        return new SQLException(what, WRONG_COMMAND);
    }

    private void needsText(String command) throws SQLException {
        if (session.printer() instanceof JsonPrinter
                || session.printer() instanceof LinePrinter lines && lines.isCsv()) {
            throw wrong(command + " prints text, which does not fit --json and --csv");
        }
    }

    private void describe(String name) throws SQLException {
        needsText("\\d");
        Tables tables = Tables.read(session.connection().getMetaData());
        if (name.isEmpty()) {
            list(tables.all());
        } else {
            describe(tables.find(name));
        }
    }

    private void list(List<Tables.Table> tables) {
        if (tables.isEmpty()) {
            out.println("there are no tables");
            return;
        }
        boolean hasRemarks = tables.stream().anyMatch(table -> !table.remarks().isEmpty());
        boolean hasSchemas =
                tables.stream().map(Tables.Table::schema).distinct().count() > 1;
        List<List<String>> rows = new ArrayList<>();
        for (Tables.Table table : tables) {
            List<String> row = new ArrayList<>();
            if (hasSchemas) {
                row.add(table.schema());
            }
            row.add(table.name());
            row.add(table.type());
            if (hasRemarks) {
                row.add(table.remarks());
            }
            rows.add(row);
        }
        List<String> headings = new ArrayList<>(List.of("table", "type"));
        if (hasSchemas) {
            headings.add(0, "schema");
        }
        if (hasRemarks) {
            headings.add("remarks");
        }
        print(new AlignedRows(out, headings), rows);
    }

    private void describe(Tables.Table table) throws SQLException {
        DatabaseMetaData data = session.connection().getMetaData();
        List<String> keys = new ArrayList<>();
        try (ResultSet key = data.getPrimaryKeys(table.catalogOrNull(), table.schemaOrNull(), table.name())) {
            while (key.next()) {
                keys.add(key.getString("COLUMN_NAME"));
            }
        }
        List<List<String>> rows = new ArrayList<>();
        for (Tables.Column column : table.columns(data)) {
            String key = keys.contains(column.name()) ? "key" : "";
            rows.add(List.of(
                    column.name(), column.type(), key, column.isNullable() ? "" : "not null", column.byDefault()));
        }
        print(new AlignedRows(out, List.of("column", "type", "key", "null", "default")), rows);
    }

    private static void print(AlignedRows aligned, List<List<String>> rows) {
        rows.forEach(aligned::row);
        aligned.finish();
    }

    /** The failure to find a table among others. */
    static SQLException noTable(String name, List<String> names) {
        String near = NearNames.hint(name, names);
        String hint = near.isEmpty() ? "; \\d lists the tables" : near;
        return new SQLException("there is no table '" + name + "'" + hint, NO_TABLE);
    }
}
