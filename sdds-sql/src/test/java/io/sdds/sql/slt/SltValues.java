package io.sdds.sql.slt;

import io.sdds.sql.slt.SltScript.Question;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The values of a result as a script writes them. */
final class SltValues {
    private static final Pattern HASH = Pattern.compile("(\\d+) values hashing to ([0-9a-f]+)");

    private static final Pattern INTEGER = Pattern.compile("-?\\d+");

    private SltValues() {}

    /** The values of a result, in the order that a query asks for. */
    static List<String> of(ResultSet result, Question query) throws SQLException {
        int columns = result.getMetaData().getColumnCount();
        if (columns != query.types().length()) {
            throw new SQLException(columns + " columns, expected " + query.types());
        }
        List<List<String>> rows = new ArrayList<>();
        while (result.next()) {
            List<String> row = new ArrayList<>();
            for (int k = 1; k <= columns; k++) {
                row.add(text(result.getObject(k), query.types().charAt(k - 1)));
            }
            rows.add(row);
        }
        if (query.sort().equals("rowsort")) {
            rows.sort(Comparator.comparing(row -> String.join("\n", row)));
        }
        List<String> values = new ArrayList<>();
        rows.forEach(values::addAll);
        if (query.sort().equals("valuesort")) {
            values.sort(null);
        }
        return values;
    }

    private static String text(@Nullable Object value, char type) {
        if (value == null) {
            return "NULL";
        }
        Object number = value instanceof Boolean truth ? (truth ? 1 : 0) : value;
        return switch (type) {
            case 'I' -> number instanceof Number n ? whole(n) : leadingInteger(number.toString());
            case 'R' -> number instanceof Number n ? String.format(Locale.ROOT, "%.3f", n.doubleValue()) : "0.000";
            default -> value.toString().isEmpty() ? "(empty)" : value.toString();
        };
    }

    /** What SQLite takes a text for where a script asks for integers. */
    private static String leadingInteger(String text) {
        Matcher digits = INTEGER.matcher(text);
        return digits.lookingAt() ? digits.group() : "0";
    }

    /** SQLite cuts fractions where a script asks for integers. */
    private static String whole(Number number) {
        return new BigDecimal(number.toString()).setScale(0, RoundingMode.DOWN).toPlainString();
    }

    /** Whether values are what a script expects. */
    static boolean areExpected(List<String> values, Question query) {
        Matcher hash =
                query.expected().size() == 1 ? HASH.matcher(query.expected().get(0)) : null;
        if (hash == null || !hash.matches()) {
            return values.equals(query.expected());
        }
        return Integer.parseInt(hash.group(1)) == values.size() && md5(values).equals(hash.group(2));
    }

    private static String md5(List<String> values) {
        try {
            MessageDigest digest = MessageDigest.getInstance("MD5");
            for (String value : values) {
                digest.update((value + "\n").getBytes(StandardCharsets.UTF_8));
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
