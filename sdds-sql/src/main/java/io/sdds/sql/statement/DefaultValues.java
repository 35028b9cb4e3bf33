package io.sdds.sql.statement;

import io.sdds.core.row.Column;
import io.sdds.core.row.Values;
import io.sdds.sql.error.SqlErrors;
import io.sdds.sql.error.StatementEnd;
import io.sdds.sql.schema.SddsTable;
import io.sdds.sql.schema.SqlTypes;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlUpdate;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.jspecify.annotations.Nullable;

/** {@code SET column = DEFAULT} of an UPDATE, which Calcite's grammar does not have. */
public final class DefaultValues {
    /** The grammar takes it for a name. It is as long as the word, so that places in the text stay. */
    private static final String NAME = "DEFAUL$";

    private static final Pattern SET_TO_DEFAULT =
            Pattern.compile("'(?:[^']|'')*+'|\"(?:[^\"]|\"\")*+\"|(=\\s*)DEFAULT\\b", Pattern.CASE_INSENSITIVE);

    private DefaultValues() {}

    /** The text of an UPDATE as the grammar reads it. */
    static String readable(String sql) {
        return SET_TO_DEFAULT
                .matcher(sql)
                .replaceAll(found ->
                        Matcher.quoteReplacement(found.group(1) == null ? found.group() : found.group(1) + NAME));
    }

    /** Puts the default of each column that is set to its default in the place of the word. */
    public static void fill(SqlUpdate update, SddsTable table, RelDataTypeFactory types) {
        SqlNodeList values = update.getSourceExpressionList();
        for (int k = 0; k < values.size(); k++) {
            boolean isDefault = values.get(k) instanceof SqlIdentifier name
                    && name.toString().equals(NAME);
            String column = ((SqlIdentifier) update.getTargetColumnList().get(k)).getSimple();
            if (isDefault) {
                values.set(k, value(column, table, types, values.get(k).getParserPosition()));
            }
        }
        refuseOthers(update);
    }

    /** Refuses the word in other places than alone behind the {@code =} of a column. */
    private static void refuseOthers(SqlUpdate update) {
        update.accept(new SqlBasicVisitor<@Nullable Void>() {
            @Override
            public @Nullable Void visit(SqlIdentifier name) {
                if (name.toString().equals(NAME)) {
                    throw new StatementEnd(
                            StatementText.place(name) + "DEFAULT stands alone behind the = of a column of SET",
                            SqlErrors.SYNTAX);
                }
                return null;
            }
        });
    }

    private static SqlNode value(String name, SddsTable table, RelDataTypeFactory types, SqlParserPos place) {
        for (Column column : table.columns()) {
            if (column.name().equalsIgnoreCase(name) && column.hasDefault()) {
                return literal(column, types, place);
            }
        }
        // A name that is none of the table is told when the statement is validated.
        return SqlLiteral.createNull(place);
    }

    private static SqlNode literal(Column column, RelDataTypeFactory types, SqlParserPos place) {
        Object value = Values.decode(column.type(), column.defaultValue());
        String text = value.toString();
        return switch (column.type().kind()) {
            case BOOLEAN -> SqlLiteral.createBoolean((Boolean) value, place);
            case VARCHAR -> SqlLiteral.createCharString(text, place);
            case VARBINARY -> SqlLiteral.createBinaryString(HexFormat.of().formatHex((byte[]) value), place);
            default ->
                SqlStdOperatorTable.CAST.createCall(
                        place,
                        SqlLiteral.createCharString(text.replace('T', ' '), place),
                        SqlTypeUtil.convertTypeToSpec(SqlTypes.type(types, column.type(), false)));
        };
    }
}
