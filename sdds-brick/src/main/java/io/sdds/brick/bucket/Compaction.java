package io.sdds.brick.bucket;

/**
 * Compacts the LH file of a bucket after an LH* split: it frees the odd LH-buckets and closes up the even LH-buckets.
 * The compaction works in place, one pair of LH-buckets at a time, while the bucket goes on being used.
 */
final class Compaction {

    /* The file has been halved already: LH-bucket c had address 2c before. LH-buckets below the cursor stand at
     * place c, the other LH-buckets still at place 2c. A step takes c = cursor, moves the LH-bucket at 2c to c, and
     * then frees the records at 2c + 1. Place c is vacant by then: if c is even, its LH-bucket was moved to c/2 in
     * step c/2; if c is odd, its records were freed in step (c - 1)/2; place 0 stays. A vacated place is left as an
     * LH-bucket without records. Segments of the array behind the halved file are freed as soon as their last place
     * is vacant.
     *
     * The compaction also counts the records that would move with the next LH* split: the records of the LH-buckets
     * that are odd now. */

    private final LinearFile file;
    private final LineArray lines;
    private final LhChains chains;
    private final BucketLoad load;
    private final int level;
    private final int placesBefore;
    private int cursor;

    /**
     * Compacts a file that has just been halved.
     *
     * @param level level of the partition after the LH* split
     * @param placesBefore number of LH-buckets of the file before it was halved
     */
    Compaction(LinearFile file, LineArray lines, LhChains chains, BucketLoad load, int level, int placesBefore) {
        this.file = file;
        this.lines = lines;
        this.chains = chains;
        this.load = load;
        this.level = level;
        this.placesBefore = placesBefore;
    }

    /**
     * LH-buckets below the cursor stand at the place of their own number, the other LH-buckets at twice their number.
     */
    int cursor() {
        return cursor;
    }

    /** Number of places of the array that may hold records. */
    int placesBefore() {
        return placesBefore;
    }

    /**
     * Moves one LH-bucket and frees another.
     *
     * @return whether there is more to do
     */
    boolean step() {
        int from = 2 * cursor;
        if (cursor > 0) {
            chains.move(lines.line(from), lines.line(cursor));
        }
        if (from + 1 < placesBefore) {
            chains.freeAll(lines.line(from + 1));
        }
        countMoving();
        freeSegment(from + 1);
        cursor++;
        if (cursor < file.buckets()) {
            return true;
        }
        lines.trim(file.buckets());
        return false;
    }

    private void countMoving() {
        if (file.buckets() == 1) {
            chains.countMoving(lines.line(0), load, level);
        } else if (cursor % 2 == 1) {
            chains.countMoving(lines.line(cursor), load);
        }
    }

    /**
     * Frees the segment of the array that ends with a place, or with the last place, if the segment is behind the file.
     */
    private void freeSegment(int place) {
        boolean ends = (place + 1) % LineArray.SEGMENT_LINES == 0 || place + 1 >= placesBefore;
        int segment = place >>> LineArray.SEGMENT_LINES_LOG;
        if (ends && segment << LineArray.SEGMENT_LINES_LOG >= file.buckets()) {
            lines.freeSegment(segment);
        }
    }
}
