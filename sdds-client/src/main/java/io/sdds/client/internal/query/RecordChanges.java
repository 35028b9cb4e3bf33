package io.sdds.client.internal.query;

import io.sdds.client.Callback;
import io.sdds.client.ChangeCount;
import io.sdds.client.IncompleteChangeException;
import io.sdds.client.SddsException;
import io.sdds.client.internal.Batch;
import io.sdds.client.internal.ClientRuntime;
import io.sdds.client.internal.Codecs;
import io.sdds.client.internal.Failures;
import io.sdds.client.internal.Futures;
import io.sdds.client.internal.Requests;
import io.sdds.client.internal.TableContext;
import io.sdds.client.internal.query.lang.BoundText;
import io.sdds.client.internal.query.lang.Expression;
import io.sdds.client.internal.routing.Failure;
import io.sdds.client.internal.routing.Sweep;
import io.sdds.core.row.Schema;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Changes or removes the records that a query finds. Runs on the loop. */
public final class RecordChanges extends Batch<Boolean> implements Sweep.Sink {
    /*
     * A sweep finds keys. Each key gets an UPDATE of its own, whose program has the conditions of the query, so that
     * the brick sees at the write whether the record still meets them. The sweep asks for the next block of a part when
     * all records of the last one are changed. So the keys of a few blocks wait here, whatever the size of the table. A
     * sweep visits each record once (rule 17), and an UPDATE takes effect once, so a record is changed once.
     */

    private static final Logger log = LoggerFactory.getLogger(RecordChanges.class);

    private final ClientRuntime runtime;
    private final QuerySpec<?, Void> spec;
    private final TableContext<?, ?> context;
    private final Schema schema;
    private final byte[] program;
    private final Consumer<? super ChangeCount> progress;
    private final Sweep sweep;

    /** The keys that are not changed yet, by the index of their operation. */
    private final Map<Integer, Found> found = new HashMap<>();

    private int indexes;
    private long left;
    private long changed;
    private long skipped;
    private boolean hasUnknown;

    /** A key whose record is to be changed. */
    private record Found(byte[] key, Step step) {}

    /** The keys of one answer. */
    private static final class Step {
        private final Sweep.Part part;
        private int left;

        Step(Sweep.Part part, int keys) {
            this.part = part;
            this.left = keys;
        }
    }

    @SuppressWarnings("this-escape")
    private RecordChanges(
            QueryPlan<?, Void> keys, Schema schema, byte[] program, Consumer<? super ChangeCount> progress) {
        super(keys.runtime(), keys.spec().timeoutNanos());
        this.runtime = keys.runtime();
        this.spec = keys.spec();
        this.context = spec.context();
        this.schema = schema;
        this.program = program;
        this.progress = progress;
        this.left = spec.limit();
        this.sweep = keys.unorderedSweep(this);
    }

    /**
     * Changes the records of a query.
     *
     * @param assignments null: the records are removed
     * @param progress hears what was changed so far, where callbacks run
     * @throws IllegalArgumentException with one line that names the text, the position in it and what is wrong
     */
    public static CompletableFuture<ChangeCount> of(
            QueryPlan<?, ?> plan, @Nullable BoundText assignments, Consumer<? super ChangeCount> progress) {
        QuerySpec<?, ?> spec = plan.spec();
        Schema schema = spec.schema();
        List<Expression> conditions = QueryCompiler.conditions(spec.filter(), spec.where());
        byte[] program =
                new UpdateTree(QueryCompiler.WHERE, conditions, UpdatePrograms.parsed(assignments)).program(schema);
        RecordChanges changes = new RecordChanges(plan.keys(), schema, program, progress);
        CompletableFuture<ChangeCount> counted = new CompletableFuture<>();
        if (spec.limit() == 0) {
            counted.complete(changes.count());
            return counted;
        }
        CompletableFuture<Void> ended = changes.start();
        ended.whenComplete((nothing, failure) -> {
            plan.runtime().executeIfOpen(changes.sweep::stop);
            if (failure == null) {
                counted.complete(changes.count());
            } else {
                counted.completeExceptionally(changes.failure(Futures.unwrapped(failure)));
            }
        });
        counted.whenComplete((count, failure) -> {
            if (counted.isCancelled()) {
                ended.cancel(false);
            }
        });
        try {
            plan.runtime().startSweep(changes.sweep, spec.timeoutNanos());
        } catch (SddsException e) {
            ended.completeExceptionally(e);
        }
        return counted;
    }

    private ChangeCount count() {
        return new ChangeCount(changed, skipped);
    }

    private Throwable failure(Throwable why) {
        if (!(why instanceof SddsException cause) || changed == 0 && !hasUnknown) {
            return why;
        }
        return new IncompleteChangeException(
                cause.getMessage() + "; " + changed
                        + (changed == 1 ? " other record was changed" : " other records were changed")
                        + (hasUnknown ? ", and more may have been" : ""),
                count(),
                hasUnknown,
                cause);
    }

    // ---- finding

    @Override
    public void covered(Sweep.Part part, long count, byte[] block) {
        List<byte[]> keys;
        try {
            keys = keys(spec.recordsOf(block, part.hasRecords()));
        } catch (SddsException e) {
            sweep.stop();
            fail(e);
            return;
        }
        if (keys.isEmpty()) {
            sweep.resume(part);
            return;
        }
        Step step = new Step(part, keys.size());
        keys.forEach(key -> found.put(indexes++, new Found(key, step)));
        left -= keys.size();
        if (left == 0) {
            sweep.stop();
        }
        more(keys.size());
        if (left == 0) {
            close();
        }
    }

    /** The keys of a block, at most as many as are wanted. */
    private List<byte[]> keys(byte[] block) {
        Records<byte[], byte[]> records =
                new Records<>(block, spec.part(), schema, Codecs.BYTES, ValueReader.of(Codecs.BYTES));
        List<byte[]> keys = new ArrayList<>();
        while (keys.size() < left && records.hasNext()) {
            keys.add(records.next().getKey());
        }
        return keys;
    }

    @Override
    public void done() {
        close();
    }

    @Override
    public void failed(Failure failure, List<String> missing) {
        fail(Failures.incomplete(failure, missing));
    }

    // ---- changing

    @Override
    protected Requests.Typed<Boolean> operation(int index, Callback<Boolean> callback) {
        return context.update(Objects.requireNonNull(found.get(index)).key(), program, schema, callback);
    }

    @Override
    protected void answered(int index, @Nullable Boolean isChanged) {
        if (Boolean.TRUE.equals(isChanged)) {
            changed++;
        } else {
            skipped++;
        }
        Step step = Objects.requireNonNull(found.remove(index)).step();
        if (--step.left == 0) {
            tellProgress();
            sweep.resume(step.part);
        }
    }

    @Override
    protected void onFailed(SddsException why) {
        hasUnknown |= why.isOutcomeUnknown();
        sweep.stop();
    }

    private void tellProgress() {
        ChangeCount count = count();
        runtime.runCallback(() -> {
            try {
                progress.accept(count);
            } catch (RuntimeException e) {
                log.error("a consumer of progress failed", e);
            }
        });
    }
}
