package io.sdds.client.internal.routing;

import io.netty.buffer.ByteBuf;
import io.sdds.core.model.KeySpan;
import io.sdds.core.node.Link;
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
 * One operation from its call to its end: the request, the state of its copies, and the future that ends with its
 * result. Each operation has one object.
 *
 * <p>Any thread may make a request. From {@link #run} on, the request belongs to its node's thread, on which it ends.
 *
 * @param <T> type of the result
 */
public abstract class Request<T> extends CompletableFuture<T> implements Runnable {
    private static final int DEADLINE_MILLIS_MAX = 3_600_000;

    final RoutedTable table;
    final byte opcode;
    final long deadlineNanos;

    /** The session that numbered a write; null before that. */
    @Nullable
    Session session;

    long seq;

    /** The link on which a copy is unanswered. */
    @Nullable
    Peer peer;

    /** The correlation id of the copy that went to {@link #peer}. */
    int correlation;

    /** The partition that the request in flight is sent to. */
    int partition;

    /** Whether a copy of a write was sent and may have run. */
    boolean mayHaveRun;

    /** Number of bricks that have failed, and have named the request as the cause or as one that may be. */
    int bricksFailed;

    final LossChecks losses = new LossChecks();

    /** Whether a brick refused the request as BUSY, and no brick has answered the request since. */
    boolean wasRefused;

    /** Whether the request's deadline passed while it waited for room at a brick that answers other requests. */
    boolean waitsForRoom;

    /** The {@link RoutedTable#generation} that the last copy was sent to. */
    int generation;

    /** Whether the request fails instead of waiting in a long queue. */
    private boolean impatient;

    int attempts;
    long retryNanos;

    /**
     * Whether the request goes to the brick that the image names from now on, because it was sent to all bricks of its
     * table or looked up in the index already, or that was not possible.
     */
    boolean isUnicast;

    /** Whether the request was sent to all bricks as a datagram that no brick has answered yet. */
    boolean isDatagram;

    /** Time at which the request was sent to all bricks of its table. */
    long multicastNanos;

    /** The last obstacle of the request, for the text of a failure. */
    @Nullable
    String trouble;

    /** @param deadlineNanos deadline by the clock of the node's environment */
    protected Request(RoutedTable table, byte opcode, long deadlineNanos) {
        this.table = table;
        this.opcode = opcode;
        this.deadlineNanos = deadlineNanos;
    }

    /** Begins the request, on the node's thread. The caller has taken room in the window. */
    @Override
    public final void run() {
        table.node().begin(this);
    }

    /**
     * Lets the client refuse the request at once when its brick is overloaded, because its caller may not wait. Called
     * before the request begins.
     */
    public final void beImpatient() {
        impatient = true;
    }

    final boolean isImpatient() {
        return impatient;
    }

    /** The deadline by the clock of the node's environment. */
    public final long deadlineNanos() {
        return deadlineNanos;
    }

    public final RoutedTable table() {
        return table;
    }

    /**
     * Whether nobody needs the answer any more, for example because the future was cancelled. Then the request is not
     * sent again.
     */
    boolean isAbandoned() {
        return isDone();
    }

    /** The request {@link #isAbandoned}, and has left the queue in which it waited. */
    void abandoned() {}

    /** Whether the request must leave the queue in which it waits: it is abandoned, or its deadline has passed. */
    final boolean isOver(long now) {
        return deadlineNanos <= now || isAbandoned();
    }

    /**
     * Moves requests that are over to a list. Returns the earliest deadline of the remaining requests, or
     * {@code earliest} if that is earlier.
     */
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

    /**
     * Whether the request means the same at a table that was made again by its table's name. It goes on there if it
     * surely had no effect.
     */
    boolean isForAnyTable() {
        return false;
    }

    /** Whether the request is about a table that does not exist any more, so that it is not sent again. */
    boolean isStale() {
        return false;
    }

    /** The bytes that the request takes of the window. */
    public abstract int windowBytes();

    /** The pseudo-key that addresses the request. */
    abstract long pseudoKey();

    /** The key that addresses a request to a range table. */
    byte[] rangeKey() {
        throw new IllegalStateException(this + " is of hash tables");
    }

    /** Whether the keys right above {@link #rangeKey} address the request, instead of the key itself. */
    boolean isAboveKey() {
        return false;
    }

    /** Whether the request to a range table goes to the partition of the highest keys. */
    boolean isFromLast() {
        return false;
    }

    /**
     * Whether several partitions may answer the request. Each such answer comes to {@link #answered}, until
     * {@link #silent}.
     */
    boolean isForMany() {
        return false;
    }

    /** Ends a request for many partitions, because no partition has answered for a while. */
    void silent() {
        throw new IllegalStateException(this + " is for one partition");
    }

    /** Takes the span of the partition whose answer to a request for many partitions comes next. */
    void spanTold(KeySpan span) {}

    /** See {@link RequestFrame}. */
    int flags() {
        return 0;
    }

    /** The request is about to be written to a link. What {@link #writeBody} writes may depend on the link. */
    void writtenTo(Link link) {}

    /**
     * The brick does not know the version of the program that the request ships. Returns false if the request ships no
     * program; else the request ships none when it is sent again.
     */
    boolean giveUpProgram() {
        return false;
    }

    /** The program that the request names by its hash; null if it names none. */
    byte @Nullable [] program() {
        return null;
    }

    /** The one brick that may take the request; null: the image decides. */
    @Nullable
    Peer onlyBrick() {
        return null;
    }

    /** Writes the frame of a copy. */
    final void writeTo(ByteBuf out, int copy, int flags, int partition, long version) {
        generation = table.generation();
        RequestFrame.writeHeader(
                out,
                frameLength(),
                opcode,
                flags,
                copy,
                table.id(),
                partition,
                deadlineMillis(deadlineNanos - table.node().now()),
                version,
                keyLength());
        if (session != null) {
            RequestFrame.writeRequestId(out, session.number, seq, session.seqs.low());
        }
        writeBody(out);
    }

    private static int deadlineMillis(long nanos) {
        return (int) Math.max(1, Math.min(DEADLINE_MILLIS_MAX, nanos / 1_000_000));
    }

    abstract int keyLength();

    abstract int bodyLength();

    abstract void writeBody(ByteBuf out);

    /**
     * Takes the answer. The status is OK, ABSENT, CONDITION_FALSE, NOT_A_NUMBER or UPDATE_FAILED. The frame is valid
     * during the call.
     */
    protected abstract void answered(byte status, ByteBuf frame, int body, int end);

    /** Checks the status for requests that only OK can answer. */
    protected static void expectOk(byte status) {
        if (status != Status.OK) {
            throw new ProtocolViolation("status " + status + " does not answer such a request");
        }
    }

    /** Takes the failure of a request that ended without an answer. */
    protected abstract void failed(Failure failure);

    final boolean isWrite() {
        return Opcode.isWrite(opcode);
    }

    final int frameLength() {
        return RequestFrame.body(opcode) + bodyLength();
    }

    /** Whether only overload can be the reason if the request has not ended by its deadline; then it had no effect. */
    final boolean isOverloaded() {
        return (wasRefused || waitsForRoom) && peer == null && !outcomeUnknown();
    }

    /** Whether a copy may have had an effect, or may yet have one. */
    final boolean outcomeUnknown() {
        return isWrite() && (mayHaveRun || peer != null);
    }

    /** Ends the request with a failure, which tells whether the request may have taken effect. */
    public final void fail(Failure.Kind kind, String why) {
        boolean unknown = outcomeUnknown();
        String outcome = !isWrite() ? "" : unknown ? "; outcome unknown" : "; not applied";
        failed(new Failure(kind, this + ": " + why + (trouble == null ? "" : " (" + trouble + ")") + outcome, unknown));
    }

    /** A text that names the operation and the table, for messages. */
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
            case Opcode.UPDATE -> "update in";
            case Opcode.TOUCH -> "set the time to live in";
            case Opcode.SCAN -> "scan of";
            case Opcode.SIZE -> "size of";
            case Opcode.CLEAR, Opcode.RANGE_CLEAR -> "clear of";
            case Opcode.RANGE -> "range of";
            case Opcode.PROGRAM -> "program for a query of";
            default -> "opcode " + opcode + " on";
        };
    }
}
