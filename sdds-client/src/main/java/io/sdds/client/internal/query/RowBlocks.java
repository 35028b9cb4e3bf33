package io.sdds.client.internal.query;

import io.sdds.client.Row;
import io.sdds.client.RowCursor;
import io.sdds.client.SddsException;
import io.sdds.client.internal.ClientRuntime;
import java.util.Collections;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A cursor over the rows of a query. The loop adds blocks, and one thread of the application takes them. */
final class RowBlocks<T> implements RowCursor<T>, RowFeed.Receiver {
    private final ClientRuntime runtime;
    private final Function<? super Row, ? extends T> mapper;
    private final RowFeed feed;
    private final BlockQueue<RowFeed.Block> blocks = new BlockQueue<>();

    // Only the application's thread uses these fields, but that any thread may close the cursor.
    private Iterator<TupleRow> current = Collections.emptyIterator();
    private long left;
    private volatile boolean closed;

    @SuppressWarnings("this-escape")
    RowBlocks(CompiledQuery query, QueryPlan<?, ?> plan, Function<? super Row, ? extends T> mapper) {
        this.runtime = plan.runtime();
        this.mapper = mapper;
        this.left = query.limit();
        this.feed = new RowFeed(query, plan, this);
    }

    void start() {
        if (left > 0) {
            feed.start();
        }
    }

    @Override
    public void rows(RowFeed.Block block) {
        blocks.add(block);
    }

    @Override
    public void done() {
        blocks.end(null);
    }

    @Override
    public void failed(SddsException failure) {
        blocks.end(failure);
    }

    @Override
    public boolean hasNext() {
        while (left > 0 && !closed) {
            if (current.hasNext()) {
                return true;
            }
            runtime.checkMayBlock();
            RowFeed.@Nullable Block block = blocks.take();
            if (block == null) {
                return false;
            }
            current = block.rows().iterator();
            feed.taken(block);
        }
        close();
        return false;
    }

    @Override
    public T next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        left--;
        return mapper.apply(current.next());
    }

    @Override
    public void close() {
        closed = true;
        if (blocks.close()) {
            feed.stop();
        }
    }
}
