package io.sdds.sql.local;

import io.sdds.sql.statement.Nodes;
import io.sdds.sql.statement.OwnNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import org.apache.calcite.sql.SqlBasicTypeNameSpec;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlNumericLiteral;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlSelectKeyword;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.util.SqlShuttle;
import org.apache.calcite.util.Litmus;
import org.jspecify.annotations.Nullable;

/**
 * A query block over one table with groups, as two blocks: an inner one that bricks run, whose columns are the groups
 * and the aggregates, and an outer one that computes with them, tests HAVING and orders. An average becomes a sum and a
 * count. An average of whole numbers has all its digits.
 */
final class GroupedBlock {
    /** Thrown if a block has another shape. */
    private static final class OtherShape extends RuntimeException {
        private static final long serialVersionUID = 1;

        OtherShape() {
            super(null, null, false, false);
        }
    }

    private static final SqlParserPos PLACE = SqlParserPos.ZERO;
    private static final String ALIAS = "grouped";
    private static final String COLUMN = "c";

    private final SqlSelect block;
    private final Function<SqlCall, @Nullable SqlBasicTypeNameSpec> averages;
    /** Name of the one table in the block. */
    private final @Nullable String alias;

    private final List<SqlNode> groups = new ArrayList<>();
    /** Groups and aggregates: the columns of the inner block. */
    private final List<SqlNode> columns = new ArrayList<>();

    private @Nullable SqlNodeList outerSelected;
    private @Nullable SqlNode outerHaving;
    private @Nullable SqlNodeList outerOrder;

    private GroupedBlock(SqlSelect block, Function<SqlCall, @Nullable SqlBasicTypeNameSpec> averages) {
        this.block = block;
        this.averages = averages;
        this.alias = block.getFrom() == null ? null : OwnNames.of(block.getFrom());
    }

    /**
     * The two blocks of a block that was parsed; null: it cannot be divided.
     *
     * @param order of the statement around the block; null: none
     * @param averages the types of averages that are decimal numbers: see {@link TypedCasts}
     */
    static @Nullable GroupedBlock of(
            SqlSelect block, @Nullable SqlOrderBy order, Function<SqlCall, @Nullable SqlBasicTypeNameSpec> averages) {
        GroupedBlock grouped = new GroupedBlock(block, averages);
        try {
            grouped.readGroups();
            grouped.outer(order);
            return grouped.columns.isEmpty() ? null : grouped;
        } catch (OtherShape e) {
            return null;
        }
    }

    private void readGroups() {
        boolean isPlain = block.getFrom() != null
                && (block.getWindowList() == null || block.getWindowList().isEmpty())
                && block.getQualify() == null
                && !block.hasHints();
        if (!isPlain) {
            throw new OtherShape();
        }
        for (SqlNode group : block.getGroup() == null ? SqlNodeList.EMPTY : block.getGroup()) {
            SqlNode written = group instanceof SqlNumericLiteral number ? selected(number) : group;
            checkPlain(written);
            groups.add(written);
            columns.add(written);
        }
        if (block.getWhere() != null) {
            checkPlain(block.getWhere());
        }
    }

    /** The expression that a number in GROUP BY stands for. */
    private SqlNode selected(SqlNumericLiteral number) {
        int at = number.intValue(true);
        if (at < 1 || at > block.getSelectList().size()) {
            throw new OtherShape();
        }
        SqlNode item = block.getSelectList().get(at - 1);
        return item.getKind() == SqlKind.AS ? ((SqlCall) item).operand(0) : item;
    }

    /** Throws unless a part of the inner block may be one of a statement of one table. */
    private static void checkPlain(SqlNode node) {
        boolean isPlain = switch (node.getKind()) {
            case ROLLUP, CUBE, GROUPING_SETS, LITERAL -> false;
            default -> OneTable.isAll(node);
        };
        if (!isPlain || Nodes.has(node, Nodes::isQuery)) {
            throw new OtherShape();
        }
    }

    // ---- the inner block

    /** The query for the groups and aggregates. */
    SqlSelect inner() {
        List<SqlNode> selected = new ArrayList<>();
        for (SqlNode column : columns) {
            selected.add(SqlStdOperatorTable.AS.createCall(
                    PLACE, Copies.of(column), new SqlIdentifier(COLUMN + selected.size(), PLACE)));
        }
        SqlNodeList by = new SqlNodeList(groups.stream().map(Copies::of).toList(), PLACE);
        SqlNode where = block.getWhere();
        return Selects.grouped(
                selected,
                Copies.of(Objects.requireNonNull(block.getFrom())),
                where == null ? null : Copies.of(where),
                by.isEmpty() ? null : by);
    }

    // ---- the outer block

    private void outer(@Nullable SqlOrderBy order) {
        Replacement replacement = new Replacement(List.of());
        List<SqlNode> selected = new ArrayList<>();
        List<String> names = new ArrayList<>();
        for (SqlNode item : block.getSelectList()) {
            boolean isNamed = item.getKind() == SqlKind.AS;
            SqlNode value = replacement.of(isNamed ? ((SqlCall) item).operand(0) : item);
            SqlIdentifier name = isNamed
                    ? ((SqlCall) item).operand(1)
                    : item instanceof SqlIdentifier id ? id.getComponent(id.names.size() - 1) : null;
            names.add(name == null ? "" : name.getSimple());
            selected.add(name == null ? value : SqlStdOperatorTable.AS.createCall(PLACE, value, name));
        }
        outerSelected = new SqlNodeList(selected, PLACE);
        outerHaving = block.getHaving() == null ? null : replacement.of(block.getHaving());
        if (order != null) {
            Replacement ofOrder = new Replacement(names);
            outerOrder =
                    new SqlNodeList(order.orderList.stream().map(ofOrder::of).toList(), PLACE);
        }
    }

    /**
     * The outer block.
     *
     * @param from stands for the rows of the inner one
     */
    SqlSelect outer(SqlNode from) {
        SqlNode rows = SqlStdOperatorTable.AS.createCall(PLACE, from, new SqlIdentifier(ALIAS, PLACE));
        SqlSelect outer = Selects.of(Objects.requireNonNull(outerSelected), rows, outerHaving);
        SqlNode distinct = block.getModifierNode(SqlSelectKeyword.DISTINCT);
        outer.setOperand(0, distinct == null ? SqlNodeList.EMPTY : SqlNodeList.of(distinct));
        outer.setOffset(block.getOffset());
        outer.setFetch(block.getFetch());
        return outer;
    }

    /** The order of the statement around the block, over the outer block; null: none. */
    @Nullable
    SqlNodeList order() {
        return outerOrder;
    }

    /** The group that a part of the block is; null: it is none. */
    private @Nullable SqlNode group(SqlNode node) {
        return groups.stream().filter(group -> isEqual(group, node)).findFirst().orElse(null);
    }

    private SqlNode column(SqlNode node) {
        for (int k = 0; k < columns.size(); k++) {
            if (isEqual(columns.get(k), node)) {
                return new SqlIdentifier(COLUMN + k, PLACE);
            }
        }
        columns.add(node);
        return new SqlIdentifier(COLUMN + (columns.size() - 1), PLACE);
    }

    /** Columns of the one table are equal if their names are, with and without the alias. */
    private boolean isEqual(SqlNode one, SqlNode other) {
        if (one instanceof SqlIdentifier a && other instanceof SqlIdentifier b) {
            return isOfTable(a) && isOfTable(b) && last(a, 1).equalsIgnoreCase(last(b, 1));
        }
        return one.equalsDeep(other, Litmus.IGNORE);
    }

    /** Whether a name is not one of a column of another block, by its alias. */
    private boolean isOfTable(SqlIdentifier column) {
        return !column.isStar() && (column.isSimple() || last(column, 2).equalsIgnoreCase(alias));
    }

    private static String last(SqlIdentifier id, int place) {
        return id.names.get(id.names.size() - place);
    }

    /** Puts columns of the inner block in the place of groups and aggregates. */
    private final class Replacement extends SqlShuttle {
        private final List<String> names;

        /** @param names of the result, which an order may name */
        Replacement(List<String> names) {
            this.names = names;
        }

        SqlNode of(SqlNode node) {
            return Objects.requireNonNull(node.accept(this));
        }

        @Override
        public SqlNode visit(SqlIdentifier id) {
            if (id.isSimple() && names.stream().anyMatch(id.getSimple()::equalsIgnoreCase)) {
                return id;
            }
            SqlNode group = group(id);
            if (group == null) {
                throw new OtherShape();
            }
            return column(group);
        }

        @Override
        public @Nullable SqlNode visit(SqlCall call) {
            SqlNode group = group(call);
            if (group != null) {
                return column(group);
            }
            String name = call.getOperator().getName().toUpperCase(Locale.ROOT);
            if (!isPlain(call) || Functions.isOtherAggregate(name)) {
                throw new OtherShape();
            }
            return Functions.isAggregate(name) ? aggregate(name, call) : super.visit(call);
        }

        private boolean isPlain(SqlCall call) {
            return switch (call.getKind()) {
                case OVER, FILTER, WITHIN_GROUP, IGNORE_NULLS, RESPECT_NULLS -> false;
                default -> !Nodes.isQuery(call) && call.getFunctionQuantifier() == null;
            };
        }

        private SqlNode aggregate(String name, SqlCall call) {
            checkPlain(call);
            if (call.operandCount() != 1) {
                throw new OtherShape();
            }
            if (!name.equals("AVG")) {
                return column(call);
            }
            SqlNode sum = column(SqlStdOperatorTable.SUM.createCall(PLACE, call.getOperandList()));
            SqlNode count = column(SqlStdOperatorTable.COUNT.createCall(PLACE, call.getOperandList()));
            SqlBasicTypeNameSpec type = averages.apply(call);
            if (type == TypedCasts.WHOLE_AVERAGE) {
                return Functions.AVERAGE.createCall(PLACE, sum, count);
            }
            SqlNode dividend = SqlStdOperatorTable.CAST.createCall(
                    PLACE, sum, new SqlDataTypeSpec(new SqlBasicTypeNameSpec(SqlTypeName.DOUBLE, PLACE), PLACE));
            SqlNode average = SqlStdOperatorTable.DIVIDE.createCall(PLACE, dividend, count);
            return type == TypedCasts.ROUNDED_AVERAGE
                    ? SqlStdOperatorTable.CAST.createCall(
                            PLACE, Functions.DIGITS.createCall(PLACE, average), new SqlDataTypeSpec(type, PLACE))
                    : average;
        }
    }
}
