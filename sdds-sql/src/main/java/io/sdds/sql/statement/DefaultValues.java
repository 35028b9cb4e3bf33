package io.sdds.sql.statement;

import io.sdds.core.row.ValueType;
import io.sdds.sql.error.SqlErrors;
import io.sdds.sql.error.StatementEnd;
import io.sdds.sql.schema.SddsTable;
import io.sdds.sql.schema.SqlTypes;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlUpdate;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;

/** {@code SET column = DEFAULT} of an UPDATE, which Calcite's grammar does not have. */
public final class DefaultValues {
    /** The grammar takes it for a name. It is as long as the word, so that places in the text stay. */
    private static final String NAME = "DEFAUL$";

    private DefaultValues() {}

    /** The text of an UPDATE as the grammar reads it. */
    static String readable(String sql) {
        StringBuilder text = new StringBuilder(sql);
        Tokens tokens = new Tokens(sql);
        boolean isBehindEquals = false;
        while (tokens.next()) {
            if (isBehindEquals && tokens.is("DEFAULT")) {
                text.replace(tokens.begin(), tokens.end(), NAME);
            }
            isBehindEquals = tokens.is("=");
        }
        return text.toString();
    }

    /** Puts the default of each column that is set to its default in the place of the word. */
    public static void fill(SqlUpdate update, SddsTable table) {
        SqlNodeList values = update.getSourceExpressionList();
        for (int k = 0; k < values.size(); k++) {
            if (isDefault(values.get(k))) {
                int column = table.column(
                        ((SqlIdentifier) update.getTargetColumnList().get(k)).getSimple());
                SqlParserPos place = values.get(k).getParserPosition();
                // A name that is none of the table is told when the statement is validated.
                values.set(k, column < 0 ? SqlLiteral.createNull(place) : literal(table, column, place));
            }
        }
        SqlNode other = Nodes.find(update, DefaultValues::isDefault);
        if (other != null) {
            throw new StatementEnd(
                    StatementText.place(other) + "DEFAULT stands alone behind the = of a column of SET",
                    SqlErrors.SYNTAX);
        }
    }

    private static boolean isDefault(SqlNode node) {
        return node instanceof SqlIdentifier name && name.toString().equals(NAME);
    }

    /** The default of a column as an expression. */
    public static SqlNode literal(SddsTable table, int column, SqlParserPos place) {
        Object value = table.defaults()[column];
        if (value == null) {
            return SqlLiteral.createNull(place);
        }
        ValueType type = table.columns().get(column).type();
        String text = value.toString();
        return switch (type.kind()) {
            case BOOLEAN -> SqlLiteral.createBoolean((Boolean) value, place);
            case VARCHAR -> SqlLiteral.createCharString(text, place);
            case VARBINARY -> SqlLiteral.createBinaryString((byte[]) value, place);
            default ->
                SqlStdOperatorTable.CAST.createCall(
                        place, SqlLiteral.createCharString(text.replace('T', ' '), place), SqlTypes.spec(type, place));
        };
    }
}
