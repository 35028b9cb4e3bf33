package io.sdds.sql;

import io.sdds.sql.statement.Nodes;
import io.sdds.sql.statement.OwnNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.calcite.sql.JoinConditionType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.util.SqlShuttle;
import org.apache.calcite.sql.validate.DelegatingScope;
import org.apache.calcite.sql.validate.SelectScope;
import org.apache.calcite.sql.validate.SqlValidatorNamespace;
import org.apache.calcite.sql.validate.SqlValidatorScope;
import org.jspecify.annotations.Nullable;

/**
 * Writes the columns of USING and of natural joins with their tables, as {@code COALESCE(a.c, b.c)}. Calcite finds them
 * ambiguous anywhere but as whole elements of SELECT.
 */
final class CommonColumns extends SqlShuttle {
    private final SelectScope scope;

    private CommonColumns(SelectScope scope) {
        this.scope = scope;
    }

    /** Changes the expressions of a query block in place, without those of its subqueries. */
    static void qualify(SqlSelect block, @Nullable SelectScope scope) {
        if (scope == null) {
            return;
        }
        CommonColumns columns = new CommonColumns(scope);
        List<SqlNode> items = new ArrayList<>();
        for (SqlNode item : block.getSelectList()) {
            items.add(item instanceof SqlIdentifier ? item : columns.changed(item));
        }
        block.setSelectList(new SqlNodeList(items, block.getSelectList().getParserPosition()));
        SqlNode where = block.getWhere();
        if (where != null) {
            block.setWhere(columns.changed(where));
        }
        SqlNodeList groups = block.getGroup();
        if (groups != null) {
            block.setGroupBy((SqlNodeList) columns.changed(groups));
        }
        SqlNode having = block.getHaving();
        if (having != null) {
            block.setHaving(columns.changed(having));
        }
    }

    private SqlNode changed(SqlNode node) {
        return Objects.requireNonNull(node.accept(this));
    }

    @Override
    public @Nullable SqlNode visit(SqlCall call) {
        if (Nodes.isQuery(call)) {
            return call;
        }
        if (call.getKind() == SqlKind.AS) {
            SqlNode named = call.operand(0);
            return SqlStdOperatorTable.AS.createCall(call.getParserPosition(), changed(named), call.operand(1));
        }
        return super.visit(call);
    }

    @Override
    public SqlNode visit(SqlIdentifier column) {
        if (!column.isSimple() || column.isStar()) {
            return column;
        }
        for (SqlValidatorScope of = scope; of instanceof DelegatingScope inner; of = inner.getParent()) {
            List<String> tables = of instanceof SelectScope block ? tables(block, column.getSimple()) : List.of();
            if (!tables.isEmpty()) {
                SqlNode from = ((SelectScope) of).getNode().getFrom();
                return tables.size() > 1 && joinsBy(from, column.getSimple()) == tables.size() - 1
                        ? coalesced(column, tables)
                        : column;
            }
        }
        return column;
    }

    /** The tables of a block that have a column. */
    private static List<String> tables(SelectScope block, String column) {
        List<String> tables = new ArrayList<>();
        List<SqlValidatorNamespace> all = block.getChildren();
        List<String> names = OwnNames.of(block.getNode()).inOrder();
        for (int k = 0; k < all.size() && all.size() == names.size(); k++) {
            boolean hasIt = all.get(k).getRowType().getField(column, false, false) != null;
            if (hasIt) {
                tables.add(names.get(k));
            }
        }
        return tables;
    }

    /** The number of joins by a column; a natural one may be by any. */
    private static int joinsBy(@Nullable SqlNode from, String column) {
        if (!(from instanceof SqlJoin join)) {
            return 0;
        }
        boolean isBy = join.isNatural()
                || join.getConditionType() == JoinConditionType.USING
                        && join.getCondition() instanceof SqlNodeList columns
                        && columns.stream()
                                .anyMatch(by -> ((SqlIdentifier) by).getSimple().equalsIgnoreCase(column));
        return joinsBy(join.getLeft(), column) + joinsBy(join.getRight(), column) + (isBy ? 1 : 0);
    }

    private static SqlNode coalesced(SqlIdentifier column, List<String> tables) {
        SqlNode[] columns = tables.stream()
                .map(table -> new SqlIdentifier(List.of(table, column.getSimple()), column.getParserPosition()))
                .toArray(SqlNode[]::new);
        return SqlStdOperatorTable.COALESCE.createCall(column.getParserPosition(), columns);
    }
}
