package io.sdds.brick.partition;

import io.sdds.brick.memory.RecordStore;
import io.sdds.core.protocol.Limits;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.ProtocolViolation;
import io.sdds.core.protocol.RequestFrame;
import io.sdds.core.protocol.Status;
import io.sdds.core.query.UnsupportedProgram;
import java.util.function.LongPredicate;
import java.util.function.LongSupplier;

/**
 * Runs a key's request on the partition that owns the key, and answers it. Every answered write leaves its result with
 * the partition, effective or not, so that it takes effect once however often it is sent (docs/design/writes.md, rules
 * 6 and 7).
 */
public final class Operations {
    private final RecordStore store;
    private final Replies replies;
    private final LongPredicate sessionEnded;
    private final LongPredicate sessionNotIssued;
    private final LongSupplier nowNanos;
    private final int busyHintMillis;
    private final ResultBudget resultBudget;
    private final Updates updates = new Updates();
    private final WriteEffects effects;
    private final Applied applied = new Applied();

    /**
     * Operations that keep results without a limit for the stage.
     *
     * @param sessionEnded whether the map lists a session as ended
     * @param sessionNotIssued whether a session's number is too far above the numbers that the map knows
     * @param nowNanos the brick's clock
     * @param busyHintMillis how long a client should wait after BUSY
     */
    public Operations(
            RecordStore store,
            Replies replies,
            LongPredicate sessionEnded,
            LongPredicate sessionNotIssued,
            LongSupplier nowNanos,
            int busyHintMillis) {
        this(
                store,
                replies,
                sessionEnded,
                sessionNotIssued,
                nowNanos,
                busyHintMillis,
                new ResultBudget(Long.MAX_VALUE));
    }

    /**
     * Like the constructor above, with a limit of what is kept of results.
     *
     * @param resultBudget the budget of all partitions of the stage
     */
    public Operations(
            RecordStore store,
            Replies replies,
            LongPredicate sessionEnded,
            LongPredicate sessionNotIssued,
            LongSupplier nowNanos,
            int busyHintMillis,
            ResultBudget resultBudget) {
        this.store = store;
        this.replies = replies;
        this.sessionEnded = sessionEnded;
        this.sessionNotIssued = sessionNotIssued;
        this.nowNanos = nowNanos;
        this.busyHintMillis = busyHintMillis;
        this.resultBudget = resultBudget;
        this.effects = new WriteEffects(store, updates);
    }

    /**
     * Runs a request of any kind but SCAN, SIZE and RANGE. The partition is of the kind that answers it.
     *
     * @throws FailedChange if a write fails after it has begun to take effect
     */
    public void run(Partition partition, Request request) {
        if (request.opcode == Opcode.GET) {
            get(partition, request);
        } else {
            write(partition, request);
        }
    }

    private void get(Partition partition, Request request) {
        long found = partition.bucket().find(request.hash, request.frame, request.keyOffset, request.keyLength);
        if (found == 0) {
            replies.status(request, Status.ABSENT);
            return;
        }
        int length = (request.flags & RequestFrame.FLAG_HEAD) == 0 ? store.valueLength(found) : 0;
        if (!request.link.admits(length)) {
            replies.busy(request, busyHintMillis);
        } else {
            describe(partition, request, found, length);
        }
    }

    private void describe(Partition partition, Request request, long found, int length) {
        if ((request.flags & RequestFrame.FLAG_TTL) == 0) {
            replies.record(request, store.version(found), store.segment(found), store.valueOffset(found), length);
        } else {
            long left =
                    Replies.millisLeft(store.expiry(found), partition.bucket().timeNanos());
            replies.record(request, store.version(found), left, store.segment(found), store.valueOffset(found), length);
        }
    }

    private void write(Partition partition, Request request) {
        if (request.hasTtl() && (request.ttlMillis < 0 || request.ttlMillis > Limits.TTL_MILLIS_MAX)) {
            replies.badRequest(
                    request, "time to live of " + request.ttlMillis + " ms: 0 (for ever) to " + Limits.TTL_MILLIS_MAX);
            return;
        }
        if (request.opcode == Opcode.UPDATE && !hasProgram(request)) {
            return;
        }
        if (sessionEnded.test(request.session)) { // its results have been dropped; later results are of other writes
            replies.status(request, Status.STALE_REQUEST);
            return;
        }
        SessionResults results = partition.results().of(request.session);
        if (results == null) {
            if (sessionNotIssued.test(request.session)) {
                replies.busy(request, busyHintMillis);
                return;
            }
            results = partition.results().begin(request.session);
            resultBudget.begins(results);
        }
        int kept = results.find(request.seq, request.low);
        Gate gate = partition.gate();
        if (kept == SessionResults.STALE) {
            replies.status(request, Status.STALE_REQUEST);
        } else if (kept != SessionResults.NONE) {
            if (!gate.attach(request) && gate.mayAcknowledge(request)) {
                replies.number(request, results.status(kept), results.value(kept));
            }
        } else if (!waits(partition, request, results) && gate.hasRoom(request)) {
            apply(partition, gate, request, results);
        }
    }

    /** Whether an UPDATE ships a program for updates that this brick knows. Otherwise the request was answered. */
    private boolean hasProgram(Request request) {
        try {
            updates.program(request);
            return true;
        } catch (UnsupportedProgram e) {
            replies.refusal(request, Status.UNSUPPORTED_PROGRAM, String.valueOf(e.getMessage()));
        } catch (ProtocolViolation e) {
            replies.badRequest(request, String.valueOf(e.getMessage()));
        }
        return false;
    }

    /** Whether the write can't run now. It was then parked, or answered BUSY. */
    private boolean waits(Partition partition, Request request, SessionResults results) {
        Partition.Mover mover = partition.mover();
        if (mover != null && mover.holds(request)) {
            if (!mover.park(request)) {
                replies.busy(request, busyHintMillis);
            }
            return true;
        }
        if (mover != null && !mover.admits(request) || !resultBudget.admits(results, request.seq)) {
            replies.busy(request, busyHintMillis);
            return true;
        }
        return false;
    }

    private void apply(Partition partition, Gate gate, Request request, SessionResults results) {
        try {
            if (request.hasTtl() || partition.isTimed()) {
                gate.advance(nowNanos.getAsLong());
            }
            Outcome outcome = effects.run(partition, request);
            switch (outcome.status()) {
                case Status.MEMORY_FULL, Status.INTERNAL_ERROR -> replies.status(request, outcome.status());
                case Status.BUSY -> replies.busy(request, busyHintMillis);
                default -> finish(partition, gate, request, results, outcome);
            }
        } catch (RuntimeException e) {
            throw new FailedChange(partition, request, e);
        }
    }

    /** Keeps the result of a write, and answers the write unless the log will. */
    private void finish(Partition partition, Gate gate, Request request, SessionResults results, Outcome outcome) {
        results.put(request.seq, request.hash, outcome.status(), outcome.value());
        if (gate.propose(request, results.low(), outcome)) {
            return;
        }
        Partition.Mover mover = partition.mover();
        if (mover != null) {
            mover.applied(applied(request, outcome));
        }
        replies.number(request, outcome.status(), outcome.value());
    }

    private Applied applied(Request request, Outcome outcome) {
        applied.hash = request.hash;
        applied.key = request.frame;
        applied.keyOffset = request.keyOffset;
        applied.keyLength = Opcode.isInterval(request.opcode) ? 0 : request.keyLength;
        applied.session = request.session;
        applied.seq = request.seq;
        applied.low = request.low;
        applied.status = outcome.status();
        applied.value = outcome.value();
        return applied;
    }
}
