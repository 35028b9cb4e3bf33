package io.sdds.brick.parity.join;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.bucket.RankSpace;
import io.sdds.brick.group.Group;
import io.sdds.brick.group.Groups;
import io.sdds.brick.group.Replication;
import io.sdds.brick.group.WriteId;
import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.parity.join.JoinFrame.Head;
import io.sdds.brick.parity.member.ResultSlice;
import io.sdds.brick.parity.records.CodedRecord;
import io.sdds.brick.parity.records.ParityRecords;
import io.sdds.brick.partition.Partition;
import io.sdds.core.model.Place.Member;
import io.sdds.core.node.Link;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/** The primary's side of a parity member's join: one column that the member copies, and the log that it gets. */
final class JoinSource {
    /** Bytes of records in a slice. A longer record gets a slice of its own. */
    private static final int SLICE_BYTES = 64 << 10;

    /** Ranks that are looked at for a slice, so that a column with few records does not hold up the stage. */
    private static final int SLICE_RANKS = 1 << 14;

    private static final int SLICE_RESULTS = SLICE_BYTES / ResultSlice.RESULT_BYTES;

    /** The log is not kept any longer for a member that has not been heard for so long, unless its votes count. */
    private static final long SILENCE_NANOS = 2_000_000_000L;

    private final Groups groups;
    private final Partition partition;
    private final RankSpace ranks;
    private final Member learner;
    private final int columns;
    private final long epoch;
    private final int attempt;

    /** The member's log begins behind this seq. */
    private final long start;

    private boolean voteWanted;
    private boolean counted;
    private boolean ended;
    private long heardNanos;
    private Head voteHead = new Head(JoinFrame.VOTE, 0, 0, 0, 0);

    /**
     * Begins to keep the log for a joining parity member, and to send it. This brick must lead the partition's group.
     *
     * @param columns m
     */
    JoinSource(Groups groups, Partition partition, RankSpace ranks, Member learner, int columns, int attempt) {
        Group group = partition.group();
        this.groups = groups;
        this.partition = partition;
        this.ranks = ranks;
        this.learner = learner;
        this.columns = columns;
        this.epoch = group.epoch();
        this.attempt = attempt;
        this.start = group.committed();
        group.keepLogFor(learner, start);
    }

    /** The attempt of the joining member that this source serves. */
    int attempt() {
        return attempt;
    }

    /** Whether this source is of no use any more, because the epoch is over or the partition is not here. */
    boolean isVoid() {
        return ended || !partition.group().leadsIn(epoch);
    }

    /** Forgets the joining member, if the map does not name it as a member. */
    void end() {
        ended = true;
        partition.group().forgetLearner(learner);
    }

    /** Whether the member is not heard any more, before its votes count. */
    boolean isSilent(long nowNanos) {
        return !counted && nowNanos - heardNanos > SILENCE_NANOS;
    }

    /** Answers a request of this attempt. The request must be of this epoch. */
    void onWanted(Link link, Head head) {
        heardNanos = groups.env().nowNanos();
        switch (head.kind()) {
            case JoinFrame.BEGIN -> begin(link, head);
            case JoinFrame.RECORDS -> sendRecords(link, head);
            case JoinFrame.RESULTS -> sendResults(link, head);
            case JoinFrame.VOTE -> letVote(head);
            default -> {} // KEEP
        }
        groups.touched(link);
    }

    /** The log follows this answer over the same link. */
    private void begin(Link link, Head head) {
        JoinFrame.bare(link, columns, log(), head.answer(JoinFrame.BEGIN, start));
        partition.group().sendLogTo(learner);
    }

    private Replication log() {
        return partition.group().replication();
    }

    // ---- records

    /** Sends the log first, so that the member can fold it up to the seq of the slice. */
    private void sendRecords(Link link, Head head) {
        log().leader().send();
        RecordStore store = groups.store();
        int from = (int) Math.clamp(head.cursor(), 0, ranks.top());
        int limit = (int) Math.min(ranks.top(), from + (long) SLICE_RANKS);
        int bytes = 0;
        int count = 0;
        int end = from;
        for (; end < limit && bytes < SLICE_BYTES; end++) {
            long ref = ranks.reference(end);
            if (ref != 0) {
                bytes += JoinFrame.RECORD_HEADER + CodedRecord.length(store, ref);
                count++;
            }
        }
        Head answer = head.answer(JoinFrame.RECORDS, log().committed());
        ByteBuf out = JoinFrame.answer(link, JoinFrame.RECORDS_BODY + bytes, columns, log(), answer);
        out.writeIntLE(end >= ranks.top() ? JoinFrame.END : end).writeIntLE(count);
        for (int rank = from; rank < end; rank++) {
            write(out, rank, ranks.reference(rank));
        }
        link.commit();
    }

    private void write(ByteBuf out, int rank, long ref) {
        if (ref == 0) {
            return;
        }
        RecordStore store = groups.store();
        byte[] coded = new byte[CodedRecord.length(store, ref)];
        CodedRecord.write(store, ref, MemorySegment.ofArray(coded), 0);
        out.writeIntLE(rank)
                .writeIntLE(ParityRecords.fingerprint(store.hash(ref)))
                .writeIntLE(coded.length);
        out.writeBytes(coded);
    }

    // ---- results

    /** Results of uncommitted writes come with the log, or never. */
    private void sendResults(Link link, Head head) {
        Set<WriteId> uncommitted = partition.group().uncommittedWrites();
        ResultSlice slice = ResultSlice.of(
                partition.results(),
                head.cursor(),
                head.seq(),
                SLICE_RESULTS,
                (session, seq) -> uncommitted.contains(new WriteId(session, seq)));
        int length = JoinFrame.RESULTS_BODY + slice.count() * ResultSlice.RESULT_BYTES;
        ByteBuf out = JoinFrame.answer(link, length, columns, log(), head);
        out.writeLongLE(slice.isLast() ? JoinFrame.END : slice.nextSession()).writeLongLE(slice.nextSeq());
        out.writeLongLE(partition.version()).writeLongLE(partition.bucket().timeNanos());
        out.writeIntLE(slice.count()).writeIntLE(0);
        slice.write(out);
        link.commit();
    }

    // ---- votes

    private void letVote(Head head) {
        voteHead = head;
        if (counted) {
            answerVote();
        } else if (!voteWanted) {
            voteWanted = true;
            partition.group().letVote(learner, this::count, this::end);
        }
    }

    /** From now on nothing is committed without the member's vote. */
    private void count() {
        counted = true;
        answerVote();
    }

    private void answerVote() {
        Link link = groups.link(learner);
        if (link != null) {
            JoinFrame.bare(link, columns, log(), voteHead.answer(JoinFrame.VOTE, log().committed()));
            groups.touched(link);
        }
    }
}
