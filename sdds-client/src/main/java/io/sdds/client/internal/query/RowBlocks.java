package io.sdds.client.internal.query;

import io.sdds.client.Row;
import io.sdds.client.RowCursor;
import java.util.Collections;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A cursor over the rows of a query. */
final class RowBlocks<T> implements RowCursor<T> {
    private final Function<? super Row, ? extends T> mapper;
    private final ArrivedBlocks blocks;

    // Only the application's thread uses these fields.
    private Iterator<TupleRow> current = Collections.emptyIterator();
    private long left;

    RowBlocks(CompiledQuery query, QueryPlan<?, ?> plan, Function<? super Row, ? extends T> mapper) {
        this.mapper = mapper;
        this.left = query.limit();
        this.blocks = new ArrivedBlocks(query, plan);
    }

    void start() {
        if (left > 0) {
            blocks.start();
        }
    }

    @Override
    public boolean hasNext() {
        while (left > 0 && !blocks.isClosed()) {
            if (current.hasNext()) {
                return true;
            }
            RowFeed.@Nullable Block block = blocks.take();
            if (block == null) {
                return false;
            }
            current = block.rows().iterator();
            blocks.taken(block);
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
        blocks.close();
    }
}
