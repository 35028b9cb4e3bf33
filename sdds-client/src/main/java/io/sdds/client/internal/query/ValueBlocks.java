package io.sdds.client.internal.query;

import org.jspecify.annotations.Nullable;

/** A cursor over the values of the rows of a query, in the blocks that have come. */
final class ValueBlocks extends TupleValues {
    private final ArrivedBlocks blocks;

    // Only the application's thread uses these fields.
    private byte[] current = new byte[0];
    private int end;
    private long left;

    ValueBlocks(CompiledQuery query, QueryPlan<?, ?> plan) {
        super(query.columns().types());
        this.left = query.limit();
        this.blocks = new ArrivedBlocks(query, plan);
    }

    void start() {
        if (left > 0) {
            blocks.start();
        }
    }

    @Override
    public boolean next() {
        while (left > 0 && !blocks.isClosed()) {
            if (end < current.length) {
                end = goTo(current, end);
                left--;
                return true;
            }
            RowFeed.@Nullable Block block = blocks.take();
            if (block == null) {
                return false;
            }
            current = block.tuples();
            end = 0;
            blocks.taken(block);
        }
        close();
        return false;
    }

    @Override
    public void close() {
        blocks.close();
    }
}
