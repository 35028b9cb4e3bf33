package io.sdds.brick.parity.member;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.erasure.CodingMatrix;
import io.sdds.brick.group.Groups;
import io.sdds.brick.map.BrickMap;
import io.sdds.brick.map.TableView;
import io.sdds.brick.memory.SegmentHash;
import io.sdds.brick.parity.RecoveryCounters;
import io.sdds.brick.parity.decoding.Decoding;
import io.sdds.brick.parity.decoding.DecodingFrame;
import io.sdds.brick.parity.decoding.RankBytes;
import io.sdds.brick.parity.decoding.RecordDecoder;
import io.sdds.brick.parity.records.CodedRecord;
import io.sdds.brick.parity.records.ParityRecords;
import io.sdds.brick.partition.Request;
import io.sdds.core.model.MigrationKind;
import io.sdds.core.model.MigrationOrder;
import io.sdds.core.model.Parity;
import io.sdds.core.model.ParityMembers;
import io.sdds.core.model.Place;
import io.sdds.core.node.Link;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decodes records of lost columns at the first parity member of a group: asks the primaries of the other columns for
 * their records, and the other parity members for their residues, and solves for the lost records.
 */
public final class Decoder implements RecordDecoder {
    private static final int JOBS_MAX = 256;

    /** Most bytes of the parity records of one decoding, unless it is for a single rank. */
    private static final int BYTES_MAX = 1 << 20;

    private final Groups groups;
    private final BrickMap map;
    private final ParityPartition parity;
    private final List<Job> jobs = new ArrayList<>();
    private long nextId = 1;

    /** A decoding that this member leads. */
    private static final class Job {
        final DecodingFrame.Head head;
        final int column;
        final int[] ranks;
        final Listener listener;
        final long startedNanos;

        /** Bytes of the residues, and of their sum. */
        final long bytes;

        /** The residues of each parity. */
        final @Nullable RankBytes[] residues;

        int arrived;
        int missing;

        Job(DecodingFrame.Head head, int column, int[] ranks, Listener listener, long startedNanos, long bytes) {
            this.head = head;
            this.column = column;
            this.ranks = ranks;
            this.listener = listener;
            this.startedNanos = startedNanos;
            this.bytes = bytes;
            this.residues = new RankBytes[Parity.PARITIES_MAX];
        }
    }

    Decoder(Groups groups, BrickMap map, ParityPartition parity) {
        this.groups = groups;
        this.map = map;
        this.parity = parity;
    }

    @Override
    public boolean decode(int column, int[] ranks, int count, Listener listener) {
        int[] wanted = firstOf(ranks, count);
        DecodingFrame.Head head = jobs.size() < JOBS_MAX ? head(wanted.length) : null;
        if (head == null) {
            return false;
        }
        long bytes = Decoding.bytes(parity.records(), wanted) * (Integer.bitCount(head.parities()) + 1);
        if (!groups.ledDecodings().take(bytes)) {
            return false;
        }
        jobs.add(new Job(head, column, wanted, listener, groups.env().nowNanos(), bytes));
        for (Column other : parity.columns()) {
            if ((head.asked() & 1 << other.index()) != 0) {
                ask(other, head, wanted);
            }
        }
        if (head.asked() == 0) {
            askParities(head, wanted);
        }
        return true;
    }

    /** The first ranks whose records can be long together, so that no frame of the decoding is too long to be sent. */
    private int[] firstOf(int[] ranks, int count) {
        long bytes = parity.records().fieldLength(ranks[0]);
        int first = 1;
        while (first < count && bytes + parity.records().fieldLength(ranks[first]) <= BYTES_MAX) {
            bytes += parity.records().fieldLength(ranks[first++]);
        }
        return Arrays.copyOf(ranks, first);
    }

    /** No column can be asked, so the parity members begin at once. */
    private void askParities(DecodingFrame.Head head, int[] ranks) {
        TableView table = map.table(parity.table());
        ParityMembers members = table == null ? null : table.parities(parity.group());
        int first = parity.columns().get(0).number();
        for (int p = 0; members != null && p < members.members().size(); p++) {
            Link link = (head.parities() & 1 << p) == 0 || p == parity.index()
                    ? null
                    : groups.link(members.members().get(p));
            if (link != null) {
                DecodingFrame.ranksWanted(
                        link, parity.table(), first, parity.parity().columns(), 0, head, ranks);
                groups.touched(link);
            }
        }
        groups.env().execute(() -> parity.decodings().alone(head, ranks));
    }

    private void ask(Column column, DecodingFrame.Head head, int[] ranks) {
        Place place = place(column);
        Link link = place == null ? null : groups.link(place.primary());
        if (link != null) {
            DecodingFrame.ranksWanted(link, column.table(), column.number(), 0, column.epoch(), head, ranks);
            groups.touched(link);
        }
    }

    private @Nullable Place place(Column column) {
        TableView table = map.table(parity.table());
        return table == null ? null : table.place(column.number());
    }

    /** Whom a decoding asks; null if the group is not ready for one. */
    private DecodingFrame.@Nullable Head head(int count) {
        TableView table = map.table(parity.table());
        ParityMembers members = table == null ? null : table.parities(parity.group());
        if (members == null) {
            return null;
        }
        int asked = 0;
        int closed = 0;
        int unknown = 0;
        long[] seqs = new long[parity.columns().size()];
        for (Column column : parity.columns()) {
            Place place = place(column);
            if (place == null || place.none()) {
                continue; // never had a record
            }
            if (place.lost() || members.indexOf(place.primary()) >= 0 && !column.isClosed()) {
                return null;
            }
            if (column.isClosed()) {
                closed |= 1 << column.index();
                seqs[column.index()] = column.committed();
                unknown++;
            } else {
                asked |= 1 << column.index();
                unknown += isFilling(column.number(), place) ? 1 : 0;
            }
        }
        int parities = firstParities(members, unknown);
        return parities == 0
                ? null
                : new DecodingFrame.Head(nextId++, groups.self(), parities, asked, closed, seqs, count);
    }

    private boolean isFilling(int number, Place place) {
        for (MigrationOrder order : map.migrations()) {
            if (order.kind() == MigrationKind.RECOVERY
                    && order.table() == parity.table()
                    && order.receiver() == number
                    && order.target().primary().equals(place.primary())) {
                return true;
            }
        }
        return false;
    }

    /** The first present parities, bit p; 0 if there are too few, or this member is not the first one. */
    private int firstParities(ParityMembers members, int count) {
        int chosen = 0;
        for (int p = 0; p < members.members().size() && Integer.bitCount(chosen) < Math.max(1, count); p++) {
            if (!members.members().get(p).equals(ParityMembers.MISSING)) {
                chosen |= 1 << p;
            }
        }
        boolean isFirst = Integer.lowestOneBit(chosen) == 1 << parity.index();
        return isFirst && Integer.bitCount(chosen) == Math.max(1, count) ? chosen : 0;
    }

    // ---- answers

    /** Takes the residues that another parity member has sent. */
    public void onResidues(ByteBuf frame, int index, int length) {
        DecodingFrame.Head head = DecodingFrame.Head.read(frame, index, length);
        int at = index + head.end();
        DecodingFrame.need(2 * Integer.BYTES, at, index + length);
        int from = frame.getIntLE(at);
        int missing = frame.getIntLE(at + Integer.BYTES);
        residues(from, missing, head, received(frame, at + 2 * Integer.BYTES, index + length, head.count()));
    }

    /** The residues in a frame. */
    private static RankBytes received(ByteBuf frame, int from, int end, int count) {
        int[] lengths = new int[count];
        int next = from;
        for (int k = 0; k < count; k++) {
            DecodingFrame.need(2 * Integer.BYTES, next, end);
            lengths[k] = frame.getIntLE(next + Integer.BYTES);
            next += 2 * Integer.BYTES;
            DecodingFrame.need(lengths[k], next, end);
            next += lengths[k];
        }
        MemorySegment memory = Request.memoryOf(frame);
        RankBytes taken = new RankBytes(lengths);
        next = from;
        for (int k = 0; k < count; k++) {
            taken.set(k, memory, next + 2 * Integer.BYTES, lengths[k]);
            next += 2 * Integer.BYTES + lengths[k];
        }
        return taken;
    }

    /**
     * Takes the residues of a parity member.
     *
     * @param taken belongs to the decoder from here on
     */
    void residues(int from, int missing, DecodingFrame.Head head, RankBytes taken) {
        for (int j = 0; j < jobs.size(); j++) {
            Job job = jobs.get(j);
            if (job.head.id() == head.id() && job.head.lead().equals(head.lead())) {
                if (from >= 0
                        && from < job.residues.length
                        && (job.head.parities() & 1 << from) != 0
                        && taken.count() == job.ranks.length) {
                    job.residues[from] = taken;
                    job.arrived |= 1 << from;
                    job.missing |= missing;
                }
                if (job.arrived == job.head.parities()) {
                    jobs.remove(job);
                    solve(job);
                    groups.ledDecodings().giveBack(job.bytes);
                }
                return;
            }
        }
    }

    private void solve(Job job) {
        int unknown = job.head.closed() | job.missing;
        if ((unknown & 1 << job.column) == 0 || Integer.bitCount(unknown) > Integer.bitCount(job.arrived)) {
            job.listener.failed();
            return;
        }
        if (Integer.bitCount(unknown) > 1) {
            groups.recoveryCounters().add(RecoveryCounters.Event.DECODED_WITH_TWO_UNKNOWN);
        }
        RankBytes solved = solve(job, CodingMatrix.solving(job.arrived, unknown, job.column));
        int[] lengths = new int[job.ranks.length];
        for (int k = 0; k < lengths.length; k++) {
            lengths[k] = checkedLength(job, k, solved);
        }
        job.listener.decoded(new Solved(solved, lengths));
    }

    /** The decoded records of a job. There may be zeros behind a record. */
    private record Solved(RankBytes records, int[] lengths) implements Records {
        @Override
        public int count() {
            return lengths.length;
        }

        @Override
        public int length(int k) {
            return lengths[k];
        }

        @Override
        public MemorySegment memory(int k) {
            return records.memory();
        }

        @Override
        public int offset(int k) {
            return records.offset(k);
        }
    }

    /**
     * The sum of the residues, each times its coefficient. The records of all known columns are subtracted from the
     * residues.
     */
    private RankBytes solve(Job job, int[] coefficients) {
        RankBytes only = onlySummand(job, coefficients);
        if (only != null) {
            return only;
        }
        int[] rooms = new int[job.ranks.length];
        for (RankBytes residues : job.residues) {
            for (int k = 0; k < rooms.length && residues != null; k++) {
                rooms[k] = Math.max(rooms[k], residues.length(k));
            }
        }
        RankBytes sum = new RankBytes(rooms);
        for (int p = 0; p < job.residues.length; p++) {
            RankBytes residues = job.residues[p];
            for (int k = 0; k < rooms.length && residues != null; k++) {
                int length = residues.length(k);
                sum.lengthen(k, length);
                groups.kernel()
                        .fold(
                                sum.memory(),
                                sum.offset(k),
                                residues.memory(),
                                residues.offset(k),
                                coefficients[p],
                                length);
            }
        }
        return sum;
    }

    /** The residues that are the records themselves, because nothing else is unknown; null if there are none. */
    private static @Nullable RankBytes onlySummand(Job job, int[] coefficients) {
        int summands = 0;
        RankBytes only = null;
        for (int p = 0; p < coefficients.length; p++) {
            summands += coefficients[p] == 0 ? 0 : 1;
            only = coefficients[p] == 1 ? job.residues[p] : only;
        }
        return summands == 1 ? only : null;
    }

    /** Bytes of the decoded record of a rank: 0 if there is none, DAMAGED if it is not whole. */
    private int checkedLength(Job job, int k, RankBytes solved) {
        int fingerprint = parity.records().fingerprint(job.column, job.ranks[k]);
        if (fingerprint == 0) {
            return 0;
        }
        MemorySegment memory = solved.memory();
        int at = solved.offset(k);
        if (CodedRecord.isWhole(memory, at, solved.length(k))
                && ParityRecords.fingerprint(hash(memory, at)) == fingerprint) {
            return CodedRecord.length(memory, at);
        }
        groups.decodingFailed(parity.table(), parity.columns().get(job.column).number(), job.ranks[k]);
        return DAMAGED;
    }

    /** The pseudo-key of a coded record. */
    private static long hash(MemorySegment memory, int at) {
        return SegmentHash.hash(memory, CodedRecord.keyOffset(memory, at), CodedRecord.keyLength(memory, at));
    }

    /** Each 100 ms: gives up the decodings that some member has not answered. */
    void tick() {
        long now = groups.env().nowNanos();
        for (Job job : List.copyOf(jobs)) {
            if (now - job.startedNanos > Decoding.PATIENCE_NANOS) {
                jobs.remove(job);
                fail(job);
            }
        }
    }

    private void fail(Job job) {
        groups.ledDecodings().giveBack(job.bytes);
        job.listener.failed();
    }

    /** Gives up all decodings, because the parity member ends here. */
    void clear() {
        List<Job> all = List.copyOf(jobs);
        jobs.clear();
        all.forEach(this::fail);
    }
}
