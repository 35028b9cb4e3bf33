package io.sdds.client.internal.query;

import io.sdds.client.PartialResult;
import io.sdds.client.SddsException;
import io.sdds.client.UnavailableException;
import io.sdds.client.internal.ClientRuntime;
import io.sdds.client.internal.Failures;
import io.sdds.client.internal.routing.Failure;
import io.sdds.client.internal.routing.ScatterSweep;
import io.sdds.client.internal.routing.Sweep;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Passes the results of a query to a consumer as they come: on the loop, or on the application's executor, where also
 * only one block runs at a time. The future completes on the loop.
 */
final class Delivery<K, V> implements Sweep.Sink {
    private final QuerySpec<K, V> spec;
    private final ClientRuntime runtime;
    private final Consumer<? super Map.Entry<K, V>> consumer;
    private final boolean onExecutor;
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final Sweep sweep;

    /**
     * Number of records still wanted. Only the thread that runs the consumer changes it, and one thread runs at a time.
     */
    private volatile long left;

    // Used on the loop, and only with an executor: the blocks that wait while the consumer is busy, and the end of the
    // sweep that came meanwhile.
    private final ArrayDeque<Block> waiting = new ArrayDeque<>();
    private boolean busy;
    private @Nullable Runnable end;

    private record Block(Sweep.Part part, byte[] bytes, boolean hasRecords) {}

    /** @param made makes the sweep that delivers into a sink */
    Delivery(QuerySpec<K, V> spec, Function<Sweep.Sink, Sweep> made, Consumer<? super Map.Entry<K, V>> consumer) {
        this(spec, made, consumer, spec.runtime().hasExecutor());
    }

    /** @param onExecutor whether the consumer is code of the application and so runs on its executor */
    Delivery(
            QuerySpec<K, V> spec,
            Function<Sweep.Sink, Sweep> made,
            Consumer<? super Map.Entry<K, V>> consumer,
            boolean onExecutor) {
        this.spec = spec;
        this.runtime = spec.runtime();
        this.consumer = consumer;
        this.onExecutor = onExecutor;
        this.left = spec.limit();
        this.sweep = made.apply(this);
    }

    /** Begins the query. When the future ends, also when its holder cancels it, the sweep sends no more requests. */
    CompletableFuture<Void> start() {
        if (left == 0) {
            ended.complete(null);
            return ended;
        }
        ended.whenComplete((nothing, failure) -> runtime.executeIfOpen(sweep::stop));
        try {
            runtime.startSweep(sweep, spec.timeoutNanos());
        } catch (SddsException e) {
            ended.completeExceptionally(e);
        }
        return ended;
    }

    /** The result of a query that ends after a time. */
    PartialResult partialResult() {
        if (!(sweep instanceof ScatterSweep scatter)) {
            throw new IllegalStateException("only a query that ends with a time may leave something out");
        }
        return new PartialResult(spec.limit() - left, left == 0 || scatter.isComplete(), scatter.left());
    }

    @Override
    public void covered(Sweep.Part part, long count, byte[] block) {
        Block next = new Block(part, block, part.hasRecords());
        if (!onExecutor) {
            onConsumed(part, consume(next));
        } else if (busy) {
            waiting.add(next);
        } else {
            hand(next);
        }
    }

    /**
     * Gives a block to the application's executor; the next block goes there when the consumer is done with this one.
     */
    private void hand(Block block) {
        busy = true;
        runtime.runCallback(() -> {
            Throwable failure = consume(block);
            try {
                runtime.execute(() -> onHandedBack(block.part(), failure));
            } catch (UnavailableException e) { // the loop has ended, so that only this thread can end the future
                ended.completeExceptionally(failure == null ? e : failure);
            }
        });
    }

    private void onHandedBack(Sweep.Part part, @Nullable Throwable failure) {
        busy = false;
        onConsumed(part, failure);
        if (busy || ended.isDone()) {
            return;
        }
        Block next = waiting.poll();
        if (next != null) {
            hand(next);
        } else if (end != null) {
            end.run();
        }
    }

    /** Passes the records of a block to the consumer. Returns the exception of the consumer or of a codec, or null. */
    private @Nullable Throwable consume(Block block) {
        long wanted = left;
        try {
            Records<K, V> records = spec.records(spec.recordsOf(block.bytes(), block.hasRecords()));
            for (; wanted > 0 && !ended.isDone() && records.hasNext(); wanted--) {
                consumer.accept(records.next());
            }
            return null;
        } catch (Throwable e) { // also errors, because otherwise the future would never end
            return e;
        } finally {
            left = wanted;
        }
    }

    private void onConsumed(Sweep.Part part, @Nullable Throwable failure) {
        if (failure != null) {
            ended.completeExceptionally(failure);
        } else if (left == 0) {
            ended.complete(null);
        }
        if (!ended.isDone()) {
            sweep.resume(part);
        }
    }

    @Override
    public void done() {
        end(() -> ended.complete(null));
    }

    @Override
    public void failed(Failure failure, List<String> missing) {
        end(() -> ended.completeExceptionally(Failures.incomplete(failure, missing)));
    }

    /** Ends the future after the consumer has got all blocks that have come. */
    private void end(Runnable how) {
        if (busy) {
            end = how;
        } else {
            how.run();
        }
    }
}
