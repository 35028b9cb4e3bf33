package io.sdds.core.model;

/** The ways in which a table's keys are spread over its partitions. */
public enum TableKind {
    /** By linear hashing over pseudo-keys (LH*). */
    HASH,
    /** By spans of keys (RP*). */
    RANGE,
    /** A constant of a later version. */
    UNKNOWN
}
