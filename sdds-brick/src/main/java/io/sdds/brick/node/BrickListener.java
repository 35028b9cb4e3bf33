package io.sdds.brick.node;

/** The brick's process, as the brick's logic sees it. All calls are on the thread of the first stage. */
public interface BrickListener {
    /** The brick is registered and can take part. Called once. */
    void onReady();

    /**
     * All coordinators belong to another cluster than this brick, so the process must end.
     *
     * @param line names both clusters
     */
    void onForeign(String line);

    /**
     * Another process has registered under this brick's name. The records of this process count as lost, and must not
     * be served any more. So the process must end at once.
     *
     * @param line the reason
     */
    void onReplaced(String line);
}
