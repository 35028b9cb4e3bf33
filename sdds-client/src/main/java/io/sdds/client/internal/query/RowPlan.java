package io.sdds.client.internal.query;

import io.sdds.client.Row;
import io.sdds.client.RowCursor;
import io.sdds.client.ValueCursor;
import io.sdds.client.internal.ClientRuntime;
import io.sdds.client.internal.Futures;
import io.sdds.client.internal.query.lang.Expression;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Runs a query for rows. Futures complete where the subscriber of {@link #subscribe} is called.
 *
 * @param <T> what a row is given as
 */
public final class RowPlan<T> {
    private final QueryPlan<?, ?> plan;
    private final CompiledQuery query;
    private final Function<? super Row, ? extends T> mapper;

    /**
     * @param plan what the rows are made of
     * @param mapping makes of the columns of the result what rows are mapped by
     * @throws IllegalArgumentException when an expression is wrong, or the columns do not fit the mapping
     */
    public RowPlan(QueryPlan<?, ?> plan, RowSpec spec, RowMapping<T> mapping) {
        this.plan = plan;
        this.query = QueryCompiler.rows(plan.spec().schema(), plan.spec().filter(), spec);
        this.mapper = mapping.of(query.columns());
    }

    /** The plan of a query for rows as they are, with values in the places of parameters. */
    public static Attempt<RowPlan<Row>> attempt(
            QueryPlan<?, ?> plan, RowSpec spec, Function<Expression.Parameter, Expression> values) {
        return Attempt.of(() -> new RowPlan<>(plan, spec.with(values), RowMapping.ROWS));
    }

    public ClientRuntime runtime() {
        return plan.runtime();
    }

    /** The names of the columns. */
    public List<String> columns() {
        return query.columns().names();
    }

    /** Opens a cursor. */
    public RowCursor<T> open() {
        runtime().checkMayBlock();
        RowBlocks<T> cursor = new RowBlocks<>(query, plan, mapper);
        cursor.start();
        return cursor;
    }

    /** Opens a cursor over values. */
    public ValueCursor openValues() {
        runtime().checkMayBlock();
        ValueBlocks cursor = new ValueBlocks(query, plan);
        cursor.start();
        return cursor;
    }

    /** The number of rows. Bricks count them if there are no groups. */
    public CompletableFuture<Long> countAsync() {
        return query.limit() == 0 ? CompletableFuture.completedFuture(0L) : RowCount.of(query, plan);
    }

    /** All rows, in order. */
    public CompletableFuture<List<T>> toListAsync() {
        List<T> all = new ArrayList<>();
        return Futures.map(forEachAsync(all::add), nothing -> all);
    }

    /** Passes each row to the consumer. */
    public CompletableFuture<Void> forEachAsync(Consumer<? super T> consumer) {
        Consumption<T> consumption = new Consumption<>(consumer);
        subscribe(consumption);
        return consumption.ended;
    }

    /** Passes rows to a subscriber as it asks for them. */
    public void subscribe(Flow.Subscriber<? super T> subscriber) {
        new RowSubscription<T>(query, plan, mapper, subscriber).begin();
    }

    /** Takes all rows; the future's holder may cancel. */
    private static final class Consumption<T> implements Flow.Subscriber<T> {
        private final Consumer<? super T> consumer;
        private final CompletableFuture<Void> ended = new CompletableFuture<>();

        Consumption(Consumer<? super T> consumer) {
            this.consumer = consumer;
        }

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            ended.whenComplete((nothing, failure) -> subscription.cancel());
            subscription.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(T row) {
            if (ended.isDone()) {
                return;
            }
            try {
                consumer.accept(row);
            } catch (Throwable e) { // also errors, because otherwise the future would never end
                ended.completeExceptionally(e);
            }
        }

        @Override
        public void onError(Throwable failure) {
            ended.completeExceptionally(failure);
        }

        @Override
        public void onComplete() {
            ended.complete(null);
        }
    }
}
