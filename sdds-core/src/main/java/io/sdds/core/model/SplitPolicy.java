package io.sdds.core.model;

import io.sdds.core.protocol.Limits;
import org.jspecify.annotations.Nullable;

/**
 * When and how a table's partitions split, fixed at the table's creation. All but the default is experimental: the
 * variants of LH*LH (sections 4.3 and 4.5) exist to be measured against each other.
 *
 * @param control when the partition with the split token splits
 * @param splitting what it does for its clients meanwhile
 * @param shipping how its records travel
 * @param sliceBytes entries in a slice of bulk shipping, of which the last LH-bucket may exceed it; 1 to
 *     {@link #SLICE_BYTES_MAX}
 * @param atOnce splits of the table that may ship at the same time, where the level allows; they commit in the order of
 *     n. 1 to {@link #AT_ONCE_MAX}; atomic splitting has one
 */
public record SplitPolicy(SplitControl control, Splitting splitting, Shipping shipping, int sliceBytes, int atOnce) {
    public static final int SLICE_BYTES_DEFAULT = 48 << 10;

    public static final int AT_ONCE_DEFAULT = 4;
    public static final int AT_ONCE_MAX = 16;

    /** A frame's: a slice travels in one. */
    public static final int SLICE_BYTES_MAX = Limits.FRAME_BYTES_MAX;

    /** Dynamic, concurrent, bulk, in slices of 48 KiB, four at once. */
    public static final SplitPolicy DEFAULT = new SplitPolicy(
            SplitControl.DYNAMIC, Splitting.CONCURRENT, Shipping.BULK, SLICE_BYTES_DEFAULT, AT_ONCE_DEFAULT);

    public SplitPolicy withControl(SplitControl another) {
        return new SplitPolicy(another, splitting, shipping, sliceBytes, atOnce);
    }

    public SplitPolicy withSplitting(Splitting another) {
        return new SplitPolicy(control, another, shipping, sliceBytes, atOnce);
    }

    public SplitPolicy withShipping(Shipping another) {
        return new SplitPolicy(control, splitting, another, sliceBytes, atOnce);
    }

    public SplitPolicy withSliceBytes(int bytes) {
        return new SplitPolicy(control, splitting, shipping, bytes, atOnce);
    }

    public SplitPolicy withAtOnce(int splits) {
        return new SplitPolicy(control, splitting, shipping, sliceBytes, splits);
    }

    /**
     * How many splits may ship at the same time: a partition that serves nothing shall not wait for the turn of
     * another.
     */
    public int atOnceMost() {
        return splitting == Splitting.ATOMIC ? 1 : atOnce;
    }

    /** What is wrong with it, in one line; null when it can be used. */
    public @Nullable String fault() {
        if (control == SplitControl.UNKNOWN || splitting == Splitting.UNKNOWN || shipping == Shipping.UNKNOWN) {
            return "a way to split that this version does not know";
        }
        if (sliceBytes < 1 || sliceBytes > SLICE_BYTES_MAX) {
            return "a slice of " + sliceBytes + " bytes: 1 to " + SLICE_BYTES_MAX + " are allowed";
        }
        return atOnce < 1 || atOnce > AT_ONCE_MAX
                ? atOnce + " splits at once: 1 to " + AT_ONCE_MAX + " are allowed"
                : null;
    }
}
