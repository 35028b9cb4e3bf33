package io.sdds.core.model;

/** The requests that a partition serves while it splits (LH*LH, section 4.5.3). */
public enum Splitting {
    /** None: requests wait until the split is over. The basic LH* schema; experimental, to measure its cost. */
    ATOMIC,
    /** All: the partition owns its records until one short switch. */
    CONCURRENT,
    /** A constant of a later version. */
    UNKNOWN
}
