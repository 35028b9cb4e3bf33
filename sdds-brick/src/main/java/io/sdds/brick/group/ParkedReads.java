package io.sdds.brick.group;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.partition.Parked;
import io.sdds.brick.partition.Request;
import io.sdds.core.node.Env;
import io.sdds.core.node.Link;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * Requests that wait at a member until the entries that were uncommitted when they came are committed, or until the
 * other members have confirmed the epoch (docs/design/groups.md, rules 8 and 11). A {@link MissingRecords} keeps its
 * requests here, too, with a fingerprint in place of the seq. The requests are copied out of their receive buffers.
 * Their number and bytes are bounded.
 */
public final class ParkedReads {
    private static final int EVENTS_MAX = 1024;
    private static final int BYTES_MAX = 4 << 20;

    private final Env env;
    private List<Waiting> waiting = new ArrayList<>();
    private int bytes;
    private long lastRound = ReadIndexRound.NONE;

    /**
     * @param seq the entry that must be committed first
     * @param round the {@link ReadIndexRound} that must be over first
     */
    private record Waiting(Link link, ByteBuf frame, long deadlineNanos, long seq, long round) {}

    /** Tells whether a request has waited long enough. */
    public interface Condition {
        boolean isOver(long seq, long round);
    }

    public ParkedReads(Env env) {
        this.env = env;
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** The last {@link ReadIndexRound} for which any request has waited. */
    long lastRound() {
        return lastRound;
    }

    /** Keeps a copy of a request; false if the limit is reached. */
    public boolean add(Request request, long seq, long round) {
        if (waiting.size() >= EVENTS_MAX || bytes + request.length > BYTES_MAX) {
            return false;
        }
        ByteBuf copy = env.allocate(request.length);
        copy.writeBytes(request.buffer, request.at, request.length);
        waiting.add(new Waiting(request.link, copy, env.nowNanos() + request.deadlineMillis * 1_000_000L, seq, round));
        bytes += request.length;
        lastRound = Math.max(lastRound, round);
        return true;
    }

    /** Visits the seqs for which requests wait. */
    public void forEachSeq(LongConsumer action) {
        waiting.forEach(one -> action.accept(one.seq()));
    }

    private boolean any(Condition condition) {
        boolean any = false;
        for (int k = 0; k < waiting.size() && !any; k++) {
            any = condition.isOver(waiting.get(k).seq(), waiting.get(k).round());
        }
        return any;
    }

    /** Runs the requests whose condition is met, in the order in which they came. */
    public void release(Condition condition, Parked.Rerun rerun) {
        if (!any(condition)) {
            return;
        }
        List<Waiting> all = waiting;
        List<Waiting> over = new ArrayList<>();
        waiting = new ArrayList<>();
        for (Waiting one : all) {
            (condition.isOver(one.seq(), one.round()) ? over : waiting).add(one);
        }
        over.forEach(one -> deliver(one, rerun));
    }

    /** Passes on the requests whose deadline has passed, because their clients expect an answer. */
    public void expire(Parked.Rerun overdue) {
        long now = env.nowNanos();
        List<Waiting> late = new ArrayList<>();
        for (Waiting one : waiting) {
            if (now - one.deadlineNanos() > 0) {
                late.add(one);
            }
        }
        waiting.removeAll(late);
        late.forEach(one -> deliver(one, overdue));
    }

    private void deliver(Waiting one, Parked.Rerun rerun) {
        bytes -= one.frame().readableBytes();
        if (one.link().isUp()) {
            rerun.run(one.link(), one.frame());
        }
        one.frame().release();
    }

    public void release() {
        waiting.forEach(one -> one.frame().release());
        waiting.clear();
        bytes = 0;
    }
}
