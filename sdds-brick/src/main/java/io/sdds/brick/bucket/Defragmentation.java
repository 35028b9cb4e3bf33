package io.sdds.brick.bucket;

import io.sdds.brick.memory.SlotSpace;

/**
 * Moves what the bucket holds out of the chunks of memory that are to be emptied. One LH-bucket at a time; each record
 * is looked at once a round.
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
     * Works on one LH-bucket, or on the choice of the chunks to be emptied.
     *
     * @param buckets LH-buckets of the file
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
