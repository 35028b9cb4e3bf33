package io.sdds.brick.node;

/** What a brick's process hears of its logic, on the thread of the first stage. */
public interface BrickListener {
    /** The brick is registered and can take part. Called once. */
    void onReady();

    /**
     * All coordinators belong to another cluster than this brick: the process must end.
     *
     * @param line names both clusters
     */
    void onForeign(String line);

    /**
     * Another process has registered under this brick's name. The records here count as lost and must not be served any
     * more: the process must end at once.
     *
     * @param line says why
     */
    void onReplaced(String line);
}
