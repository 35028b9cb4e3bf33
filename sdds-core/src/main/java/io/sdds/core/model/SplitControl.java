package io.sdds.core.model;

/** The load at which the partition with the split token splits (LH*LH, section 4.3). */
public enum SplitControl {
    /** At its capacity V. */
    STATIC,
    /** At S = M · V · (2^i + n) / 2^i, which spreads the splits of a round evenly over the inserts. */
    DYNAMIC,
    /** A constant of a later version. */
    UNKNOWN
}
