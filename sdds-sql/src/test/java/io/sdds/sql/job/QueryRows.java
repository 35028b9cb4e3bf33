package io.sdds.sql.job;

import io.sdds.sql.statement.Grammar;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntSupplier;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlSelect;
import org.jspecify.annotations.Nullable;

/**
 * A row for each table reference of a query, so that the query finds these rows: a query block over tables with a comma
 * between, whose conditions are equalities of columns, and conditions of columns with constants.
 */
final class QueryRows {
    /** The tables by their names in the query. */
    private final Map<String, String> tables = new LinkedHashMap<>();

    private final Map<String, List<Wish>> wishes = new TreeMap<>();

    /** Columns that are equal, each with another one, or with itself. */
    private final Map<String, String> equal = new HashMap<>();

    private final Map<String, Integer> numbers = new HashMap<>();
    private final IntSupplier next;

    /** @param next new numbers */
    QueryRows(String query, IntSupplier next) throws Exception {
        this.next = next;
        SqlSelect block = (SqlSelect) Grammar.parse(query);
        addTables(block.getFrom());
        addCondition(block.getWhere());
    }

    /** Adds a row of each table reference. Texts that no condition names are made up, other numbers are NULL. */
    void addTo(ImdbTables all) {
        tables.forEach((name, table) -> {
            Map<String, @Nullable String> row = new HashMap<>();
            for (String column : ImdbTables.columns(table)) {
                String value = value(name + "." + column);
                row.put(column, value == null ? madeUp(name, column) : value);
            }
            all.add(table, row);
        });
    }

    private @Nullable String madeUp(String name, String column) {
        if (column.equals("id")) {
            return Integer.toString(next.getAsInt());
        }
        boolean isText = !ImdbTables.isNumber(column) && !wishes.containsKey(name + "." + column);
        return isText ? column + " " + next.getAsInt() : null;
    }

    private @Nullable String value(String column) {
        if (equal.containsKey(column)) {
            return Integer.toString(numbers.computeIfAbsent(root(column), key -> next.getAsInt()));
        }
        List<Wish> all = wishes.get(column);
        if (all == null) {
            return null;
        }
        return candidates(all).stream()
                .filter(value -> all.stream().allMatch(wish -> wish.isMet().test(value)))
                .findFirst()
                .orElse(null);
    }

    /** Single values, and two values in a row. */
    private static List<String> candidates(List<Wish> wishes) {
        List<String> single =
                wishes.stream().flatMap(wish -> wish.values().stream()).toList();
        List<String> candidates = new ArrayList<>(single);
        single.forEach(one -> single.forEach(other -> candidates.add(one + " " + other)));
        return candidates;
    }

    private void addTables(@Nullable SqlNode from) {
        if (from instanceof SqlJoin join) {
            addTables(join.getLeft());
            addTables(join.getRight());
        } else if (from instanceof SqlBasicCall as) {
            tables.put(as.operand(1).toString(), as.operand(0).toString());
        } else {
            throw new IllegalArgumentException("a table without another name: " + from);
        }
    }

    /** Of an OR, the first condition has to hold. */
    private void addCondition(@Nullable SqlNode node) {
        SqlCall condition = (SqlCall) node;
        if (condition.getKind() == SqlKind.AND) {
            condition.getOperandList().forEach(this::addCondition);
        } else if (condition.getKind() == SqlKind.OR) {
            addCondition(condition.operand(0));
        } else {
            String column = ((SqlIdentifier) condition.operand(0)).toString();
            if (condition.getKind() == SqlKind.EQUALS && condition.operand(1) instanceof SqlIdentifier other) {
                equal.put(root(column), root(other.toString()));
                equal.putIfAbsent(root(column), root(column));
            } else {
                wishes.computeIfAbsent(column, key -> new ArrayList<>()).add(Wish.of(condition));
            }
        }
    }

    private String root(String column) {
        String up = equal.computeIfAbsent(column, key -> column);
        return up.equals(column) ? column : root(up);
    }
}
