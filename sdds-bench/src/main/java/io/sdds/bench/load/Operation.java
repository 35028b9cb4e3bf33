package io.sdds.bench.load;

import io.sdds.client.Callback;
import io.sdds.client.SddsException;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * An operation on the target, begun again and again or once. It is the callback of its own requests, so that the load
 * costs no objects but those. Used by one thread at a time.
 */
abstract class Operation implements Callback<Object> {
    /* An operation that ends before its call returns must be followed by the next in a loop, not in a recursion; so
     * done() has to know whether it is inside the call. It is if the thread is the one that calls. Another thread's
     * answer may come before the call returns here; then that thread goes on, and this one, which finds no mark of its
     * own, leaves everything alone.
     */
    private @Nullable Thread calling;
    private @Nullable Thread endedInside;

    final Run run;
    private final int service;
    private final SplittableRandom random;

    private boolean read;
    private int number;
    private long startNanos;
    private byte @Nullable [] written;
    private boolean well;
    private @Nullable Meter meter;

    /** How far a call brought it. */
    enum Begun {
        UNDER_WAY,
        ENDED_WELL,
        ENDED_BADLY,
        /** There is nothing left to do. */
        NOTHING_LEFT
    }

    Operation(Run run, int service, SplittableRandom random) {
        this.run = run;
        this.service = service;
        this.random = random;
    }

    /**
     * Begins it, latency counting from {@code start}. Unless the answer says that it ended, it does so by
     * {@link #ended}.
     */
    final Begun begin(long start) {
        startNanos = start;
        read = run.mix.isRead(random);
        number = read ? run.mix.keyThatIs(random) : run.mix.keyToPut(random);
        if (number < 0) {
            return Begun.NOTHING_LEFT;
        }
        Thread here = Thread.currentThread();
        calling = here;
        endedInside = null;
        try {
            if (read) {
                run.target.get(run.data.key(number), this);
            } else {
                run.target.put(run.data.key(number), valueToWrite(), this);
            }
        } catch (SddsException | IllegalStateException e) {
            note(null, e, System.nanoTime());
            return Begun.ENDED_BADLY;
        }
        if (endedInside == here) {
            return well ? Begun.ENDED_WELL : Begun.ENDED_BADLY;
        }
        if (calling == here) {
            calling = null;
        }
        return Begun.UNDER_WAY;
    }

    /** It has ended, after its call returned. */
    abstract void ended(boolean endedWell, long nowNanos);

    @Override
    public final void done(@Nullable Object result, @Nullable SddsException failure) {
        long now = System.nanoTime();
        boolean noted = note((byte[]) result, failure, now);
        Thread here = Thread.currentThread();
        if (calling == here) {
            well = noted;
            endedInside = here;
        } else {
            ended(noted, now);
        }
    }

    private boolean note(byte @Nullable [] result, @Nullable RuntimeException failure, long now) {
        if (run.history != null) {
            run.history.ended(service, read, run.data.key(number), written, startNanos, now, result, failure);
        }
        if (failure != null) {
            run.failures.add(failure);
            return false;
        }
        if (read && run.checksValues && !run.data.isValue(number, result)) {
            run.failures.addWrong(wrong(result));
        } else {
            Meter here = meter;
            if (here == null || !here.isMine()) {
                here = run.meter();
                meter = here;
            }
            run.ended(here, startNanos, now);
        }
        return true;
    }

    private byte[] valueToWrite() {
        if (run.history == null) {
            return run.data.value(number);
        }
        byte[] unique = run.history.uniqueValue(run.data, service);
        written = unique;
        return unique;
    }

    private String wrong(byte @Nullable [] found) {
        String key = new String(run.data.key(number), StandardCharsets.UTF_8);
        return found == null
                ? "no record of key " + key
                : "a wrong value of " + found.length + " bytes under key " + key;
    }
}
