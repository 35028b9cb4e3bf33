package io.sdds.client.internal.query;

import io.sdds.client.SddsException;
import io.sdds.client.internal.ClientRuntime;
import org.jspecify.annotations.Nullable;

/** The blocks of rows of a query that has begun. The loop adds blocks, and one thread of the application takes them. */
final class ArrivedBlocks implements RowFeed.Receiver {
    private final ClientRuntime runtime;
    private final RowFeed feed;
    private final BlockQueue<RowFeed.Block> blocks = new BlockQueue<>();
    private volatile boolean closed;

    @SuppressWarnings("this-escape")
    ArrivedBlocks(CompiledQuery query, QueryPlan<?, ?> plan) {
        this.runtime = plan.runtime();
        this.feed = new RowFeed(query, plan, this);
    }

    /** Begins the query. */
    void start() {
        feed.start();
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

    /**
     * Waits for the next block; null: there are no more.
     *
     * @throws IllegalStateException when the call would wait on the client's event loop
     * @throws SddsException the failure that ended the query
     */
    RowFeed.@Nullable Block take() {
        runtime.checkMayBlock();
        return blocks.take();
    }

    /** Lets further rows come in the place of those of a block that was read. */
    void taken(RowFeed.Block block) {
        feed.taken(block);
    }

    boolean isClosed() {
        return closed;
    }

    /** Ends the query. Any thread may call, also more than once. */
    void close() {
        closed = true;
        if (blocks.close()) {
            feed.stop();
        }
    }
}
