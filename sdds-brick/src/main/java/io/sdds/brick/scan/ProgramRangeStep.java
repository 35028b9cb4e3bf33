package io.sdds.brick.scan;

import io.sdds.brick.memory.RecordBatch;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.partition.RangePartition;
import io.sdds.brick.partition.Replies;
import io.sdds.brick.partition.Request;
import io.sdds.brick.query.ProgramRun;
import io.sdds.brick.range.KeyRange;
import io.sdds.core.protocol.ReplyFrame;

/** A slice of a shipped program over a range partition, in the order of keys. A slice may end behind any record. */
final class ProgramRangeStep {
    private static final byte[] NOTHING = {};

    /** Cost of a batch besides that of its records. */
    private static final int BATCH_COST = 1_000;

    private final RecordStore store;
    private final RecordBatch batch;
    private final KeyRange range = new KeyRange();

    ProgramRangeStep(RecordStore store, RecordBatch batch) {
        this.store = store;
        this.batch = batch;
    }

    /** Does a slice; returns whether there are more records, and room in the answer. */
    boolean run(RangePartition partition, Request request, ProgramScans.Execution execution, int costMax) {
        byte[] reached = execution.key;
        if (reached == null) {
            partition.begin(request, range);
        } else {
            partition.goOn(request, range, reached);
        }
        ProgramRun run = execution.run;
        boolean begun = reached != null;
        int recordsMax = run.recordsMax();
        long last = 0;
        long cost = 0;
        boolean more;
        boolean whole;
        do {
            more = partition.bucket().next(batch, recordsMax);
            int taken = run.evaluate(batch, true, begun, costMax - cost);
            whole = taken == batch.size();
            if (whole) {
                last = batch.last(); // may have expired, and is a place as any other
            } else if (taken > 0) {
                last = batch.get(taken - 1);
            }
            begun |= last != 0;
            cost += run.takeCost() + BATCH_COST + (long) batch.expired() * ProgramScans.EXPIRED_COST;
        } while (more && whole && !run.isFull() && cost < costMax);
        boolean ended = !more && whole;
        if (!ended && last != 0) {
            execution.key = store.key(last);
        }
        execution.ended = ended;
        return !ended && !run.isFull();
    }

    void answer(RangePartition partition, Request request, ProgramScans.Execution execution, Replies replies) {
        ProgramRun run = execution.run;
        byte[] key = execution.key;
        if (!execution.ended && key != null) {
            replies.range(request, run.matched(), ReplyFrame.RANGE_MORE, key, run.answer());
        } else if (run.matched() > 0 || !request.wantsFindsAlone() || request.hops > 0) {
            // A brick that forwarded a request waits for an answer, even of no records.
            answerEnd(partition, request, run, replies);
        }
    }

    private static void answerEnd(RangePartition partition, Request request, ProgramRun run, Replies replies) {
        if (partition.holdsEnd(request)) {
            replies.range(request, run.matched(), ReplyFrame.RANGE_END, NOTHING, run.answer());
        } else {
            byte[] reached = request.isDescending()
                    ? partition.span().low()
                    : partition.span().high();
            replies.range(request, run.matched(), ReplyFrame.RANGE_PART_END, reached, run.answer());
        }
    }
}
