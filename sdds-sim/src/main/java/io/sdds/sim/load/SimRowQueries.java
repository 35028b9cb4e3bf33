package io.sdds.sim.load;

import io.sdds.client.Row;
import io.sdds.client.internal.query.RowSpec;
import io.sdds.core.row.Column;
import io.sdds.core.row.Schema;
import io.sdds.core.row.ValueText;
import io.sdds.sim.check.RecordedScan;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Queries of a table with a schema, each by a schema that the client knows. The names of the rows tell what every
 * column must be ({@link WrittenRows}), so that each row is a read of a record:
 *
 * <ul>
 *   <li>A filter with columns that may be NULL gives the records that pass, and no record for which it is UNKNOWN.
 *   <li>Groups by the key have one record each, whose sums and minima are its columns.
 *   <li>The first rows of an order are all up to the last one.
 *   <li>Groups by a column count each record once; so do sums of ones.
 * </ul>
 */
final class SimRowQueries {
    private static final RowSpec ALL = RowSpec.of(List.of(), Long.MAX_VALUE);
    private static final int FIRST_ROWS_MAX = 40;
    private static final int NUMBERS = 1000;

    private final ShippedQuery.Setting setting;
    private final RowValues values;
    private final SplittableRandom random;

    SimRowQueries(ShippedQuery.Setting setting, RowValues values) {
        this.setting = setting;
        this.values = values;
        this.random = setting.random();
    }

    ShippedQuery next(Runnable then) {
        Schema schema = values.schema();
        return switch (random.nextInt(10)) {
            case 0, 1 -> new Records(schema, numberFilter(), then);
            case 2, 3 -> new Records(schema, columnFilter(schema), then);
            case 4 -> new Listed(schema, KeptKeys.drawn(random), then);
            case 5, 6 -> new Groups(schema, then);
            case 7, 8 -> new First(schema, random.nextInt(1, FIRST_ROWS_MAX), then);
            default -> new Count(schema, then);
        };
    }

    // ---- filters

    /**
     * A condition on one column.
     *
     * @param ordinal of the column in the value
     * @param passes whether a value of the column passes; null: the column is NULL
     */
    private record Condition(String text, int ordinal, Predicate<@Nullable Object> passes) {}

    private Condition numberFilter() {
        int limit = random.nextInt(NUMBERS);
        Predicate<@Nullable Object> above = value -> value instanceof Long number && number > limit;
        Predicate<@Nullable Object> atMost = value -> value instanceof Long number && number <= limit;
        return switch (random.nextInt(5)) {
            case 0 -> new Condition("n > " + limit, WrittenRows.NUMBER, above);
            case 1, 2 -> new Condition("not (n > " + limit + ")", WrittenRows.NUMBER, atMost); // UNKNOWN for NULL
            case 3 -> new Condition("n is null", WrittenRows.NUMBER, Objects::isNull);
            default -> new Condition("not (n is null or n <= " + limit + ")", WrittenRows.NUMBER, above);
        };
    }

    /** A condition on a column that may be added, and may have a default, as far as one is there. */
    private Condition columnFilter(Schema schema) {
        List<Column> columns = schema.valueColumns();
        int ordinal = random.nextInt(WrittenRows.NUMBER + 1, columns.size());
        Column column = columns.get(ordinal);
        if (column.dropped()) {
            return numberFilter();
        }
        Object other = column.hasDefault() ? defaultOf(column) : null;
        if (other == null || random.nextInt(3) == 0) {
            return random.nextBoolean()
                    ? new Condition(column.name() + " is null", ordinal, Objects::isNull)
                    : new Condition("not (" + column.name() + " is null)", ordinal, Objects::nonNull);
        }
        String literal = ValueText.literal(column.type(), other);
        return random.nextBoolean()
                ? new Condition(column.name() + " = " + literal, ordinal, other::equals)
                : new Condition(
                        "not (" + column.name() + " = " + literal + ")",
                        ordinal,
                        value -> value != null && !value.equals(other));
    }

    private static Object defaultOf(Column column) {
        return io.sdds.core.row.Values.decode(column.type(), column.defaultValue());
    }

    /** The columns of the value that are there, and behind the key and {@code v}. */
    private static List<String> selected(Schema schema) {
        List<String> names = new ArrayList<>(List.of("k"));
        schema.valueColumns().stream()
                .filter(column -> !column.dropped())
                .map(Column::name)
                .forEach(names::add);
        return names;
    }

    /** A query whose rows have all columns of records. */
    private abstract class Query extends ShippedQuery {
        final Schema schema;
        private final List<String> names;

        Query(Schema schema, RowSpec text, Runnable then) {
            super(setting, schema, text, then);
            this.schema = schema;
            this.names = selected(schema);
        }

        final RecordedScan.Entry entry(Row row) {
            List<Column> columns = schema.valueColumns();
            String name = values.name(
                    schema,
                    ordinal -> row.get(names.indexOf(columns.get(ordinal).name())));
            return new RecordedScan.Entry(text(row, 0), name);
        }
    }

    private static RowSpec all(Schema schema) {
        return ALL.withSelect(String.join(", ", selected(schema)));
    }

    private final class Records extends Query {
        private final Condition condition;

        Records(Schema schema, Condition condition, Runnable then) {
            // the other columns of numbers are not known
            super(schema, all(schema).withCondition("v is not null").withCondition(condition.text()), then);
            this.condition = condition;
        }

        @Override
        void check(List<Row> result) {
            // of a row that an update has made of a number some columns are not known
            List<RecordedScan.Entry> found = result.stream()
                    .map(this::entry)
                    .filter(entry -> value(String.valueOf(entry.value())) != WrittenRows.ANY || !isKnown(entry.value()))
                    .toList();
            recordRows(found, (key, name) -> isKnown(name) && passes(value(name)));
        }

        private boolean isKnown(@Nullable String name) {
            return name != null && values.written().knows(name);
        }

        private @Nullable Object value(String name) {
            return values.written().seen(name, condition.ordinal(), schema);
        }

        private boolean passes(@Nullable Object value) {
            return value != WrittenRows.ANY && condition.passes().test(value);
        }
    }

    private final class Listed extends Query {
        private final KeptKeys keys;

        Listed(Schema schema, KeptKeys keys, Runnable then) {
            super(schema, all(schema).withCondition(keys.condition("k")), then);
            this.keys = keys;
        }

        @Override
        void check(List<Row> result) {
            record(result.stream().map(this::entry).toList(), keys);
        }
    }

    private final class First extends Query {
        private final int limit;

        First(Schema schema, int limit, Runnable then) {
            super(schema, all(schema).withOrderBy("n desc nulls last, k").withLimit(limit), then);
            this.limit = limit;
        }

        @Override
        void check(List<Row> result) {
            for (int k = 1; k < result.size(); k++) {
                Row before = result.get(k - 1);
                Row row = result.get(k);
                if (compare(number(before), text(before, 0), number(row), text(row, 0)) >= 0) {
                    complain("the first rows of an order have " + row + " behind " + before);
                }
            }
            Row last = result.size() < limit ? null : result.getLast();
            recordRows(
                    result.stream().map(this::entry).toList(),
                    (key, name) -> last == null
                            || values.written().seen(name, WrittenRows.NUMBER, schema) != WrittenRows.ANY
                                    && compare(numberOf(name), key, number(last), text(last, 0)) <= 0);
        }

        private @Nullable Long number(Row row) {
            return (Long) row.get("n");
        }

        private @Nullable Long numberOf(String name) {
            return (Long) values.written().seen(name, WrittenRows.NUMBER, schema);
        }

        private static int compare(@Nullable Long a, String key, @Nullable Long b, String otherKey) {
            int byNumber = Long.compare(b == null ? -1 : b, a == null ? -1 : a);
            return byNumber != 0 ? byNumber : key.compareTo(otherKey);
        }
    }

    /** One group for each key, with aggregates of all columns. */
    private final class Groups extends ShippedQuery {
        private final Schema schema;
        private final List<String> names;

        Groups(Schema schema, Runnable then) {
            super(
                    setting,
                    schema,
                    ALL.withGroupBy("k")
                            .withAggregate(selected(schema).stream()
                                            .skip(1)
                                            .map(name ->
                                                    (random.nextBoolean() ? "min(" : "max(") + name + ") as m_" + name)
                                            .collect(Collectors.joining(", "))
                                    + ", count(*) as ones, sum(n) as total"),
                    then);
            this.schema = schema;
            this.names = selected(schema);
        }

        @Override
        void check(List<Row> result) {
            List<RecordedScan.Entry> found = new ArrayList<>();
            List<Column> columns = schema.valueColumns();
            for (Row row : result) {
                Object number = row.get("m_n");
                Object total = row.get("total");
                boolean isSum = number == null
                        ? total == null
                        : BigDecimal.valueOf((Long) number).equals(total);
                if (row.getLong("ones") != 1 || !isSum) {
                    complain("a group of one key is not of one record: " + row);
                }
                String name = values.name(
                        schema,
                        ordinal -> row.get(names.indexOf(columns.get(ordinal).name())));
                found.add(new RecordedScan.Entry(text(row, 0), name));
            }
            record(found, key -> true);
        }
    }

    /** Groups by a column, which together have all records. */
    private final class Count extends ShippedQuery {
        Count(Schema schema, Runnable then) {
            super(
                    setting,
                    schema,
                    ALL.withGroupBy("n % 7 as g").withAggregate("count(*) as c, count(n) as p, sum(1) as s"),
                    then);
        }

        @Override
        void check(List<Row> result) {
            long count = 0;
            for (Row row : result) {
                long each = row.getLong("c");
                boolean isNull = row.get("g") == null;
                if (row.getLong("p") != (isNull ? 0 : each) || row.getLong("s") != each) {
                    complain("the counts of a group do not agree: " + row);
                }
                count += each;
            }
            recordSize(count);
        }
    }
}
