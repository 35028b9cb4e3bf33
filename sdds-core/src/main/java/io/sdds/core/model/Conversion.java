package io.sdds.core.model;

/** The conversion of a table that is under way or has ended (docs/design/parity.md, rules 34 and 35). */
public enum Conversion {
    /** Nothing: each partition is protected as the table's definition says. */
    NONE,
    /**
     * From replicas to parity. The definition has the parity that the table is to have, and the replicas that it had.
     * Each parity group stands on its replicas until its parities are in force ({@link ParityMembers#inForce}).
     */
    TO_PARITY,
    /**
     * Nothing any more: the table has been converted from replicas to parity. Columns that are added later may get
     * numbers that partitions had before, which merges have ended.
     */
    FROM_REPLICAS,
    /**
     * From parity to replicas. The definition has the parity that the table had, and the replicas that it is to have.
     * Each parity group stands on parity until all its columns that own keys have their replicas. Then the group has no
     * parity any more, and {@link ParityMembers#inForce} is false.
     */
    TO_REPLICAS,
    /** A conversion of a later version. */
    UNKNOWN
}
