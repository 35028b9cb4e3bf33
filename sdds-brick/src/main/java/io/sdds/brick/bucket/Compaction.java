package io.sdds.brick.bucket;

/**
 * What is left to do after an LH* split: the odd LH-buckets of the file are freed and the even ones closed up, one pair
 * at a time, in place, while the bucket goes on being used.
 */
final class Compaction {

    /* The file has been halved already: LH-bucket c is the one that had address 2c. Those below the cursor stand at c,
     * the others still at 2c. A step takes c = cursor: moves 2c to c, then frees the records of 2c + 1. The place c is
     * vacant by then: if c is even, it was moved to c/2 in step c/2; if odd, it was freed in step (c - 1)/2; and 0
     * stays. A vacated place is left as an LH-bucket without records. Segments of the array behind the halved file are
     * given up as soon as their last place is vacant.
     *
     * On its way it counts anew what would move with the next LH* split: the LH-buckets that are odd now. */

    private final LinearFile file;
    private final LineArray lines;
    private final LhChains chains;
    private final BucketLoad load;
    private final int level;
    private final int placesBefore;
    private int cursor;

    /**
     * Compaction of a file that has just been halved.
     *
     * @param level of the partition after the LH* split
     * @param placesBefore LH-buckets of the file before it was halved
     */
    Compaction(LinearFile file, LineArray lines, LhChains chains, BucketLoad load, int level, int placesBefore) {
        this.file = file;
        this.lines = lines;
        this.chains = chains;
        this.load = load;
        this.level = level;
        this.placesBefore = placesBefore;
    }

    /** LH-buckets below this one stand at their own place, the others still at the double. */
    int cursor() {
        return cursor;
    }

    /** Places of the array that may hold records. */
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
        giveUpSegment(from + 1);
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

    /** Gives up the segment of the array that ends with the place, or with the last place, if it is behind the file. */
    private void giveUpSegment(int place) {
        boolean ends = (place + 1) % LineArray.SEGMENT_LINES == 0 || place + 1 >= placesBefore;
        int segment = place >>> LineArray.SEGMENT_LINES_LOG;
        if (ends && segment << LineArray.SEGMENT_LINES_LOG >= file.buckets()) {
            lines.freeSegment(segment);
        }
    }
}
