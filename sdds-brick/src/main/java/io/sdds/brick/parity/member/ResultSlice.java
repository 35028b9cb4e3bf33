package io.sdds.brick.parity.member;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.partition.Results;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Some results of a column's recent writes, as a frame brings them to a brick that gets a copy of the column. Little
 * endian:
 *
 * <pre>
 *  0 i64 session   8 i64 seq of the write; 0: the low of the session alone   16 i64 low
 * 24 i64 pseudo-key   32 i64 value of the result   40 i64 status of the result
 * </pre>
 */
public final class ResultSlice {
    /** Bytes of a result in a frame. */
    public static final int RESULT_BYTES = 48;

    private final List<Result> results = new ArrayList<>();

    /** The first result that is not in the slice; null if the slice has the last one. */
    private @Nullable Result next;

    private record Result(long session, long seq, long low, long hash, byte status, long value) {}

    /** Tells whether a result is left out. */
    public interface Filter {
        boolean leavesOut(long session, long seq);
    }

    private ResultSlice() {}

    /**
     * The results from a place on.
     *
     * @param session the first session
     * @param seq the first seq of that session; 0: its low, too
     * @param most most results of the slice
     */
    public static ResultSlice of(Results all, long session, long seq, int most, Filter filter) {
        ResultSlice slice = new ResultSlice();
        all.forEachFrom(session, seq, () -> slice.results.size() > most, (of, number, low, hash, status, value) -> {
            if (!filter.leavesOut(of, number)) {
                slice.results.add(new Result(of, number, low, hash, status, value));
            }
        });
        slice.next = slice.results.size() > most ? slice.results.removeLast() : null;
        return slice;
    }

    public int count() {
        return results.size();
    }

    /** Whether the last result of the column is in the slice, or in a slice before. */
    public boolean isLast() {
        return next == null;
    }

    /** The session with which the next slice begins; 0 if there is none. */
    public long nextSession() {
        return next == null ? 0 : next.session();
    }

    /** The seq of {@link #nextSession} with which the next slice begins. */
    public long nextSeq() {
        return next == null ? 0 : next.seq();
    }

    public void write(ByteBuf out) {
        for (Result result : results) {
            out.writeLongLE(result.session()).writeLongLE(result.seq()).writeLongLE(result.low());
            out.writeLongLE(result.hash()).writeLongLE(result.value()).writeLongLE(result.status());
        }
    }

    /**
     * Takes the result that stands at an offset of a frame.
     *
     * @param ended whether a session has ended. The results of such a session are dropped
     */
    public static void take(Results into, ByteBuf frame, int at, LongPredicate ended) {
        long session = frame.getLongLE(at);
        if (!ended.test(session)) {
            into.take(
                    session,
                    frame.getLongLE(at + 8),
                    frame.getLongLE(at + 16),
                    frame.getLongLE(at + 24),
                    (byte) frame.getLongLE(at + 40),
                    frame.getLongLE(at + 32));
        }
    }
}
