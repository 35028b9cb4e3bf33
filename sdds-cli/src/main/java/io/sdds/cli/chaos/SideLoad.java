package io.sdds.cli.chaos;

import io.sdds.client.HashTable;
import io.sdds.client.RangeTable;
import io.sdds.client.SddsException;
import io.sdds.client.Table;
import io.sdds.testkit.check.Operation.Result;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The load of one client process beside {@link RegisterLoad}: puts and removes of keys between standing records of a
 * range table, queries that must find each standing record exactly once, increments, and records that expire. Each of
 * the four loads is a loop on its own thread with one outstanding operation.
 */
public final class SideLoad {
    /** Length of a wave: growth for 8 s, then a low load. Partitions merge after 10 s of low load. */
    private static final long WAVE_NANOS = TimeUnit.SECONDS.toNanos(30);

    private static final long GROWTH_NANOS = TimeUnit.SECONDS.toNanos(8);
    private static final int WAVE_PUT_PERCENT = 90;
    private static final long CHURN_PAUSE_MILLIS = 8;
    private static final long QUERY_PAUSE_MILLIS = 100;
    private static final long COUNT_PAUSE_MILLIS = 20;
    private static final long EXPIRY_PAUSE_MILLIS = 20;
    private static final int COUNTERS = 4;
    private static final int DELTA_MAX = 100;
    private static final int SHORT_LIVED_MAX = 32;

    private final int client;
    private final HashTable<String, String> hash;
    private final RangeTable<String, String> range;
    private final long beganNanos;
    private final Consumer<Event> events;
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean stopping;

    /**
     * @param beganNanos start of the load, by the monotonic clock of the machine; equal for all clients
     * @param events receives the line of each event; is called on several threads
     */
    public SideLoad(
            int client,
            HashTable<String, String> hash,
            RangeTable<String, String> range,
            long beganNanos,
            Consumer<String> events) {
        this.client = client;
        this.hash = hash;
        this.range = range;
        this.beganNanos = beganNanos;
        this.events = event -> events.accept(event.toString());
    }

    public void start() {
        loop("churn", CHURN_PAUSE_MILLIS, untilStop(new Churn()::next));
        loop("queries", QUERY_PAUSE_MILLIS, untilStop(new Queries()::next));
        loop("counters", COUNT_PAUSE_MILLIS, untilStop(new Counters()::next));
        loop("expiry", EXPIRY_PAUSE_MILLIS, new Expiry()::next);
    }

    /**
     * Waits until the outstanding operations have ended, and until the short-lived records have expired.
     *
     * @param timeout longest time that an operation takes
     */
    public void stop(Duration timeout) throws InterruptedException {
        stopping = true;
        long deadlineNanos = System.nanoTime()
                + ShortLived.LONGEST.plus(timeout.multipliedBy(2)).toNanos();
        for (Thread thread : threads) {
            thread.join(Math.max(1, (deadlineNanos - System.nanoTime()) / 1_000_000));
        }
    }

    private BooleanSupplier untilStop(Runnable next) {
        return () -> {
            if (!stopping) {
                next.run();
            }
            return !stopping;
        };
    }

    /** Calls {@code next} repeatedly, on a thread of its own, until {@code next} returns false. */
    private void loop(String name, long pauseMillis, BooleanSupplier next) {
        threads.add(Thread.ofPlatform().daemon().name(name).start(() -> {
            try {
                while (next.getAsBoolean()) {
                    TimeUnit.MILLISECONDS.sleep(pauseMillis);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }));
    }

    private void checked(Event.Check check, @Nullable String fault, String where) {
        events.accept(new Event.Checked(check));
        if (fault != null) {
            events.accept(new Event.Wrong("client" + client + ", " + where + ": " + fault));
        }
    }

    /**
     * Mostly writes keys at the beginning of a wave, and mostly removes keys later, so that partitions split and merge.
     */
    private final class Churn {
        private final SplittableRandom random = new SplittableRandom(client);

        void next() {
            String key = StandingRecords.between(
                    random.nextInt(StandingRecords.COUNT), random.nextInt(StandingRecords.BETWEEN));
            boolean grows = (System.nanoTime() - beganNanos) % WAVE_NANOS < GROWTH_NANOS;
            try {
                if ((random.nextInt(100) < WAVE_PUT_PERCENT) == grows) {
                    range.put(key, "passes");
                } else {
                    range.remove(key);
                }
            } catch (SddsException e) {
                // a fault; no check depends on these keys
            }
        }
    }

    private final class Queries {
        private final SplittableRandom random = new SplittableRandom(client);

        void next() {
            int first = random.nextInt(StandingRecords.COUNT);
            int last = first + random.nextInt(StandingRecords.COUNT - first);
            boolean descending = random.nextBoolean();
            try {
                switch (random.nextInt(3)) {
                    case 0 ->
                        checked(
                                Event.Check.QUERY,
                                StandingRecords.faultOfScan(SideAudit.all(hash.scan()), 0, StandingRecords.COUNT - 1),
                                "scan of the hash table");
                    case 1 -> range(0, StandingRecords.COUNT - 1, descending);
                    default -> range(first, last, descending);
                }
            } catch (SddsException e) {
                // a fault: a query may fail, but must not return a wrong answer
            }
        }

        private void range(int first, int last, boolean descending) {
            var query = range.range(StandingRecords.key(first), StandingRecords.key(last));
            checked(
                    Event.Check.QUERY,
                    StandingRecords.faultOfRange(
                            SideAudit.all(descending ? query.descending() : query), first, last, descending),
                    "range " + StandingRecords.key(first) + " to " + StandingRecords.key(last)
                            + (descending ? " descending" : ""));
        }
    }

    private final class Counters {
        private final SplittableRandom random = new SplittableRandom(client);
        private long numbers;

        void next() {
            long number = ++numbers;
            String counter = "sum" + random.nextInt(COUNTERS);
            long delta = 1 + random.nextInt(DELTA_MAX);
            events.accept(new Event.Adds(number, counter, delta));
            Result result;
            try {
                hash.increment(counter, delta);
                result = Result.OK;
            } catch (SddsException e) {
                result = e.isOutcomeUnknown() ? Result.UNKNOWN : Result.REFUSED;
            }
            events.accept(new Event.Added(number, result));
        }
    }

    /**
     * Writes each of its own keys once, with a time to live, and reads the key until the record has expired. After the
     * stop of the load only reads the keys that are left: a short load whose time faults have taken has its expiries
     * checked too.
     */
    private final class Expiry {
        private static final int MILLIS_MIN = 500;

        private final SplittableRandom random = new SplittableRandom(client);
        private final Deque<ShortLived> living = new ArrayDeque<>();
        private long numbers;

        /** Returns false if the load is stopping and no record is left. */
        boolean next() {
            try {
                if (stopping || living.size() == SHORT_LIVED_MAX || !living.isEmpty() && random.nextInt(3) > 0) {
                    readOldest();
                } else {
                    write();
                }
            } catch (SddsException e) {
                // a fault: a record whose write failed is not checked; one whose read failed is read again
            }
            return !stopping || !living.isEmpty();
        }

        private void write() {
            String key = ShortLived.PREFIX + client + "." + ++numbers;
            Duration timeToLive =
                    Duration.ofMillis(MILLIS_MIN + random.nextInt((int) ShortLived.LONGEST.toMillis() - MILLIS_MIN));
            ShortLived written = new ShortLived(key, System.nanoTime(), timeToLive);
            table(written).put(key, "expires", timeToLive);
            living.add(written);
        }

        private void readOldest() {
            ShortLived written = living.poll();
            if (written == null) {
                return;
            }
            boolean isLeft = true;
            try {
                isLeft = table(written).get(written.key()) != null;
            } finally {
                if (isLeft) {
                    living.add(written);
                }
            }
            if (!isLeft) {
                checked(Event.Check.EXPIRY, written.faultOfAbsence(System.nanoTime()), "expiry");
            }
        }

        private Table<String, String> table(ShortLived record) {
            return record.key().hashCode() % 2 == 0 ? hash : range;
        }
    }
}
