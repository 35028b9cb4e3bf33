package io.sdds.sql.statement;

import io.sdds.core.row.NearNames;
import io.sdds.sql.error.SqlErrors;
import io.sdds.sql.error.StatementEnd;
import io.sdds.sql.schema.Functions;
import io.sdds.sql.schema.SddsSchema;
import io.sdds.sql.schema.SddsTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.calcite.runtime.CalciteContextException;
import org.apache.calcite.schema.Table;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlAbstractParserImpl;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.calcite.sql.parser.SqlParser;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.jspecify.annotations.Nullable;

/** Messages of what is wrong with the text of a statement. */
public final class SyntaxErrors {
    private static final Pattern UNKNOWN =
            Pattern.compile("(Object|Column|Unknown target column) '([^']*)'(?: not found|$)");
    private static final Pattern NO_FUNCTION = Pattern.compile("No match found for function signature ([^(]*)\\(");
    private static final Pattern FOUND = Pattern.compile("Encountered \"(.*?)\"");
    private static final Pattern KEYWORD = Pattern.compile("Incorrect syntax near the keyword '(.*)'");
    private static final Pattern BAD_SIGN = Pattern.compile("Encountered: \"(.*?)\" \\(");

    private static final List<String> KEYWORDS = List.of(
            "SELECT", "FROM", "WHERE", "GROUP", "ORDER", "HAVING", "LIMIT", "JOIN", "UNION", "VALUES", "SET", "INTO");

    /** What other databases call functions of the standard. */
    private static final Map<String, String> STANDARD = Map.ofEntries(
            Map.entry("LEN", "CHAR_LENGTH"),
            Map.entry("IFNULL", "COALESCE"),
            Map.entry("NVL", "COALESCE"),
            Map.entry("POW", "POWER"));

    private SyntaxErrors() {}

    /** The exception with a message for people, for the failure of a statement to be parsed or validated. */
    public static RuntimeException explained(RuntimeException failure, @Nullable String sql, SddsSchema schema) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SqlParseException parse && sql != null) {
                return new StatementEnd(message(parse, sql), SqlErrors.SYNTAX, failure);
            }
            if (cause instanceof CalciteContextException at) {
                return new StatementEnd(
                        SqlErrors.placed(at) + hint(SqlErrors.placed(at), at, sql, schema), state(at), failure);
            }
        }
        return failure;
    }

    // ---- what cannot be parsed

    private static String message(SqlParseException parse, String sql) {
        String unclosed = StatementText.unclosed(sql);
        if (!unclosed.isEmpty()) {
            return unclosed;
        }
        Matcher badSign = BAD_SIGN.matcher(SqlErrors.line(parse));
        Matcher found = FOUND.matcher(SqlErrors.line(parse));
        Matcher keyword = KEYWORD.matcher(SqlErrors.line(parse));
        if (keyword.find() && isLast(keyword.group(1), parse, sql)) {
            return StatementText.place(sql, sql.stripTrailing().length() - 1) + "the statement ends too early";
        }
        if (parse.getPos() == null || badSign.find() || !found.find()) {
            return SqlErrors.placed(parse)
                    + (SqlErrors.placed(parse).contains("`") ? "; names are in double quotes" : "");
        }
        int at = StatementText.index(
                sql, parse.getPos().getLineNum(), parse.getPos().getColumnNum());
        String place = StatementText.place(sql, at);
        String word = found.group(1).replace("\\'", "'").replace("\\\"", "\"");
        if (word.endsWith("<EOF>")) {
            String last = word.replace("<EOF>", "").strip();
            return place + "the statement ends too early" + (last.isEmpty() ? "" : ", behind '" + last + "'");
        }
        if (word.equals(";")) {
            return place + "another statement follows: they are executed one at a time";
        }
        String before = StatementText.wordBefore(sql, at);
        return place + "'" + word + "' is not expected here" + hint(parse, word, before);
    }

    /** Whether nothing stands behind the keyword that the grammar does not take. */
    private static boolean isLast(String keyword, SqlParseException parse, String sql) {
        SqlParserPos place = parse.getPos();
        return place != null
                && StatementText.index(sql, place.getLineNum(), place.getColumnNum()) + keyword.length()
                        == sql.stripTrailing().length();
    }

    private static String hint(SqlParseException parse, String word, String before) {
        boolean isKnown = Words.RESERVED.isKeyword(before.toUpperCase(Locale.ROOT));
        String near = isKnown ? "" : NearNames.hint(before, KEYWORDS);
        if (!near.isEmpty()) {
            return "; in place of '" + before + "'," + near.substring(1);
        }
        boolean isNameWanted = parse.getExpectedTokenNames().contains("<IDENTIFIER>");
        return isNameWanted && Words.RESERVED.isReservedWord(word.toUpperCase(Locale.ROOT))
                ? "; it is a reserved word: as a name it is in double quotes"
                : "";
    }

    /** The words of the grammar, which take a while to be read. */
    private static final class Words {
        static final SqlAbstractParserImpl.Metadata RESERVED =
                SqlParser.create("", Grammar.PARSER).getMetadata();
    }

    // ---- what has no meaning

    private static String state(CalciteContextException at) {
        return SqlErrors.placed(at).contains("has no default value and does not allow NULLs")
                ? SqlErrors.NOT_NULL
                : SqlErrors.SYNTAX;
    }

    private static String hint(String line, CalciteContextException at, @Nullable String sql, SddsSchema schema) {
        Matcher unknown = UNKNOWN.matcher(line);
        if (unknown.find()) {
            boolean isQuoted = sql != null && at.getPosLine() > 0 && isQuoted(sql, at);
            String near = NearNames.hint(unknown.group(2), names(unknown.group(1), unknown.group(2), schema));
            return isQuoted && unknown.group(1).equals("Column") ? near + "; texts are in single quotes" : near;
        }
        Matcher function = NO_FUNCTION.matcher(line);
        if (function.find()) {
            return functionHint(function.group(1));
        }
        return line.endsWith("Illegal use of dynamic parameter")
                ? ": its type is not known here; write CAST(? AS type)"
                : "";
    }

    private static boolean isQuoted(String sql, CalciteContextException at) {
        int index = StatementText.index(sql, at.getPosLine(), at.getPosColumn());
        return index < sql.length() && sql.charAt(index) == '"';
    }

    private static List<String> names(String kind, String wrong, SddsSchema schema) {
        List<String> names = new ArrayList<>();
        for (Table table : schema.getTableMap().values()) {
            SddsTable known = (SddsTable) table;
            if (kind.equals("Object")) {
                names.add(known.name());
            } else {
                known.columns().forEach(column -> names.add(column.name()));
            }
        }
        names.removeIf(wrong::equalsIgnoreCase);
        return names;
    }

    private static String functionHint(String name) {
        String standard = STANDARD.get(name.toUpperCase(Locale.ROOT));
        if (standard != null) {
            return "; the standard calls it " + standard;
        }
        List<String> names = new ArrayList<>(List.of(Functions.UTF8));
        SqlStdOperatorTable.instance().getOperatorList().stream()
                .filter(operator -> operator instanceof SqlFunction)
                .filter(operator -> !operator.getName().startsWith("$"))
                .forEach(operator -> names.add(operator.getName()));
        // A function of the name has other arguments.
        return names.stream().anyMatch(name::equalsIgnoreCase) ? "" : NearNames.hint(name, names);
    }
}
