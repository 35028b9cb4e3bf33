package io.sdds.core.model;

/**
 * How clients find the partition of a range table that has a key (RP*, section 2.1). Of hash tables: {@link #IMAGE}.
 */
public enum Routing {
    /**
     * By an image of all partitions; a key that it does not know goes to the partition with the highest span before it
     * (RP*Cu).
     */
    IMAGE,
    /** By an image that adjustments alone fill; what it does not know goes to all bricks of the table (RP*C). */
    IMAGE_MULTICAST,
    /** Every request goes to all bricks of the table; the one that has the key answers (RP*N). */
    MULTICAST,
    /**
     * By an image that begins empty; what it does not know is looked up in the index of partitions, a range table on
     * the bricks (RP*S).
     */
    INDEX,
    /** A constant of a later version. */
    UNKNOWN
}
