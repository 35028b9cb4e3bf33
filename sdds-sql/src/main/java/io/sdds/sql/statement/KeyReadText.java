package io.sdds.sql.statement;

import io.sdds.core.row.Column;
import io.sdds.core.row.ValueType;
import io.sdds.sql.error.StatementEnd;
import io.sdds.sql.run.KeyRead;
import io.sdds.sql.schema.SddsSchema;
import io.sdds.sql.schema.SddsTable;
import io.sdds.sql.schema.SqlTypes;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.calcite.jdbc.CalcitePrepare.CalciteSignature;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.parser.SqlParseException;
import org.jspecify.annotations.Nullable;

/**
 * Reads a SELECT of plain columns of one table whose WHERE is {@code =} for each key column, with parameters and
 * constants. The engine has found the statement right before. Other statements are left to the engine.
 */
public final class KeyReadText {
    /** Equal values of these types have equal bytes. */
    private static final Set<ValueType.Kind> EXACT = EnumSet.of(
            ValueType.Kind.INTEGER,
            ValueType.Kind.BIGINT,
            ValueType.Kind.DECIMAL,
            ValueType.Kind.BOOLEAN,
            ValueType.Kind.VARCHAR,
            ValueType.Kind.VARBINARY,
            ValueType.Kind.UUID);

    private final SddsTable table;
    private final String alias;

    private KeyReadText(SddsTable table, String alias) {
        this.table = table;
        this.alias = alias;
    }

    /**
     * The look-up of a text; null: it is another statement.
     *
     * @param signature what the engine says about the statement
     */
    public static @Nullable KeyRead read(String sql, SddsSchema schema, CalciteSignature<?> signature) {
        SqlNode node;
        try {
            node = Grammar.parse(sql);
        } catch (SqlParseException | RuntimeException e) { // the engine reads it in another way
            return null;
        }
        if (!(node instanceof SqlSelect)) {
            return null;
        }
        SqlSelect select = (SqlSelect) node;
        KeyReadText text = isPlain(select) ? of(select.getFrom(), schema) : null;
        return text == null ? null : text.read(select, signature);
    }

    private static boolean isPlain(SqlSelect select) {
        return !select.isDistinct()
                && select.getWhere() != null
                && select.getGroup() == null
                && select.getHaving() == null
                && select.getQualify() == null
                && select.getWindowList().isEmpty()
                && select.getOrderList() == null
                && select.getFetch() == null
                && select.getOffset() == null
                && !select.hasHints();
    }

    private static @Nullable KeyReadText of(@Nullable SqlNode from, SddsSchema schema) {
        SqlNode named = from;
        String alias = null;
        if (from instanceof SqlBasicCall call && call.getKind() == SqlKind.AS && call.operandCount() == 2) {
            named = call.operand(0);
            alias = ((SqlIdentifier) call.operand(1)).getSimple();
        }
        if (!(named instanceof SqlIdentifier) || ((SqlIdentifier) named).names.size() > 2) {
            return null;
        }
        List<String> names = ((SqlIdentifier) named).names;
        boolean isOther = names.size() == 2 && !names.get(0).equalsIgnoreCase(SddsSchema.NAME);
        String name = names.get(names.size() - 1);
        SddsTable table = isOther ? null : schema.table(name);
        return table == null || !table.hasSchema() || table.keys().isEmpty()
                ? null
                : new KeyReadText(table, alias == null ? name : alias);
    }

    private @Nullable KeyRead read(SqlSelect select, CalciteSignature<?> signature) {
        List<Integer> columns = columns(select.getSelectList());
        List<Object> key = key(select.getWhere());
        if (columns == null || key == null || columns.size() != signature.columns.size()) {
            return null;
        }
        int[] positions = columns.stream().mapToInt(column -> column).toArray();
        return new KeyRead(table, key, positions, signature, SqlTypes.ofFields(signature.rowType));
    }

    // ---- the columns

    private @Nullable List<Integer> columns(SqlNodeList items) {
        List<Integer> columns = new ArrayList<>();
        for (SqlNode item : items) {
            SqlNode column = item instanceof SqlBasicCall call && call.getKind() == SqlKind.AS ? call.operand(0) : item;
            if (column instanceof SqlIdentifier all && all.isStar()) {
                if (!isOfTable(all)) {
                    return null;
                }
                for (int k = 0; k < table.columns().size(); k++) {
                    columns.add(k);
                }
                continue;
            }
            int at = position(column);
            if (at < 0) {
                return null;
            }
            columns.add(at);
        }
        return columns;
    }

    /** The position of a column that a node names; -1: it names none. */
    private int position(SqlNode node) {
        if (!(node instanceof SqlIdentifier) || !isOfTable((SqlIdentifier) node)) {
            return -1;
        }
        List<String> names = ((SqlIdentifier) node).names;
        String name = names.get(names.size() - 1);
        for (int k = 0; k < table.columns().size(); k++) {
            if (table.columns().get(k).name().equalsIgnoreCase(name)) {
                return k;
            }
        }
        return -1;
    }

    /** Whether a name of a column has no other in front than that of the table. */
    private boolean isOfTable(SqlIdentifier column) {
        return column.names.size() == 1
                || column.names.size() == 2 && column.names.get(0).equalsIgnoreCase(alias);
    }

    // ---- the key

    /** The parts of the key, in their order; null: the condition is another one. */
    private @Nullable List<Object> key(@Nullable SqlNode where) {
        List<SqlNode> equalities = new ArrayList<>();
        addEqualities(where, equalities);
        List<Object> key = new ArrayList<>();
        for (int column : table.keys()) {
            Object part = null;
            for (SqlNode equality : equalities) {
                Object value = value(equality, column);
                part = value == null ? part : value;
            }
            if (part == null) {
                return null;
            }
            key.add(part);
        }
        return equalities.size() == key.size() ? key : null;
    }

    private static void addEqualities(@Nullable SqlNode condition, List<@Nullable SqlNode> equalities) {
        if (condition instanceof SqlBasicCall call && call.getKind() == SqlKind.AND) {
            call.getOperandList().forEach(part -> addEqualities(part, equalities));
        } else {
            equalities.add(condition);
        }
    }

    /** What an equality compares a column with; null: it compares something else. */
    private @Nullable Object value(@Nullable SqlNode equality, int at) {
        if (!(equality instanceof SqlBasicCall) || equality.getKind() != SqlKind.EQUALS) {
            return null;
        }
        SqlBasicCall call = (SqlBasicCall) equality;
        boolean isTurned = position(call.operand(0)) != at;
        SqlNode name = call.operand(isTurned ? 1 : 0);
        SqlNode value = call.operand(isTurned ? 0 : 1);
        Column column = table.columns().get(at);
        if (position(name) != at || !EXACT.contains(column.type().kind())) {
            return null;
        }
        return value instanceof SqlDynamicParam parameter
                ? new KeyRead.Parameter(parameter.getIndex())
                : constant(value, column);
    }

    private static @Nullable Object constant(SqlNode value, Column column) {
        boolean isWhole =
                column.type().kind() == ValueType.Kind.INTEGER || column.type().kind() == ValueType.Kind.BIGINT;
        boolean isText = column.type().kind() == ValueType.Kind.VARCHAR;
        if (!(value instanceof SqlLiteral) || !isWhole && !isText) {
            return null;
        }
        SqlLiteral literal = (SqlLiteral) value;
        if (isWhole && !(literal.getValue() instanceof java.math.BigDecimal number && number.scale() == 0)) {
            return null;
        }
        try {
            Object known = LiteralValue.of(value, column);
            return known == LiteralValue.OTHER ? null : known;
        } catch (StatementEnd e) { // no value of the column, which the engine compares all the same
            return null;
        }
    }
}
