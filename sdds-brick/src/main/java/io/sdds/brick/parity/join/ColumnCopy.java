package io.sdds.brick.parity.join;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.group.GroupFrame;
import io.sdds.brick.group.Groups;
import io.sdds.brick.map.BrickMap;
import io.sdds.brick.parity.join.JoinFrame.Head;
import io.sdds.brick.parity.member.Column;
import io.sdds.brick.parity.member.ResultSlice;
import io.sdds.brick.parity.records.ParityRecords;
import io.sdds.brick.partition.Request;
import io.sdds.core.model.Place;
import io.sdds.core.model.Place.Member;
import io.sdds.core.node.Link;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** The copy of one column at a parity member that joins: asks the column's primary for one slice after the other. */
final class ColumnCopy {

    /*
     * The primary sends the column's log from a seq on, and the records in the order of their ranks, in slices. A slice
     * has the records as all entries up to a seq C have left them. The member folds the log up to C, and no further,
     * and then the records of the slice. It drops the deltas of ranks that it has not copied yet, because the slice of
     * such a rank has their effects. It folds the deltas of copied ranks, because they are behind the C of the slice of
     * the rank. So each rank has the effects of all entries once, whatever is written meanwhile.
     */
    private enum Phase {
        BEGINNING(JoinFrame.BEGIN),
        RECORDS(JoinFrame.RECORDS),
        RESULTS(JoinFrame.RESULTS),
        COPIED(JoinFrame.KEEP),
        VOTING(JoinFrame.VOTE),
        COUNTED(JoinFrame.KEEP);

        /** The kind of the frame that the member sends in this phase. */
        final byte wanted;

        Phase(byte wanted) {
            this.wanted = wanted;
        }
    }

    /** A request without an answer is sent again after so many ticks, 200 ms. */
    private static final int TICKS_TO_REPEAT = 2;

    private final Groups groups;
    private final BrickMap map;
    private final ParityJoin join;
    private final Column column;
    private final Member primary;
    private final long epoch;
    private Phase phase = Phase.BEGINNING;

    /** Rank or session where the next slice begins. */
    private long cursor;

    /** The seq of the session's write where the next slice of results begins. */
    private long resultSeq;

    /** Whether a request of this phase is under way. */
    private boolean awaits;

    private @Nullable Link askedOver;
    private int ticks;

    /** @param place of the column in the map */
    ColumnCopy(Groups groups, BrickMap map, ParityJoin join, Column column, Place place) {
        this.groups = groups;
        this.map = map;
        this.join = join;
        this.column = column;
        this.primary = place.primary();
        this.epoch = place.epoch();
    }

    /** Whether the map still names the primary and the epoch with which the copy began. */
    boolean isOf(@Nullable Place place) {
        return place != null
                && ParityJoin.exists(place)
                && place.epoch() == epoch
                && place.primary().equals(primary);
    }

    Column column() {
        return column;
    }

    boolean isCopied() {
        return phase.compareTo(Phase.COPIED) >= 0;
    }

    /** Whether the primary counts the votes of this member. */
    boolean isCounted() {
        return phase == Phase.COUNTED;
    }

    /** All columns are copied: the votes of this member may count. */
    void vote() {
        if (phase == Phase.COPIED) {
            phase = Phase.VOTING;
            ask();
        }
    }

    // ---- requests

    /** Each 100 ms, and when a link is up. */
    void tick() {
        ticks++;
        if (!awaits || ticks >= TICKS_TO_REPEAT) {
            ask();
        }
    }

    /** A link to another brick is up: asks again, if the last request went over another link. */
    void onLinkUp() {
        Link link = groups.link(primary);
        if (link != null && link != askedOver) {
            ask();
        }
    }

    private void ask() {
        Link link = groups.link(primary);
        if (link == null) {
            return;
        }
        boolean held = wantsSlice() && !join.pace().isFree();
        byte kind = held ? JoinFrame.KEEP : phase.wanted;
        Head head = new Head(kind, join.attempt(), join.order().id(), cursor, resultSeq);
        JoinFrame.wanted(link, column.table(), column.number(), epoch, head);
        groups.touched(link);
        awaits = !held;
        askedOver = link;
        ticks = 0;
    }

    private boolean wantsSlice() {
        return phase == Phase.RECORDS || phase == Phase.RESULTS;
    }

    /** Asks for the next slice now, or at the next tick when the pace is used up. */
    private void goOn(Phase next, long from) {
        join.progressed();
        phase = next;
        cursor = from;
        awaits = false;
        if (!wantsSlice() || join.pace().isFree()) {
            ask();
        }
    }

    // ---- answers

    /** Takes an entry of the log, or a watermark, from the primary. The frame is dropped before the log has begun. */
    boolean onPrepare(Link link, ByteBuf frame, int index, int length) {
        boolean taken = phase != Phase.BEGINNING
                && frame.getLongLE(index + GroupFrame.EPOCH) == column.epoch()
                && map.isProcess(primary, link.peer());
        if (taken) {
            column.follower().onPrepare(link, frame, Request.memoryOf(frame), index, length);
        }
        return taken;
    }

    /** Takes an answer. Answers to requests that are not under way any more are dropped. */
    void onAnswer(Link link, ByteBuf frame, int index, int length) {
        Head head = Head.read(frame, index);
        if (head.attempt() != join.attempt()
                || head.order() != join.order().id()
                || frame.getLongLE(index + GroupFrame.EPOCH) != epoch
                || !map.isProcess(primary, link.peer())) {
            return;
        }
        if (head.kind() == JoinFrame.AGAIN) {
            join.again();
        } else if (head.kind() == phase.wanted && head.cursor() == cursor) {
            switch (phase) {
                case BEGINNING -> begin(head.seq());
                case RECORDS -> takeRecords(head, frame, index, index + length);
                case RESULTS -> takeResults(head, frame, index, index + length);
                case VOTING -> {
                    join.progressed();
                    phase = Phase.COUNTED;
                }
                default -> {}
            }
            join.advance();
        }
    }

    private void begin(long seq) {
        column.beginCopy(epoch, seq);
        goOn(Phase.RECORDS, 0);
    }

    private void takeRecords(Head head, ByteBuf frame, int index, int end) {
        JoinFrame.need(1, JoinFrame.RECORDS_BODY, index, end);
        join.pace().spend(end - index);
        if (!column.foldTo(head.seq())) {
            awaits = false; // an entry up to C has been lost, or a later one is folded already
            return;
        }
        int next = frame.getIntLE(index + JoinFrame.BODY);
        int count = frame.getIntLE(index + JoinFrame.RECORDS_COUNT);
        MemorySegment memory = Request.memoryOf(frame);
        int at = index + JoinFrame.RECORDS_BODY;
        for (int k = 0; k < count; k++) {
            JoinFrame.need(1, JoinFrame.RECORD_HEADER, at, end);
            int rank = frame.getIntLE(at);
            int length = frame.getIntLE(at + 8);
            JoinFrame.need(length, 1, at + JoinFrame.RECORD_HEADER, end);
            int fingerprint = frame.getIntLE(at + 4);
            if (!groups.hasMemory(length)
                    || !column.foldRecord(rank, memory, at + JoinFrame.RECORD_HEADER, length, fingerprint)) {
                join.abandonWithoutMemory();
                return;
            }
            at += JoinFrame.RECORD_HEADER + length;
        }
        if (next == JoinFrame.END) {
            column.copiedUpTo(ParityRecords.RANKS_MAX);
            goOn(Phase.RESULTS, 0);
        } else {
            column.copiedUpTo(next);
            goOn(Phase.RECORDS, next);
        }
    }

    private void takeResults(Head head, ByteBuf frame, int index, int end) {
        JoinFrame.need(1, JoinFrame.RESULTS_BODY, index, end);
        join.pace().spend(end - index);
        if (head.seq() != resultSeq) {
            return; // a late answer
        }
        int count = frame.getIntLE(index + JoinFrame.RESULTS_COUNT);
        int at = index + JoinFrame.RESULTS_BODY;
        JoinFrame.need(count, ResultSlice.RESULT_BYTES, at, end);
        for (int k = 0; k < count; k++) {
            ResultSlice.take(column.results(), frame, at, map::sessionEnded);
            at += ResultSlice.RESULT_BYTES;
        }
        long next = frame.getLongLE(index + JoinFrame.BODY);
        resultSeq = frame.getLongLE(index + JoinFrame.RESULTS_NEXT_SEQ);
        if (next == JoinFrame.END) {
            column.takeTotals(
                    frame.getLongLE(index + JoinFrame.RESULTS_VERSION),
                    frame.getLongLE(index + JoinFrame.RESULTS_TIME));
            goOn(Phase.COPIED, 0);
        } else {
            goOn(Phase.RESULTS, next);
        }
    }
}
