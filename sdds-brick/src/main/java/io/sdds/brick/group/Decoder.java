package io.sdds.brick.group;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.erasure.CodingMatrix;
import io.sdds.brick.erasure.ErasureCode;
import io.sdds.brick.erasure.GaloisField;
import io.sdds.brick.erasure.Shards;
import io.sdds.brick.map.BrickMap;
import io.sdds.brick.map.TableView;
import io.sdds.brick.memory.SegmentHash;
import io.sdds.brick.parity.CodedRecord;
import io.sdds.brick.parity.ParityRecords;
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
final class Decoder implements RecordDecoder {
    private static final int JOBS_MAX = 256;
    private static final MemorySegment NO_RECORD = MemorySegment.ofArray(new byte[0]);

    /** After this time a decoding that some member has not answered is given up. */
    static final long PATIENCE_NANOS = 400_000_000L;

    private final Groups groups;
    private final BrickMap map;
    private final ParityPartition parity;
    private final ErasureCode code;
    private final Shards shards;
    private final List<Job> jobs = new ArrayList<>();
    private long nextId = 1;

    /** A decoding that this member leads. */
    private static final class Job {
        final DecodingFrame.Head head;
        final int column;
        final int[] ranks;
        final Listener listener;
        final long startedNanos;

        /** The residues of each parity: for each rank, with the length that counts. */
        final MemorySegment[][] residues;

        int arrived;
        int missing;

        Job(DecodingFrame.Head head, int column, int[] ranks, Listener listener, long startedNanos) {
            this.head = head;
            this.column = column;
            this.ranks = ranks;
            this.listener = listener;
            this.startedNanos = startedNanos;
            this.residues = new MemorySegment[Parity.PARITIES_MAX][];
        }
    }

    Decoder(Groups groups, BrickMap map, ParityPartition parity) {
        this.groups = groups;
        this.map = map;
        this.parity = parity;
        // The number of parities of a group may change. Another parity changes no coefficient of those that exist.
        this.code = new ErasureCode(groups.kernel(), parity.parity().columns(), Parity.PARITIES_MAX);
        this.shards = new Shards(parity.parity().columns() + Parity.PARITIES_MAX);
    }

    @Override
    public boolean decode(int column, int[] ranks, int count, Listener listener) {
        DecodingFrame.Head head = jobs.size() < JOBS_MAX ? head(count) : null;
        if (head == null) {
            return false;
        }
        int[] wanted = Arrays.copyOf(ranks, count);
        jobs.add(new Job(head, column, wanted, listener, groups.env().nowNanos()));
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
    void onResidues(ByteBuf frame, int index, int length) {
        DecodingFrame.Head head = DecodingFrame.Head.read(frame, index, length);
        int at = index + head.end();
        DecodingFrame.need(2 * Integer.BYTES, at, index + length);
        int from = frame.getIntLE(at);
        int missing = frame.getIntLE(at + Integer.BYTES);
        residues(from, missing, head, new Received(frame, at + 2 * Integer.BYTES, index + length, head.count()));
    }

    /** The residues in a frame. */
    private static final class Received implements Source {
        private final MemorySegment memory;
        private final int[] at;
        private final int[] lengths;

        Received(ByteBuf frame, int from, int end, int count) {
            memory = Request.memoryOf(frame);
            at = new int[count];
            lengths = new int[count];
            int next = from;
            for (int k = 0; k < count; k++) {
                DecodingFrame.need(2 * Integer.BYTES, next, end);
                lengths[k] = frame.getIntLE(next + Integer.BYTES);
                at[k] = next + 2 * Integer.BYTES;
                DecodingFrame.need(lengths[k], at[k], end);
                next = at[k] + lengths[k];
            }
        }

        @Override
        public MemorySegment copy(int k) {
            byte[] bytes = new byte[lengths[k]];
            MemorySegment.copy(memory, at[k], MemorySegment.ofArray(bytes), 0, bytes.length);
            return MemorySegment.ofArray(bytes);
        }
    }

    /** Where the residues of a parity member come from. */
    interface Source {
        /** The residue of the k-th rank, in memory that the caller keeps. */
        MemorySegment copy(int k);
    }

    /** Takes the residues of a parity member. */
    void residues(int from, int missing, DecodingFrame.Head head, Source source) {
        for (int j = 0; j < jobs.size(); j++) {
            Job job = jobs.get(j);
            if (job.head.id() == head.id() && job.head.lead().equals(head.lead())) {
                if (from >= 0 && from < job.residues.length && (job.head.parities() & 1 << from) != 0) {
                    MemorySegment[] taken = new MemorySegment[job.ranks.length];
                    Arrays.setAll(taken, source::copy);
                    job.residues[from] = taken;
                    job.arrived |= 1 << from;
                    job.missing |= missing;
                }
                if (job.arrived == job.head.parities()) {
                    jobs.remove(job);
                    solve(job);
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
        MemorySegment[] records = new MemorySegment[job.ranks.length];
        for (int k = 0; k < records.length; k++) {
            MemorySegment record = checked(job, k, solve(job, unknown, k));
            if (record == null) {
                groups.decodingFailed(
                        parity.table(), parity.columns().get(job.column).number(), job.ranks[k]);
                job.listener.damaged();
                return;
            }
            records[k] = record;
        }
        if (Integer.bitCount(unknown) > 1) {
            groups.recoveryCounters().add(RecoveryCounters.Event.DECODED_WITH_TWO_UNKNOWN);
        }
        job.listener.decoded(new Solved(records));
    }

    /** The decoded records of a job. A record that does not exist has no bytes. */
    private record Solved(MemorySegment[] records) implements Records {
        @Override
        public int count() {
            return records.length;
        }

        @Override
        public int length(int k) {
            return (int) records[k].byteSize();
        }

        @Override
        public MemorySegment record(int k) {
            return records[k];
        }
    }

    /** Solves for one record, which may have zeros behind it. All known columns are subtracted from the residues. */
    private MemorySegment solve(Job job, int unknown, int k) {
        if (Integer.bitCount(unknown) == 1) {
            return scaled(job, Integer.numberOfTrailingZeros(job.arrived), k);
        }
        int length = 0;
        for (MemorySegment[] residues : job.residues) {
            length = residues == null ? length : Math.max(length, (int) residues[k].byteSize());
        }
        return solve(job, unknown, k, length);
    }

    /** The only record in a residue: the residue divided by the record's coefficient. */
    private MemorySegment scaled(Job job, int p, int k) {
        MemorySegment residue = job.residues[p][k];
        int coefficient = CodingMatrix.coefficient(p, job.column);
        if (coefficient == 1) {
            return residue;
        }
        int length = (int) residue.byteSize();
        MemorySegment record = MemorySegment.ofArray(new byte[length]);
        groups.kernel().fold(record, 0, residue, 0, GaloisField.inverse(coefficient), length);
        return record;
    }

    /** Solves for a record beside others. The shards of the known columns are zeros. */
    private MemorySegment solve(Job job, int unknown, int k, int length) {
        int columns = parity.parity().columns();
        MemorySegment zeros = MemorySegment.ofArray(new byte[length]);
        MemorySegment record = MemorySegment.ofArray(new byte[length]);
        int known = 0;
        for (int c = 0; c < columns; c++) {
            boolean isKnown = (unknown & 1 << c) == 0;
            shards.set(c, c == job.column ? record : zeros, 0);
            known |= isKnown ? 1 << c : 0;
        }
        int left = Integer.bitCount(unknown);
        for (int p = 0; p < job.residues.length && left > 0; p++) {
            if (job.residues[p] != null) {
                shards.set(columns + p, padded(job.residues[p][k], length), 0);
                known |= 1 << columns + p;
                left--;
            }
        }
        code.decode(known, 1 << job.column, shards, length);
        return record;
    }

    private static MemorySegment padded(MemorySegment bytes, int length) {
        if (bytes.byteSize() == length) {
            return bytes;
        }
        MemorySegment longer = MemorySegment.ofArray(new byte[length]);
        MemorySegment.copy(bytes, 0, longer, 0, bytes.byteSize());
        return longer;
    }

    /** The decoded record of a rank without the zeros behind it, without bytes if there is none; null if damaged. */
    private @Nullable MemorySegment checked(Job job, int k, MemorySegment solved) {
        int fingerprint = parity.records().fingerprint(job.column, job.ranks[k]);
        if (fingerprint == 0) {
            return NO_RECORD;
        }
        boolean whole = CodedRecord.isWhole(solved, 0, (int) solved.byteSize())
                && ParityRecords.fingerprint(hash(solved)) == fingerprint;
        return whole ? solved.asSlice(0, CodedRecord.length(solved, 0)) : null;
    }

    /** The pseudo-key of a coded record. */
    static long hash(MemorySegment record) {
        return SegmentHash.hash(record, CodedRecord.keyOffset(record, 0), CodedRecord.keyLength(record, 0));
    }

    /** Each 100 ms: gives up the decodings that some member has not answered. */
    void tick() {
        long now = groups.env().nowNanos();
        for (Job job : List.copyOf(jobs)) {
            if (now - job.startedNanos > PATIENCE_NANOS) {
                jobs.remove(job);
                job.listener.failed();
            }
        }
    }

    /** Gives up all decodings, because the parity member ends here. */
    void clear() {
        List<Job> all = List.copyOf(jobs);
        jobs.clear();
        all.forEach(job -> job.listener.failed());
    }
}
