package io.sdds.sql.duckdb;

import io.sdds.sql.error.SqlErrors;
import io.sdds.sql.error.StatementEnd;
import java.sql.SQLException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Errors of DuckDB as ends of statements. */
public final class LocalErrors {
    private static final String MANY_ROWS = "21000";
    private static final String INVALID_TEXT = "22018";
    private static final String DIVISION_BY_ZERO = "22012";
    private static final String LOGARITHM = "2201E";
    private static final String POWER = "2201F";

    private static final Pattern NO_NUMBER =
            Pattern.compile("^Could not convert string ('.*') to (?:U?INT\\d+|DOUBLE|FLOAT|DECIMAL)", Pattern.DOTALL);

    private LocalErrors() {}

    /** Whether the driver has lost the text of an error, as it does if the first rows of a result fail. */
    public static boolean isLost(SQLException error) {
        return SqlErrors.line(error).endsWith("Invalid result set");
    }

    /** The end of a statement for an error of DuckDB. */
    public static StatementEnd of(SQLException error) {
        String line = SqlErrors.line(error);
        int colon = line.indexOf(": ");
        String kind = colon < 0 ? "" : line.substring(0, colon);
        String what = colon < 0 ? line : line.substring(colon + 2);
        return switch (kind) {
            case "Out of Range Error" -> new StatementEnd("overflow: " + what, SqlErrors.NUMERIC_RANGE, error);
            case "Conversion Error" -> conversion(what, error);
            case "Out of Memory Error" ->
                new StatementEnd(
                        "the client has no memory for a sort, join or group of the statement, nor room for its files: "
                                + what + "; give the URL a larger maxMemory",
                        SqlErrors.MEMORY,
                        error);
            case "Invalid Input Error" -> invalid(what, error);
            case "Binder Error", "Parser Error" ->
                what.contains("expression depth limit")
                        ? new StatementEnd(
                                "the statement is too large: its expressions are nested too deeply",
                                SqlErrors.TOO_LARGE,
                                error)
                        : unsupported(what, error);
            case "Catalog Error", "Not implemented Error", "INTERNAL Error" -> unsupported(what, error);
            default -> new StatementEnd(line, SqlErrors.DATA, error);
        };
    }

    private static StatementEnd unsupported(String what, SQLException error) {
        return new StatementEnd("the statement is not supported: " + what, SqlErrors.UNSUPPORTED, error);
    }

    private static StatementEnd invalid(String what, SQLException error) {
        if (what.startsWith("Division by zero")) {
            return new StatementEnd("division by zero", DIVISION_BY_ZERO, error);
        }
        if (what.startsWith("logarithm of")) {
            return new StatementEnd(what, LOGARITHM, error);
        }
        if (what.startsWith("square root of") || what.startsWith("power of")) {
            return new StatementEnd(what, POWER, error);
        }
        return what.startsWith("More than one row")
                ? new StatementEnd("a subquery for one value has more than one row", MANY_ROWS, error)
                : new StatementEnd(what, SqlErrors.DATA, error);
    }

    private static StatementEnd conversion(String what, SQLException error) {
        Matcher text = NO_NUMBER.matcher(what);
        if (text.find()) {
            return new StatementEnd(text.group(1) + " is no number", INVALID_TEXT, error);
        }
        boolean isRange = what.contains("out of range")
                || what.startsWith("Could not cast value")
                || what.startsWith("Failed to cast decimal value");
        return new StatementEnd(what, isRange ? SqlErrors.NUMERIC_RANGE : INVALID_TEXT, error);
    }
}
