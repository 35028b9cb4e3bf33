package io.sdds.sql.local;

import io.sdds.sql.statement.Nodes;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlWith;
import org.jspecify.annotations.Nullable;

/** Tells whether a statement is about one table alone, so that bricks may evaluate all of it. */
public final class OneTable {
    private OneTable() {}

    /**
     * Whether a statement that was parsed has one query block at most, over one table, without windows, and without
     * casts that Calcite does otherwise.
     */
    public static boolean isAll(SqlNode statement) {
        int[] blocks = new int[1];
        return !Nodes.has(
                statement,
                node -> node instanceof SqlSelect && ++blocks[0] > 1 || node instanceof SqlCall call && isOther(call));
    }

    private static boolean isOther(SqlCall call) {
        boolean isOtherBlock =
                call instanceof SqlSelect block && (block.getFrom() == null || !isNullOrEmpty(block.getWindowList()));
        return isOtherBlock
                || LocalTypes.isCastOtherwise(call)
                || call instanceof SqlJoin
                || call instanceof SqlWith
                || call.getKind() == SqlKind.OVER
                || call.getKind() == SqlKind.VALUES
                || SqlKind.SET_QUERY.contains(call.getKind());
    }

    private static boolean isNullOrEmpty(@Nullable SqlNodeList list) {
        return list == null || list.isEmpty();
    }
}
