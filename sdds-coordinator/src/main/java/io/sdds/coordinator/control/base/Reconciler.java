package io.sdds.coordinator.control.base;

/**
 * One concern of the leading coordinator. A reconciler compares the state with the reports of bricks, and proposes
 * commands until they agree. Its memory beside the log counts only while this coordinator leads.
 */
public interface Reconciler {
    /** This coordinator leads from now on. The reconciler forgets its memory of an earlier leadership. */
    default void onLeading() {}

    /** This coordinator leads no more. The reconciler refuses its waiting requests. */
    default void onNotLeading() {}

    /** Checks the state again. Called several times within the silence after which a brick counts as down. */
    default void tick() {}
}
