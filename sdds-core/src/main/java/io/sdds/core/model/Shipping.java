package io.sdds.core.model;

/** The ways in which the records of a split are sent (LH*LH, section 4.5.4). */
public enum Shipping {
    /**
     * Record by record: each record is sent when the child has taken the one before. Experimental, to measure its cost.
     */
    INDIVIDUAL,
    /** Many records in a slice, and several slices under way. */
    BULK,
    /** A constant of a later version. */
    UNKNOWN
}
