package io.sdds.core.model;

import io.sdds.core.protocol.Limits;
import org.jspecify.annotations.Nullable;

/**
 * When and how a table's partitions split, fixed at the table's creation. All but the default is experimental: the variants of LH*LH (sections 4.3 and 4.5) exist to
 * be measured against each other.
 *
 * @param control when the partition with the split token splits
 * @param splitting what it does for its clients meanwhile
 * @param shipping how its records travel
 * @param sliceBytes entries in a slice of bulk shipping, of which the last LH-bucket may exceed it; 1 to {@link #SLICE_BYTES_MAX}
 */
public record SplitPolicy(SplitControl control, Splitting splitting, Shipping shipping, int sliceBytes) {
    public static final int SLICE_BYTES_DEFAULT = 48 << 10;

    /** A frame's: a slice travels in one. */
    public static final int SLICE_BYTES_MAX = Limits.FRAME_BYTES_MAX;

    /** Dynamic, concurrent, bulk, in slices of 48 KiB. */
    public static final SplitPolicy DEFAULT =
            new SplitPolicy(SplitControl.DYNAMIC, Splitting.CONCURRENT, Shipping.BULK, SLICE_BYTES_DEFAULT);

    public SplitPolicy withControl(SplitControl another) {
        return new SplitPolicy(another, splitting, shipping, sliceBytes);
    }

    public SplitPolicy withSplitting(Splitting another) {
        return new SplitPolicy(control, another, shipping, sliceBytes);
    }

    public SplitPolicy withShipping(Shipping another) {
        return new SplitPolicy(control, splitting, another, sliceBytes);
    }

    public SplitPolicy withSliceBytes(int bytes) {
        return new SplitPolicy(control, splitting, shipping, bytes);
    }

    /** What is wrong with it, in one line; null when it can be used. */
    public @Nullable String fault() {
        return sliceBytes >= 1 && sliceBytes <= SLICE_BYTES_MAX
                ? null
                : "a slice of " + sliceBytes + " bytes: 1 to " + SLICE_BYTES_MAX + " are allowed";
    }
}
