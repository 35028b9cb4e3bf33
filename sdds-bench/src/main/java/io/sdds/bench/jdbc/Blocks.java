package io.sdds.bench.jdbc;

import io.sdds.bench.load.LoadException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** One store: the operations of each thread, and short blocks of work on them. */
final class Blocks implements AutoCloseable {
    /** A thread that has not ended its operation by then never will. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final String name;
    private final int rows;
    private final List<Operations> threads;
    private final ExecutorService executor;
    private final AtomicLong nextKey;
    private final AtomicLong failures = new AtomicLong();
    private volatile @Nullable String firstFailure;

    /** @param nextKey the key of the next account that is inserted; blocks of one table share it */
    Blocks(String name, int rows, List<Operations> threads, AtomicLong nextKey) {
        this.name = name;
        this.rows = rows;
        this.threads = List.copyOf(threads);
        this.executor = Executors.newFixedThreadPool(threads.size());
        this.nextKey = nextKey;
    }

    String name() {
        return name;
    }

    long failures() {
        return failures.get();
    }

    @Nullable
    String firstFailure() {
        return firstFailure;
    }

    /** Operations a second of so many threads, in a block of so much time; each thread does one at least. */
    double rate(Work work, int count, Duration time) throws InterruptedException {
        long begunNanos = System.nanoTime();
        long endNanos = begunNanos + time.toNanos();
        List<Future<Long>> running = new ArrayList<>();
        for (Operations operations : threads.subList(0, count)) {
            running.add(executor.submit(() -> repeat(operations, work, endNanos)));
        }
        long sum = 0;
        for (Future<Long> thread : running) {
            sum += ended(thread, time);
        }
        return sum * 1e9 / (System.nanoTime() - begunNanos);
    }

    private long ended(Future<Long> thread, Duration time) throws InterruptedException {
        try {
            return thread.get(time.plus(PATIENCE).toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw new LoadException(name + " has failed: " + e.getCause(), e);
        } catch (TimeoutException e) {
            throw new LoadException(name + " has not answered for " + PATIENCE.toSeconds() + " s", e);
        }
    }

    private long repeat(Operations operations, Work work, long endNanos) {
        SplittableRandom random = new SplittableRandom();
        long count = 0;
        do {
            long key = work == Work.INSERT ? nextKey.getAndIncrement() : random.nextInt(rows);
            try {
                operations.run(work, key);
                count++;
            } catch (SQLException | RuntimeException e) {
                note(work, e);
            }
        } while (System.nanoTime() - endNanos < 0);
        return count;
    }

    private void note(Work work, Exception failure) {
        if (failures.getAndIncrement() == 0) {
            firstFailure = work.text() + ": "
                    + String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
        }
    }

    /** Rows a second of inserts in batches: so many rows, or as many as begin within a time. */
    double batches(int count, Duration time) throws InterruptedException {
        long begunNanos = System.nanoTime();
        long endNanos = begunNanos + time.toNanos();
        long inserted = ended(executor.submit(() -> insertBatches(count, endNanos)), time);
        return inserted * 1e9 / (System.nanoTime() - begunNanos);
    }

    private long insertBatches(int count, long endNanos) throws SQLException {
        long inserted = 0;
        do {
            int size = (int) Math.min(JdbcSettings.BATCH, count - inserted);
            threads.get(0).insertBatch(nextKey.getAndAdd(size), size);
            inserted += size;
        } while (inserted < count && System.nanoTime() - endNanos < 0);
        return inserted;
    }

    @Override
    public void close() {
        executor.shutdownNow();
        for (Operations operations : threads) {
            try {
                operations.close();
            } catch (SQLException e) {
                throw new LoadException("cannot close a connection of " + name + ": " + e.getMessage(), e);
            }
        }
    }
}
