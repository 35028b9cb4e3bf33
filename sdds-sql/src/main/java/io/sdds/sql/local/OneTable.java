package io.sdds.sql.local;

import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlWith;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.jspecify.annotations.Nullable;

/** Tells whether a statement is about one table alone, so that bricks may evaluate all of it. */
public final class OneTable extends SqlBasicVisitor<@Nullable Void> {
    private int blocks;
    private boolean hasOther;

    private OneTable() {}

    /**
     * Whether a statement that was parsed has one query block at most, over one table, without windows, and without
     * casts that Calcite does otherwise.
     */
    public static boolean isAll(SqlNode statement) {
        OneTable visitor = new OneTable();
        statement.accept(visitor);
        return visitor.blocks <= 1 && !visitor.hasOther;
    }

    @Override
    public @Nullable Void visit(SqlCall call) {
        if (call instanceof SqlSelect select) {
            blocks++;
            hasOther |= select.getFrom() == null
                    || select.getWindowList() != null && !select.getWindowList().isEmpty();
        }
        hasOther |= LocalTypes.isCastOtherwise(call)
                || call instanceof SqlJoin
                || call instanceof SqlWith
                || call.getKind() == SqlKind.OVER
                || call.getKind() == SqlKind.VALUES
                || SqlKind.SET_QUERY.contains(call.getKind());
        return hasOther ? null : super.visit(call);
    }
}
