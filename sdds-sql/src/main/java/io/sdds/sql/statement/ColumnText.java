package io.sdds.sql.statement;

import io.sdds.core.row.Column;
import io.sdds.core.row.SchemaText;
import io.sdds.sql.error.SqlErrors;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Reads one column of a CREATE or ALTER TABLE. A type of the standard or of another database is taken where one of ours
 * is the same; every other type is an error with its line and column.
 */
final class ColumnText {
    private static final Pattern NULL_BEHIND_TYPE = Pattern.compile("(?is)^(\\w+(?:\\s*\\([^)]*\\))?)\\s+null\\b");
    private static final Pattern NOT_NULL_AT_END = Pattern.compile("(?is).*\\b(?:not|default)\\s+null");
    private static final Pattern NULL_AT_END = Pattern.compile("(?is)\\s+null\\s*$");
    private static final Pattern POSITION = Pattern.compile("^schema, position \\d+: ");

    /** Behind TIME and TIMESTAMP: the digits that the engine has, or those that the standard has by default. */
    private static final String DIGITS = "(?:\\s*\\(\\s*[36]\\s*\\))?";

    private static final List<Spelling> SPELLINGS = List.of(
            new Spelling("double\\s+precision|float8|float4|float|real", "double"),
            new Spelling(
                    "(?:character|char|nchar|national\\s+character|national\\s+char)\\s+varying|nvarchar", "varchar"),
            new Spelling("text|clob|character\\s+large\\s+object", "varchar"),
            new Spelling("blob|binary\\s+large\\s+object|bytea|binary\\s+varying", "varbinary"),
            new Spelling("numeric|dec", "decimal"),
            new Spelling("smallint|tinyint|int2|int4", "integer"),
            new Spelling("int8", "bigint"),
            new Spelling("bool", "boolean"),
            new Spelling("datetime" + DIGITS + "|timestamp" + DIGITS + "\\s+without\\s+time\\s+zone", "timestamp"),
            new Spelling("timestamp\\s*\\(\\s*[36]\\s*\\)", "timestamp"),
            new Spelling("time" + DIGITS + "\\s+without\\s+time\\s+zone", "time"),
            new Spelling("time\\s*\\(\\s*[36]\\s*\\)", "time"));

    private ColumnText() {}

    /** A type as others spell it, and as the schema does. */
    private record Spelling(Pattern others, String ours) {
        Spelling(String others, String ours) {
            this(Pattern.compile("(?is)^(?:" + others + ")(?![\\w])"), ours);
        }
    }

    /** The column of a text {@code name type [NULL | NOT NULL] [DEFAULT value]}. */
    static Column parse(DdlText text) {
        return parse(text, text.remaining());
    }

    /** @param declaration the text of the column, without what is not the column's, such as PRIMARY KEY */
    static Column parse(DdlText text, String declaration) {
        DdlText words = new DdlText(declaration);
        String name = words.take();
        try {
            return SchemaText.parseColumn(name + ' ' + withoutNull(ofSchema(words.remaining())));
        } catch (IllegalArgumentException e) {
            throw text.wrong(POSITION.matcher(SqlErrors.line(e)).replaceFirst(""));
        }
    }

    /** Spells the type as the schema does. The text begins with the type and may go on behind it. */
    private static String ofSchema(String type) {
        for (Spelling spelling : SPELLINGS) {
            var found = spelling.others.matcher(type);
            if (found.find()) {
                return spelling.ours + type.substring(found.end());
            }
        }
        return type;
    }

    /** Without the NULL that says that the column may be NULL. */
    private static String withoutNull(String type) {
        String plain = NULL_BEHIND_TYPE.matcher(type).replaceFirst("$1");
        return NOT_NULL_AT_END.matcher(plain.strip()).matches()
                ? plain
                : NULL_AT_END.matcher(plain).replaceFirst("");
    }
}
