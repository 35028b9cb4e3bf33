package io.sdds.brick.scan;

import io.sdds.brick.memory.RecordBatch;
import io.sdds.brick.partition.HashPartition;
import io.sdds.brick.partition.Partition;
import io.sdds.brick.partition.Request;
import io.sdds.core.addressing.ScanOrder;

/** A slice of a shipped program over a hash partition: batches of records, each an interval of points. */
final class ProgramHashStep {
    /** Bytes of a batch for each of the records that should be evaluated together. */
    private static final int RECORD_BYTES = 256;

    /** Cost of a batch besides that of its records, so that a slice over an empty partition ends. */
    private static final int BATCH_COST = 1_000;

    private final RecordBatch batch;

    ProgramHashStep(RecordBatch batch) {
        this.batch = batch;
    }

    /** Whether a point that a scan reached lies in what the partition has of the request's interval. */
    static boolean isWithin(Partition partition, Request request, long point) {
        return point != 0 && ScanOrder.before(point, stop(partition, request));
    }

    private static long stop(Partition partition, Request request) {
        return ScanOrder.minEnd(request.end, ScanOrder.end(partition.number(), partition.level()));
    }

    /** Does a slice; returns whether there are more records, and room in the answer. */
    boolean run(Partition partition, Request request, ProgramScans.Execution execution, int costMax) {
        long stop = stop(partition, request);
        HashPartition hashed = (HashPartition) partition;
        long bytesMax = Math.min((long) execution.run.recordsMax() * RECORD_BYTES, execution.run.bytesMax());
        long cost = 0;
        do {
            execution.point = hashed.bucket().next(execution.point, stop, bytesMax, batch);
            execution.run.evaluate(batch, false, false);
            cost += execution.run.takeCost() + BATCH_COST + (long) batch.expired() * ProgramScans.EXPIRED_COST;
        } while (execution.point != stop && !execution.run.isFull() && cost < costMax);
        return execution.point != stop && !execution.run.isFull();
    }
}
