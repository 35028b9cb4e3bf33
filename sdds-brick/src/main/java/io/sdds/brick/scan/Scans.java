package io.sdds.brick.scan;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.sdds.brick.memory.RecordBatch;
import io.sdds.brick.partition.HashPartition;
import io.sdds.brick.partition.Parked;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.RangePartition;
import io.sdds.brick.partition.Replies;
import io.sdds.brick.partition.Request;
import io.sdds.brick.query.KeptPrograms;
import io.sdds.brick.stage.StageContext;
import io.sdds.core.addressing.ScanOrder;
import io.sdds.core.node.Env;
import io.sdds.core.node.Link;
import io.sdds.core.protocol.Limits;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.ProtocolViolation;
import io.sdds.core.protocol.RequestFrame;
import io.sdds.core.protocol.Status;
import io.sdds.core.query.UnsupportedProgram;
import io.sdds.core.stage.Stage;

/**
 * Runs SCAN, SIZE and RANGE requests as background work of the stage. Each request is one bounded step through an
 * interval, and its reply names the point that the step reached. So a brick keeps nothing of a client between two steps
 * (docs/design/scans.md, rule 17, and overload.md, rule 23). A step goes by whole LH-buckets, or by records in key
 * order.
 */
public final class Scans implements Stage.Background {
    private static final int WAITING_MAX = 1024;

    /** Cost of routing a waiting request again, as a number of records looked at. */
    private static final int RERUN_RECORDS = 8;

    private final Env env;
    private final Stage stage;
    private final Replies replies;
    private final Parked waiting;
    private final Again again;
    private final Parked.Rerun begin;
    private final RecordBlock block;
    private final ScanStep scan;
    private final RangeStep range;
    private final ProgramScans programs;
    private final int busyHintMillis;
    private final Runnable endOfRest = this::endRest;
    private boolean queued;

    /** Whether the stage rests between two slices of shipped programs. */
    private boolean resting;

    /** Whether the last slice was one of a shipped program that went on. */
    private boolean programsTurn;

    /** Records that the steps of this slice have looked at. */
    private int sliceRecords;

    private int sliceBytes;

    /** The first slice of a request. */
    private static final class FirstSlice implements Request.Slice {}

    /** Routes a waiting request again for its next slice, since its partition may have split meanwhile. */
    public interface Again {
        void run(Link link, ByteBuf frame, Request.Slice slice);
    }

    public Scans(StageContext context, KeptPrograms kept, Again again) {
        this.env = context.env();
        this.stage = context.stage();
        this.replies = context.replies();
        this.busyHintMillis = context.busyHintMillis();
        this.again = again;
        Request.Slice first = new FirstSlice();
        this.begin = (link, frame) -> again.run(link, frame, first);
        this.waiting = new Parked(context.env(), WAITING_MAX);
        this.block = new RecordBlock(context.store(), context.env());
        RecordBatch batch = new RecordBatch();
        FilterCache filters = new FilterCache();
        this.scan = new ScanStep(context.store(), batch, block, filters);
        this.range = new RangeStep(context.store(), batch, block, filters);
        this.programs = new ProgramScans(context, kept, batch);
    }

    /**
     * Takes a SCAN, SIZE or RANGE request. The partition owns the first point of the interval, and is of the request's
     * kind of table. A cheap request runs at once, any other in the background.
     */
    public void take(Partition partition, Request request, boolean inBackground) {
        boolean isRange = request.opcode == Opcode.RANGE;
        if (givesRecords(request)
                && !request.link.admits(Limits.MESSAGE_BYTES_MAX)) { // one record may be as long as a message
            replies.busy(request, busyHintMillis);
        } else if (inBackground && request.shipsProgram()) {
            sliceRecords = RangeStep.RECORDS_MAX;
            programs.take(partition, request);
        } else if (isRange && (inBackground || RangeStep.isShort(request))) {
            rangeStep((RangePartition) partition, request);
        } else if (request.opcode == Opcode.SIZE
                && coversAll(partition, request)
                && !partition.bucket().mayHoldExpired()) {
            replies.block(request, endOf(partition), partition.records(), Unpooled.EMPTY_BUFFER);
        } else if (inBackground) {
            step(partition, request);
        } else if (waiting.add(request)) {
            queue();
        } else {
            replies.busy(request, busyHintMillis);
        }
    }

    private static boolean givesRecords(Request request) {
        return switch (request.opcode) {
            case Opcode.SIZE -> false;
            case Opcode.RANGE -> request.rangeWhat() != RequestFrame.SCAN_COUNT;
            default -> request.scanWhat() != RequestFrame.SCAN_COUNT;
        };
    }

    /**
     * Takes that a client no longer needs the answer to a request. The request is answered after a slice, because the
     * correlation id is free when the answer has come.
     */
    public void cancel(Link link, int correlation) {
        waiting.hurry(link, correlation);
        programs.cancel(link, correlation);
    }

    /**
     * Runs one step, or as many short steps of range queries as cost about the same. Otherwise a query for a hundred
     * records would wait one drain for each query before it.
     */
    @Override
    public boolean slice() {
        queued = false;
        sliceRecords = 0;
        sliceBytes = 0;
        programsTurn = !programs.isIdle() && (!programsTurn || waiting.isEmpty());
        if (programsTurn) {
            programs.rerunOne(again);
        } else {
            runSteps();
        }
        goOn();
        return false;
    }

    /** Requests that wait have their first slice at once, also during a rest. */
    private void goOn() {
        if (!waiting.isEmpty()) {
            queue();
        } else if (!resting && !programs.isIdle()) {
            goOnWithPrograms();
        }
    }

    private void goOnWithPrograms() {
        long restNanos = programs.restNanos();
        if (restNanos > 0) {
            resting = true;
            env.schedule(restNanos, endOfRest);
        } else {
            queue();
        }
    }

    private void endRest() {
        resting = false;
        if (!programs.isIdle()) {
            queue();
        }
    }

    private void runSteps() {
        do {
            sliceRecords += RERUN_RECORDS;
            waiting.rerunOne(begin);
        } while (!waiting.isEmpty() && sliceRecords < RangeStep.RECORDS_MAX / 2 && sliceBytes < RecordBlock.BYTES_MAX);
    }

    public void release() {
        waiting.release();
        programs.release();
        block.release();
    }

    private void queue() {
        if (!queued) {
            queued = true;
            stage.background(this);
        }
    }

    private void step(Partition partition, Request request) {
        try {
            scan.run((HashPartition) partition, request, replies);
            sliceRecords = RangeStep.RECORDS_MAX;
            block.giveBack();
        } catch (UnsupportedProgram e) {
            replies.refusal(request, Status.UNSUPPORTED_PROGRAM, String.valueOf(e.getMessage()));
        } catch (ProtocolViolation e) {
            replies.badRequest(request, String.valueOf(e.getMessage()));
        }
    }

    private void rangeStep(RangePartition partition, Request request) {
        try {
            range.run(partition, request, replies);
            sliceRecords += range.records();
            sliceBytes += block.used();
            block.giveBack();
        } catch (UnsupportedProgram e) {
            replies.refusal(request, Status.UNSUPPORTED_PROGRAM, String.valueOf(e.getMessage()));
        } catch (ProtocolViolation e) {
            replies.badRequest(request, String.valueOf(e.getMessage()));
        }
    }

    private static boolean coversAll(Partition partition, Request request) {
        return request.from == ScanOrder.start(partition.number())
                && ScanOrder.minEnd(request.end, endOf(partition)) == endOf(partition);
    }

    private static long endOf(Partition partition) {
        return ScanOrder.end(partition.number(), partition.level());
    }
}
