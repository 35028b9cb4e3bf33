package io.sdds.core.model;

/**
 * The ways in which clients find the partition of a key in a range table (RP*, section 2.1). Hash tables have
 * {@link #IMAGE}.
 */
public enum Routing {
    /**
     * By an image of all partitions. A request whose key the image does not know goes to the partition with the highest
     * span before the key (RP*Cu).
     */
    IMAGE,
    /**
     * By an image that only adjustments fill. A request whose key the image does not know goes to all bricks of the
     * table (RP*C).
     */
    IMAGE_MULTICAST,
    /** Every request goes to all bricks of the table; the brick that has the key answers (RP*N). */
    MULTICAST,
    /**
     * By an image that begins empty. The client looks up an unknown key in the index of partitions, a range table on
     * the bricks (RP*S).
     */
    INDEX,
    /** A constant of a later version. */
    UNKNOWN
}
