package io.sdds.client.internal.query;

import io.sdds.client.internal.query.lang.BoundText;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The texts of a query of rows.
 *
 * @param members further conditions, each of which is a list of values of an expression
 * @param select the columns of the result; null: those of {@code groupBy} and {@code aggregate}, or all columns
 * @param groupBy null: none
 * @param aggregate further columns of the result; null: none
 * @param orderBy null: none
 * @param limit most rows
 */
public record QueryText(
        List<BoundText> where,
        List<Membership> members,
        @Nullable String select,
        @Nullable String groupBy,
        @Nullable String aggregate,
        @Nullable String orderBy,
        long limit) {
    public QueryText {
        if (limit < 0) {
            throw new IllegalArgumentException("limit " + limit);
        }
    }

    /** All columns of the rows that meet some conditions. */
    public static QueryText of(List<BoundText> where, long limit) {
        return new QueryText(where, List.of(), null, null, null, null, limit);
    }

    public QueryText withCondition(String text) {
        return withCondition(BoundText.of(text));
    }

    public QueryText withCondition(BoundText text) {
        List<BoundText> more = new ArrayList<>(where);
        more.add(text);
        return new QueryText(List.copyOf(more), members, select, groupBy, aggregate, orderBy, limit);
    }

    public QueryText withMembers(Membership membership) {
        List<Membership> more = new ArrayList<>(members);
        more.add(membership);
        return new QueryText(where, List.copyOf(more), select, groupBy, aggregate, orderBy, limit);
    }

    public QueryText withSelect(String text) {
        return new QueryText(where, members, text, groupBy, aggregate, orderBy, limit);
    }

    public QueryText withGroupBy(String text) {
        return new QueryText(where, members, select, text, aggregate, orderBy, limit);
    }

    public QueryText withAggregate(String text) {
        return new QueryText(where, members, select, groupBy, text, orderBy, limit);
    }

    public QueryText withOrderBy(String text) {
        return new QueryText(where, members, select, groupBy, aggregate, text, limit);
    }

    public QueryText withLimit(long rows) {
        return new QueryText(where, members, select, groupBy, aggregate, orderBy, rows);
    }
}
