package io.sdds.bench.load;

import io.sdds.bench.load.LoadProgress.Step;
import io.sdds.client.Codec;
import io.sdds.client.SddsClient;
import io.sdds.client.SddsException;
import io.sdds.client.TableOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.IntFunction;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Measures how long a cluster takes to create and to drop tables: first one table after the other, then many tables at
 * once. None of these requests must fail.
 */
public final class TableChanges {
    private static final int DIGITS = 3;

    private final SddsClient client;
    private final TableOptions options;
    private final String prefix;
    private final LoadProgress.Listener listener;

    private TableChanges(SddsClient client, TableOptions options, String prefix, LoadProgress.Listener listener) {
        this.client = client;
        this.options = options;
        this.prefix = prefix;
        this.listener = listener;
    }

    /** Creates and drops hash tables. */
    public static TableChangesResult run(
            SddsClient client, TableOptions options, TableChangesSettings settings, LoadProgress.Listener listener) {
        return new TableChanges(client, options, settings.table(), listener).run(settings.rounds(), settings.atOnce());
    }

    private TableChangesResult run(int inTurn, int atOnce) {
        Machine machine = Machine.here();
        Histogram creations = new Histogram(DIGITS);
        Histogram drops = new Histogram(DIGITS);
        for (int k = 0; k < inTurn; k++) {
            listener.progressed(new LoadProgress(Step.MEASURE, (double) k / inTurn, 0));
            creations.recordValue(nanosOf(create(k)));
            drops.recordValue(nanosOf(drop(k)));
        }
        return new TableChangesResult(
                machine,
                Latency.of(creations),
                Latency.of(drops),
                atOnce("create", atOnce, this::create),
                atOnce("drop", atOnce, this::drop));
    }

    private static long nanosOf(CompletableFuture<?> change) {
        long start = System.nanoTime();
        change.join();
        return System.nanoTime() - start;
    }

    private CompletableFuture<?> create(int number) {
        return client.createHashTableAsync(name(number), options, Codec.bytes(), Codec.bytes());
    }

    private CompletableFuture<?> drop(int number) {
        return client.dropTableAsync(name(number));
    }

    private String name(int number) {
        return prefix + "-" + number;
    }

    private TableChangesResult.AtOnce atOnce(String name, int count, IntFunction<CompletableFuture<?>> change) {
        long start = System.nanoTime();
        List<CompletableFuture<?>> changes = new ArrayList<>();
        for (int k = 0; k < count; k++) {
            changes.add(change.apply(k));
        }
        FailureCounters failures = new FailureCounters();
        changes.stream().map(TableChanges::failureOf).forEach(failure -> {
            if (failure != null) {
                failures.add(failure);
            }
        });
        double seconds = (System.nanoTime() - start) / 1e9;
        return new TableChangesResult.AtOnce(
                name,
                count,
                seconds,
                failures.counts().total(),
                failures.counts().first());
    }

    private static @Nullable SddsException failureOf(CompletableFuture<?> change) {
        try {
            change.join();
            return null;
        } catch (CompletionException e) {
            if (e.getCause() instanceof SddsException failure) {
                return failure;
            }
            throw e;
        }
    }
}
