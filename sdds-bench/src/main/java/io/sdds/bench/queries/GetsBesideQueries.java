package io.sdds.bench.queries;

import io.sdds.bench.load.LoadException;
import io.sdds.bench.load.LoadResult;
import io.sdds.bench.load.PacedGets;
import io.sdds.bench.queries.QueryResult.Gets;
import io.sdds.bench.queries.QueryResult.Pair;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Measures what queries cost those who get records from the same bricks: the p99 of gets at half of saturation, without
 * and with the filter query of {@link QueryRounds}, which begins anew when it has ended.
 */
final class GetsBesideQueries {
    private final PacedGets gets;
    private final MeteredClient client;

    GetsBesideQueries(PacedGets gets, MeteredClient client) {
        this.gets = gets;
        this.client = client;
    }

    Gets run(Duration warmup, Duration duration, int pairs) throws InterruptedException {
        double saturation = gets.saturation(warmup, duration);
        long rate = Math.max(1, Math.round(saturation / 2));
        List<Pair> all = new ArrayList<>();
        pair(rate, duration.dividedBy(2), true); // the code of both runs is compiled
        for (int k = 0; k < pairs; k++) {
            all.add(pair(rate, duration, k % 2 == 0));
        }
        return Gets.of(saturation, rate, all);
    }

    private Pair pair(long rate, Duration duration, boolean quietFirst) throws InterruptedException {
        LoadResult quiet = quietFirst ? gets.paced(rate, duration) : null;
        Repeated repeated = new Repeated();
        repeated.start();
        LoadResult beside;
        try {
            beside = gets.paced(rate, duration);
        } finally {
            repeated.stop();
        }
        if (quiet == null) {
            quiet = gets.paced(rate, duration);
        }
        requireSound(quiet);
        requireSound(beside);
        return new Pair(quiet.latency(), beside.latency(), repeated.perSecond());
    }

    private static void requireSound(LoadResult result) {
        if (!result.isSound()) {
            throw new LoadException("gets have failed: " + result.firstTrouble());
        }
    }

    /** A query that begins anew when it has ended. */
    private final class Repeated {
        private final CompletableFuture<Void> ended = new CompletableFuture<>();
        private final long beganNanos = System.nanoTime();
        private long stoppedNanos;
        private long count;
        private boolean stopped;

        void start() {
            client.env().execute(this::begin);
        }

        private void begin() {
            QueryRounds.filter(client.all()).toListAsync().whenComplete((rows, failure) -> next(failure));
        }

        private void next(@Nullable Throwable failure) {
            count++;
            if (failure != null) {
                ended.completeExceptionally(failure);
            } else if (stopped) {
                ended.complete(null);
            } else {
                client.env().execute(this::begin);
            }
        }

        void stop() {
            client.on(() -> {
                stopped = true;
                stoppedNanos = System.nanoTime();
                return ended;
            });
        }

        double perSecond() {
            return count * 1e9 / (stoppedNanos - beganNanos);
        }
    }
}
