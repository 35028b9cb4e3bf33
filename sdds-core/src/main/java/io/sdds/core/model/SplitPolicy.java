package io.sdds.core.model;

import io.sdds.core.protocol.Limits;
import org.jspecify.annotations.Nullable;

/**
 * The way in which a table's partitions split, fixed at the table's creation. All policies but the default are
 * experimental: the variants of LH*LH (sections 4.3 and 4.5) exist to be measured against each other.
 *
 * @param control when the partition with the split token splits
 * @param splitting what the partition serves meanwhile
 * @param shipping how its records are sent
 * @param sliceBytes bytes of entries in a slice of bulk shipping, 1 to {@link #SLICE_BYTES_MAX}; the last LH-bucket may
 *     exceed this number
 * @param atOnce number of splits of the table that may ship at the same time, where the level allows, 1 to
 *     {@link #AT_ONCE_MAX}; they commit in the order of n; atomic splitting has one
 */
public record SplitPolicy(SplitControl control, Splitting splitting, Shipping shipping, int sliceBytes, int atOnce) {
    public static final int SLICE_BYTES_DEFAULT = 48 << 10;

    public static final int AT_ONCE_DEFAULT = 4;
    public static final int AT_ONCE_MAX = 16;

    /** Largest slice: a slice is sent in one frame. */
    public static final int SLICE_BYTES_MAX = Limits.FRAME_BYTES_MAX;

    /** Dynamic control, concurrent splitting, bulk shipping in slices of 48 KiB, four splits at once. */
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
     * Number of splits that may ship at the same time; 1 with atomic splitting, so that a partition that serves nothing
     * does not wait for the turn of another.
     */
    public int atOnceMost() {
        return splitting == Splitting.ATOMIC ? 1 : atOnce;
    }

    /** The fault of this policy in one line; null when it can be used. */
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
