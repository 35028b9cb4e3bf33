package io.sdds.brick.bucket;

import io.sdds.brick.memory.RecordStore;
import io.sdds.brick.memory.SlotSpace;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Operations on one LH-bucket. An LH-bucket is a first line and a chain of overflow lines. All lines of a chain but the
 * last are full, and an overflow line holds at least one record.
 */
final class LhChains {

    private final RecordStore store;
    private final SlotSpace slots;
    private final RankedRecords records;
    private final RecordList staying = new RecordList();
    private final RecordList going = new RecordList();

    /** Overflow lines of the chains that are being rewritten. The rewrite uses these lines again. */
    private int[] spareLines = new int[4];

    private int spareCount;
    private long overflowLines;

    LhChains(RecordStore store, RankedRecords records) {
        this.store = store;
        this.records = records;
        this.slots = store.slots();
    }

    /** Number of overflow lines in use. */
    long overflowLines() {
        return overflowLines;
    }

    /** Makes the line an LH-bucket without records. */
    void clear(long line) {
        LhLine.clear(slots.segment(line), slots.offset(line));
    }

    /**
     * Adds a record to an LH-bucket.
     *
     * @return false if there is no memory for an overflow line; nothing has changed then
     */
    boolean add(long firstLine, int tag, long reference, boolean reserved) {
        long line = lastLine(firstLine);
        MemorySegment segment = slots.segment(line);
        int count = LhLine.count(segment, slots.offset(line));
        if (count < LhLine.PLACES) {
            LhLine.set(segment, slots.offset(line), count, tag, reference);
            return true;
        }
        long overflow = counted(slots.allocateIndex(LhLine.BYTES, reserved));
        if (overflow == 0) {
            return false;
        }
        LhLine.set(slots.segment(overflow), slots.offset(overflow), 0, tag, reference);
        LhLine.setOverflow(segment, slots.offset(line), overflow);
        return true;
    }

    private long lastLine(long firstLine) {
        long line = firstLine;
        for (long next = overflow(line); next != 0; next = overflow(line)) {
            line = next;
        }
        return line;
    }

    private long overflow(long line) {
        return LhLine.overflow(slots.segment(line), slots.offset(line));
    }

    private long counted(long line) {
        if (line != 0) {
            clear(line);
            overflowLines++;
        }
        return line;
    }

    private void freeLine(long line) {
        slots.free(line);
        overflowLines--;
    }

    /** Takes a record out of an LH-bucket; the last record of the chain takes its place. */
    void remove(long firstLine, long line, int place) {
        long beforeLast = 0;
        long last = firstLine;
        for (long next = overflow(last); next != 0; next = overflow(last)) {
            beforeLast = last;
            last = next;
        }
        MemorySegment segment = slots.segment(last);
        long at = slots.offset(last);
        int lastPlace = LhLine.count(segment, at) - 1;
        int tag = LhLine.tagAt(segment, at, lastPlace);
        long reference = LhLine.reference(segment, at, lastPlace);
        LhLine.set(slots.segment(line), slots.offset(line), place, tag, reference);
        LhLine.set(segment, at, lastPlace, 0, 0);
        if (lastPlace == 0 && beforeLast != 0) {
            LhLine.setOverflow(slots.segment(beforeLast), slots.offset(beforeLast), 0);
            freeLine(last);
        }
    }

    /**
     * Splits an LH-bucket: the records whose pseudo-key has bit {@code bit} set go to another LH-bucket. A split needs
     * no memory, because both chains together have at most one line more than the one chain had.
     *
     * @param otherLine first line of the other LH-bucket, with undefined content
     */
    void split(long firstLine, long otherLine, int bit) {
        begin();
        gather(firstLine);
        staying.moveTo(going, bit, store);
        write(firstLine, staying);
        write(otherLine, going);
        freeSpareLines();
    }

    /**
     * Merges another LH-bucket into this one. The first line of the other LH-bucket is left with undefined content.
     *
     * @return false if there is no memory for an overflow line; nothing has changed then
     */
    boolean merge(long firstLine, long otherLine) {
        begin();
        gather(firstLine);
        gather(otherLine);
        int missingLines = (staying.size() - 1) / LhLine.PLACES - spareCount;
        if (missingLines > 0) {
            long line = counted(slots.allocate(LhLine.BYTES, true));
            if (line == 0) {
                return false;
            }
            pushSpareLine(line);
        }
        write(firstLine, staying);
        freeSpareLines();
        return true;
    }

    /** Frees the records of an LH-bucket whose pseudo-key has bit {@code bit} set. */
    void freeHalf(long firstLine, int bit) {
        begin();
        gather(firstLine);
        staying.moveTo(going, bit, store);
        write(firstLine, staying);
        freeSpareLines();
        for (int i = 0; i < going.size(); i++) {
            records.free(going.reference(i));
        }
    }

    /**
     * Frees the records of an LH-bucket that have expired.
     *
     * @param expiries is given the expiries of the records that stay
     * @param forget is called with each expired record before the record is freed
     * @return number of records in the LH-bucket before the call
     */
    int freeExpired(long firstLine, ExpiryTimes expiries, RecordVisitor forget) {
        begin();
        gather(firstLine);
        int looked = staying.size();
        staying.moveExpired(going, expiries, store);
        if (going.size() > 0) {
            write(firstLine, staying);
            freeSpareLines();
            for (int i = 0; i < going.size(); i++) {
                forget.visit(going.reference(i), store.hash(going.reference(i)));
                records.free(going.reference(i));
            }
        }
        return looked;
    }

    /**
     * Visits the records of an LH-bucket that have expired.
     *
     * @param expiries is given the expiries of all records, because the expired records stay
     * @return number of records in the LH-bucket
     */
    int visitExpired(long firstLine, ExpiryTimes expiries, RankVisitor visitor) {
        begin();
        gather(firstLine);
        for (int i = 0; i < staying.size(); i++) {
            long ref = staying.reference(i);
            long expiry = store.expiry(ref);
            expiries.has(expiry);
            if (expiries.isPast(expiry)) {
                visitor.visit(store.rank(ref), ref);
            }
        }
        return staying.size();
    }

    /** Frees all records and all overflow lines of an LH-bucket. */
    void freeAll(long firstLine) {
        begin();
        gather(firstLine);
        clear(firstLine);
        freeSpareLines();
        for (int i = 0; i < staying.size(); i++) {
            records.free(staying.reference(i));
        }
    }

    /** Moves an LH-bucket to another first line; the old first line is left without records. */
    void move(long fromLine, long toLine) {
        MemorySegment.copy(
                slots.segment(fromLine),
                slots.offset(fromLine),
                slots.segment(toLine),
                slots.offset(toLine),
                LhLine.BYTES);
        clear(fromLine);
    }

    /**
     * Counts those records of an LH-bucket whose pseudo-key has bit {@code bit} set as moving with the next LH* split.
     */
    void countMoving(long firstLine, BucketLoad load, int bit) {
        begin();
        gather(firstLine);
        staying.moveTo(going, bit, store);
        countMoving(going, load);
    }

    /** Counts all records of an LH-bucket as moving with the next LH* split. */
    void countMoving(long firstLine, BucketLoad load) {
        begin();
        gather(firstLine);
        countMoving(staying, load);
    }

    private void countMoving(RecordList records, BucketLoad load) {
        for (int i = 0; i < records.size(); i++) {
            load.countMoving(store.slotBytes(records.reference(i)));
        }
    }

    private void begin() {
        staying.clear();
        going.clear();
        spareCount = 0;
    }

    private void gather(long firstLine) {
        for (long line = firstLine; line != 0; line = overflow(line)) {
            MemorySegment segment = slots.segment(line);
            long at = slots.offset(line);
            int count = LhLine.count(segment, at);
            for (int place = 0; place < count; place++) {
                staying.add(LhLine.tagAt(segment, at, place), LhLine.reference(segment, at, place));
            }
            if (line != firstLine) {
                pushSpareLine(line);
            }
        }
    }

    private void pushSpareLine(long line) {
        if (spareCount == spareLines.length) {
            spareLines = Arrays.copyOf(spareLines, 2 * spareCount);
        }
        spareLines[spareCount++] = (int) line;
    }

    private long popSpareLine() {
        return Integer.toUnsignedLong(spareLines[--spareCount]);
    }

    private void freeSpareLines() {
        while (spareCount > 0) {
            freeLine(popSpareLine());
        }
    }

    private void write(long firstLine, RecordList records) {
        long line = firstLine;
        clear(line);
        for (int i = 0; i < records.size(); i++) {
            int place = i % LhLine.PLACES;
            if (place == 0 && i > 0) {
                long overflow = popSpareLine();
                clear(overflow);
                LhLine.setOverflow(slots.segment(line), slots.offset(line), overflow);
                line = overflow;
            }
            LhLine.set(slots.segment(line), slots.offset(line), place, records.tag(i), records.reference(i));
        }
    }

    /** Moves the records and overflow lines of an LH-bucket out of the chunks that are being evacuated. */
    void relocate(long firstLine) {
        for (long line = firstLine; line != 0; line = overflow(line)) {
            relocateRecords(slots.segment(line), slots.offset(line));
            long next = overflow(line);
            if (next != 0 && slots.isEvacuating(next)) {
                LhLine.setOverflow(slots.segment(line), slots.offset(line), slots.relocate(next));
            }
        }
    }

    private void relocateRecords(MemorySegment segment, long line) {
        int count = LhLine.count(segment, line);
        for (int place = 0; place < count; place++) {
            long reference = LhLine.reference(segment, line, place);
            if (slots.isEvacuating(reference)) {
                LhLine.setReference(segment, line, place, records.relocate(reference));
            }
        }
    }
}
