package io.sdds.sql;

import io.sdds.core.row.NearNames;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.calcite.runtime.CalciteContextException;
import org.apache.calcite.schema.Table;
import org.apache.calcite.sql.parser.SqlParseException;

/** Messages of what is wrong with the text of a statement. */
final class SyntaxErrors {
    private static final Pattern UNKNOWN = Pattern.compile("(Object|Column) '([^']*)' not found");

    private SyntaxErrors() {}

    /** As {@code line 1, column 15: Encountered "FORM"}. */
    static String line(SqlParseException parse) {
        String found = SqlErrors.line(parse).replaceAll(" at line \\d+, column \\d+\\.?$", "");
        return parse.getPos() == null
                ? found
                : "line " + parse.getPos().getLineNum() + ", column "
                        + parse.getPos().getColumnNum() + ": " + found;
    }

    /** Whether a statement names a table that is not in the list of tables. */
    static boolean isUnknownTable(CalciteContextException at) {
        return line(at).contains("Object '");
    }

    /** The exception with the nearest name of a table or a column, if one was not found. */
    static RuntimeException withNames(CalciteContextException at, SddsSchema schema) {
        Matcher unknown = UNKNOWN.matcher(line(at));
        if (!unknown.find()) {
            return at;
        }
        List<String> names = new ArrayList<>();
        for (Table table : schema.getTableMap().values()) {
            SddsTable known = (SddsTable) table;
            if (unknown.group(1).equals("Object")) {
                names.add(known.name());
            } else {
                known.columns().forEach(column -> names.add(column.name()));
            }
        }
        names.removeIf(unknown.group(2)::equalsIgnoreCase);
        return new StatementEnd(line(at) + NearNames.hint(unknown.group(2), names), SqlErrors.SYNTAX, at);
    }

    /** As {@code line 1, column 15: Object 'tt' not found}. */
    static String line(CalciteContextException at) {
        Throwable cause = at.getCause();
        String what = cause == null ? SqlErrors.line(at) : SqlErrors.line(cause);
        return at.getPosLine() == 0 ? what : "line " + at.getPosLine() + ", column " + at.getPosColumn() + ": " + what;
    }
}
