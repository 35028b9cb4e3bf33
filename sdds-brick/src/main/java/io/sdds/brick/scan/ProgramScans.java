package io.sdds.brick.scan;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.memory.RecordBatch;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.partition.Parked;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.RangePartition;
import io.sdds.brick.partition.Replies;
import io.sdds.brick.partition.Request;
import io.sdds.brick.query.KeptProgram;
import io.sdds.brick.query.KeptPrograms;
import io.sdds.brick.query.ProgramRun;
import io.sdds.brick.query.Programs;
import io.sdds.brick.query.QueryFailure;
import io.sdds.brick.stage.StageContext;
import io.sdds.core.node.Env;
import io.sdds.core.node.Link;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.ProtocolViolation;
import io.sdds.core.protocol.Status;
import io.sdds.core.query.ProgramHash;
import io.sdds.core.query.UnsupportedProgram;
import io.sdds.core.stage.Stage;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The requests of one stage that ship a program. A request goes on for some slices before it is answered, so that
 * groups and first rows are answered once for many records. Between two slices it waits like a new request, and is
 * routed again; it goes on only if the same partition still owns the point that it reached, and else begins anew.
 */
final class ProgramScans {
    /** Cost after which a slice ends, in about nanoseconds. */
    static final int SLICE_COST = 200_000;

    /** The same while requests come, so that they wait for shorter slices. */
    private static final int BUSY_SLICE_COST = 100_000;

    /** Rest of the stage behind such a slice, in which clients and other bricks find a processor free. */
    private static final long BUSY_REST_NANOS = 200_000;

    /** Cost of a record that has expired. */
    static final int EXPIRED_COST = 40;

    /** Most slices of a request. */
    private static final int SLICES_MAX = 64;

    /** Most requests that wait for their next slice. Others are answered after one slice. */
    private static final int UNDER_WAY_MAX = 16;

    /** Most bytes of memory of those requests together. */
    private static final long UNDER_WAY_BYTES_MAX = 8 << 20;

    private final Stage stage;
    private final Replies replies;
    private final Env env;
    private final Programs programs;
    private final KeptPrograms kept;
    private final ProgramHashStep hashStep;
    private final ProgramRangeStep rangeStep;
    private final ArrayDeque<Execution> underWay = new ArrayDeque<>();

    /** Number of requests that the stage had admitted at the last slice. */
    private long accepted;

    /** Whether requests had come between the last two slices. */
    private boolean requestsCome;

    /** A request between two slices, and what it has reached. */
    static final class Execution implements Request.Slice {
        final Partition partition;
        final ProgramRun run;
        final Parked waiting;
        private final Link link;
        private final int correlation;

        /** When the client stops waiting for an answer, or has stopped. */
        private long deadlineNanos;

        /**
         * The point, or the last key, that was reached; of a hash table {@code point} counts, of a range table the key.
         */
        long point;

        byte @Nullable [] key;

        /** Whether a slice of a range table has reached the end of the range, or of the partition's keys. */
        boolean ended;

        int slices;

        /** Whether {@link #take} releases it. */
        private boolean taken;

        Execution(Partition partition, Request request, ProgramRun run, Parked waiting, long nowNanos) {
            this.partition = partition;
            this.run = run;
            this.waiting = waiting;
            this.link = request.link;
            this.correlation = request.correlation;
            this.deadlineNanos = nowNanos + request.deadlineMillis * 1_000_000L;
            this.point = request.from;
        }

        /** Whether this is about a request, and about the same object of its partition. */
        @SuppressWarnings("ReferenceEquality") // another object may lack what was evaluated
        boolean isOf(Request request, Partition owner) {
            return link == request.link && correlation == request.correlation && partition == owner;
        }
    }

    ProgramScans(StageContext context, KeptPrograms kept, RecordBatch batch) {
        RecordStore store = context.store();
        this.replies = context.replies();
        this.stage = context.stage();
        this.env = context.env();
        this.programs = new Programs(store, env::allocate);
        this.kept = kept;
        this.hashStep = new ProgramHashStep(batch);
        this.rangeStep = new ProgramRangeStep(store, batch);
    }

    /** Whether no request waits for its next slice. */
    boolean isIdle() {
        return underWay.isEmpty();
    }

    /** Ends the time of a request, so that the request is answered after its next slice. */
    void cancel(Link link, int correlation) {
        for (Execution execution : underWay) {
            if (execution.link == link && execution.correlation == correlation) {
                execution.deadlineNanos = env.nowNanos();
            }
        }
    }

    /** Routes the request again that has waited longest for its next slice. */
    void rerunOne(Scans.Again again) {
        Execution next = underWay.remove();
        next.taken = false;
        try {
            next.waiting.rerunOne((link, frame) -> again.run(link, frame, next));
        } finally {
            if (!next.taken) { // its partition is elsewhere, or its link is down
                release(next);
            }
        }
    }

    /**
     * Does a slice of a request, and answers the request unless it goes on with another slice. A request that runs
     * outside of slices is answered at once.
     */
    void take(Partition partition, Request request) {
        Execution execution = null;
        try {
            execution = begin(partition, request);
            if (execution == null) {
                replies.status(request, Status.NO_PROGRAM);
                return;
            }
            int costMax = costMax();
            boolean more = request.opcode == Opcode.RANGE
                    ? rangeStep.run((RangePartition) partition, request, execution, costMax)
                    : hashStep.run(partition, request, execution, costMax);
            execution.slices++;
            if (more && request.slice != null && park(request, execution)) {
                execution = null;
            } else {
                answer(partition, request, execution);
            }
        } catch (QueryFailure e) {
            replies.refusal(request, Status.QUERY_FAILED, String.valueOf(e.getMessage()));
        } catch (UnsupportedProgram e) {
            replies.refusal(request, Status.UNSUPPORTED_PROGRAM, String.valueOf(e.getMessage()));
        } catch (ProtocolViolation e) {
            replies.badRequest(request, String.valueOf(e.getMessage()));
        } finally {
            if (execution != null) {
                release(execution);
            }
        }
    }

    /** How long the stage rests before the next slice; 0: it does not. */
    long restNanos() {
        return requestsCome ? BUSY_REST_NANOS : 0;
    }

    /** The cost after which the next slice ends. A slice does not learn of requests that come meanwhile. */
    private int costMax() {
        requestsCome = stage.accepted() != accepted;
        accepted = stage.accepted();
        return requestsCome ? BUSY_SLICE_COST : SLICE_COST;
    }

    /** Goes on with the request that is routed again, or begins; null if the brick does not keep its program. */
    private @Nullable Execution begin(Partition partition, Request request) {
        if (request.slice instanceof Execution known) {
            known.taken = true;
            if (known.isOf(request, partition) && ownsReached(partition, request, known)) {
                return known;
            }
            release(known);
        }
        boolean isRange = request.opcode == Opcode.RANGE;
        ByteBuf encoded = isRange ? request.rangeFilter() : request.scanFilter();
        int bytesMax = isRange ? request.rangeBytesMax() : request.scanBytesMax();
        int rowsMax = isRange ? Math.max(1, request.rangeRecordsMax()) : Integer.MAX_VALUE;
        ProgramRun run;
        if (request.namesProgram()) {
            KeptProgram program = kept(encoded);
            if (program == null) {
                return null;
            }
            run = programs.begin(program, request.bound(), bytesMax, rowsMax);
        } else {
            run = programs.begin(encoded, request.bound(), bytesMax, rowsMax);
        }
        return new Execution(partition, request, run, new Parked(env, 1), env.nowNanos());
    }

    private @Nullable KeptProgram kept(ByteBuf hash) {
        if (hash.readableBytes() != ProgramHash.BYTES) {
            throw new ProtocolViolation(
                    "the hash of a program of " + hash.readableBytes() + " bytes, it has " + ProgramHash.BYTES);
        }
        return kept.use(ProgramHash.read(hash, 0), env.nowNanos());
    }

    private static boolean ownsReached(Partition partition, Request request, Execution execution) {
        if (partition instanceof RangePartition range) {
            return execution.key == null || range.owns(execution.key);
        }
        return ProgramHashStep.isWithin(partition, request, execution.point);
    }

    private boolean park(Request request, Execution execution) {
        boolean parks = execution.slices < SLICES_MAX
                && underWay.size() < UNDER_WAY_MAX
                && bytesUnderWay() + execution.run.bytes() <= UNDER_WAY_BYTES_MAX
                && env.nowNanos() - execution.deadlineNanos < 0
                && execution.waiting.add(request);
        if (parks) {
            underWay.add(execution);
        }
        return parks;
    }

    private long bytesUnderWay() {
        long bytes = 0;
        for (Execution execution : underWay) {
            bytes += execution.run.bytes();
        }
        return bytes;
    }

    private void answer(Partition partition, Request request, Execution execution) {
        if (request.opcode == Opcode.RANGE) {
            rangeStep.answer((RangePartition) partition, request, execution, replies);
        } else {
            replies.block(request, execution.point, execution.run.matched(), execution.run.answer());
        }
    }

    private static void release(Execution execution) {
        execution.waiting.release();
        execution.run.release();
    }

    void release() {
        underWay.forEach(ProgramScans::release);
        underWay.clear();
        programs.release();
    }
}
