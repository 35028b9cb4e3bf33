package io.sdds.cli.chaos;

import io.sdds.client.Callback;
import io.sdds.client.HashTable;
import io.sdds.client.SddsException;
import io.sdds.testkit.check.Operation.Kind;
import io.sdds.testkit.check.Operation.Result;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The load of one client process on single records of a hash table: gets, puts, compare-and-sets, puts if absent and
 * removes. Closed loops pause between an answer and the next operation. The loops use few keys, so that clients
 * collide.
 */
public final class RegisterLoad {
    private static final int OLDER_PERCENT = 20;
    private static final int GET_PERCENT = 45;
    private static final int PUT_PERCENT = 80;
    private static final int CAS_PERCENT = 90;
    private static final int PUT_IF_ABSENT_PERCENT = 95;

    private final int client;
    private final HashTable<String, String> table;
    private final Keys keys;
    private final long pauseNanos;
    private final ScheduledExecutorService timers;
    private final Consumer<Event> events;
    private final SplittableRandom random;
    private long numbers;
    private int underWay;
    private boolean stopping;

    /**
     * @param client number of the client process; each value that this client writes begins with this number
     * @param keysBeganNanos time of the machine's monotonic clock at which the first generation of keys began
     * @param pauseNanos time between an answer and the next operation
     * @param timers an executor with one thread, on which all of the load runs
     * @param events receives the line of each event
     */
    public RegisterLoad(
            int client,
            HashTable<String, String> table,
            long keysBeganNanos,
            int keysPerGeneration,
            long pauseNanos,
            ScheduledExecutorService timers,
            Consumer<String> events) {
        this.client = client;
        this.table = table;
        this.keys = new Keys(keysBeganNanos, keysPerGeneration);
        this.pauseNanos = pauseNanos;
        this.timers = timers;
        this.events = event -> events.accept(event.toString());
        this.random = new SplittableRandom(client);
    }

    /** Starts {@code loops} closed loops. */
    public void start(int loops) {
        for (int k = 0; k < loops; k++) {
            timers.execute(() -> next(null, null));
        }
    }

    /** Starts no further operation. The thread of the timers ends after the last outstanding operation. */
    public void stop() {
        timers.execute(() -> {
            stopping = true;
            endIfIdle();
        });
    }

    private void endIfIdle() {
        if (stopping && underWay == 0) {
            timers.shutdownNow();
        }
    }

    /**
     * Starts the next operation of a loop.
     *
     * @param seenKey the key of the loop's last read
     * @param seen the value that this key held, which a compare-and-set may expect
     */
    private void next(@Nullable String seenKey, @Nullable String seen) {
        if (stopping) {
            return;
        }
        long now = System.nanoTime();
        int generation = keys.generation(now);
        boolean older = generation > 0 && random.nextInt(100) < OLDER_PERCENT;
        String key = keys.key(older ? generation - 1 : generation, random.nextInt(keys.perGeneration()));
        long number = ++numbers;
        String value = client + "." + number;
        int percent = random.nextInt(100);
        if (percent < GET_PERCENT) {
            begin(number, Kind.GET, key, null, null, now);
            table.getAsync(key, onTimers((found, failure) -> {
                end(number, found == null ? Result.ABSENT : Result.VALUE, found, failure);
                again(failure == null ? key : null, found);
            }));
        } else if (percent < PUT_PERCENT) {
            begin(number, Kind.PUT, key, value, null, now);
            table.putAsync(key, value, onTimers((done, failure) -> ended(number, Result.OK, failure)));
        } else if (percent < CAS_PERCENT && seenKey != null && seen != null) {
            begin(number, Kind.CAS, seenKey, value, seen, now);
            decided(number, Result.FALSE, table.compareAndSetAsync(seenKey, seen, value));
        } else if (percent < PUT_IF_ABSENT_PERCENT) {
            begin(number, Kind.PUT_IF_ABSENT, key, value, null, now);
            decided(number, Result.FALSE, table.putIfAbsentAsync(key, value));
        } else {
            begin(number, Kind.DELETE, key, null, null, now);
            decided(number, Result.ABSENT, table.removeAsync(key));
        }
    }

    private void decided(long number, Result otherwise, CompletableFuture<Boolean> answer) {
        var unused = answer.whenComplete((effective, failure) -> timers.execute(() -> ended(
                number,
                Boolean.TRUE.equals(effective) ? Result.OK : otherwise,
                failure instanceof CompletionException wrapped ? wrapped.getCause() : failure)));
    }

    /** Hands an answer from the client's event loop over to the thread of the timers, on which the load runs. */
    private <T> Callback<T> onTimers(Callback<T> here) {
        return (result, failure) -> timers.execute(() -> here.done(result, failure));
    }

    private void ended(long number, Result result, @Nullable Throwable failure) {
        end(number, result, null, failure);
        again(null, null);
    }

    private void begin(
            long number, Kind kind, String key, @Nullable String value, @Nullable String expected, long now) {
        underWay++;
        events.accept(new Event.Begun(number, kind, key, value, expected, now));
    }

    private void end(long number, Result result, @Nullable String out, @Nullable Throwable failure) {
        Result outcome = failure == null
                ? result
                : failure instanceof SddsException known && !known.isOutcomeUnknown() ? Result.REFUSED : Result.UNKNOWN;
        events.accept(new Event.Ended(number, outcome, failure == null ? out : null, System.nanoTime()));
        underWay--;
    }

    private void again(@Nullable String seenKey, @Nullable String seen) {
        endIfIdle();
        if (stopping) {
            return;
        }
        timers.schedule(() -> next(seenKey, seen), pauseNanos, TimeUnit.NANOSECONDS);
    }
}
