package io.sdds.client.internal.query;

import io.sdds.client.Row;
import io.sdds.client.SddsException;
import io.sdds.client.UnavailableException;
import io.sdds.client.internal.ClientRuntime;
import java.util.Collections;
import java.util.Iterator;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Passes the rows of a query to a subscriber as it asks for them: on the loop, or on the executor for callbacks.
 *
 * <p>Whoever changes something that the delivery depends on (a block, the end, demand, cancellation) counts a turn. The
 * one that counts the first turn begins the delivery, which goes on until it has seen all turns. So the subscriber is
 * called by one thread at a time.
 */
final class RowSubscription<T> implements Flow.Subscription, RowFeed.Receiver {
    private static final Logger log = LoggerFactory.getLogger(RowSubscription.class);

    private final ClientRuntime runtime;
    private final Function<? super Row, ? extends T> mapper;
    private final Flow.Subscriber<? super T> subscriber;
    private final long limit;
    private final RowFeed feed;
    private final AtomicInteger turns = new AtomicInteger(1); // the turn of begin()
    private final AtomicLong demand = new AtomicLong();
    private final AtomicBoolean started = new AtomicBoolean();
    private final Queue<RowFeed.Block> blocks = new ConcurrentLinkedQueue<>();
    private volatile boolean cancelled;
    private volatile boolean ended;
    private volatile @Nullable Throwable failure;

    // Used by the delivery.
    private Iterator<TupleRow> current = Collections.emptyIterator();
    private RowFeed.@Nullable Block taking;
    private long left;
    private boolean over;

    @SuppressWarnings("this-escape")
    RowSubscription(
            CompiledQuery query,
            QueryPlan<?, ?> plan,
            Function<? super Row, ? extends T> mapper,
            Flow.Subscriber<? super T> subscriber) {
        this.runtime = plan.runtime();
        this.mapper = mapper;
        this.subscriber = subscriber;
        this.limit = query.limit();
        this.left = limit;
        this.feed = new RowFeed(query, plan, this);
    }

    /** Introduces itself to the subscriber. The bricks are asked when the subscriber asks first. */
    void begin() {
        subscriber.onSubscribe(this);
        handOver();
    }

    // ---- from the subscriber

    @Override
    public void request(long rows) {
        if (rows <= 0) {
            end(new IllegalArgumentException("a request for " + rows + " rows is not positive"));
            return;
        }
        demand.accumulateAndGet(rows, (had, more) -> had + more < 0 ? Long.MAX_VALUE : had + more);
        if (limit > 0 && !cancelled && started.compareAndSet(false, true)) {
            try {
                feed.start();
            } catch (SddsException | IllegalStateException e) {
                end(e);
                return;
            }
        }
        turn();
    }

    @Override
    public void cancel() {
        cancelled = true;
        feed.stop();
        turn();
    }

    // ---- from the feed

    @Override
    public void rows(RowFeed.Block block) {
        blocks.add(block);
        turn();
    }

    @Override
    public void done() {
        ended = true;
        turn();
    }

    @Override
    public void failed(SddsException why) {
        end(why);
    }

    private void end(Throwable why) {
        failure = why;
        ended = true;
        turn();
    }

    // ---- delivery

    private void turn() {
        if (turns.getAndIncrement() == 0) {
            handOver();
        }
    }

    /** Begins the delivery where the subscriber's code runs. */
    private void handOver() {
        if (runtime.hasExecutor()) {
            runtime.runCallback(this::deliver);
        } else {
            try {
                runtime.execute(this::deliver);
            } catch (UnavailableException e) { // the loop has ended, and the subscriber must hear of it
                deliver();
            }
        }
    }

    private void deliver() {
        int seen = turns.get();
        do {
            try {
                deliverAll();
            } catch (Throwable e) { // of the subscriber, which must not throw: nothing more goes to it
                log.error("a subscriber failed", e);
                finish();
            }
            seen = turns.addAndGet(-seen);
        } while (seen != 0);
    }

    private void deliverAll() {
        while (!over) {
            boolean isEnd = ended;
            if (cancelled) {
                finish();
            } else if (left == 0) {
                finish();
                subscriber.onComplete();
            } else if (failure instanceof IllegalArgumentException e) {
                fail(e);
            } else if (current.hasNext()) {
                if (demand.get() == 0) {
                    return;
                }
                give();
            } else if (!nextBlock()) {
                if (isEnd) {
                    end();
                }
                return;
            }
        }
    }

    private void give() {
        T row;
        try {
            row = mapper.apply(current.next());
        } catch (Throwable e) {
            fail(e);
            return;
        }
        left--;
        demand.updateAndGet(had -> had == Long.MAX_VALUE ? had : had - 1);
        subscriber.onNext(row);
    }

    /** Goes on with the next block. Returns false if there is none. */
    private boolean nextBlock() {
        try {
            if (taking != null) {
                feed.taken(taking);
                taking = null;
            }
            taking = blocks.poll();
            current = taking == null ? current : taking.rows().iterator();
            return taking != null;
        } catch (SddsException e) {
            fail(e);
            return true;
        }
    }

    private void end() {
        Throwable why = failure;
        if (why == null) {
            finish();
            subscriber.onComplete();
        } else {
            fail(why);
        }
    }

    private void fail(Throwable why) {
        finish();
        subscriber.onError(why);
    }

    private void finish() {
        over = true;
        current = Collections.emptyIterator();
        taking = null;
        blocks.clear();
        feed.stop();
    }
}
