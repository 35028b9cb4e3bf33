package io.sdds.brick.parity.decoding;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.erasure.CodingMatrix;
import io.sdds.brick.erasure.ErasureKernel;
import io.sdds.brick.parity.records.ParityRecords;
import io.sdds.brick.partition.Request;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * One decoding at one parity member that takes part: the residues of some ranks. A residue begins as a copy of the
 * parity record. The records of each column that answers are subtracted. In the end only the records of lost columns
 * are left in the residue.
 *
 * <p>A column answers as of a seq C, when the parity record has the column's deltas up to C. The column's later deltas
 * are not folded into the residue. The deltas of columns that have not answered yet are folded into it. A closed column
 * is folded up to the same seq at all parity members when the decoding begins; its spare may go on meanwhile.
 */
public final class Decoding {
    /** After this time the lead gives up a decoding that some member has not answered. */
    public static final long PATIENCE_NANOS = 400_000_000L;

    private final DecodingFrame.Head head;
    private final ErasureKernel kernel;
    private final int parity;
    private final int[] ranks;
    private final RankBytes residues;
    private final long startedNanos;

    /** Bytes of the residues when the decoding began. */
    private final long bytes;

    /** The columns whose later deltas do not count here: those that have answered, and those that are closed. */
    private int answered;

    private int missing;

    /** Consumes the loaded bytes, so that the compiler does not remove the loads. */
    @SuppressWarnings("UnusedVariable")
    private final long touched;

    /** Begins with the parity records as they are now. */
    public Decoding(DecodingFrame.Head head, ErasureKernel kernel, ParityRecords records, int[] ranks, long nowNanos) {
        this.head = head;
        this.kernel = kernel;
        this.parity = records.parity();
        this.ranks = ranks;
        this.startedNanos = nowNanos;
        this.answered = head.closed();
        this.bytes = bytes(records, ranks);
        this.touched = touch(records, ranks);
        int[] rooms = new int[ranks.length];
        for (int k = 0; k < ranks.length; k++) {
            rooms[k] = records.fieldLength(ranks[k]);
        }
        this.residues = new RankBytes(rooms);
        for (int k = 0; k < ranks.length; k++) {
            if (rooms[k] > 0) {
                residues.set(k, records.segment(ranks[k]), records.offset(ranks[k]), rooms[k]);
            }
        }
    }

    /** Bytes of the residues of ranks. */
    public static long bytes(ParityRecords records, int[] ranks) {
        long bytes = 0;
        for (int rank : ranks) {
            bytes += records.fieldLength(rank);
        }
        return bytes;
    }

    public long bytes() {
        return bytes;
    }

    /** Loads the fields into the processor's caches, so that the waits for memory overlap. */
    private static long touch(ParityRecords records, int[] ranks) {
        long sum = 0;
        for (int rank : ranks) {
            sum += records.touch(rank);
        }
        return sum;
    }

    public DecodingFrame.Head head() {
        return head;
    }

    public long startedNanos() {
        return startedNanos;
    }

    public int[] ranks() {
        return ranks;
    }

    /** Columns whose primaries do not have all of the records, bit c. */
    public int missing() {
        return missing;
    }

    public boolean hasAnswered(int column) {
        return (answered & 1 << column) != 0;
    }

    /** Whether all columns that were asked have answered. */
    public boolean isComplete() {
        return (answered & head.asked()) == head.asked();
    }

    /** The residues of all ranks. */
    public RankBytes residues() {
        return residues;
    }

    /**
     * Takes the answer of a column, whose deltas are folded up to the answer's seq.
     *
     * @param at offset of the first rank in the frame
     */
    public void answer(int column, ByteBuf frame, int at, int end) {
        answered |= 1 << column;
        if (isMissing(frame, at, end)) {
            missing |= 1 << column;
            return;
        }
        MemorySegment memory = Request.memoryOf(frame);
        int next = at;
        for (int k = 0; k < ranks.length; k++) {
            int length = frame.getIntLE(next + Integer.BYTES);
            next += 2 * Integer.BYTES;
            add(k, column, memory, next, length);
            next += length;
        }
    }

    /** Whether a record is missing at the column's primary. Checks that the frame has all its ranks. */
    private boolean isMissing(ByteBuf frame, int at, int end) {
        boolean missed = false;
        int next = at;
        for (int k = 0; k < ranks.length; k++) {
            DecodingFrame.need(2 * Integer.BYTES, next, end);
            int length = frame.getIntLE(next + Integer.BYTES);
            missed |= length == DecodingFrame.MISSING;
            next += 2 * Integer.BYTES;
            DecodingFrame.need(Math.max(0, length), next, end);
            next += Math.max(0, length);
        }
        return missed;
    }

    /** Takes the delta of a column that has been folded into a parity record just now. */
    public void folded(int column, int rank, MemorySegment delta, long offset, int length) {
        if (rank < ranks[0] || rank > ranks[ranks.length - 1] || hasAnswered(column)) {
            return;
        }
        int k = Arrays.binarySearch(ranks, rank);
        if (k >= 0) {
            add(k, column, delta, offset, length);
        }
    }

    private void add(int k, int column, MemorySegment bytes, long offset, int length) {
        residues.lengthen(k, length);
        int coefficient = CodingMatrix.coefficient(parity, column);
        kernel.fold(residues.memory(), residues.offset(k), bytes, offset, coefficient, length);
    }
}
