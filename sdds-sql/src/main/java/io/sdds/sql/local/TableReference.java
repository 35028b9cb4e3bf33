package io.sdds.sql.local;

import io.sdds.sql.schema.SddsTable;
import java.util.List;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.jspecify.annotations.Nullable;

/**
 * A table in the FROM of a query block.
 *
 * @param place of its name in the text of the statement
 * @param from the name with its alias
 * @param alias the name that columns have before the point
 * @param block the query block
 * @param condition what each row must fulfil that can be in the result of the block, about columns of this table alone;
 *     null: nothing is known
 * @param equalities what each such row must fulfil with some row of another table of the block
 */
record TableReference(
        SqlParserPos place,
        SddsTable table,
        SqlNode from,
        String alias,
        SqlSelect block,
        @Nullable SqlNode condition,
        List<Equality> equalities) {

    /**
     * A column of this table is equal to one of another table.
     *
     * @param isCast whether one of them is cast to a larger type of exact numbers
     */
    record Equality(String column, String otherAlias, String otherColumn, boolean isCast) {}
}
