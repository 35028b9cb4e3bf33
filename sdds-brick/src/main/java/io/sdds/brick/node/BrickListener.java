package io.sdds.brick.node;

/** What a brick's process hears of its logic, on the thread of the first stage. */
@FunctionalInterface
public interface BrickListener {
    /** The brick is registered and can take part. Called once. */
    void onReady();

    /**
     * All coordinators belong to another cluster than this brick: the process must end.
     *
     * @param line names both clusters
     */
    default void onForeign(String line) {}
}
