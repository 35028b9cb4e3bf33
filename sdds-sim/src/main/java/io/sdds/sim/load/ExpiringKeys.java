package io.sdds.sim.load;

import io.sdds.client.internal.routing.WriteOptions;
import io.sdds.core.protocol.RequestFrame;
import io.sdds.sim.check.History;
import io.sdds.sim.plan.FaultPlan;
import io.sdds.sim.plan.WorkloadPlan;
import io.sdds.testkit.check.Operation.Kind;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Operations of a client on keys whose records expire, including writes by version. No value is written twice, so a
 * version stands for a value, and a write by version is a compare-and-set in the history.
 */
final class ExpiringKeys {
    private static final long MILLI = 1_000_000L;

    private final WorkloadPlan plan;
    private final int client;
    private final RandomGenerator random;
    private final Map<String, Seen> lastSeen = new TreeMap<>();
    private int written;

    /** A value and its version. */
    private record Seen(String value, long version) {}

    ExpiringKeys(WorkloadPlan plan, int client, RandomGenerator random) {
        this.plan = plan;
        this.client = client;
        this.random = random;
    }

    /** Draws whether the next operation uses an expiring key. */
    boolean areNext() {
        return plan.expiringPercent() > 0 && random.nextInt(100) < plan.expiringPercent();
    }

    /** Draws the next operation. */
    SimOperation.Asked next() {
        String key = "e" + random.nextInt(plan.hotKeys());
        Seen seen = lastSeen.get(key);
        return switch (random.nextInt(20)) {
            case 0, 1, 2, 3 -> new SimOperation.Asked(Kind.PUT, key, value(), null, ttl());
            case 4, 5 -> new SimOperation.Asked(Kind.PUT_IF_ABSENT, key, value(), null, ttl());
            case 6 -> new SimOperation.Asked(Kind.REPLACE, key, value(), null, ttl());
            case 7 -> new SimOperation.Asked(Kind.DELETE, key, null, null, WriteOptions.NONE);
            case 8, 9 -> new SimOperation.Asked(Kind.TOUCH, key, "t" + value(), null, ttl());
            case 10 -> seen == null ? get(key) : compareAndSet(key, seen);
            case 11, 12 -> seen == null ? get(key) : replaceIfVersion(key, seen);
            case 13 ->
                seen == null
                        ? get(key)
                        : new SimOperation.Asked(
                                Kind.DELETE, key, null, seen.value(), WriteOptions.ifVersion(seen.version()));
            default -> get(key);
        };
    }

    private static SimOperation.Asked get(String key) {
        return new SimOperation.Asked(Kind.GET, key, null, null, WriteOptions.NONE);
    }

    /** The bytes of a row do not follow from what is in it, so a row is not compared. */
    private SimOperation.Asked compareAndSet(String key, Seen seen) {
        return plan.hasRows()
                ? replaceIfVersion(key, seen)
                : new SimOperation.Asked(Kind.CAS, key, value(), seen.value(), ttl());
    }

    private SimOperation.Asked replaceIfVersion(String key, Seen seen) {
        WriteOptions terms = WriteOptions.ifVersion(seen.version()).withTtl(ttl().ttlMillis());
        return new SimOperation.Asked(Kind.CAS, key, value(), seen.value(), terms);
    }

    private String value() {
        return "c" + client + "-e" + written++;
    }

    private WriteOptions ttl() {
        return WriteOptions.ttl(random.nextInt(20) == 0 ? 0 : random.nextLong(1, plan.ttlMillisMax() + 1));
    }

    /** An operation has read or written this value in this version. */
    void saw(SimOperation.Asked asked, @Nullable String value, long version) {
        if (value != null && asked.kind() != Kind.TOUCH) {
            lastSeen.put(asked.key(), new Seen(value, version));
        }
    }

    /**
     * An operation begins: should it let a record expire, that goes into the history as an operation of its own.
     *
     * <p>The rule that is checked: a record has expired for all operations from one instant on, and that is not before
     * as much time has passed as it was to live, counted from when its write began by the fastest brick's clock there
     * is. How much later is free, since logical time may stand still while a partition is handed over or its brick
     * paused; at the end of a run, when nothing is wrong any more, all that can expire must have gone.
     */
    static void record(History history, int client, SimOperation.Asked asked, long startNanos, FaultPlan faults) {
        WriteOptions terms = asked.terms();
        if ((terms.flags() & RequestFrame.FLAG_TTL) == 0 || terms.ttlMillis() == 0) {
            return;
        }
        boolean touch = asked.kind() == Kind.TOUCH;
        history.begin(
                client,
                Kind.EXPIRE,
                asked.key(),
                touch ? asked.value() : null,
                touch ? null : asked.value(),
                startNanos + faults.leastNanos(terms.ttlMillis() * MILLI));
    }
}
