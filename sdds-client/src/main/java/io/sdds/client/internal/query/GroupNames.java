package io.sdds.client.internal.query;

import io.sdds.client.internal.query.QueryCompiler.ResultColumn;
import io.sdds.client.internal.query.lang.Expression;
import io.sdds.client.internal.query.lang.Expression.Aggregate;
import io.sdds.client.internal.query.lang.Expression.Call;
import io.sdds.client.internal.query.lang.Expression.Cast;
import io.sdds.client.internal.query.lang.Expression.Name;
import io.sdds.client.internal.query.lang.ExpressionParser;
import io.sdds.client.internal.query.lang.Scope;
import io.sdds.client.internal.query.lang.SelectItem;
import io.sdds.core.row.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The expressions that group rows, and their names, which other texts of the query use as if they were columns. */
final class GroupNames {
    private final List<SelectItem> groups;
    private final List<String> columns;

    /** @param groupBy null: there are no groups */
    GroupNames(Schema schema, @Nullable String groupBy) {
        this.groups = groupBy == null ? List.of() : ExpressionParser.selectList(QueryCompiler.GROUP_BY, groupBy);
        this.columns = Scope.of(schema).names();
    }

    private boolean isColumn(Name name) {
        return columns.stream().anyMatch(name.name()::equalsIgnoreCase);
    }

    /** The expressions that group rows. A name that is no column may be that of a column of the result. */
    List<Expression> keys(List<ResultColumn> items) {
        return groups.stream()
                .map(SelectItem::expression)
                .map(key -> key instanceof Name name && !isColumn(name) ? QueryCompiler.resolved(key, items) : key)
                .toList();
    }

    /** The expression with the expressions of groups in the place of their names. A column hides such a name. */
    Expression resolved(Expression expression) {
        if (expression instanceof Name name) {
            return isColumn(name) ? name : named(name);
        }
        if (expression instanceof Call call) {
            return new Call(
                    call.function(),
                    call.operands().stream().map(this::resolved).toList(),
                    call.at());
        }
        if (expression instanceof Cast cast) {
            return new Cast(resolved(cast.operand()), cast.type(), cast.at());
        }
        if (expression instanceof Aggregate aggregate && aggregate.operand() != null) {
            return new Aggregate(aggregate.function(), resolved(aggregate.operand()), aggregate.at());
        }
        return expression;
    }

    private Expression named(Name name) {
        return groups.stream()
                .filter(group -> name.quoted()
                        ? group.name().equals(name.name())
                        : group.name().equalsIgnoreCase(name.name()))
                .map(SelectItem::expression)
                .findFirst()
                .orElse(name);
    }
}
