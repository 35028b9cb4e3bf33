package io.sdds.sql.local;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlSelect;
import org.jspecify.annotations.Nullable;

/** The names that the FROM of a query block gives its tables. */
public final class OwnNames {
    private final List<String> names = new ArrayList<>();

    private OwnNames() {}

    public static OwnNames of(SqlSelect block) {
        OwnNames own = new OwnNames();
        own.add(block.getFrom());
        return own;
    }

    /** Whether a column is written with the name of a table that is none of the block's. */
    boolean isOuter(SqlIdentifier column) {
        return column.names.size() == 2
                && !column.isStar()
                && names.stream().noneMatch(column.names.get(0)::equalsIgnoreCase);
    }

    /** The names in the order of the text. */
    public List<String> inOrder() {
        return names;
    }

    private void add(@Nullable SqlNode from) {
        if (from instanceof SqlJoin join) {
            add(join.getLeft());
            add(join.getRight());
        } else if (from instanceof SqlIdentifier name) {
            names.add(name.names.get(name.names.size() - 1));
        } else if (from instanceof SqlCall as && as.getKind() == SqlKind.AS) {
            names.add(((SqlIdentifier) as.operand(1)).getSimple());
        } else if (from instanceof SqlCall call && call.operandCount() > 0) {
            // A table with hints.
            add(call.operand(0));
        }
    }
}
