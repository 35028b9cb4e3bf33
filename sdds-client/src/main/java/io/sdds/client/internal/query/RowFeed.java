package io.sdds.client.internal.query;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.sdds.client.SddsException;
import io.sdds.client.internal.ClientRuntime;
import io.sdds.client.internal.Failures;
import io.sdds.client.internal.routing.Failure;
import io.sdds.client.internal.routing.Sweep;
import io.sdds.core.query.TupleCodec;
import io.sdds.core.row.Schema;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runs a compiled query as a sweep, and passes its rows to a receiver in blocks: as they come, or, of groups and of
 * rows in an order, all in one block at the end. A block counts once, because the steps of a sweep tile the table
 * (docs/design/scans.md, rule 17).
 */
final class RowFeed implements Sweep.Sink {
    /** Takes the rows; called on the loop. */
    interface Receiver {
        /** Rows have come. No further ones of their part come before {@link RowFeed#taken}. */
        void rows(Block block);

        /** All rows have come. */
        void done();

        /** The query has failed. */
        void failed(SddsException failure);
    }

    /** Some rows of the result, which are read by the thread that takes them. */
    static final class Block {
        private final Schema schema;
        private final CompiledQuery query;
        private final Sweep.@Nullable Part part;
        private final byte[] bytes;
        private final boolean hasRecords;
        private final List<List<byte @Nullable []>> merged;

        private Block(
                Schema schema,
                CompiledQuery query,
                Sweep.@Nullable Part part,
                byte[] bytes,
                boolean hasRecords,
                List<List<byte @Nullable []>> merged) {
            this.schema = schema;
            this.query = query;
            this.part = part;
            this.bytes = bytes;
            this.hasRecords = hasRecords;
            this.merged = merged;
        }

        /** @throws SddsException when the rows cannot be read or computed */
        List<TupleRow> rows() {
            List<List<byte @Nullable []>> tuples =
                    part == null ? merged : new Tuples(schema, query.program()).of(bytes, hasRecords);
            int first = query.order().size();
            List<TupleRow> rows = new ArrayList<>(tuples.size());
            for (List<byte @Nullable []> tuple : tuples) {
                rows.add(new TupleRow(query.columns(), first == 0 ? tuple : tuple.subList(first, tuple.size())));
            }
            return rows;
        }

        /**
         * The rows as bytes ({@link TupleCodec}), which are not checked.
         *
         * @throws SddsException when the rows cannot be computed
         */
        byte[] tuples() {
            if (part != null && !hasRecords) {
                return bytes;
            }
            TupleCodec codec = new TupleCodec(query.columns().types());
            ByteBuf out = Unpooled.buffer();
            rows().forEach(row -> codec.write(row.values(), out));
            return ByteBufUtil.getBytes(out);
        }
    }

    private final Schema schema;
    private final CompiledQuery query;
    private final QueryPlan<?, ?> plan;
    private final ClientRuntime runtime;
    private final Receiver receiver;
    private final Tuples tuples;
    private final RowMerge merge;
    private final Sweep sweep;

    @SuppressWarnings("this-escape")
    RowFeed(CompiledQuery query, QueryPlan<?, ?> plan, Receiver receiver) {
        this.schema = plan.spec().schema();
        this.query = query;
        this.plan = plan;
        this.runtime = plan.runtime();
        this.receiver = receiver;
        this.tuples = new Tuples(schema, query.program());
        this.merge = new RowMerge(query, MemoryBound.BYTES_MAX);
        this.sweep = plan.sweep(query, this);
    }

    /**
     * Begins the sweep.
     *
     * @throws SddsException when the window stays full or the client is closed
     */
    void start() {
        runtime.startSweep(sweep, plan.spec().timeoutNanos());
    }

    /** Asks for nothing more. Any thread may call. */
    void stop() {
        runtime.executeIfOpen(sweep::stop);
    }

    /** The rows of a block were taken. Any thread may call. */
    void taken(Block block) {
        Sweep.Part part = block.part;
        if (part != null) {
            runtime.execute(() -> sweep.resume(part));
        }
    }

    @Override
    public void covered(Sweep.Part part, long count, byte[] block) {
        if (block.length == 0) {
            sweep.resume(part);
        } else if (query.streams()) {
            receiver.rows(new Block(schema, query, part, block, part.hasRecords(), List.of()));
        } else if (guarded(() -> merge(block, part.hasRecords()))) {
            sweep.resume(part);
        }
    }

    private void merge(byte[] block, boolean hasRecords) {
        if (hasRecords || !merge.addAll(block)) {
            merge.add(tuples.of(block, hasRecords));
        }
        byte[] bound = merge.bound();
        if (bound != null) {
            sweep.bound(bound);
        }
    }

    /** Does a step of merging. Returns false after the step has failed, and with it the query. */
    private boolean guarded(Runnable step) {
        try {
            step.run();
            return true;
        } catch (SddsException e) {
            sweep.stop();
            receiver.failed(e);
            return false;
        }
    }

    @Override
    public void done() {
        if (query.streams()) {
            receiver.done();
        } else if (guarded(() -> receiver.rows(new Block(schema, query, null, new byte[0], false, merge.rows())))) {
            receiver.done();
        }
    }

    @Override
    public void failed(Failure failure, List<String> missing) {
        receiver.failed(Failures.incomplete(failure, missing));
    }
}
