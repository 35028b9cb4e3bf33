package io.sdds.sql.random;

import static io.sdds.sql.random.Part.joined;
import static io.sdds.sql.random.Part.node;
import static io.sdds.sql.random.Part.optional;

import io.sdds.sql.random.Part.Node;
import io.sdds.sql.random.Scope.Name;
import io.sdds.sql.random.Tables.Column;
import io.sdds.sql.random.Tables.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Random statements that change a table. */
final class Changes {
    /** Keys of new rows are greater than this, by the key of the row that they come from. */
    private static final int NEW_KEYS = 1000;

    private final SplittableRandom random;
    private final Table table;
    private final Tables tables;
    private final Expressions expressions;
    private final Scope scope;

    Changes(SplittableRandom random, Tables tables, Queries queries) {
        this.random = random;
        this.tables = tables;
        table = SqlType.drawn(tables.all(), random);
        expressions = queries.expressions();
        scope = scope(table, table.name());
    }

    String table() {
        return table.name();
    }

    Node draw() {
        return switch (random.nextInt(5)) {
            case 0 -> insertQuery();
            case 1 -> insertValues();
            case 2 -> node(null, "DELETE FROM " + table.name(), where());
            default -> update();
        };
    }

    private static Scope scope(Table table, String alias) {
        List<Name> names = table.columns().stream()
                .map(column -> Name.plain(column.type(), alias + "." + column.name()))
                .toList();
        return new Scope(names, List.of(names.get(0)), null);
    }

    private Node where() {
        return random.nextInt(5) == 0
                ? optional(" WHERE ", table.name() + ".id = " + random.nextInt(1, 10))
                : optional(" WHERE ", expressions.conditions().of(2, scope));
    }

    private Node update() {
        List<Node> sets = new ArrayList<>();
        for (Column column : some()) {
            sets.add(node(null, column.name() + " = ", expressions.of(column.type(), 2, scope)));
        }
        return sets.isEmpty()
                ? node(null, "DELETE FROM " + table.name(), where())
                : node(null, "UPDATE " + table.name() + " SET ", joined(", ", sets), where());
    }

    /** Some of the columns that are no keys. */
    private List<Column> some() {
        return table.columns().stream()
                .skip(1)
                .filter(column -> random.nextInt(3) == 0)
                .toList();
    }

    private String into(List<Column> columns) {
        List<String> names = new ArrayList<>(List.of("id"));
        columns.forEach(column -> names.add(column.name()));
        return "INSERT INTO " + table.name() + " (" + String.join(", ", names) + ") ";
    }

    private Node insertQuery() {
        Table from = SqlType.drawn(tables.all(), random);
        Scope of = scope(from, "a");
        List<Column> columns = some();
        List<Node> items = new ArrayList<>();
        items.add(node(null, "a.id + " + NEW_KEYS));
        columns.forEach(column -> items.add(expressions.of(column.type(), 2, of)));
        return node(
                null,
                into(columns),
                "SELECT ",
                joined(", ", items),
                " FROM " + from.name() + " a",
                optional(" WHERE ", expressions.conditions().of(2, of)));
    }

    private Node insertValues() {
        List<Column> columns = some();
        List<Node> rows = new ArrayList<>();
        for (int k = random.nextInt(1, 4); k > 0; k--) {
            List<Node> values = new ArrayList<>();
            values.add(node(null, Integer.toString(NEW_KEYS + k)));
            columns.forEach(column -> values.add(
                    random.nextInt(4) == 0
                            ? expressions.of(column.type(), 1, Scope.NONE)
                            : expressions.besideItsType(column.type())));
            rows.add(node(null, "(", joined(", ", values), ")"));
        }
        return node(null, into(columns), "VALUES ", joined(", ", rows));
    }
}
