package io.sdds.sql.local;

import io.sdds.sql.statement.Nodes;
import io.sdds.sql.statement.OwnNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlShuttle;
import org.apache.calcite.util.Litmus;
import org.jspecify.annotations.Nullable;

/**
 * Changes a parse tree, before Calcite validates it, where Calcite refuses what SQL allows. Names and types stay. The
 * database at the client gets the statement as it was written.
 */
public final class ForValidator {
    private ForValidator() {}

    /** Changes the query blocks of a statement in place. */
    public static void prepare(SqlNode statement) {
        Nodes.each(statement, SqlSelect.class, block -> {
            allowWindowsBesideDistinct(block);
            if (isGrouped(block)) {
                new OuterColumns(block).change();
            }
        });
    }

    /** Calcite wants a window of SELECT DISTINCT to order by columns that are selected. */
    private static void allowWindowsBesideDistinct(SqlSelect block) {
        if (block.isDistinct() && Nodes.hasWindow(block.getSelectList())) {
            block.setOperand(0, SqlNodeList.EMPTY);
        }
    }

    private static boolean isGrouped(SqlSelect block) {
        return block.getGroup() != null || block.getHaving() != null || Functions.hasAggregate(block.getSelectList());
    }

    /**
     * Columns of outer queries in a grouped block. Calcite wants them grouped, unless they stand in a subquery; so they
     * become one.
     */
    private static final class OuterColumns extends SqlShuttle {
        private final SqlSelect block;
        private final OwnNames own;
        private final SqlNodeList groups;

        OuterColumns(SqlSelect block) {
            this.block = block;
            this.own = OwnNames.of(block);
            this.groups = block.getGroup() == null ? SqlNodeList.EMPTY : block.getGroup();
        }

        void change() {
            List<SqlNode> items = new ArrayList<>();
            for (SqlNode item : block.getSelectList()) {
                items.add(item(item));
            }
            block.setSelectList(new SqlNodeList(items, block.getSelectList().getParserPosition()));
            SqlNode having = block.getHaving();
            if (having != null) {
                block.setHaving(having.accept(this));
            }
        }

        private SqlNode item(SqlNode item) {
            SqlNode changed = Objects.requireNonNull(item.accept(this));
            return changed != item && item instanceof SqlIdentifier column
                    ? SqlStdOperatorTable.AS.createCall(column.getParserPosition(), changed, column.getComponent(1))
                    : changed;
        }

        @Override
        public SqlNode visit(SqlIdentifier column) {
            return own.isOuter(column) && !isGroup(column)
                    ? new SqlBasicCall(
                            SqlStdOperatorTable.SCALAR_QUERY,
                            List.of(Selects.of(List.of(column), null, null)),
                            SqlParserPos.ZERO)
                    : column;
        }

        @Override
        public @Nullable SqlNode visit(SqlCall call) {
            if (call.getKind() == SqlKind.AS) {
                SqlNode named = Objects.requireNonNull(call.operand(0).accept(this));
                return SqlStdOperatorTable.AS.createCall(call.getParserPosition(), named, call.operand(1));
            }
            boolean isKept = Nodes.isQuery(call)
                    || Functions.isAggregate(call.getOperator().getName().toUpperCase(Locale.ROOT))
                    || isGroup(call);
            return isKept ? call : super.visit(call);
        }

        private boolean isGroup(SqlNode expression) {
            return groups.stream().anyMatch(group -> group.equalsDeep(expression, Litmus.IGNORE));
        }
    }
}
