package io.sdds.brick.parity.recovery;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.group.Groups;
import io.sdds.brick.parity.decoding.RecordDecoder;
import io.sdds.brick.parity.member.Column;
import io.sdds.brick.parity.member.ParityPartition;
import io.sdds.brick.parity.member.ParityPartitions;
import io.sdds.brick.parity.member.ResultSlice;
import io.sdds.brick.parity.records.ParityRecords;
import io.sdds.brick.parity.recovery.ColumnFrame.Cursor;
import io.sdds.brick.parity.recovery.ColumnFrame.Subject;
import io.sdds.core.node.Link;
import io.sdds.core.protocol.ProtocolViolation;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiPredicate;

/**
 * The side of a parity member in the recovery of a lost column: answers COLUMN_WANTED of the column's spare
 * ({@link ColumnFrame}). It keeps nothing of what it has answered, so the spare may ask again for anything.
 *
 * <p>A request for the state of a column waits until this member leads the column by its map, the log is settled, and
 * the map has the order of the recovery. All of that comes to pass just when a spare is ordered. The last request of
 * each recovery waits, and no other one.
 */
final class ColumnSource {
    private static final int WAITING_MAX = 256;
    private static final int FINGERPRINTS_MAX = (ColumnFrame.BYTES_MAX - Integer.BYTES) / Integer.BYTES;
    private static final int RESULTS_MAX = ColumnFrame.BYTES_MAX / ResultSlice.RESULT_BYTES;

    private final Groups groups;
    private final ParityPartitions parities;
    private final BiPredicate<Link, Subject> isSpare;
    private final Map<Long, Waiting> waiting = new TreeMap<>();

    /** A request for the state of a column. */
    private record Waiting(Link link, Subject of, Cursor cursor) {}

    /** @param isSpare whether the other end of a link is the spare of a column, or its primary by now */
    ColumnSource(Groups groups, ParityPartitions parities, BiPredicate<Link, Subject> isSpare) {
        this.groups = groups;
        this.parities = parities;
        this.isSpare = isSpare;
    }

    /** Answers a request for the state of a column, at once or at the end of a later turn. */
    void onStateWanted(Link link, Subject of, Cursor cursor) {
        if (cursor.part() < ColumnFrame.FINGERPRINTS || cursor.part() > ColumnFrame.TOTALS) {
            throw new ProtocolViolation("part " + cursor.part() + " of a column");
        }
        Waiting one = new Waiting(link, of, cursor);
        if (!isDone(one) && (waiting.containsKey(of.order()) || waiting.size() < WAITING_MAX)) {
            waiting.put(of.order(), one);
        }
    }

    /** At the end of a turn: answers the requests that can be answered now. */
    void flush() {
        if (!waiting.isEmpty()) {
            waiting.values().removeIf(this::isDone);
        }
    }

    /** Answers a request if that is possible now. Also true for a request of an epoch that has ended. */
    private boolean isDone(Waiting one) {
        Subject of = one.of();
        ParityPartition parity = parities.of(of.table(), of.number());
        if (parity == null
                || parity.column(of.number()).epoch() > of.epoch()
                || !one.link().isUp()) {
            return true;
        }
        Column column = parity.column(of.number());
        boolean ready = column.epoch() == of.epoch() && column.isSettled() && isSpare.test(one.link(), of);
        if (ready) {
            answer(one.link(), parity, column, of, one.cursor());
        }
        return ready;
    }

    private void answer(Link link, ParityPartition parity, Column column, Subject of, Cursor cursor) {
        switch (cursor.part()) {
            case ColumnFrame.FINGERPRINTS -> allFingerprints(link, of, cursor, parity.records(), column.index());
            case ColumnFrame.RESULTS -> results(link, of, cursor, column);
            default -> totals(link, of, cursor, parity.records(), column);
        }
        groups.touched(link);
    }

    private static void allFingerprints(Link link, Subject of, Cursor cursor, ParityRecords records, int column) {
        Cursor next = cursor;
        do {
            next = fingerprints(link, of, next, records, column);
        } while (next.frames() > 0);
    }

    /** Writes a frame, and returns its next cursor. */
    private static Cursor fingerprints(Link link, Subject of, Cursor cursor, ParityRecords records, int column) {
        int top = records.top();
        int first = cursor.rank() < 0 || cursor.rank() >= top ? -1 : records.next(column, cursor.rank(), top);
        int count = first < 0 ? 0 : Math.min(FINGERPRINTS_MAX, top - first);
        Cursor next = first < 0 || first + count == top
                ? new Cursor(ColumnFrame.RESULTS, 0, 0, 0)
                : Cursor.fingerprints(first + count, Math.clamp(cursor.frames() - 1, 0, ColumnFrame.FRAMES_MAX));
        ByteBuf out = ColumnFrame.state(link, of, cursor, next, Integer.BYTES + count * Integer.BYTES);
        out.writeIntLE(Math.max(0, first));
        for (int rank = first; rank < first + count; rank++) {
            out.writeIntLE(records.fingerprint(column, rank));
        }
        link.commit();
        return next;
    }

    private static void results(Link link, Subject of, Cursor cursor, Column column) {
        ResultSlice slice =
                ResultSlice.of(column.results(), cursor.session(), cursor.seq(), RESULTS_MAX, (session, seq) -> false);
        Cursor next = slice.isLast()
                ? new Cursor(ColumnFrame.TOTALS, 0, 0, 0)
                : new Cursor(ColumnFrame.RESULTS, 0, slice.nextSession(), slice.nextSeq());
        ByteBuf out = ColumnFrame.state(link, of, cursor, next, slice.count() * ResultSlice.RESULT_BYTES);
        slice.write(out);
        link.commit();
    }

    private static void totals(Link link, Subject of, Cursor cursor, ParityRecords records, Column column) {
        ByteBuf out = ColumnFrame.state(link, of, cursor, cursor, ColumnFrame.TOTALS_BYTES);
        out.writeLongLE(column.committed())
                .writeLongLE(column.version())
                .writeLongLE(column.timeNanos())
                .writeLongLE(records.count(column.index()))
                .writeLongLE(column.absorbed());
        link.commit();
    }

    /** Decodes the records of a frame, and answers with them later. */
    void onRecordsWanted(
            Link link, RecordDecoder decoder, int column, Subject of, ByteBuf frame, int index, int length) {
        int request = frame.getIntLE(index + ColumnFrame.REQUEST);
        int count = frame.getIntLE(index + ColumnFrame.COUNT);
        if (count < 1 || count > RecordDecoder.RANKS_MAX) {
            throw new ProtocolViolation(count + " records are wanted");
        }
        ColumnFrame.need((long) count * Integer.BYTES, ColumnFrame.RANKS, length);
        int[] ranks = new int[count];
        Arrays.setAll(ranks, k -> frame.getIntLE(index + ColumnFrame.RANKS + k * Integer.BYTES));
        for (int k = 0; k < count; k++) {
            if (ranks[k] < 0 || ranks[k] >= ParityRecords.RANKS_MAX) {
                throw new ProtocolViolation("the record of rank " + ranks[k] + " is wanted");
            }
        }
        if (!decoder.decode(column, ranks, count, new Answer(link, of, request, ranks))) {
            answerNothing(link, of, request);
        }
    }

    private void answerNothing(Link link, Subject of, int request) {
        if (link.isUp()) {
            ColumnFrame.noRecords(link, of, request);
            groups.touched(link);
        }
    }

    /** Answers a request for records when they are decoded. */
    private final class Answer implements RecordDecoder.Listener {
        private final Link link;
        private final Subject of;
        private final int request;
        private final int[] ranks;

        Answer(Link link, Subject of, int request, int[] ranks) {
            this.link = link;
            this.of = of;
            this.request = request;
            this.ranks = ranks;
        }

        @Override
        public void decoded(RecordDecoder.Records records) {
            if (link.isUp()) {
                ColumnFrame.records(link, of, request, ranks, records);
                groups.touched(link);
            }
        }

        @Override
        public void failed() {
            answerNothing(link, of, request);
        }
    }
}
