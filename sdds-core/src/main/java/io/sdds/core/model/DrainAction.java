package io.sdds.core.model;

/** What is asked about the drain of a brick. */
public enum DrainAction {
    /** Begin the drain, unless it has begun. */
    BEGIN,
    /** End the drain; copies that have moved stay where they are. */
    CANCEL,
    /** Only tell how the drain goes. */
    LOOK,
    /** An action of a later version. */
    UNKNOWN
}
