package io.sdds.sql.jdbc;

import io.sdds.core.row.NearNames;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/**
 * The text that an application connects with: {@code jdbc:sdds://host:port[,host:port][;key=value]}.
 *
 * @param addresses of coordinators or bricks
 * @param pushdown whether bricks evaluate programs; {@code pushdown=false} is for comparisons
 * @param ignoresTransactions {@code transactions=ignore}: switching off the auto-commit does nothing
 */
public record ConnectionUrl(List<String> addresses, boolean pushdown, boolean ignoresTransactions) {
    public static final String PREFIX = "jdbc:sdds:";

    private static final String PUSHDOWN = "pushdown";
    private static final String TRANSACTIONS = "transactions";
    private static final List<String> OPTIONS = List.of(PUSHDOWN, TRANSACTIONS);
    private static final String WRONG = "08001";

    /** Reads a URL. Properties count like options of the URL. User and password have no meaning. */
    public static ConnectionUrl parse(String url, Properties properties) throws SQLException {
        String[] parts = url.substring(PREFIX.length()).split(";", -1);
        if (!parts[0].startsWith("//") || parts[0].length() == 2) {
            throw wrong("'" + url + "' names no server: expected " + PREFIX + "//host:port[,host:port][;key=value]");
        }
        Map<String, String> options = new TreeMap<>();
        for (String name : OPTIONS) {
            String value = properties.getProperty(name);
            if (value != null) {
                options.put(name, value);
            }
        }
        for (int k = 1; k < parts.length; k++) {
            addOption(options, parts[k]);
        }
        return new ConnectionUrl(
                addresses(parts[0].substring(2)),
                isChosen(options, PUSHDOWN, List.of("true", "false"), "true"),
                isChosen(options, TRANSACTIONS, List.of("ignore", "refuse"), "ignore", "refuse"));
    }

    private static List<String> addresses(String text) {
        String end = text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
        List<String> addresses = new ArrayList<>();
        for (String address : end.split(",", -1)) {
            addresses.add(address.strip());
        }
        return addresses;
    }

    private static void addOption(Map<String, String> options, String text) throws SQLException {
        int equals = text.indexOf('=');
        String name = equals < 0 ? text.strip() : text.substring(0, equals).strip();
        if (name.isEmpty()) {
            return;
        }
        if (!OPTIONS.contains(name)) {
            String hint = NearNames.hint(name, OPTIONS);
            throw wrong("unknown option '" + name + "'"
                    + (hint.isEmpty() ? "; the options are " + String.join(", ", OPTIONS) : hint));
        }
        options.put(name, equals < 0 ? "" : text.substring(equals + 1).strip());
    }

    private static boolean isChosen(Map<String, String> options, String name, List<String> values, String chosen)
            throws SQLException {
        return isChosen(options, name, values, chosen, chosen);
    }

    private static boolean isChosen(
            Map<String, String> options, String name, List<String> values, String chosen, String byDefault)
            throws SQLException {
        String value = options.getOrDefault(name, byDefault);
        if (!values.contains(value)) {
            throw wrong("option " + name + " is '" + value + "', expected " + String.join(" or ", values));
        }
        return value.equals(chosen);
    }

    private static SQLException wrong(String message) {
        return new SQLException(message, WRONG);
    }

    /** The settings of the engine: unquoted names keep their case, and names are matched without regard to case. */
    public static void engineProperties(Properties properties) {
        properties.setProperty("caseSensitive", "false");
        properties.setProperty("unquotedCasing", "UNCHANGED");
        properties.setProperty("quotedCasing", "UNCHANGED");
        properties.setProperty("quoting", "DOUBLE_QUOTE");
        properties.setProperty("timeZone", "UTC");
        properties.setProperty("forceDecorrelate", "true");
    }
}
