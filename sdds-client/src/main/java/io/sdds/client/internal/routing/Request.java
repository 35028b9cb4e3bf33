package io.sdds.client.internal.routing;

import io.netty.buffer.ByteBuf;
import io.sdds.core.model.KeySpan;
import io.sdds.core.protocol.Hello;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.ProtocolViolation;
import io.sdds.core.protocol.RequestFrame;
import io.sdds.core.protocol.Status;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One operation from its call to its end: what is asked, where its copies stand, and the future that says how it went.
 * One object an operation.
 *
 * <p>Made by any thread; from {@link #run} on it belongs to its node's thread, on which it ends.
 *
 * @param <T> what comes back
 */
public abstract class Request<T> extends CompletableFuture<T> implements Runnable {
    final RoutedTable table;
    final byte opcode;
    final long deadlineNanos;

    /** The session and number of a write, once it was sent. */
    @Nullable
    Session session;

    long seq;

    /** The link on which a copy is unanswered. */
    @Nullable
    Peer peer;

    /** A copy of a write was sent of which nobody knows whether it ran. */
    boolean mayHaveRun;

    /** The bricks that had a copy when their links were lost, or that left it unanswered; null: none did. */
    @Nullable
    Suspects suspects;

    /** How often the map said that the partition is lost. */
    int lossChecks;

    /** Whether it is to fail rather than wait in a queue that is long already. */
    private boolean impatient;

    int attempts;
    long retryNanos;

    /**
     * It has been sent to all bricks of its table, or looked up in the index, or should have been, and goes where the
     * image says from now on.
     */
    boolean isUnicast;

    /** It was sent to all bricks as a datagram, which nobody has answered yet. */
    boolean isDatagram;

    /** When it was sent to all bricks of its table. */
    long multicastNanos;

    /** What kept it from being answered, for the text of a failure. */
    @Nullable
    String trouble;

    /** @param deadlineNanos by the clock of the node's environment */
    protected Request(RoutedTable table, byte opcode, long deadlineNanos) {
        this.table = table;
        this.opcode = opcode;
        this.deadlineNanos = deadlineNanos;
    }

    /** Begins it, on the node's thread. Room in the window was taken before. */
    @Override
    public final void run() {
        table.node().begin(this);
    }

    /** Nobody may wait where it was called: when its brick is overloaded it is refused at once. Before it begins. */
    public final void beImpatient() {
        impatient = true;
    }

    final boolean isImpatient() {
        return impatient;
    }

    /** When it is given up, by the clock of the node's environment. */
    public final long deadlineNanos() {
        return deadlineNanos;
    }

    public final RoutedTable table() {
        return table;
    }

    /** Whether nobody wants its answer any more, as when its future was cancelled: it is not sent, or not again. */
    boolean isAbandoned() {
        return isDone();
    }

    /** Whether it is to be taken out of where it waits: nobody wants its answer, or its deadline has passed. */
    final boolean isOver(long now) {
        return deadlineNanos <= now || isAbandoned();
    }

    /** Moves requests that are over to a list; the earliest deadline of the others and of those looked at before. */
    static long expire(Collection<Request<?>> from, long now, List<Request<?>> expired, long earliest) {
        long next = earliest;
        for (Iterator<Request<?>> each = from.iterator(); each.hasNext(); ) {
            Request<?> request = each.next();
            if (request.isOver(now)) {
                each.remove();
                expired.add(request);
            } else {
                next = Math.min(next, request.deadlineNanos);
            }
        }
        return next;
    }

    /** What it takes of the window. */
    public abstract int windowBytes();

    /** The pseudo-key that it is addressed by. */
    abstract long pseudoKey();

    /** To a range table: the key that it is addressed by. */
    byte[] rangeKey() {
        throw new IllegalStateException(this + " is of hash tables");
    }

    /** To a range table: whether it is addressed by what comes right above its key. */
    boolean isAboveKey() {
        return false;
    }

    /** To a range table: whether it is addressed to the partition of the highest keys. */
    boolean isFromLast() {
        return false;
    }

    /**
     * Whether each partition answers it that has something to say; each such answer comes to {@link #answered}, until
     * {@link #silent}.
     */
    boolean isForMany() {
        return false;
    }

    /** Of one for many: nobody has answered for a while. It has ended. */
    void silent() {
        throw new IllegalStateException(this + " is for one partition");
    }

    /** Of one for many: the span of the partition whose answer comes next. */
    void spanTold(KeySpan span) {}

    /** See {@link RequestFrame}. */
    int flags() {
        return 0;
    }

    abstract int keyLength();

    abstract int bodyLength();

    abstract void writeBody(ByteBuf out);

    /**
     * The answer has come; the status says OK, ABSENT, CONDITION_FALSE or NOT_A_NUMBER, and the frame is valid during
     * the call.
     */
    protected abstract void answered(byte status, ByteBuf frame, int body, int end);

    /** For requests that only one status can answer. */
    protected static void expectOk(byte status) {
        if (status != Status.OK) {
            throw new ProtocolViolation("status " + status + " answers no such request");
        }
    }

    /** It ended without an answer. */
    protected abstract void failed(Failure failure);

    final boolean isWrite() {
        return Opcode.isWrite(opcode);
    }

    final int frameLength() {
        return RequestFrame.body(opcode) + bodyLength();
    }

    /** A brick had a copy when its link was lost, or left it unanswered. */
    final void suspect(Peer brick, Hello process) {
        if (suspects == null) {
            suspects = new Suspects();
        }
        suspects.add(brick, process);
    }

    /** Whether a copy may have had an effect, or may yet have one. */
    final boolean outcomeUnknown() {
        return isWrite() && (mayHaveRun || peer != null);
    }

    /** Ends it with a failure that says whether there may have been an effect. */
    public final void fail(Failure.Kind kind, String why) {
        boolean unknown = outcomeUnknown();
        String outcome = !isWrite() ? "" : unknown ? "; outcome unknown" : "; not applied";
        failed(new Failure(kind, this + ": " + why + (trouble == null ? "" : " (" + trouble + ")") + outcome, unknown));
    }

    /** For messages: what is asked of which table. */
    @Override
    public String toString() {
        return verb() + " table '" + table.name() + "'";
    }

    private String verb() {
        return switch (opcode) {
            case Opcode.GET -> "get from";
            case Opcode.PUT -> "put into";
            case Opcode.PUT_IF_ABSENT -> "put if absent into";
            case Opcode.REPLACE -> "replace in";
            case Opcode.COMPARE_AND_SET -> "compare and set in";
            case Opcode.REMOVE -> "remove from";
            case Opcode.INCREMENT -> "increment in";
            case Opcode.TOUCH -> "set the time to live in";
            case Opcode.SCAN -> "scan of";
            case Opcode.SIZE -> "size of";
            case Opcode.CLEAR, Opcode.RANGE_CLEAR -> "clear of";
            case Opcode.RANGE -> "range of";
            default -> "opcode " + opcode + " on";
        };
    }
}
