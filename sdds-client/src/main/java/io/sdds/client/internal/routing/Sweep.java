package io.sdds.client.internal.routing;

import io.netty.buffer.ByteBuf;
import io.sdds.core.protocol.ClusterId;
import io.sdds.core.protocol.Limits;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.RequestFrame;
import io.sdds.core.query.ProgramHash;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A scan, count or clear of a table or of a range of a table, in parts, a few of which are under way at a time
 * (docs/design/scans.md, rule 17).
 *
 * <p>Used on its node's thread.
 */
public abstract class Sweep {
    /*
     * The sweep is cut into parts at the ends of partitions in the image. Each step requests the rest of a part,
     * addressed by the first point of the rest. The brick answers for the points that it owns and that fit a block, and
     * tells where they end. The steps of a part follow each other, so they never overlap, and together they tile the
     * part, whatever splits or merges meanwhile. Bricks keep nothing between steps.
     */

    /** Most bytes of a bound: a longer one would cost more than it saves. */
    private static final int BOUND_BYTES_MAX = 1024;

    private static final byte[] NO_BOUND = new byte[0];

    private final RoutedTable table;

    private final Asked asked;
    private final long timeoutNanos;
    private final Sink sink;

    /** The parts under way, in the order in which they began. */
    private final Set<Part> active = new LinkedHashSet<>();

    /** Most parts under way. */
    private int activeMax;

    /** Where the answers are from; null before the first answer. */
    private volatile @Nullable Origin origin;

    private boolean keepsOrder;
    private boolean stopped;

    /** The question with the hash of the program in the place of the program. */
    private @Nullable Asked askedByHash;

    /** Whether requests ask for records in place of the tuples of a program. */
    private boolean fetchesRecords;

    /** The bound that requests carry; empty: none. */
    private byte[] bound = NO_BOUND;

    /** The table that answers are from, among all tables of its name in all clusters. */
    public record Origin(RoutedTable.Identity table, ClusterId cluster) {}

    /**
     * The question for each part.
     *
     * @param opcode SCAN, SIZE or CLEAR of a hash table, RANGE or RANGE_CLEAR of a range table
     * @param what of a SCAN or RANGE: records, keys, a count, records with versions, or what a program computes
     * @param filter of a SCAN or RANGE, encoded; empty: every record passes; or the program
     * @param blockBytes of a SCAN or RANGE: most bytes of records in one answer
     * @param parallel number of parts under way at a time
     */
    public record Asked(byte opcode, byte what, byte[] filter, int blockBytes, int parallel) {
        private static final byte[] NO_FILTER = new byte[0];

        /** Whether the bricks evaluate a program. */
        boolean isProgram() {
            return RequestFrame.isProgram(what);
        }

        /** The question with a bound before the program. */
        Asked bounded(byte[] bound) {
            byte[] bounded = ByteBuffer.allocate(Short.BYTES + bound.length + filter.length)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putShort((short) bound.length)
                    .put(bound)
                    .put(filter)
                    .array();
            return new Asked(opcode, (byte) (what | RequestFrame.SCAN_BOUND), bounded, blockBytes, parallel);
        }

        /** The question for the records that a program of this question is about. */
        Asked forRecords() {
            return new Asked(opcode, RequestFrame.SCAN_RECORDS, NO_FILTER, blockBytes, parallel);
        }
    }

    /** Takes the results. */
    public interface Sink {
        /**
         * An answer has covered a part up to some point. The sweep requests nothing more of the part until
         * {@link Sweep#resume} is called with the part.
         *
         * @param count number of records that matched, or that exist
         * @param records of a SCAN or RANGE for records or keys, in the format of a reply; of a program its tuples, or
         *     records if the part {@link Part#hasRecords}
         */
        void covered(Part part, long count, byte[] records);

        /** The answers have covered all parts. */
        void done();

        /** A part could not be reached. */
        void failed(Failure failure, List<String> missing);
    }

    private record Answer(long count, byte[] records) {}

    /** The rest of a part under way. */
    public abstract static class Part {
        private boolean covered;
        private boolean hasRecords;

        /** The request of the last step. */
        private @Nullable Request<?> request;

        /** The last answer, when it waits for the answers about parts before this one. */
        private @Nullable Answer early;

        /**
         * Of a program: whether the last answer has records in place of the program's tuples, because the brick does
         * not know such programs.
         */
        public final boolean hasRecords() {
            return hasRecords;
        }

        /** Marks the part as covered to its end. */
        final void cover() {
            covered = true;
        }

        private void cancel() {
            Request<?> last = request;
            if (last != null && last.peer != null) {
                last.peer.cancel(last);
            }
        }

        /** Whether the answers have covered the part to its end. */
        public final boolean isCovered() {
            return covered;
        }
    }

    Sweep(RoutedTable table, Asked asked, long timeoutNanos, Sink sink) {
        this.table = table;
        this.asked = asked;
        this.timeoutNanos = timeoutNanos;
        this.sink = sink;
        this.activeMax = asked.parallel();
    }

    /**
     * Has answers reach the sink in the order of the parts. An answer about a later part waits here, one of each part.
     * Called before the start. The sweep begins with one part, and has twice as many under way after each part, so that
     * little is asked in vain when the sweep is stopped early.
     */
    public final void keepOrder() {
        keepsOrder = true;
        activeMax = 1;
    }

    // ---- the table is made again

    /** Binds the sweep to one table of the name, because it continues an earlier one. Called before the start. */
    public final void bindTo(Origin one) {
        origin = one;
    }

    /** Where the answers are from; null before the first answer. Any thread may call. */
    public final @Nullable Origin origin() {
        return origin;
    }

    /**
     * Whether the answer to a request is from the same table as the earlier answers. Else the sweep ends, because its
     * table does not exist any more.
     */
    final boolean accepts(Request<?> request) {
        Origin known = origin;
        boolean isSame = request.generation
                == (known == null ? table.generation() : known.table().generation());
        if (isSame && known == null) {
            origin = new Origin(table.identity(), table.node().cluster().id());
        } else if (!isSame) {
            onFailure(tableGone());
        }
        return isSame;
    }

    /** Whether the sweep can begin anew in another table that has its table's name, because it has no answer yet. */
    final boolean isForAnyTable() {
        return origin == null;
    }

    /** Whether the table that the answers are from does not exist any more. */
    final boolean isStale() {
        Origin known = origin;
        return known != null
                && (table.isGone() || table.generation() != known.table().generation());
    }

    private Failure tableGone() {
        return new Failure(
                Failure.Kind.NO_SUCH_TABLE,
                "table '" + table.name() + "' was dropped, or left with its cluster, since this began",
                Opcode.isWrite(asked.opcode()));
    }

    // ---- parts

    /** Cuts off the next part; null when none is left. */
    abstract @Nullable Part nextPart();

    /** The request for the next step of a part. */
    abstract Request<?> request(Part part, long deadlineNanos);

    /** The rest that was not begun, as text; null when there is none. */
    abstract @Nullable String rest();

    final RoutedTable table() {
        return table;
    }

    final Asked asked() {
        return asked;
    }

    /**
     * Fetches records from now on in place of the tuples of the program. Whoever takes the answers evaluates the
     * program.
     */
    public final void fetchRecords() {
        fetchesRecords = true;
    }

    /**
     * Has the next requests carry a bound, because rows that are not before it are not wanted.
     *
     * @param order the values of the order of the program, as a tuple
     */
    public final void bound(byte[] order) {
        bound = order.length <= BOUND_BYTES_MAX ? order : NO_BOUND;
    }

    /** The question for the next request. */
    final Asked next() {
        if (!asked.isProgram()) {
            return asked;
        }
        if (fetchesRecords) {
            return asked.forRecords();
        }
        Asked question = asked.filter().length > Limits.PROGRAM_INLINE_BYTES_MAX ? askedByHash() : asked;
        return bound.length > 0 ? question.bounded(bound) : question;
    }

    private Asked askedByHash() {
        Asked byHash = askedByHash;
        if (byHash == null) {
            byte[] hash = ProgramHash.of(asked.filter()).bytes();
            byHash = new Asked(
                    asked.opcode(), RequestFrame.SCAN_KEPT_PROGRAM, hash, asked.blockBytes(), asked.parallel());
            askedByHash = byHash;
        }
        return byHash;
    }

    /**
     * Takes that a brick does not support the program of a question. It may be a brick that another one has forwarded
     * the request to.
     *
     * @return whether another question can be sent
     */
    final boolean giveUp(Asked question) {
        fetchRecords();
        return question.isProgram();
    }

    /** An answer to a question has come about a part. */
    final void onAnswered(Part part, Asked question) {
        part.hasRecords = asked.isProgram() && !question.isProgram();
    }

    /** Whether answers under way may make further parts. */
    boolean isWaiting() {
        return false;
    }

    /** Begins the first parts. A sweep of nothing is done at once. */
    public void start() {
        begin();
        endIfDone();
    }

    /** Begins the next parts, as many as may be under way at a time. */
    final void begin() {
        while (active.size() < activeMax && !stopped) {
            Part part = nextPart();
            if (part == null) {
                return;
            }
            active.add(part);
            step(part);
        }
    }

    /** Adds a part that has begun without a request of its own. */
    final void begun(Part part) {
        active.add(part);
    }

    /** Continues a part after its last block was taken. */
    public final void resume(Part part) {
        if (stopped) {
            return;
        }
        if (!part.covered) {
            step(part);
            return;
        }
        active.remove(part);
        activeMax = Math.min(asked.parallel(), 2 * activeMax);
        begin();
        if (keepsOrder) {
            passOnEarly();
        }
        endIfDone();
    }

    /** The first part under way may have an answer that has waited for its turn. */
    private void passOnEarly() {
        Part first = stopped || active.isEmpty() ? null : active.iterator().next();
        Answer early = first == null ? null : first.early;
        if (first != null && early != null) {
            first.early = null;
            sink.covered(first, early.count(), early.records());
        }
    }

    final void endIfDone() {
        if (active.isEmpty() && !stopped && !isWaiting()) {
            end();
        }
    }

    final void end() {
        stopped = true;
        sink.done();
    }

    /**
     * Stops the sweep. It sends no more requests and no retries, and does not call the sink any more. Bricks that
     * evaluate its program learn that they need not go on.
     */
    public final void stop() {
        if (!stopped && asked.isProgram()) {
            active.forEach(Part::cancel);
        }
        stopped = true;
    }

    final boolean isStopped() {
        return stopped;
    }

    final void step(Part part) {
        ClientNode node = table.node();
        if (isStale()) {
            onFailure(tableGone());
            return;
        }
        Request<?> request = request(part, node.now() + timeoutNanos);
        part.request = request;
        node.window().enter(request.windowBytes());
        node.begin(request);
    }

    final void covered(Part part, long count, byte[] records) {
        if (keepsOrder && !isFirst(part)) {
            part.early = new Answer(count, records);
        } else {
            sink.covered(part, count, records);
        }
    }

    @SuppressWarnings("ReferenceEquality") // a part is what it is
    private boolean isFirst(Part part) {
        return active.iterator().next() == part;
    }

    static byte[] bytes(ByteBuf frame, int from, int end) {
        byte[] bytes = new byte[end - from];
        frame.getBytes(from, bytes);
        return bytes;
    }

    void onFailure(Failure failure) {
        if (stopped) {
            return;
        }
        stop();
        List<String> missing = unfinished();
        String rest = rest();
        if (rest != null) {
            missing.add(rest);
        }
        String text = KeyText.inMessage(table.schema(), failure.text());
        sink.failed(new Failure(failure.kind(), text, failure.outcomeUnknown()), missing);
    }

    /** The parts that have begun and are not covered, as text. */
    final List<String> unfinished() {
        List<String> unfinished = new ArrayList<>();
        for (Part part : active) {
            if (!part.covered) {
                unfinished.add(part.toString());
            }
        }
        return unfinished;
    }
}
