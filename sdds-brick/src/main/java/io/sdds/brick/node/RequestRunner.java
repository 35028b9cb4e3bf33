package io.sdds.brick.node;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.group.Groups;
import io.sdds.brick.map.BrickMap;
import io.sdds.brick.migration.Migrations;
import io.sdds.brick.parity.stage.ParityStage;
import io.sdds.brick.partition.FailedChange;
import io.sdds.brick.partition.Gate;
import io.sdds.brick.partition.Operations;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.RangePartition;
import io.sdds.brick.partition.Replies;
import io.sdds.brick.partition.Request;
import io.sdds.brick.partition.ResultBudget;
import io.sdds.brick.partition.Tables;
import io.sdds.brick.query.KeptPrograms;
import io.sdds.brick.scan.ProgramUploads;
import io.sdds.brick.scan.Scans;
import io.sdds.brick.stage.StageContext;
import io.sdds.core.control.ControlMessage.MapUpdate;
import io.sdds.core.control.Roles;
import io.sdds.core.model.Place;
import io.sdds.core.node.Link;
import io.sdds.core.protocol.Hello.Role;
import io.sdds.core.protocol.IndexRecord;
import io.sdds.core.protocol.Opcode;
import io.sdds.core.protocol.ProtocolViolation;
import io.sdds.core.protocol.RequestFrame;
import io.sdds.core.protocol.Status;
import io.sdds.core.stage.Stage;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the requests of a stage's queue. A request is read, routed to the partition that owns its key, and run on the
 * partition's bucket. The reply is written into the link's buffer. The buffer is flushed before the buffer of the next
 * link, or at the end of the turn.
 */
final class RequestRunner {
    /** Requests that are read before the first of them runs. */
    private static final int BATCH = 32;

    private static final Logger log = LoggerFactory.getLogger(RequestRunner.class);

    private final BrickMap map;
    private final Tables tables;
    private final Replies replies;
    private final Stage stage;
    private final int busyHintMillis;
    private final ParityStage parity;
    private final Groups groups;
    private final IndexUpkeep index;
    private final Router router;
    private final Multicasts multicasts;
    private final Operations operations;
    private final ResultBudget resultBudget;
    private final Scans scans;
    private final ProgramUploads uploads;
    private final Request[] batch = new Request[BATCH];
    private final Request again = new Request();
    private int selfNumber = Place.LOST;
    private boolean stopped;
    private long count;

    @SuppressWarnings("unused") // written so that the compiler does not remove the loads
    private int touched;

    RequestRunner(
            StageContext context,
            Migrations migrations,
            ParityStage parity,
            Forwards forwards,
            KeptPrograms kept,
            ResultBudget resultBudget) {
        this.resultBudget = resultBudget;
        this.map = context.map();
        this.tables = context.tables();
        this.replies = context.replies();
        this.stage = context.stage();
        this.busyHintMillis = context.busyHintMillis();
        this.parity = parity;
        this.groups = parity.groups();
        this.index = new IndexUpkeep(context);
        this.router = new Router(context, migrations, forwards, parity.parities()::takesDegraded);
        this.multicasts = new Multicasts(context, this::rerun);
        this.operations = new Operations(
                context.store(),
                replies,
                map::sessionEnded,
                map::sessionNotIssued,
                context.env()::nowNanos,
                busyHintMillis,
                resultBudget);
        this.scans = new Scans(context, kept, this::rerun);
        this.uploads = new ProgramUploads(context, kept);
        Arrays.setAll(batch, k -> new Request());
    }

    Router router() {
        return router;
    }

    IndexUpkeep index() {
        return index;
    }

    /** Number of requests that have run. */
    long count() {
        return count;
    }

    /** Takes a change of the map. */
    void mapChanged(MapUpdate update, int self) {
        selfNumber = self;
        router.self(self);
        index.mapChanged(update);
    }

    /** From now on runs no requests. */
    void stop() {
        stopped = true;
    }

    /** The node ends. */
    void release() {
        scans.release();
        uploads.release();
    }

    /** Drops programs that were not used for a while, and counts the kept results. */
    void tick() {
        uploads.tick();
        long[] resultBytes = {parity.parities().resultBytes()};
        tables.forEach(partition -> resultBytes[0] += partition.results().bytes());
        resultBudget.count(resultBytes[0]);
    }

    /**
     * Runs a link's requests until its buffer is full.
     *
     * @return offset of the first request that was not run
     */
    int run(Link link, ByteBuf frames, int from, int to) {
        Roles.check(Role.BRICK, link.peer().role(), frames.getByte(from + RequestFrame.OPCODE));
        MemorySegment memory = Request.memoryOf(frames);
        groups.readClockAnew();
        int at = from;
        while (at < to) {
            int read = 0;
            while (at < to && read < BATCH) {
                int length = frames.getIntLE(at);
                batch[read++].read(link, frames, memory, at, length);
                at += length;
            }
            count += read;
            prefetch(read);
            for (int k = 0; k < read; k++) {
                run(batch[k]);
                if (link.isFull()) {
                    count -= read - 1 - k;
                    return batch[k].at + batch[k].length;
                }
            }
        }
        return to;
    }

    /**
     * Routes and runs a request. A request that fails before it has changed anything is answered INTERNAL_ERROR. After
     * a change, or after an error, the request is answered FATAL, and the exception is thrown on, because the brick
     * can't go on.
     */
    private void run(Request request) {
        if (stopped) {
            return;
        }
        try {
            if (request.opcode == Opcode.PROGRAM) {
                uploads.take(request);
            } else if (request.opcode == Opcode.CANCEL) {
                scans.cancel(request.link, request.correlation);
            } else if (!request.isMulticast() || multicasts.isForHere(request)) {
                Partition partition = router.route(request);
                if (partition != null) {
                    serve(partition, request);
                }
            }
        } catch (ProtocolViolation e) {
            throw e;
        } catch (FailedChange | Error e) {
            fatal(request);
            throw e;
        } catch (RuntimeException e) {
            log.error("a request of {} failed: opcode {}", request.link.remote(), request.opcode, e);
            request.link.abandon();
            replies.adjustNothing();
            replies.status(request, Status.INTERNAL_ERROR);
        }
    }

    /** The stage fails because of a request, so no other request is to blame. */
    private void fatal(Request request) {
        request.link.abandon();
        replies.adjustNothing();
        groups.fatal(request);
    }

    /**
     * Loads the parts of the buckets that the batch needs into the processor's caches. The index is loaded for all
     * requests first, and then the records, so that the waits for memory overlap.
     */
    private void prefetch(int count) {
        int consumed = 0;
        for (int k = 0; k < count; k++) {
            Request read = batch[k];
            Partition partition = tables.find(read.table, read.partition);
            if (partition != null) {
                read.touched = partition.bucket().touchIndex(read.hash, read.frame, read.keyOffset, read.keyLength);
            }
        }
        for (int k = 0; k < count; k++) {
            Request read = batch[k];
            Partition partition = tables.find(read.table, read.partition);
            if (partition != null) {
                consumed += partition
                        .bucket()
                        .touchRecord(read.touched, read.hash, read.frame, read.keyOffset, read.keyLength);
            }
        }
        touched = consumed;
    }

    /** Runs a request on the partition that owns its key. */
    private void serve(Partition partition, Request served) {
        Gate gate = partition.gate();
        if (!(served.slice != null ? gate.admitsStill(served) : gate.admits(served))) {
            return;
        }
        if (served.isWrite() && index.isIndex(served.table)) {
            replies.badRequest(served, "table '" + IndexRecord.TABLE + "' is written by the cluster alone");
            return;
        }
        if (served.wantsAdjustment()) {
            adjust(served, partition);
        }
        if (Opcode.isOfKey(served.opcode)) {
            operations.run(partition, served);
        } else {
            serveMany(partition, served);
        }
        if (served.wantsAdjustment()) {
            replies.adjustNothing();
        }
    }

    /** Runs a request that is about many keys of a hash table or of a range table. */
    private void serveMany(Partition partition, Request served) {
        if (Opcode.isRange(served.opcode) != partition instanceof RangePartition) {
            replies.badRequest(served, "opcode " + served.opcode + " is not for a table of this kind");
        } else if (served.opcode == Opcode.CLEAR || served.opcode == Opcode.RANGE_CLEAR) {
            operations.run(partition, served);
        } else {
            scans.take(partition, served, served.slice != null || groups.isRerunning());
        }
    }

    private void adjust(Request served, Partition partition) {
        if (partition.gate().isOpen()) {
            replies.adjust(served, partition, map.version(), selfNumber);
        } else {
            groups.adjust(served, partition);
        }
    }

    /** Runs a request that has waited. */
    void rerun(Link link, ByteBuf frame) {
        rerun(link, frame, null);
    }

    private void rerun(Link link, ByteBuf frame, Request.@Nullable Slice slice) {
        again.read(link, frame, Request.memoryOf(frame), 0, frame.readableBytes());
        again.slice = slice;
        run(again);
        stage.touched(link);
    }

    /** Answers BUSY to a request whose deadline has passed while it waited. The request had no effect. */
    void overdue(Link link, ByteBuf frame) {
        again.read(link, frame, Request.memoryOf(frame), 0, frame.readableBytes());
        replies.busy(again, busyHintMillis);
        stage.touched(link);
    }
}
