package io.sdds.client.internal.query;

import io.sdds.client.internal.query.QueryCompiler.ResultColumn;
import io.sdds.client.internal.query.lang.Expression;
import io.sdds.client.internal.query.lang.Expression.Name;
import io.sdds.client.internal.query.lang.Scope;
import io.sdds.client.internal.query.lang.SelectItem;
import io.sdds.core.row.Schema;
import java.util.List;

/** The expressions that group rows, and their names, which other texts of the query use as if they were columns. */
final class GroupNames {
    private final List<SelectItem> groups;
    private final List<String> columns;

    /** @param groups empty: there are none */
    GroupNames(Schema schema, List<SelectItem> groups) {
        this.groups = groups;
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
        return expression.map(this::resolved);
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
