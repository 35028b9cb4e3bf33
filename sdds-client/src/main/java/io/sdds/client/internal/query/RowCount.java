package io.sdds.client.internal.query;

import io.sdds.client.SddsException;
import io.sdds.client.internal.Futures;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.ToLongFunction;

/** Counts the rows of a query. */
final class RowCount implements RowFeed.Receiver {
    private final CompletableFuture<Long> total = new CompletableFuture<>();
    private final ToLongFunction<List<TupleRow>> counted;
    private long sum;

    private RowCount(ToLongFunction<List<TupleRow>> counted) {
        this.counted = counted;
    }

    /**
     * The number of rows, at most the limit. Bricks count the rows if there are no groups. After the future is
     * cancelled, the query sends no more requests.
     */
    static CompletableFuture<Long> of(CompiledQuery query, QueryPlan<?, ?> plan) {
        boolean bricksCount = query.finish() == null;
        RowCount count = new RowCount(bricksCount ? rows -> rows.get(0).getLong(0) : List::size);
        RowFeed feed = new RowFeed(bricksCount ? query.counting() : query, plan, count);
        count.total.whenComplete((sum, failure) -> feed.stop());
        try {
            feed.start();
        } catch (SddsException e) {
            count.total.completeExceptionally(e);
        }
        return Futures.map(count.total, sum -> Math.min(sum, query.limit()));
    }

    @Override
    public void rows(RowFeed.Block block) {
        sum += counted.applyAsLong(block.rows());
    }

    @Override
    public void done() {
        total.complete(sum);
    }

    @Override
    public void failed(SddsException failure) {
        total.completeExceptionally(failure);
    }
}
