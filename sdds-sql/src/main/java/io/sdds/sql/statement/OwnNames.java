package io.sdds.sql.statement;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.util.Util;
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
    public boolean isOuter(SqlIdentifier column) {
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
        } else if (from != null) {
            String name = of(from);
            if (name != null) {
                names.add(name);
            } else if (from instanceof SqlCall hinted && hinted.operandCount() > 0) {
                add(hinted.operand(0));
            }
        }
    }

    /** The name of an element of FROM: its alias, else that of its table; null: it has none. */
    public static @Nullable String of(SqlNode element) {
        SqlNode name = element.getKind() == SqlKind.AS ? ((SqlCall) element).operand(1) : element;
        return name instanceof SqlIdentifier id ? Util.last(id.names) : null;
    }
}
