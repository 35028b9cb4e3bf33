package io.sdds.sql.local;

import java.util.List;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.jspecify.annotations.Nullable;

/** Makes query blocks, which have no place in the text of a statement. */
final class Selects {
    private static final SqlParserPos PLACE = SqlParserPos.ZERO;

    private Selects() {}

    /** {@code SELECT selected FROM from WHERE where}; null: without. */
    static SqlSelect of(List<SqlNode> selected, @Nullable SqlNode from, @Nullable SqlNode where) {
        return grouped(selected, from, where, null);
    }

    /** As {@link #of}, with {@code GROUP BY groups}; null: without. */
    static SqlSelect grouped(
            List<SqlNode> selected, @Nullable SqlNode from, @Nullable SqlNode where, @Nullable SqlNodeList groups) {
        SqlNodeList items = new SqlNodeList(selected, PLACE);
        return new SqlSelect(PLACE, null, items, from, where, groups, null, null, null, null, null, null, null);
    }
}
