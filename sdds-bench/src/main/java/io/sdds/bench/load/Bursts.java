package io.sdds.bench.load;

import io.sdds.bench.load.LoadProgress.Step;
import io.sdds.client.Callback;
import io.sdds.client.ClientStatistics;
import io.sdds.client.SddsClient;
import io.sdds.client.SddsException;
import io.sdds.client.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Measures bursts: an application begins very many operations without waiting for any, or has very many threads that
 * each wait for their own. None must fail. The first burst puts the records by a client that has sent nothing yet; then
 * the client gets all records, and puts them again.
 */
public final class Bursts {
    private static final long SECOND_NANOS = 1_000_000_000L;

    private final BurstSettings settings;
    private final SddsClient client;
    private final Table<byte[], byte[]> table;
    private final @Nullable PacedProbe beside;
    private final LoadProgress.Listener listener;
    private final Dataset data;

    private Bursts(
            BurstSettings settings,
            SddsClient client,
            Table<byte[], byte[]> table,
            @Nullable PacedProbe beside,
            LoadProgress.Listener listener) {
        this.settings = settings;
        this.client = client;
        this.table = table;
        this.beside = beside;
        this.listener = listener;
        this.data = new Dataset(
                settings.operations(),
                settings.valueBytes(),
                LoadSettings.defaults().seed());
    }

    /**
     * Runs the bursts.
     *
     * @param client that opened the table, and has done nothing else
     * @param table an empty table
     * @param beside the other client; null: none
     */
    public static BurstResult run(
            BurstSettings settings,
            SddsClient client,
            Table<byte[], byte[]> table,
            @Nullable PacedProbe beside,
            LoadProgress.Listener listener)
            throws InterruptedException {
        Machine machine = Machine.here();
        Latency quiet = null;
        if (beside != null) {
            TimeUnit.SECONDS.sleep(2);
            beside.take();
            TimeUnit.SECONDS.sleep(3);
            quiet = beside.take();
        }
        Bursts bursts = new Bursts(settings, client, table, beside, listener);
        List<BurstResult.Burst> results = new ArrayList<>();
        results.add(bursts.burst("put cold", true));
        results.add(bursts.burst("get", false));
        results.add(bursts.burst("put warm", true));
        return new BurstResult(settings, machine, quiet, results);
    }

    private BurstResult.Burst burst(String name, boolean isPut) throws InterruptedException {
        FailureCounters failures = new FailureCounters();
        Seen seen = new Seen();
        Semaphore ended = new Semaphore(0);
        if (beside != null) {
            beside.take();
        }
        long start = System.nanoTime();
        Thread load = settings.virtualThreads() > 0
                ? Thread.startVirtualThread(() -> manyThreads(isPut, failures, ended))
                : Thread.ofPlatform().name("burst").start(() -> oneThread(isPut, failures, ended));
        int done = 0;
        while (done < settings.operations()) {
            int wanted = Math.min(settings.operations() - done, settings.operations() / 100 + 1);
            done += ended.tryAcquire(wanted, 100, TimeUnit.MILLISECONDS) ? wanted : 0;
            seen.look();
            listener.progressed(new LoadProgress(Step.MEASURE, (double) done / settings.operations(), 0));
        }
        long nanos = System.nanoTime() - start;
        load.join();
        FailureCounters.Counts counts = failures.counts();
        return new BurstResult.Burst(
                name,
                nanos / 1e9,
                counts.refused(),
                counts.timedOut(),
                counts.failed() + counts.wrong(),
                counts.first(),
                seen.busy(),
                seen.worst(),
                beside == null ? null : beside.take());
    }

    private void oneThread(boolean isPut, FailureCounters failures, Semaphore ended) {
        for (int k = 0; k < settings.operations(); k++) {
            begin(k, isPut, failures, ended);
        }
    }

    private void begin(int number, boolean isPut, FailureCounters failures, Semaphore ended) {
        Callback<byte[]> got = (value, failure) -> ended(number, isPut, value, failure, failures, ended);
        if (isPut) {
            table.putAsync(
                    data.key(number),
                    data.value(number),
                    (nothing, failure) -> ended(number, true, null, failure, failures, ended));
        } else {
            table.getAsync(data.key(number), got);
        }
    }

    private void manyThreads(boolean isPut, FailureCounters failures, Semaphore ended) {
        AtomicInteger next = new AtomicInteger();
        CountDownLatch threads = new CountDownLatch(settings.virtualThreads());
        for (int t = 0; t < settings.virtualThreads(); t++) {
            Thread.startVirtualThread(() -> {
                for (int k = next.getAndIncrement(); k < settings.operations(); k = next.getAndIncrement()) {
                    call(k, isPut, failures, ended);
                }
                threads.countDown();
            });
        }
        try {
            threads.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void call(int number, boolean isPut, FailureCounters failures, Semaphore ended) {
        byte[] value = null;
        SddsException failure = null;
        try {
            if (isPut) {
                table.put(data.key(number), data.value(number));
            } else {
                value = table.get(data.key(number));
            }
        } catch (SddsException e) {
            failure = e;
        }
        ended(number, isPut, value, failure, failures, ended);
    }

    private void ended(
            int number,
            boolean isPut,
            byte @Nullable [] value,
            @Nullable SddsException failure,
            FailureCounters failures,
            Semaphore ended) {
        if (failure != null) {
            failures.add(failure);
        } else if (!isPut && !data.isValue(number, value)) {
            failures.addWrong("the get of record " + number + " found another value, or none");
        }
        ended.release();
    }

    /** Counts the client's requests that the bricks saw, for each request that the bricks answered. */
    private final class Seen {
        private final ClientStatistics first = client.statistics();
        private ClientStatistics before = first;
        private long beforeNanos = System.nanoTime();
        private double worst;

        /** Reads the client's counters, once a second. */
        void look() {
            long now = System.nanoTime();
            if (now - beforeNanos >= SECOND_NANOS) {
                ClientStatistics after = client.statistics();
                worst = Math.max(worst, ratio(before, after));
                before = after;
                beforeNanos = now;
            }
        }

        double worst() {
            return worst == 0 ? ratio(first, client.statistics()) : worst;
        }

        long busy() {
            return client.statistics().busy() - first.busy();
        }

        private static double ratio(ClientStatistics before, ClientStatistics after) {
            long answered = Math.max(1, after.requests() - before.requests());
            return 1 + (double) (after.busy() - before.busy()) / answered;
        }
    }
}
