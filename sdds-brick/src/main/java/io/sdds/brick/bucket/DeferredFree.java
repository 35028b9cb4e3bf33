package io.sdds.brick.bucket;

/** Frees everything a bucket holds, one LH-bucket at a time, from the last to the first. */
final class DeferredFree {

    private final LineArray lines;
    private final LhChains chains;
    private int places;

    /**
     * Begins to free a file.
     *
     * @param places number of places of the array that may hold records
     */
    DeferredFree(LineArray lines, LhChains chains, int places) {
        this.lines = lines;
        this.chains = chains;
        this.places = places;
    }

    /**
     * Frees the last LH-bucket that is left.
     *
     * @return whether there is more to do
     */
    boolean step() {
        if (places > 0) {
            places--;
            int segment = places >>> LineArray.SEGMENT_LINES_LOG;
            if (lines.hasSegment(segment)) {
                chains.freeAll(lines.line(places));
            }
            if (places % LineArray.SEGMENT_LINES == 0) {
                lines.freeSegment(segment);
            }
        }
        return places > 0;
    }
}
