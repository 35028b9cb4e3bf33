package io.sdds.brick.bucket;

import io.sdds.brick.memory.SlotSpace;

/**
 * Moves lines and records of the bucket out of the chunks of memory that are being evacuated. A step works on one
 * LH-bucket. A round looks at each record once.
 */
final class Defragmentation {

    private final SlotSpace slots;
    private final LineArray lines;
    private final LhChains chains;
    private int cursor = Integer.MAX_VALUE;
    private int round;

    Defragmentation(SlotSpace slots, LineArray lines, LhChains chains) {
        this.slots = slots;
        this.lines = lines;
        this.chains = chains;
        this.round = slots.evacuationRound();
    }

    /**
     * Works on one LH-bucket, or chooses the chunks to evacuate.
     *
     * @param buckets number of LH-buckets of the file
     * @return whether there was something to do
     */
    boolean step(int buckets) {
        if (cursor >= buckets) {
            if (round == slots.evacuationRound()) {
                return slots.planEvacuation();
            }
            round = slots.evacuationRound();
            cursor = 0;
        }
        if (cursor % LineArray.SEGMENT_LINES == 0) {
            lines.relocate(cursor >>> LineArray.SEGMENT_LINES_LOG);
        }
        chains.relocate(lines.line(cursor));
        cursor++;
        return true;
    }
}
