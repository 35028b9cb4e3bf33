package io.sdds.brick.bucket;

/**
 * What an LH* merge needs before the first record comes: a file that uses one low bit of the pseudo-key more, half of
 * its LH-buckets still empty. One LH-bucket at a time, in place, while the bucket goes on being used;
 * {@link Compaction} backwards.
 */
final class Widening {

    /* LH-bucket c becomes 2c of the wider file, and 2c + 1 begins empty. First comes memory for all places of the wider
     * file: if it is refused, what was taken is given back and nothing has changed. Then LH-buckets move, from the last
     * to the first: those from the cursor on stand at the double already, the others still at their own place. The
     * place 2c is vacant when c moves there: it is new, or was moved in an earlier step. */

    private final LineArray lines;
    private final LhChains chains;
    private final int buckets;
    private int places;
    private int cursor;
    private boolean refused;

    /** @param buckets of the file as it is now */
    Widening(LineArray lines, LhChains chains, int buckets) {
        this.lines = lines;
        this.chains = chains;
        this.buckets = buckets;
        this.places = buckets;
        this.cursor = buckets;
    }

    /** LH-buckets below this one stand at their own place, the others at the double. */
    int cursor() {
        return cursor;
    }

    /** Whether there was no memory for it: nothing has changed. */
    boolean isRefused() {
        return refused;
    }

    /**
     * Gets memory for some LH-buckets, or moves one.
     *
     * @return whether there is more to do
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

    /** Memory for places up to the next segment's end. */
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
