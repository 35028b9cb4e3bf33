package io.sdds.brick.scan;

import io.sdds.brick.memory.RecordBatch;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.partition.RangePartition;
import io.sdds.brick.partition.Replies;
import io.sdds.brick.partition.Request;
import io.sdds.brick.range.KeyRange;
import io.sdds.core.protocol.ProtocolViolation;
import io.sdds.core.protocol.ReplyFrame;
import io.sdds.core.protocol.RequestFrame;

/**
 * One step of a range query: it reads records in the order asked for, until the range ends, the partition's keys end or
 * a limit is reached. A stage uses one object for all its steps.
 */
final class RangeStep {
    /** Records looked at after which a step ends: about 200 µs of work. */
    static final int RECORDS_MAX = 4096;

    /** Most records of a short query, which costs no more than a few requests for keys. */
    private static final int SHORT_RECORDS = 256;

    private static final byte[] NOTHING = new byte[0];

    private final RecordStore store;
    private final RecordBatch batch;
    private final RecordBlock block;
    private final FilterCache filters;
    private final KeyRange range = new KeyRange();
    private FilterMatcher filter = FilterMatcher.EVERYTHING;
    private int bytesMax;
    private int recordsMax;

    /** Records looked at. */
    private int seen;

    /** Records looked at that have expired, and as many as have cost as much as the filter. */
    private int more;

    private int matched;
    private long last;

    RangeStep(RecordStore store, RecordBatch batch, RecordBlock block, FilterCache filters) {
        this.store = store;
        this.batch = batch;
        this.block = block;
        this.filters = filters;
    }

    /** Whether the query is short, so that its step may run at once, between requests for keys. */
    static boolean isShort(Request request) {
        if (request.shipsProgram()) {
            return false;
        }
        return request.rangeWhat() == RequestFrame.SCAN_COUNT
                ? !request.rangeFilter().isReadable()
                : request.rangeRecordsMax() <= SHORT_RECORDS;
    }

    /**
     * Runs the step and answers the request.
     *
     * @throws ProtocolViolation when the query can't be read
     */
    void run(RangePartition partition, Request request, Replies replies) {
        read(partition, request);
        if (block.counts()
                && filter == FilterMatcher.EVERYTHING
                && !partition.bucket().mayHoldExpired()) {
            answerEnd(partition, request, replies, partition.count(request, range));
        } else if (walk(partition, request)) {
            answerEnd(partition, request, replies, matched);
        } else {
            replies.range(request, matched, ReplyFrame.RANGE_MORE, store.key(last), block.bytes());
        }
    }

    /** Records that the last step looked at. */
    int records() {
        return seen + more;
    }

    private void read(RangePartition partition, Request request) {
        block.begin(request.rangeWhat(), partition.bucket().timeNanos());
        filter = filters.filter(request.rangeFilter());
        bytesMax = RecordBlock.bytesMax(request.rangeBytesMax());
        recordsMax = Math.max(1, request.rangeRecordsMax());
        filters.takeWork();
        seen = 0;
        more = 0;
        matched = 0;
    }

    private void answerEnd(RangePartition partition, Request request, Replies replies, long count) {
        if (count == 0 && request.wantsFindsAlone() && request.hops == 0) {
            return; // a brick that forwarded a request waits for an answer, even of no records
        }
        if (partition.holdsEnd(request)) {
            replies.range(request, count, ReplyFrame.RANGE_END, NOTHING, block.bytes());
        } else {
            byte[] reached = request.isDescending()
                    ? partition.span().low()
                    : partition.span().high();
            replies.range(request, count, ReplyFrame.RANGE_PART_END, reached, block.bytes());
        }
    }

    /** Looks at records of the range until it ends, or a limit is reached; returns whether it ended. */
    private boolean walk(RangePartition partition, Request request) {
        partition.begin(request, range);
        boolean isMore;
        do {
            isMore = partition.bucket().next(batch, recordsLeft());
            if (!takeBatch()) {
                return false;
            }
            more += batch.expired();
            last = batch.last(); // may have expired, and is a place as any other
        } while (isMore && !isFull());
        return !isMore;
    }

    /** Takes records of the batch; returns whether all have been looked at. */
    private boolean takeBatch() {
        for (int from = 0; from < batch.size(); ) {
            if (isFull()) {
                return false;
            }
            int most = Math.min(batch.size() - from, FilterMatcher.RECORDS_MAX);
            int records = filter.together(store, batch, from, most, ScanStep.FILTER_BYTES);
            long matching = filter.matches(store, batch, from, -1L >>> -records);
            more += (int) (filters.takeWork() / ScanStep.RECORD_WORK);
            if (!take(from, records, matching)) {
                return false;
            }
            from += records;
        }
        return true;
    }

    /**
     * Takes the matching ones of some records of the batch, or the first of them if the step is full before.
     *
     * @param matching bit k stands for the record at {@code from + k}
     * @return whether all records have been looked at
     */
    private boolean take(int from, int records, long matching) {
        int looked = seen;
        for (long left = matching; left != 0; left &= left - 1) {
            int index = Long.numberOfTrailingZeros(left);
            last = batch.get(from + index);
            block.add(last);
            matched++;
            if (isFull()) {
                seen = looked + index + 1;
                return index == records - 1;
            }
        }
        last = batch.get(from + records - 1);
        seen = looked + records;
        return true;
    }

    /** An estimate, from what was looked at so far, of the records to look at until the step ends; at least one. */
    private int recordsLeft() {
        long looked = (long) seen + more;
        long byBytes = block.used() == 0 ? RECORDS_MAX : (bytesMax - block.used()) * looked / block.used() + 1;
        long byRecords = matched == 0 ? Math.max(recordsMax, looked) : (recordsMax - matched) * looked / matched;
        return (int) Math.max(1, Math.min(Math.min(byBytes, byRecords), RECORDS_MAX - looked));
    }

    private boolean isFull() {
        return block.used() >= bytesMax || matched >= recordsMax || (long) seen + more >= RECORDS_MAX;
    }
}
