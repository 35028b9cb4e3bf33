package io.sdds.client;

import io.sdds.client.internal.ClientRuntime;
import io.sdds.client.internal.query.QueryPlan;
import io.sdds.client.internal.query.RecordMapping;
import io.sdds.client.internal.query.RowMapping;
import io.sdds.client.internal.query.RowPlan;
import io.sdds.client.internal.query.RowSpec;
import io.sdds.client.internal.query.lang.BoundText;
import java.util.List;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * A query whose results are rows that are computed of the records of a table, with the ways to get them. Its texts are
 * those of SQL: docs/queries.md tells the language. Bricks evaluate them next to the records, and send only what the
 * result needs: the columns of records that pass, the first rows of an order, or the partial results of groups, which
 * this client merges. Immutable; the client sends nothing until a method that gets results is called.
 *
 * <pre>{@code
 * record Block(String block, long names) {}
 *
 * List<Block> largest = table.scan()
 *         .where("value contains 'CAT' and not key prefix 'U+01F6'")
 *         .groupBy("substring(key, 1, 5) as block")
 *         .aggregate("count(*) as names")
 *         .orderBy("names desc, block")
 *         .limit(10)
 *         .as(Block.class)
 *         .toList();
 * }</pre>
 *
 * <p>Each record that exists throughout the query is taken once, in a state that it had during the query. There is no
 * snapshot. Rows of a query without an order come in no meaningful order, but those of a range of a {@link RangeTable}
 * come in the order of its keys unless they are groups.
 *
 * <p>The methods that take a text check its syntax when they are called, and the rest when the query is run. They throw
 * {@link IllegalArgumentException} with one line that names the text, the position in it from 1 on, and what is wrong.
 * Methods that get results throw, and futures fail with, {@link QueryException} when a value that the query uses is an
 * error for a record, or groups and sorted rows need more than 256 MiB at the client; and the exceptions of
 * {@link Query}.
 *
 * @param <T> what a row is given as: {@link Row}, or a Java record
 */
public final class RowQuery<T> implements Iterable<T> {
    private final QueryPlan<?, ?> records;
    private final RowSpec spec;
    private final RowMapping<T> mapping;

    RowQuery(QueryPlan<?, ?> records, RowSpec spec, RowMapping<T> mapping) {
        this.records = records;
        this.spec = spec;
        this.mapping = mapping;
    }

    private RowQuery<T> with(RowSpec other) {
        return new RowQuery<>(records, other, mapping);
    }

    private RowPlan<T> plan() {
        return new RowPlan<>(records, spec, mapping);
    }

    // ---- what is asked for

    /**
     * The same query for records that meet a further condition.
     *
     * @param values of the question marks of the condition, as of {@link Table#update}
     */
    public RowQuery<T> where(String condition, @Nullable Object @Nullable ... values) {
        return with(spec.withCondition(BoundText.of(condition, values)));
    }

    /**
     * The same query for records for which an expression has one of the values. NULL is none of them. Unlike a list in
     * {@link #where} it may be long: the program has 8 MiB at most.
     *
     * @param expression its type is that of the values, or both are numbers
     * @param values of the classes of {@link Row}, none null
     */
    public RowQuery<T> whereIn(String expression, List<?> values) {
        return with(spec.withMembers(expression, values, true));
    }

    /**
     * Like {@link #whereIn}, but about one in a hundred of other records passes, too. Bricks get a Bloom filter, of
     * about eleven bits for each value.
     */
    public RowQuery<T> whereMayBeIn(String expression, List<?> values) {
        return with(spec.withMembers(expression, values, false));
    }

    /**
     * The same query with other columns. Without this method they are all columns of the table, or {@code key} and
     * {@code value} if it has no schema; with groups what {@link #groupBy} and {@link #aggregate} name.
     *
     * @param columns expressions, each with a name behind {@code as} if it likes; one text may have several of them,
     *     with commas
     */
    public RowQuery<T> select(String... columns) {
        return with(spec.withSelect(String.join(", ", columns)));
    }

    /**
     * The same query with one row for each group of records whose values of the expressions are equal. NULL equals NULL
     * here.
     *
     * @param keys expressions with commas between them, each with a name behind {@code as} if it likes
     */
    public RowQuery<T> groupBy(String keys) {
        return with(spec.withGroupBy(keys));
    }

    /**
     * The same query with aggregates as further columns. Without {@link #groupBy} all records are one group, also if
     * there are none.
     *
     * @param aggregates {@code count(*)}, {@code count(x)}, {@code sum(x)}, {@code min(x)}, {@code max(x)},
     *     {@code avg(x)} and expressions of them
     */
    public RowQuery<T> aggregate(String aggregates) {
        return with(spec.withAggregate(aggregates));
    }

    /**
     * The same query with its rows in an order. Up to a limit of 10,000 bricks send only the first rows; beyond that,
     * and without a limit, this client sorts all rows.
     *
     * @param order expressions or names of columns of the result, each with {@code asc} or {@code desc} and
     *     {@code nulls first} or {@code nulls last} if it likes
     */
    public RowQuery<T> orderBy(String order) {
        return with(spec.withOrderBy(order));
    }

    /**
     * The same query, ending after so many rows.
     *
     * @param rows 0 or more
     * @throws IllegalArgumentException when negative
     */
    public RowQuery<T> limit(long rows) {
        return with(spec.withLimit(rows));
    }

    /**
     * The same query, whose rows are given as Java records. Each component has the value of the column of its name,
     * without regard to case; further columns are left out. A component of a primitive type takes no NULL. {@code long}
     * and {@code int} take numbers without a fraction, {@code double} all numbers, {@code String} text and bytes, an
     * enum the text of a constant's name, others the classes of {@link Row}.
     *
     * @throws IllegalArgumentException when the class is no record. A query whose columns do not fit throws it when it
     *     is run, and when a value does not fit
     */
    public <R extends Record> RowQuery<R> as(Class<R> type) {
        return new RowQuery<>(records, spec, new RecordMapping<>(type));
    }

    // ---- results

    /** The names of the columns of the result. */
    public List<String> columns() {
        return plan().columns();
    }

    /**
     * The number of rows. The bricks count the records that pass, unless there are groups, and do not evaluate the
     * columns.
     */
    public long count() {
        records.runtime().checkMayBlock();
        return ClientRuntime.await(plan().countAsync());
    }

    /** As {@link #count}. Cancelling the future ends the query: the client sends no more requests. */
    public CompletableFuture<Long> countAsync() {
        return records.runtime().published(plan().countAsync());
    }

    /** Opens a cursor, which takes the rows one by one. A cursor that is left before its end must be closed. */
    public RowCursor<T> open() {
        return plan().open();
    }

    /**
     * Opens a cursor that gives the values of rows without an object for each row. {@link #as} changes nothing for it.
     * A cursor that is left before its end must be closed.
     */
    public ValueCursor openValues() {
        return plan().openValues();
    }

    /** As {@link #open}. A cursor that is left before its end holds a few blocks of memory until it is collected. */
    @Override
    public RowCursor<T> iterator() {
        return open();
    }

    /** The rows as a sequential stream, which must be closed if it is left before its end. */
    public Stream<T> stream() {
        RowCursor<T> cursor = open();
        return StreamSupport.stream(
                        Spliterators.spliteratorUnknownSize(cursor, Spliterator.NONNULL | Spliterator.IMMUTABLE), false)
                .onClose(cursor::close);
    }

    /** All rows as a list. The list is in memory at once. */
    public List<T> toList() {
        records.runtime().checkMayBlock();
        return ClientRuntime.await(plan().toListAsync());
    }

    /** As {@link #toList}. Cancelling the future ends the query: the client sends no more requests. */
    public CompletableFuture<List<T>> toListAsync() {
        return records.runtime().published(plan().toListAsync());
    }

    /**
     * Passes each row to the consumer, one after the other, on the client's event loop or on the executor for callbacks
     * if there is one. The future ends when all rows were passed on, or with the exception that the consumer threw.
     * Cancelling the future ends the query: the client sends no more requests, and does not call the consumer again
     * once a call under way has returned.
     */
    public CompletableFuture<Void> forEachAsync(Consumer<? super T> consumer) {
        return records.runtime().published(plan().forEachAsync(consumer));
    }

    /**
     * A publisher of the rows. Each subscriber has a query of its own, whose first request goes out when the subscriber
     * asks first. Rows are fetched as the subscriber asks for them, a few blocks ahead. The subscriber is called on the
     * client's event loop or on the executor for callbacks if there is one, by one thread at a time. Cancelling the
     * subscription ends the query: the client sends no more requests, so that bricks are free within 15 ms.
     */
    public Flow.Publisher<T> publisher() {
        return plan()::subscribe;
    }
}
