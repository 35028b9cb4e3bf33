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
    private static final Pattern POSITION = Pattern.compile("^schema, position \\d+: ");

    /** Behind TIME and TIMESTAMP: the digits that the engine has, or those that the standard has by default. */
    private static final String DIGITS = "(?: ?\\( ?[36] ?\\))?";

    /** Types as others spell them, and as the schema does. A blank stands for those of the text. */
    private static final List<Spelling> SPELLINGS = List.of(
            new Spelling("double precision|float8|float4|float|real", "double"),
            new Spelling("(?:character|char|nchar|national character|national char) varying|nvarchar", "varchar"),
            new Spelling("text|clob|character large object", "varchar"),
            new Spelling("blob|binary large object|bytea|binary varying", "varbinary"),
            new Spelling("numeric|dec", "decimal"),
            new Spelling("smallint|tinyint|int2|int4", "integer"),
            new Spelling("int8", "bigint"),
            new Spelling("bool", "boolean"),
            new Spelling("datetime" + DIGITS + "|timestamp" + DIGITS + " without time zone", "timestamp"),
            new Spelling("timestamp ?\\( ?[36] ?\\)", "timestamp"),
            new Spelling("time" + DIGITS + " without time zone", "time"),
            new Spelling("time ?\\( ?[36] ?\\)", "time"));

    private record Spelling(Pattern others, String ours) {
        Spelling(String others, String ours) {
            this(Pattern.compile("(?i)^(?:" + others + ")(?!\\w)"), ours);
        }
    }

    private ColumnText() {}

    /** The column of a text {@code name type [NULL | NOT NULL] [DEFAULT value] [PRIMARY KEY]}, up to a comma. */
    static Column parse(DdlText text) {
        int at = text.at();
        String name = text.take();
        boolean isKey = false;
        StringBuilder rest = new StringBuilder();
        for (int depth = 0; !text.isNext("") && (depth > 0 || !text.isItemOver()); ) {
            if (text.accept("PRIMARY", "KEY")) {
                isKey = true;
            } else if (text.accept("NOT", "NULL")) {
                rest.append(" not null");
            } else if (text.isNext("DEFAULT")) {
                rest.append(text.takeSpaced()).append(text.isItemOver() ? "" : text.takeSpaced()); // may be NULL
            } else if (!text.accept("NULL")) {
                depth += text.isNext("(") ? 1 : text.isNext(")") ? -1 : 0;
                rest.append(text.takeSpaced());
            }
        }
        try {
            Column column =
                    SchemaText.parseColumn(name + ' ' + ofSchema(rest.toString().strip()));
            return isKey ? ofKey(column) : column;
        } catch (IllegalArgumentException e) {
            throw text.wrong(at, POSITION.matcher(SqlErrors.line(e)).replaceFirst(""));
        }
    }

    /** The column as one of the key, which takes no NULL. */
    static Column ofKey(Column column) {
        return new Column(column.name(), column.type(), true, true, column.hasDefault(), column.defaultValue(), false);
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
}
