package io.sdds.sql.run;

import io.sdds.client.Row;
import io.sdds.sql.error.SqlErrors;
import io.sdds.sql.error.StatementEnd;
import java.util.List;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.calcite.linq4j.Enumerator;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.runtime.CalciteException;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a query as the engine takes them. The client fetches a few blocks ahead and no more. A thread that waits
 * for rows looks now and then whether its statement was cancelled.
 */
final class RowFeed implements Enumerator<@Nullable Object[]>, Flow.Subscriber<Row> {
    /** Rows that may be here before they are taken, if the statement has no fetch size. */
    static final int ROWS_AHEAD = 8_192;

    private record End(@Nullable Throwable failure) {}

    private final LinkedBlockingQueue<Object> rows = new LinkedBlockingQueue<>();
    private final Flow.Publisher<Row> query;
    private final List<RelDataType> types;
    private final Deadline deadline;
    private final int rowsAhead;
    private volatile Flow.@Nullable Subscription subscription;
    private int taken;
    private boolean isBegun;
    private boolean isOver;
    private @Nullable Object[] current = new @Nullable Object[0];

    /**
     * @param query runs the query for each subscription; a query that begins anew is another subscription
     * @param rowsAhead rows that may be here before they are taken
     */
    RowFeed(Flow.Publisher<Row> query, List<RelDataType> types, Deadline deadline, int rowsAhead) {
        this.query = query;
        this.types = types;
        this.deadline = deadline;
        this.rowsAhead = rowsAhead;
    }

    @Override
    public @Nullable Object[] current() {
        return current;
    }

    /** Rows that are here and were not taken. */
    int rowsHeld() {
        return rows.size();
    }

    @Override
    public boolean moveNext() {
        if (isOver) {
            return false;
        }
        Object next = isBegun ? take() : first();
        if (next instanceof End end) {
            isOver = true;
            throwIfFailed(end.failure());
            return false;
        }
        current = ScanRun.converted((Row) next, types);
        askForMore();
        return true;
    }

    /** The first row, or the end. A query that has waited for its turn until the client's timeout begins anew. */
    private Object first() {
        isBegun = true;
        Object next;
        do {
            deadline.call(() -> {
                query.subscribe(this);
                return this;
            });
            next = take();
        } while (next instanceof End end && Deadline.mayBeginAnew(end.failure()));
        return next;
    }

    private Object take() {
        try {
            deadline.check();
            Object next = rows.poll();
            while (next == null) {
                deadline.check();
                next = rows.poll(Deadline.LOOK_MILLIS, TimeUnit.MILLISECONDS);
            }
            return next;
        } catch (StatementEnd end) {
            close();
            throw end;
        } catch (InterruptedException e) {
            close();
            Thread.currentThread().interrupt();
            throw new StatementEnd("the thread was interrupted", SqlErrors.CANCELLED);
        }
    }

    private static void throwIfFailed(@Nullable Throwable failure) {
        if (failure instanceof RuntimeException cause) {
            throw cause;
        }
        if (failure != null) {
            throw new CalciteException(String.valueOf(failure.getMessage()), failure);
        }
    }

    private void askForMore() {
        if (++taken >= rowsAhead / 2) {
            Flow.Subscription open = subscription;
            if (open != null) {
                open.request(taken);
            }
            taken = 0;
        }
    }

    @Override
    public void reset() {
        throw new UnsupportedOperationException("rows are read once");
    }

    @Override
    public void close() {
        isOver = true;
        Flow.Subscription open = subscription;
        if (open != null) {
            open.cancel();
        }
        rows.clear();
    }

    // ---- on the loop of the client

    @Override
    public void onSubscribe(Flow.Subscription made) {
        subscription = made;
        made.request(rowsAhead);
    }

    @Override
    public void onNext(Row row) {
        rows.add(row);
    }

    @Override
    public void onError(Throwable failure) {
        rows.add(new End(failure));
    }

    @Override
    public void onComplete() {
        rows.add(new End(null));
    }
}
