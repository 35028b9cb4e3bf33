package io.sdds.brick.parity.records;

import static io.sdds.brick.memory.SegmentBytes.BYTE;
import static io.sdds.brick.memory.SegmentBytes.INT;

import io.sdds.brick.erasure.CodingMatrix;
import io.sdds.brick.erasure.ErasureKernel;
import io.sdds.brick.memory.SlotSpace;
import java.lang.foreign.MemorySegment;

/**
 * The parity records of one parity partition, off-heap. The parity record of a rank is a field, the sum of the coded
 * records ({@link CodedRecord}) that the columns of the group have at this rank, each times the coefficient of its
 * column; and a fingerprint of each of these records.
 *
 * <p>Ranks are numbers from 0 on; a page of ranks takes memory even if a single rank is in use. The memory of a fold is
 * reserved beforehand by {@link DeltaReservations}, so a fold is never refused. One thread uses parity records.
 */
public final class ParityRecords {

    /* A slot has the length of the field, 4 bytes, and then the field. The field has no trailing zeros, and a field of
     * only zeros has no slot. So the content of the columns determines the stored field to the byte, whatever came
     * before.
     *
     * A fold needs at most one slot, of the delta's own length, whatever the other columns do between reservation and
     * fold: if the field is as long as the delta, the fold happens in place; if it is shorter, the reserved slot has
     * room for the sum. The slot that is too large after a fold is replaced by a smaller one, if there is memory. */

    /** Number of ranks at most; all ranks are lower. */
    public static final int RANKS_MAX = 1 << 28;

    private static final int LENGTH_BYTES = 4;
    private static final int UPPER_HALF_SHIFT = 32;

    private final SlotSpace slots;
    private final ErasureKernel kernel;
    private final int parity;
    private final int columns;
    private final int[] coefficients;
    private final RankPages pages;
    private final SlotSpares spares;
    private final ParityUpkeep upkeep;
    private long fieldBytes;
    private boolean released;

    /**
     * Makes parity records for columns without records. They hold no memory yet.
     *
     * @param slots the memory of the stage
     * @param kernel used by the thread of the stage
     * @param parity number of the parity in its group, from 0
     * @param columns number of data columns of the group, m
     */
    public ParityRecords(SlotSpace slots, ErasureKernel kernel, int parity, int columns) {
        this.slots = slots;
        this.kernel = kernel;
        this.parity = parity;
        this.columns = columns;
        this.coefficients = new int[columns];
        for (int c = 0; c < columns; c++) {
            coefficients[c] = CodingMatrix.coefficient(parity, c);
        }
        this.pages = new RankPages(slots, columns);
        this.spares = new SlotSpares(slots);
        this.upkeep = new ParityUpkeep(slots, pages);
    }

    /** Fingerprint of a record with this pseudo-key: the upper half of the pseudo-key, but 1 instead of 0. */
    public static int fingerprint(long hash) {
        int upper = (int) (hash >>> UPPER_HALF_SHIFT);
        return upper == 0 ? 1 : upper;
    }

    /** Number of the parity in its group, from 0. */
    public int parity() {
        return parity;
    }

    /** Number of data columns of the group. */
    public int columns() {
        return columns;
    }

    /** Number of ranks at which a column has a record. */
    public long records() {
        return pages.records();
    }

    /**
     * Bytes of the slots of all fields and of the pages of ranks, without what is reserved for future folds; 0 after a
     * release.
     */
    public long bytes() {
        return released ? 0 : fieldBytes + pages.bytes();
    }

    /** A rank above all ranks at which a column has a record. It falls when the last page of ranks is freed. */
    public int top() {
        return pages.top();
    }

    /** Bytes of the field of a rank; 0 if the field is all zeros. Bytes behind the field's end count as zeros. */
    public int fieldLength(int rank) {
        long ref = pages.reference(rank);
        return ref == 0 ? 0 : lengthAt(ref);
    }

    /** The chunk that the field of a rank lies in. Valid until the next fold or {@link #maintain}. */
    public MemorySegment segment(int rank) {
        return slots.segment(pages.reference(rank));
    }

    /** Offset of the field of a rank in its chunk, in bytes. Undefined if the field has no bytes. */
    public long offset(int rank) {
        return slots.offset(pages.reference(rank)) + LENGTH_BYTES;
    }

    /** {@link #fingerprint(long) Fingerprint} of a column's record at a rank; 0 if the column has no record there. */
    public int fingerprint(int column, int rank) {
        return pages.fingerprint(column, rank);
    }

    /** The columns that have a record at a rank: bit c for column c. */
    public int present(int rank) {
        return pages.columns(rank);
    }

    /**
     * First rank from {@code from} on and below {@code to} at which a column has a record; -1 if there is none. Costs a
     * nanosecond for each rank.
     */
    public int next(int column, int from, int to) {
        return pages.find(column, 0, from, to);
    }

    /**
     * First rank from {@code from} on and below {@code to} at which a column has a record with this fingerprint; -1 if
     * there is none. Costs a nanosecond for each rank. Other keys may have the same fingerprint.
     *
     * @param fingerprint not 0
     */
    public int find(int column, int fingerprint, int from, int to) {
        return pages.find(column, fingerprint, from, to);
    }

    /** Number of ranks at which a column has a record. */
    public int count(int column) {
        return pages.count(column);
    }

    /**
     * An index of a column's ranks by fingerprints, for a column whose fingerprints do not change while the index is
     * used. The caller releases the index before these parity records.
     */
    public FingerprintIndex index(int column) {
        return new FingerprintIndex(slots, pages, column);
    }

    /** Loads the beginning of a rank's field, for which a fold would wait. Returns a number to be consumed. */
    public long touch(int rank) {
        long ref = pages.reference(rank);
        return ref == 0 ? 0 : slots.touch(ref, 3);
    }

    /**
     * Folds the delta of a change that is committed.
     *
     * @param delta coded(old) xor coded(new) of the column's record at the rank
     * @param length bytes of the delta, at most the bytes that the slot was reserved for
     * @param fingerprintAfter of the new record; 0 if the column has none at this rank any more
     * @param slot as {@link #reserve} returned it for this rank; it belongs to the parity records from here on
     * @throws IllegalStateException if no column has a record at the rank any more, but the field is not all zeros
     */
    void fold(int column, int rank, MemorySegment delta, long offset, int length, int fingerprintAfter, long slot) {
        checkNotReleased();
        long ref = makeRoom(rank, length, slot);
        if (ref != 0) {
            MemorySegment segment = slots.segment(ref);
            long at = slots.offset(ref) + LENGTH_BYTES;
            kernel.fold(segment, at, delta, offset, coefficients[column], length);
            trim(rank, ref, length);
        }
        pages.fingerprint(column, rank, fingerprintAfter);
        if (fingerprintAfter == 0 && pages.columns(rank) == 0 && pages.reference(rank) != 0) {
            throw new IllegalStateException("no column has a record at rank " + rank + ", but the field of parity "
                    + parity + " has " + fieldLength(rank) + " bytes");
        }
    }

    private void checkNotReleased() {
        if (released) {
            throw new IllegalStateException("the parity records have been released");
        }
    }

    /** Makes the field at least {@code length} bytes long. Returns the reference of its slot. */
    private long makeRoom(int rank, int length, long slot) {
        long ref = pages.reference(rank);
        int before = ref == 0 ? 0 : lengthAt(ref);
        if (length <= before) {
            spares.give(slot);
            return ref;
        }
        if (ref != 0 && LENGTH_BYTES + length <= slots.slotBytes(ref)) {
            spares.give(slot);
        } else {
            move(rank, ref, before, slot);
            ref = slot;
        }
        long at = slots.offset(ref);
        MemorySegment segment = slots.segment(ref);
        segment.asSlice(at + LENGTH_BYTES + before, (long) length - before).fill((byte) 0);
        segment.set(INT, at, length);
        return ref;
    }

    /** Moves the first bytes of a field to another slot. The old slot, if there is one, is freed. */
    private void move(int rank, long from, int length, long to) {
        if (from != 0) {
            long bytes = (long) LENGTH_BYTES + length;
            MemorySegment.copy(slots.segment(from), slots.offset(from), slots.segment(to), slots.offset(to), bytes);
            freeField(from);
        }
        fieldBytes += slots.slotBytes(to);
        pages.reference(rank, to);
    }

    private void freeField(long ref) {
        fieldBytes -= slots.slotBytes(ref);
        slots.free(ref);
    }

    /** Cuts the trailing zeros of a field off, which may be there when a delta reached the end of the field. */
    private void trim(int rank, long ref, int deltaLength) {
        MemorySegment segment = slots.segment(ref);
        long at = slots.offset(ref) + LENGTH_BYTES;
        int before = lengthAt(ref);
        if (deltaLength < before || before > 0 && segment.get(BYTE, at + before - 1) != 0) {
            return;
        }
        int after = CodedRecord.trimmedLength(segment, at, before);
        segment.set(INT, at - LENGTH_BYTES, after);
        if (after == 0) {
            freeField(ref);
            pages.reference(rank, 0);
        } else if (slots.slotBytesFor((long) LENGTH_BYTES + after) < slots.slotBytes(ref)) {
            shrink(rank, ref, after);
        }
    }

    private void shrink(int rank, long ref, int length) {
        long smaller = spares.take(LENGTH_BYTES + length, false);
        if (smaller != 0) {
            move(rank, ref, length, smaller);
        }
    }

    private int lengthAt(long ref) {
        return slots.segment(ref).get(INT, slots.offset(ref));
    }

    /**
     * Folds a delta as {@link DeltaReservations#fold} does, with memory that is taken now. For copies, which wait when
     * there is no memory.
     *
     * @param reserved whether the last 5 % of the memory may be used
     * @return false if the memory is refused; nothing has changed then
     */
    public boolean tryFold(
            int column,
            int rank,
            MemorySegment delta,
            long offset,
            int length,
            int fingerprintAfter,
            boolean reserved) {
        long slot = reserve(rank, length, reserved);
        if (slot != 0) {
            fold(column, rank, delta, offset, length, fingerprintAfter, slot);
            pages.unpin(rank);
        }
        return slot != 0;
    }

    /**
     * Takes the memory of a future fold: a slot, and the page of the rank until {@link #unpin}.
     *
     * @param length bytes of the delta
     * @param reserved whether the last 5 % of the memory may be used
     * @return reference of the slot; 0 if the memory is refused, and nothing has changed then
     */
    long reserve(int rank, int length, boolean reserved) {
        checkNotReleased();
        if (rank < 0 || rank >= RANKS_MAX || length < 0) {
            throw new IllegalArgumentException("no reservation of " + length + " bytes at rank " + rank);
        }
        long slot = spares.take(LENGTH_BYTES + length, reserved);
        if (slot != 0 && !pages.pin(rank, reserved)) {
            slots.free(slot);
            return 0;
        }
        return slot;
    }

    /** Cancels a reservation. */
    void cancel(int rank, long slot) {
        slots.free(slot);
        pages.unpin(rank);
    }

    /** The fold that a page was kept for has been made. */
    void unpin(int rank) {
        pages.unpin(rank);
    }

    /** Frees the slots that were reserved and not needed. To be called when few folds are made. */
    public void releaseSpares() {
        spares.release();
    }

    /**
     * Empties the parity records for good: they take no reservation and no fold any more. {@link #maintain} frees the
     * memory. The owner releases the {@link DeltaReservations}, too.
     */
    public void release() {
        released = true;
        spares.close();
        pages.forgetRecords();
        upkeep.release();
    }

    /**
     * Does background work: moves slots out of the chunks of memory that are being evacuated, and frees memory after a
     * release. Segments and offsets that were returned before are void.
     *
     * @param steps steps to do; a step looks at 16 ranks, moves at most 16 fields and one page, or frees as many
     * @return whether more work is left
     */
    public boolean maintain(int steps) {
        for (int i = 0; i < steps; i++) {
            if (!upkeep.step()) {
                return false;
            }
        }
        return true;
    }
}
