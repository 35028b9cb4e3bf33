package io.sdds.core.model;

/** The kinds of migrations. */
public enum MigrationKind {
    /** Some keys of a partition go to a new partition, or in a table with parity to an idle column. */
    SPLIT,
    /** All keys of a partition go back to another one, and the partition is no more, or is an idle column. */
    MERGE,
    /** A partition of one copy goes to another brick, and keeps its number. */
    MOVE,
    /** A brick gets a copy of a partition and becomes a member of the partition's replica group. */
    LEARNER,
    /**
     * Of a table with parity: a column that a parity leads gets a primary of its own, which rebuilds the records from
     * the living columns and parities of the group.
     */
    RECOVERY,
    /** Of a table with parity: a process gets a parity of a group whose process is {@link ParityMembers#MISSING}. */
    PARITY,
    /** A kind of a later version. */
    UNKNOWN
}
