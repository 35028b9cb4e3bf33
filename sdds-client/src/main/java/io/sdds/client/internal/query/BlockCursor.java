package io.sdds.client.internal.query;

import io.sdds.client.Cursor;
import io.sdds.client.internal.ClientRuntime;
import io.sdds.client.internal.Failures;
import io.sdds.client.internal.routing.CursorToken;
import io.sdds.client.internal.routing.Failure;
import io.sdds.client.internal.routing.Sweep;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** A cursor over the blocks of a sweep. The loop adds blocks, and one thread of the application takes them. */
final class BlockCursor<K, V> implements Cursor<K, V> {
    private final QueryPlan<K, V> plan;
    private final ClientRuntime runtime;
    private final Sweep sweep;
    private final BlockQueue<Block> blocks = new BlockQueue<>();

    // Only the application's thread uses these fields.
    private final boolean isResumable;
    private @Nullable Records<K, V> current;
    private byte @Nullable [] lastKey;
    private boolean atEnd;
    private boolean closed;
    private long left;

    private record Block(Sweep.Part part, byte[] bytes, boolean hasRecords) {}

    BlockCursor(QueryPlan<K, V> plan) {
        this.plan = plan;
        this.runtime = plan.runtime();
        this.isResumable = false;
        this.left = plan.spec().limit();
        this.sweep = plan.sweep(sink());
    }

    /** A cursor that has a token, and begins behind a key; null: at the beginning. The limit counts from there. */
    BlockCursor(QueryPlan<K, V> plan, byte @Nullable [] behind) {
        this.plan = plan;
        this.runtime = plan.runtime();
        this.isResumable = true;
        this.left = plan.spec().limit();
        this.lastKey = behind;
        this.sweep = plan.sweepBehind(behind, sink());
    }

    /** A cursor that has a token, and begins at the position of another cursor of the same table. */
    BlockCursor(QueryPlan<K, V> plan, CursorToken from, Sweep.Origin origin) {
        this(plan, from.key());
        this.atEnd = from.atEnd();
        this.left = atEnd ? 0 : left;
        sweep.bindTo(origin);
    }

    private Sweep.Sink sink() {
        return new Sweep.Sink() {
            @Override
            public void covered(Sweep.Part part, long count, byte[] records) {
                onCovered(part, records);
            }

            @Override
            public void done() {
                blocks.end(null);
            }

            @Override
            public void failed(Failure why, List<String> missing) {
                blocks.end(Failures.incomplete(why, missing));
            }
        };
    }

    void start() {
        if (left > 0) {
            runtime.startSweep(sweep, plan.spec().timeoutNanos());
        }
    }

    @Override
    public String token() {
        if (!isResumable) {
            throw new IllegalStateException("only a cursor opened as resumable has a token");
        }
        keepLastKey();
        return plan.token(sweep.origin(), atEnd, lastKey).text();
    }

    /** Keeps the key of the record that was given last. */
    private void keepLastKey() {
        if (isResumable && current != null && current.hasGiven()) {
            lastKey = current.lastKey();
        }
    }

    @Override
    public boolean hasNext() {
        while (left > 0 && !closed) {
            if (current != null && current.hasNext()) {
                return true;
            }
            keepLastKey();
            runtime.checkMayBlock();
            Block block = blocks.take();
            if (block == null) {
                atEnd = true;
                return false;
            }
            byte[] all = plan.spec().recordsOf(block.bytes(), block.hasRecords());
            byte[] records = !isResumable ? all : plan.arranged(all, lastKey);
            current = plan.spec().records(records);
            runtime.execute(() -> sweep.resume(block.part()));
        }
        close();
        return false;
    }

    @Override
    public Map.Entry<K, V> next() {
        if (!hasNext() || current == null) {
            throw new NoSuchElementException();
        }
        left--;
        return current.next();
    }

    @Override
    public void close() {
        closed = true;
        keepLastKey();
        current = null;
        if (blocks.close()) {
            runtime.executeIfOpen(sweep::stop);
        }
    }

    private void onCovered(Sweep.Part part, byte[] records) {
        if (records.length == 0) {
            sweep.resume(part);
            return;
        }
        blocks.add(new Block(part, records, part.hasRecords()));
    }
}
