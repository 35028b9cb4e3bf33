package io.sdds.brick.bucket;

import io.sdds.brick.memory.RecordStore;
import org.jspecify.annotations.Nullable;

/**
 * The LH-buckets of one partition: it finds the LH-bucket of a pseudo-key, and lets the number of LH-buckets follow the
 * number of records. After J. S. Karlsson, W. Litwin, T. Risch, "LH*LH: A Scalable High Performance Data Structure for
 * Switched Multicomputers" (EDBT 1996), section 4.5.
 */
final class LhFile {

    /* The partition uses the low l bits of a pseudo-key, the file the bits from l on (Figure 4), and tags the top 8
     * bits.
     *
     * When there are more than RECORDS_PER_BUCKET records for each LH-bucket, the LH-bucket at the split pointer is
     * split; below half of that, the last split is undone. Either is one step for one insert or remove. (In the
     * paper an LH-bucket splits at L = x / (b · m) = 1, where m is RECORDS_PER_BUCKET.)
     *
     * An LH* split takes away the odd LH-buckets (bit l of the pseudo-key is 1) and halves the addresses of the even
     * LH-buckets (Figure 5). Callers see the result at once. Compaction then moves the LH-buckets; the file does not
     * grow or shrink meanwhile. Inserts and removes push the compaction on, so that the file soon grows again.
     * Before an LH* merge, Widening makes room for the LH-buckets that will come, by the reverse steps. */

    /** Mean number of records in an LH-bucket at which the file grows. */
    static final int RECORDS_PER_BUCKET = 8;

    private static final int SHRINK_RECORDS_PER_BUCKET = RECORDS_PER_BUCKET / 2;
    private static final int COMPACTION_STEPS_PER_CHANGE = 2;
    private static final int NOT_COMPACTING = Integer.MAX_VALUE;

    private final LinearFile file = new LinearFile();
    private final LineArray lines;
    private final LhChains chains;
    private final BucketLoad load;
    private final Defragmentation defragmentation;

    private int level;

    /** LH-buckets below this number stand at the place of their own number, the others at twice their number. */
    private int compactedBuckets = NOT_COMPACTING;

    private @Nullable Compaction compaction;
    private @Nullable Widening widening;
    private @Nullable DeferredFree deferredFree;

    /**
     * Makes a file of one LH-bucket without records, which holds no off-heap memory.
     *
     * @param load the load of the bucket: the caller counts single records, the file counts when half of them go
     * @param level number of low bits of the pseudo-key that the partition uses
     */
    LhFile(RecordStore store, LhChains chains, BucketLoad load, int level) {
        this.lines = new LineArray(store.slots());
        this.chains = chains;
        this.load = load;
        this.level = level;
        this.defragmentation = new Defragmentation(store.slots(), lines, chains);
    }

    int level() {
        return level;
    }

    /** Records held. */
    long records() {
        return load.records();
    }

    /** Mean bytes of the records of an LH-bucket. */
    long meanBytes() {
        return load.bytes() / file.buckets();
    }

    /** First line of the LH-bucket of a pseudo-key; 0, which reads as an empty line, if the file has no memory. */
    long firstLine(long hash) {
        int bucket = file.address(hash >>> level);
        return lines.line(bucket < compactedBuckets ? bucket : 2 * bucket);
    }

    /**
     * Whether a record counts as moving with the next LH* split: a compaction may not have counted its LH-bucket yet.
     */
    boolean countsAsMoving(long hash) {
        return (hash >>> level & 1) != 0 && (compaction == null || file.address(hash >>> level) < compactedBuckets);
    }

    /**
     * Exclusive end, in bit-reversed pseudo-keys, of the interval of the LH-bucket that the cursor lies in; 0 is 2^64.
     */
    long intervalEnd(long cursor) {
        int bits = level + file.levelOf(file.address(Long.reverse(cursor) >>> level));
        return bits == 0 ? 0 : (cursor | -1L >>> bits) + 1;
    }

    /** Bytes of the array of first lines. */
    long arrayBytes() {
        return lines.bytes();
    }

    /** Prepares for a change of the file, and pushes a compaction on. */
    void beginChange() {
        if (deferredFree != null) {
            throw new IllegalStateException("bucket has been released");
        }
        if (compaction != null) {
            compact(COMPACTION_STEPS_PER_CHANGE);
        }
        widen(COMPACTION_STEPS_PER_CHANGE);
    }

    /** Whether LH-buckets are changing places, so that the file must keep its size. */
    boolean isMoving() {
        return compaction != null || widening != null;
    }

    /** Takes memory for the first LH-bucket of a file that has no memory yet; false if the memory is refused. */
    boolean ensureFirstLine(boolean reserved) {
        if (lines.bytes() > 0) {
            return true;
        }
        if (!lines.ensure(1, reserved)) {
            return false;
        }
        chains.clear(lines.line(0));
        return true;
    }

    /** Splits an LH-bucket if the file is too small for its records. */
    void growIfLoaded(boolean reserved) {
        boolean loaded = load.records() > (long) file.buckets() * RECORDS_PER_BUCKET;
        if (!loaded || isMoving() || !file.canGrow() || !lines.ensure(file.buckets() + 1, reserved)) {
            // Without memory the chains become longer; a later insert tries again.
            return;
        }
        int bit = level + file.level();
        chains.split(lines.line(file.splitPointer()), lines.line(file.buckets()), bit);
        file.grow();
    }

    /** Undoes the last split of an LH-bucket if the file is too large for its records; returns whether it did. */
    boolean shrinkIfIdle() {
        boolean idle = load.records() < (long) file.buckets() * SHRINK_RECORDS_PER_BUCKET && file.buckets() > 1;
        if (!idle || isMoving()) {
            return false;
        }
        file.shrink();
        if (!chains.merge(lines.line(file.splitPointer()), lines.line(file.buckets()))) {
            file.grow();
            return false;
        }
        lines.trim(file.buckets());
        return true;
    }

    /** Drops the records whose bit l of the pseudo-key is 1; l becomes l + 1. Finishes a compaction under way first. */
    void halve() {
        beginChange();
        compact(Integer.MAX_VALUE);
        int bucketsBefore = file.buckets();
        if (bucketsBefore > 1) {
            file.halve();
        } else if (lines.bytes() > 0) {
            chains.freeHalf(lines.line(0), level);
        }
        level++;
        load.dropMoving();
        compaction = new Compaction(file, lines, chains, load, level, bucketsBefore);
        compactedBuckets = 0;
    }

    /** Begins a widening, after which l is one less. Finishes a compaction under way first. */
    void beginWidening() {
        compact(Integer.MAX_VALUE);
        if (file.buckets() == 1) {
            becomeWider();
        } else if (file.canGrow()) {
            widening = new Widening(lines, chains, file.buckets());
        }
    }

    void finishWidening() {
        widen(Integer.MAX_VALUE);
    }

    private void widen(int steps) {
        Widening running = widening;
        for (int i = 0; i < steps && running != null; i++) {
            if (!running.step()) {
                widening = null;
                compactedBuckets = NOT_COMPACTING;
                if (!running.isRefused()) {
                    file.widen();
                    becomeWider();
                }
                return;
            }
            compactedBuckets = running.cursor();
        }
    }

    /** Makes l one less. Bit l of all records is 0, so no record would move with an LH* split. */
    private void becomeWider() {
        level--;
        load.clearMoving();
    }

    private void compact(int steps) {
        Compaction running = compaction;
        for (int i = 0; i < steps && running != null; i++) {
            if (!running.step()) {
                running = null;
            }
        }
        compactedBuckets = running == null ? NOT_COMPACTING : running.cursor();
        compaction = running;
    }

    /** Empties the file for good. */
    void release() {
        if (deferredFree != null) {
            return;
        }
        finishWidening();
        deferredFree = new DeferredFree(lines, chains, compaction != null ? compaction.placesBefore() : file.buckets());
        compaction = null;
        compactedBuckets = NOT_COMPACTING;
        load.clear();
        file.reset();
        if (lines.bytes() > 0) {
            chains.freeAll(lines.line(0));
        }
    }

    /** Does one step of background work; returns whether more work may be left. */
    boolean maintain() {
        if (deferredFree != null) {
            return deferredFree.step();
        }
        if (compaction != null) {
            compact(1);
            return true;
        }
        if (widening != null) {
            widen(1);
            return true;
        }
        return shrinkIfIdle() || defragmentation.step(lines.bytes() == 0 ? 0 : file.buckets());
    }
}
