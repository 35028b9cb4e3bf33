package io.sdds.core.model;

/** What a partition does for its clients while it splits (LH*LH, section 4.5.3). */
public enum Splitting {
    /** Nothing: requests wait until the split is over. The basic LH* schema; experimental, to measure what it costs. */
    ATOMIC,
    /** Everything: it owns its records until one short switch. */
    CONCURRENT,
    /** A constant of a later version. */
    UNKNOWN
}
