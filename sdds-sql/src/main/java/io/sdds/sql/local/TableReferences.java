package io.sdds.sql.local;

import io.sdds.sql.schema.SddsTable;
import io.sdds.sql.statement.Nodes;
import io.sdds.sql.statement.OwnNames;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.calcite.sql.JoinConditionType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.validate.SqlValidator;
import org.jspecify.annotations.Nullable;

/**
 * Finds the tables of a validated statement, and for each what the WHERE and ON of its query block say about its rows.
 * A condition counts for a table only if the block loses all rows that do not fulfil it: that of WHERE not for the side
 * of an outer join that is filled up with NULL, and that of ON not for the side that the join keeps whole.
 */
final class TableReferences {
    private final SqlValidator validator;
    private final List<TableReference> found = new ArrayList<>();
    private @Nullable SqlSelect block;
    private final Map<SqlNode, Boolean> seen = new IdentityHashMap<>();

    private TableReferences(SqlValidator validator) {
        this.validator = validator;
    }

    /** The tables of a statement, in no order. */
    static List<TableReference> of(SqlNode statement, SqlValidator validator) {
        TableReferences references = new TableReferences(validator);
        Nodes.each(statement, SqlSelect.class, references::block);
        return references.found;
    }

    private void block(SqlSelect select) {
        SqlNode where = select.getWhere();
        if (select.getFrom() != null && seen.put(select, true) == null) {
            block = select;
            from(select.getFrom(), where == null ? List.of() : List.of(where));
        }
    }

    private void from(SqlNode node, List<SqlNode> conditions) {
        switch (node.getKind()) {
            case JOIN -> join((SqlJoin) node, conditions);
            case AS -> table(((SqlCall) node).operand(0), node, conditions);
            case IDENTIFIER -> table(node, node, conditions);
            default -> {}
        }
    }

    private void join(SqlJoin join, List<SqlNode> conditions) {
        SqlNode on = join.getConditionType() == JoinConditionType.ON ? join.getCondition() : null;
        List<SqlNode> own = on == null ? List.of() : List.of(on);
        List<SqlNode> both = new ArrayList<>(conditions);
        both.addAll(own);
        switch (join.getJoinType()) {
            case INNER, CROSS, COMMA -> {
                from(join.getLeft(), both);
                from(join.getRight(), both);
            }
            case LEFT -> {
                from(join.getLeft(), conditions);
                from(join.getRight(), own);
            }
            case RIGHT -> {
                from(join.getLeft(), own);
                from(join.getRight(), conditions);
            }
            default -> {
                from(join.getLeft(), List.of());
                from(join.getRight(), List.of());
            }
        }
    }

    private void table(SqlNode node, SqlNode from, List<SqlNode> conditions) {
        if (!(node instanceof SqlIdentifier name)) {
            from(node, conditions);
            return;
        }
        SddsTable table = SddsTable.of(from, validator);
        if (table == null) {
            return;
        }
        String alias = Objects.requireNonNull(OwnNames.of(from));
        boolean hasOtherNames = from instanceof SqlCall as && as.operandCount() > 2;
        List<SqlNode> about = hasOtherNames ? List.of() : conditions;
        found.add(new TableReference(
                name.getParserPosition(),
                table,
                from,
                alias,
                Objects.requireNonNull(block),
                Conditions.ofTable(about, alias),
                Conditions.equalities(about, alias)));
    }
}
