package io.sdds.bench.queries;

import io.sdds.bench.load.Median;
import io.sdds.bench.queries.QueryResult.Cancels;
import io.sdds.client.Row;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.stream.DoubleStream;

/**
 * Cancels queries under way, and measures how long bricks go on with them. A brick answers each request that it had
 * begun, also those of a cancelled query. So the last answer tells when the last brick was free.
 */
final class CancelTimes {
    /** No brick goes on for as long as this. */
    private static final long WATCH_NANOS = 200_000_000;

    /** Part of the time of a whole query at which a query is cancelled, at least and at most. */
    private static final double EARLIEST = 0.2;

    private static final double LATEST = 0.7;
    private static final double HAD_ENDED = -1;
    private static final int WARMUPS = 3;

    private final MeteredClient client;
    private final SplittableRandom random = new SplittableRandom(7);

    CancelTimes(MeteredClient client) {
        this.client = client;
    }

    Cancels run(int count) {
        if (count == 0) {
            return new Cancels(0, 0, 0);
        }
        double[] whole = new double[WARMUPS];
        for (int k = 0; k < WARMUPS; k++) {
            long began = System.nanoTime();
            client.query(all -> QueryRounds.groups(all).toListAsync());
            whole[k] = System.nanoTime() - began;
        }
        double typical = Median.of(whole);
        double[] millis = DoubleStream.generate(() -> one(typical))
                .limit(count)
                .filter(each -> each >= 0)
                .toArray();
        return new Cancels(
                millis.length, Median.of(millis), DoubleStream.of(millis).max().orElse(0));
    }

    /** Milliseconds from a cancel to the last answer; negative if the query had ended. */
    private double one(double wholeNanos) {
        long delay = Math.round(wholeNanos * random.nextDouble(EARLIEST, LATEST));
        CompletableFuture<Double> measured = new CompletableFuture<>();
        client.on(() -> {
            CompletableFuture<List<Row>> query =
                    QueryRounds.groups(client.all()).toListAsync();
            client.env().schedule(delay, () -> {
                if (query.isDone()) {
                    measured.complete(HAD_ENDED);
                    return;
                }
                long cancelled = System.nanoTime();
                query.cancel(false);
                client.env().schedule(WATCH_NANOS, () -> {
                    long late = Math.max(0, client.lastReplyNanos() - cancelled);
                    measured.complete(late / 1e6);
                });
            });
            return measured;
        });
        return measured.join();
    }
}
