package io.sdds.brick.experiment;

import io.sdds.core.model.Shipping;
import io.sdds.core.model.SplitPolicy;
import io.sdds.core.model.Splitting;

/** The ways to split that exist only for comparison with the default (LH*LH, sections 4.5.3 and 4.5.4). */
public final class SplitVariants {
    private static final int ONE_RECORD_BYTES = 1;

    private SplitVariants() {}

    /** Whether a partition serves no requests while it splits. The requests wait until the split is over. */
    public static boolean isAtomic(SplitPolicy policy) {
        return policy.splitting() == Splitting.ATOMIC;
    }

    /** Whether each record of a split is sent when the target has acknowledged the record before. */
    public static boolean isIndividual(SplitPolicy policy) {
        return policy.shipping() == Shipping.INDIVIDUAL;
    }

    /** Most bytes of a slice. A slice has one record if the records are sent one by one. */
    public static int sliceBytes(SplitPolicy policy) {
        return isIndividual(policy) ? ONE_RECORD_BYTES : policy.sliceBytes();
    }
}
