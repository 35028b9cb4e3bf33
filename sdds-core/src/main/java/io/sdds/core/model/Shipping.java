package io.sdds.core.model;

/** How the records of a split travel (LH*LH, section 4.5.4). */
public enum Shipping {
    /** One by one, each sent when the child has taken the one before. Experimental, to measure what it costs. */
    INDIVIDUAL,
    /** Many in a slice, several slices on their way. */
    BULK,
    /** A constant of a later version. */
    UNKNOWN
}
