package io.sdds.sql.jdbc;

import io.sdds.core.row.NearNames;
import io.sdds.sql.duckdb.MemoryBudget;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The text that an application connects with: {@code jdbc:sdds://host:port[,host:port][;key=value]}.
 *
 * @param addresses of coordinators or bricks
 * @param pushdown whether bricks evaluate programs; {@code pushdown=false} is for comparisons
 * @param ignoresTransactions {@code transactions=ignore}: switching off the auto-commit does nothing
 * @param maxMemory bytes that the statements of a client may hold of tables
 */
public record ConnectionUrl(List<String> addresses, boolean pushdown, boolean ignoresTransactions, long maxMemory) {
    public static final String PREFIX = "jdbc:sdds:";

    private static final Option PUSHDOWN =
            new Option("pushdown", List.of("true", "false"), "true", "Whether bricks evaluate programs.");
    private static final Option TRANSACTIONS = new Option(
            "transactions",
            List.of("ignore", "refuse"),
            "refuse",
            "Whether setAutoCommit(false) is refused or does nothing.");
    private static final Option MAX_MEMORY = new Option(
            "maxMemory",
            List.of(),
            shown(MemoryBudget.byDefault()),
            "What statements may hold at the client, such as 256m; 64m at least. By default a quarter of the heap.");
    private static final List<Option> OPTIONS = List.of(PUSHDOWN, TRANSACTIONS, MAX_MEMORY);
    private static final List<String> NAMES = OPTIONS.stream().map(Option::name).toList();
    private static final String WRONG = "08001";
    private static final Pattern SIZE = Pattern.compile("(\\d{1,18})([kmgt]?)");
    private static final String UNITS = "kmgt";
    private static final long MIB = 1L << 20;

    private record Option(String name, List<String> values, String byDefault, String description) {}

    /** Reads a URL. Properties count like options of the URL. User and password have no meaning. */
    public static ConnectionUrl parse(String url, Properties properties) throws SQLException {
        String server = url.substring(PREFIX.length()).split(";", -1)[0];
        if (server.contains("?")) {
            throw wrong("'" + url + "' has options behind '?': write ;key=value");
        }
        if (!server.startsWith("//") || server.length() == 2) {
            throw wrong("'" + url + "' names no server: expected " + PREFIX + "//host:port[,host:port][;key=value]");
        }
        Map<String, String> given = given(url, properties);
        return new ConnectionUrl(
                addresses(server.substring(2)),
                isChosen(given, PUSHDOWN, "true"),
                isChosen(given, TRANSACTIONS, "ignore"),
                maxMemory(given));
    }

    /** The options with the values that a URL and properties give them, as {@link java.sql.Driver} tells them. */
    public static DriverPropertyInfo[] describe(String url, Properties properties) throws SQLException {
        Map<String, String> given = given(url, properties);
        return OPTIONS.stream()
                .map(option -> {
                    DriverPropertyInfo info =
                            new DriverPropertyInfo(option.name, given.getOrDefault(option.name, option.byDefault));
                    info.description = option.description;
                    info.choices = option.values.isEmpty() ? null : option.values.toArray(String[]::new);
                    return info;
                })
                .toArray(DriverPropertyInfo[]::new);
    }

    /** The options that a URL or properties give a value, by their names. The URL counts first. */
    private static Map<String, String> given(String url, Properties properties) throws SQLException {
        Map<String, String> given = new TreeMap<>();
        for (String name : NAMES) {
            String value = properties.getProperty(name);
            if (value != null) {
                given.put(name, value);
            }
        }
        String[] parts = url.substring(PREFIX.length()).split(";", -1);
        for (int k = 1; k < parts.length; k++) {
            addOption(given, parts[k]);
        }
        return given;
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
        if (!NAMES.contains(name)) {
            String hint = NearNames.hint(name, NAMES);
            throw wrong("unknown option '" + name + "'"
                    + (hint.isEmpty() ? "; the options are " + String.join(", ", NAMES) : hint));
        }
        options.put(name, equals < 0 ? "" : text.substring(equals + 1).strip());
    }

    private static boolean isChosen(Map<String, String> given, Option option, String chosen) throws SQLException {
        String value = given.getOrDefault(option.name, option.byDefault);
        if (!option.values.contains(value)) {
            throw wrong(
                    "option " + option.name + " is '" + value + "', expected " + String.join(" or ", option.values));
        }
        return value.equals(chosen);
    }

    /** A number of bytes, with an optional unit k, m, g or t, each 1024 times the previous unit. */
    private static long maxMemory(Map<String, String> given) throws SQLException {
        String value = given.get(MAX_MEMORY.name);
        if (value == null) {
            return MemoryBudget.byDefault();
        }
        Matcher size = SIZE.matcher(value.toLowerCase(Locale.ROOT));
        int shift = size.matches()
                ? 10 * (UNITS.indexOf(size.group(2)) + (size.group(2).isEmpty() ? 0 : 1))
                : 0;
        long bytes = size.matches() ? Long.parseLong(size.group(1)) : 0;
        if (bytes > Long.MAX_VALUE >> shift || bytes << shift < MemoryBudget.BYTES_MIN) {
            throw wrong("option " + MAX_MEMORY.name + " is '" + value + "', expected a size such as 256m or 2g, "
                    + shown(MemoryBudget.BYTES_MIN) + " at least");
        }
        return bytes << shift;
    }

    private static String shown(long bytes) {
        return bytes / MIB + "m";
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
