package io.sdds.brick.bucket;

/**
 * Widens the LH file of a bucket before an LH* merge: the file then uses one more low bit of the pseudo-key, and half
 * of its LH-buckets are empty, for the records that the merge brings. The widening works in place, one LH-bucket at a
 * time, while the bucket goes on being used. {@link Compaction} is the reverse.
 */
final class Widening {

    /* LH-bucket c becomes LH-bucket 2c of the wider file, and LH-bucket 2c + 1 begins empty.
     *
     * The widening first takes memory for all places of the wider file. If memory is refused, the widening gives back
     * what it has taken, and nothing has changed.
     *
     * Then it moves the LH-buckets, from the last to the first. LH-buckets from the cursor on stand at twice their
     * number already; LH-buckets below the cursor still stand at their own number. Place 2c is vacant when c moves
     * there: the place is new, or its LH-bucket was moved in an earlier step. */

    private final LineArray lines;
    private final LhChains chains;
    private final int buckets;
    private int places;
    private int cursor;
    private boolean refused;

    /** @param buckets number of LH-buckets in the file before the widening */
    Widening(LineArray lines, LhChains chains, int buckets) {
        this.lines = lines;
        this.chains = chains;
        this.buckets = buckets;
        this.places = buckets;
        this.cursor = buckets;
    }

    /**
     * LH-buckets below the cursor stand at the place of their own number, the other LH-buckets at twice their number.
     */
    int cursor() {
        return cursor;
    }

    /** Whether memory for the wider file was refused. Nothing has changed then. */
    boolean isRefused() {
        return refused;
    }

    /**
     * Takes memory for some places, or moves one LH-bucket.
     *
     * @return whether another step is needed
     */
    boolean step() {
        if (places < 2 * buckets) {
            refused = !takeMemory();
            return !refused;
        }
        cursor--;
        if (cursor > 0) {
            chains.move(lines.line(cursor), lines.line(2 * cursor));
        }
        chains.clear(lines.line(2 * cursor + 1));
        return cursor > 0;
    }

    /**
     * Takes memory for the places up to the end of the next segment.
     *
     * @return false if the memory was refused; all memory that the widening took is given back then
     */
    private boolean takeMemory() {
        do {
            if (!lines.ensure(places + 1, false)) {
                giveBack();
                return false;
            }
            places++;
        } while (places < 2 * buckets && places % LineArray.SEGMENT_LINES != 0);
        return true;
    }

    private void giveBack() {
        int kept = (buckets - 1) >>> LineArray.SEGMENT_LINES_LOG;
        for (int segment = (places - 1) >>> LineArray.SEGMENT_LINES_LOG; segment > kept; segment--) {
            lines.freeSegment(segment);
        }
        lines.trim(buckets);
    }
}
