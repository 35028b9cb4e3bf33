package io.sdds.bench.load;

import io.sdds.client.Callback;
import io.sdds.client.SddsException;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * An operation on the target, which may start repeatedly. The operation is also the callback of its requests, so that
 * the load allocates no other objects. Used by one thread at a time.
 */
abstract class LoadOperation implements Callback<Object> {
    /* If an operation ends before its call returns, a loop and not a recursion must start the next operation. So done()
     * has to know whether it runs inside the call. This is the case if the current thread is the calling thread. An
     * answer on another thread may come before the call returns; then the other thread continues, and the calling
     * thread, which finds no mark of its own, changes nothing.
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

    /** State of the operation after its call. */
    enum Begun {
        UNDER_WAY,
        ENDED_WELL,
        ENDED_BADLY,
        /** No operation is left to start. */
        NOTHING_LEFT
    }

    LoadOperation(Run run, int service, SplittableRandom random) {
        this.run = run;
        this.service = service;
        this.random = random;
    }

    /**
     * Starts the operation. Latency counts from {@code start}. If the result is UNDER_WAY, {@link #ended} is called
     * later.
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

    /** The operation has ended after its call returned. */
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
