package io.sdds.sql.statement;

import io.sdds.core.row.Column;
import io.sdds.core.row.ValueType;
import io.sdds.sql.error.StatementEnd;
import io.sdds.sql.run.KeyChain;
import io.sdds.sql.schema.SddsTable;
import io.sdds.sql.schema.SqlTypes;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.apache.calcite.sql.JoinConditionType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNumericLiteral;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.validate.SqlValidator;
import org.jspecify.annotations.Nullable;

/**
 * Reads a validated SELECT of plain columns whose tables are found by look-ups by key, one after the other. WHERE and
 * ON are {@code =} of columns with parameters, constants and columns of the same type, and give the whole key of each
 * table. Other statements are left to the engine.
 */
public final class KeyChainText {
    /** Equal values of these types have equal bytes. */
    private static final Set<ValueType.Kind> EXACT = EnumSet.of(
            ValueType.Kind.INTEGER,
            ValueType.Kind.BIGINT,
            ValueType.Kind.DECIMAL,
            ValueType.Kind.BOOLEAN,
            ValueType.Kind.VARCHAR,
            ValueType.Kind.VARBINARY,
            ValueType.Kind.UUID);

    /**
     * A table in FROM.
     *
     * @param on the condition of the LEFT JOIN whose right side the table is; null: each row has a record of the table
     */
    private record Source(
            SddsTable table, String alias, @Nullable List<SqlNode> on) {}

    private final SqlValidator validator;

    /** The tables that no step reads yet, in the order of FROM. */
    private final List<Source> sources = new ArrayList<>();

    /** The conditions that no step uses as a part of its key. */
    private final List<SqlNode> conditions = new ArrayList<>();

    private final List<KeyChain.Step> steps = new ArrayList<>();

    private KeyChainText(SqlValidator validator) {
        this.validator = validator;
    }

    /** The look-ups of a validated statement; null: it is another statement. */
    public static @Nullable KeyChain of(SqlNode statement, SqlValidator validator) {
        if (!(statement instanceof SqlSelect select) || !isPlain(select)) {
            return null;
        }
        KeyChainText text = new KeyChainText(validator);
        if (!text.addSources(select.getFrom())) {
            return null;
        }
        addParts(select.getWhere(), text.conditions);
        List<KeyChain.Equality> equalities = text.addSteps() ? text.equalities() : null;
        List<KeyChain.Field> columns = text.columns(select);
        return equalities == null || columns == null
                ? null
                : new KeyChain(
                        text.steps, equalities, columns, SqlTypes.ofFields(validator.getValidatedNodeType(select)));
    }

    private static boolean isPlain(SqlSelect select) {
        return !select.isDistinct()
                && select.getGroup() == null
                && select.getHaving() == null
                && select.getQualify() == null
                && select.getWindowList().isEmpty()
                && select.getOrderList() == null
                && select.getFetch() == null
                && select.getOffset() == null
                && !select.hasHints();
    }

    private static void addParts(@Nullable SqlNode condition, List<SqlNode> parts) {
        if (condition instanceof SqlCall call && call.getKind() == SqlKind.AND) {
            call.getOperandList().forEach(part -> addParts(part, parts));
        } else if (condition != null) {
            parts.add(condition);
        }
    }

    // ---- the tables

    /** Adds the tables of FROM and the conditions of inner joins. False: FROM has something else. */
    private boolean addSources(@Nullable SqlNode from) {
        if (!(from instanceof SqlJoin join)) {
            return addSource(from, null);
        }
        boolean isNamed = join.getConditionType() == JoinConditionType.USING || join.isNatural();
        if (isNamed || !addSources(join.getLeft())) {
            return false;
        }
        return switch (join.getJoinType()) {
            case INNER, CROSS, COMMA -> {
                addParts(join.getCondition(), conditions);
                yield addSources(join.getRight());
            }
            case LEFT -> {
                List<SqlNode> on = new ArrayList<>();
                addParts(join.getCondition(), on);
                yield addSource(join.getRight(), on);
            }
            default -> false;
        };
    }

    private boolean addSource(@Nullable SqlNode from, @Nullable List<SqlNode> on) {
        boolean isNamed = from instanceof SqlCall call && call.getKind() == SqlKind.AS && call.operandCount() == 2;
        SqlNode named = from instanceof SqlCall call && isNamed ? call.operand(0) : from;
        if (from == null || !(named instanceof SqlIdentifier)) {
            return false;
        }
        SddsTable table = SddsTable.of(from, validator);
        if (table == null || !table.hasSchema() || table.keys().isEmpty()) {
            return false;
        }
        sources.add(new Source(table, Objects.requireNonNull(OwnNames.of(from)), on));
        return true;
    }

    // ---- the keys

    /** Adds a step for each table, in an order in which its key is known. False: there is no such order. */
    private boolean addSteps() {
        while (!sources.isEmpty()) {
            boolean isLonger = false;
            for (Source source : List.copyOf(sources)) {
                isLonger |= addStep(source);
            }
            if (!isLonger) {
                return false;
            }
        }
        return true;
    }

    /** Adds the step of a table if its key is known. */
    private boolean addStep(Source source) {
        List<SqlNode> given = source.on() == null ? conditions : source.on();
        List<SqlNode> others = new ArrayList<>(given);
        List<Object> key = new ArrayList<>();
        for (int column : source.table().keys()) {
            Object part = null;
            for (int k = 0; k < others.size() && part == null; k++) {
                part = keyPart(others.get(k), source, column);
                if (part != null) {
                    others.remove(k);
                }
            }
            if (part == null) {
                return false;
            }
            key.add(part);
        }
        if (source.on() == null) {
            conditions.clear();
            conditions.addAll(others);
        } else if (!others.isEmpty()) {
            return false; // a row that fails the rest of ON stays, without the record
        }
        steps.add(new KeyChain.Step(source.table(), source.alias(), key, source.on() != null));
        sources.remove(source);
        return true;
    }

    /**
     * Returns the value that a condition gives to a column of the key; null if the condition is about something else.
     */
    private @Nullable Object keyPart(SqlNode condition, Source source, int at) {
        if (condition.getKind() != SqlKind.EQUALS) {
            return null;
        }
        SqlNode left = ((SqlCall) condition).operand(0);
        SqlNode right = ((SqlCall) condition).operand(1);
        Column column = source.table().columns().get(at);
        boolean isTurned = position(left, source.alias(), source.table()) != at;
        return position(isTurned ? right : left, source.alias(), source.table()) == at
                ? value(isTurned ? left : right, column)
                : null;
    }

    /** A constant, a parameter, or a column of a step, that a column is compared with; null: another expression. */
    private @Nullable Object value(SqlNode node, Column column) {
        if (!EXACT.contains(column.type().kind())) {
            return null;
        }
        if (node instanceof SqlDynamicParam parameter) {
            return new KeyChain.Parameter(parameter.getIndex());
        }
        KeyChain.Field field = field(node);
        if (field == null) {
            return constant(uncast(node, column.type()), column);
        }
        Column other = steps.get(field.step()).table().columns().get(field.column());
        return column.type().kind() == other.type().kind() ? field : null;
    }

    /** A whole number without the cast to the type of the column, which the validator adds. */
    private static SqlNode uncast(SqlNode node, ValueType type) {
        boolean isCast = node.getKind() == SqlKind.CAST
                && ((SqlCall) node).operand(0) instanceof SqlNumericLiteral
                && ((SqlCall) node).operand(1) instanceof SqlDataTypeSpec spec
                && spec.getTypeName().getSimple().equals(type.kind().name());
        return isCast ? ((SqlCall) node).operand(0) : node;
    }

    private static @Nullable Object constant(SqlNode value, Column column) {
        boolean isWhole = SqlTypes.isWhole(column.type());
        boolean isText = column.type().kind() == ValueType.Kind.VARCHAR;
        if (!(value instanceof SqlLiteral literal) || !isWhole && !isText) {
            return null;
        }
        if (isWhole && !(literal.getValue() instanceof BigDecimal number && number.scale() == 0)) {
            return null;
        }
        try {
            Object known = LiteralValue.of(value, column);
            return known == LiteralValue.OTHER ? null : known;
        } catch (StatementEnd e) { // no value of the column, which the engine compares all the same
            return null;
        }
    }

    // ---- what is left

    /** The conditions that are no part of a key; null: one is more than an equality. */
    private @Nullable List<KeyChain.Equality> equalities() {
        List<KeyChain.Equality> equalities = new ArrayList<>();
        for (SqlNode condition : conditions) {
            KeyChain.Equality equality = condition.getKind() == SqlKind.EQUALS ? equality((SqlCall) condition) : null;
            if (equality == null) {
                return null;
            }
            equalities.add(equality);
        }
        return equalities;
    }

    private KeyChain.@Nullable Equality equality(SqlCall condition) {
        boolean isTurned = field(condition.operand(0)) == null;
        KeyChain.Field field = field(condition.operand(isTurned ? 1 : 0));
        if (field == null) {
            return null;
        }
        Column column = steps.get(field.step()).table().columns().get(field.column());
        Object value = value(condition.operand(isTurned ? 0 : 1), column);
        return value == null ? null : new KeyChain.Equality(field, value);
    }

    /** The columns of the result; null: one is more than a column. */
    private @Nullable List<KeyChain.Field> columns(SqlSelect select) {
        List<KeyChain.Field> columns = new ArrayList<>();
        for (SqlNode item : select.getSelectList()) {
            KeyChain.Field field = field(item.getKind() == SqlKind.AS ? ((SqlCall) item).operand(0) : item);
            if (field == null) {
                return null;
            }
            columns.add(field);
        }
        return columns;
    }

    /** The column of a step that a node names; null: it names none. */
    private KeyChain.@Nullable Field field(SqlNode node) {
        for (int k = 0; k < steps.size(); k++) {
            int column = position(node, steps.get(k).name(), steps.get(k).table());
            if (column >= 0) {
                return new KeyChain.Field(k, column);
            }
        }
        return null;
    }

    /** The position of a column of a table that a node names; -1: it names none. */
    private static int position(SqlNode node, String alias, SddsTable table) {
        boolean isOfTable = node instanceof SqlIdentifier id
                && id.names.size() == 2
                && id.names.get(0).equals(alias);
        return isOfTable ? table.column(((SqlIdentifier) node).names.get(1)) : -1;
    }
}
