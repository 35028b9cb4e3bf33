package io.sdds.brick.partition;

import io.sdds.brick.bucket.PutResult;
import java.lang.foreign.MemorySegment;

/** The gate of a partition without a log: each request runs at once, and writes change the bucket. */
final class OpenGate implements Gate {
    private final Partition partition;

    OpenGate(Partition partition) {
        this.partition = partition;
    }

    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public boolean admits(Request request) {
        return true;
    }

    @Override
    public boolean admitsStill(Request request) {
        return true;
    }

    @Override
    public void advance(long nowNanos) {
        partition.advanceTime(nowNanos);
    }

    @Override
    public boolean look(Request request, Current current) {
        current.record(partition.bucket().find(request.hash, request.frame, request.keyOffset, request.keyLength));
        return true;
    }

    @Override
    public boolean mayAcknowledge(Request request) {
        return true;
    }

    @Override
    public boolean hasRoom(Request request) {
        return true;
    }

    @Override
    public boolean hasRoom(Request request, int valueLength) {
        return true;
    }

    @Override
    public boolean put(
            Request request, MemorySegment from, long offset, int length, long version, long expiry, Change change) {
        PutResult done = partition
                .bucket()
                .put(
                        request.hash,
                        request.frame,
                        request.keyOffset,
                        request.keyLength,
                        from,
                        offset,
                        length,
                        version,
                        expiry,
                        false);
        return done != PutResult.FULL;
    }

    @Override
    public void remove(Request request, Change change) {
        partition.bucket().remove(request.hash, request.frame, request.keyOffset, request.keyLength);
    }

    @Override
    public Clears clears() {
        return Clears.AT_ONCE;
    }

    @Override
    public boolean attach(Request request) {
        return false;
    }

    @Override
    public boolean propose(Request request, long low, Outcome outcome) {
        return false;
    }
}
