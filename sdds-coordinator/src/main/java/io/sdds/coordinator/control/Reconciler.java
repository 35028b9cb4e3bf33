package io.sdds.coordinator.control;

/**
 * One concern of the leading coordinator: it compares the state with what is reported, and proposes commands until they
 * agree. What it remembers beside the log counts only while this coordinator leads.
 */
interface Reconciler {
    /** This coordinator leads from now on: what was remembered of an earlier time is forgotten. */
    default void onLeading() {}

    /** This coordinator leads no more: requests that wait are refused. */
    default void onNotLeading() {}

    /** Looks at the state anew; several times within the time after which a silent brick is given up. */
    default void tick() {}
}
