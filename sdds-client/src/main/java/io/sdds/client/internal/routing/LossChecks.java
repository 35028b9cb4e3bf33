package io.sdds.client.internal.routing;

/**
 * Counts how often one request has heard that its partition is lost. Each map that the client hears counts once:
 * without an answer of a coordinator, the client would believe its own old map.
 */
final class LossChecks {
    /**
     * Number of look-ups before a loss is believed. They take about a quarter of a second with their pauses: the time
     * in which a heartbeat tells the bricks of an accepted loss.
     */
    private static final int CHECKS_MAX = 6;

    private int checks;
    private long mapHeard = -1;

    /**
     * Whether the client has heard a map since the last call.
     *
     * @param mapsHeard number of maps of the table that the client has heard
     */
    boolean isNews(long mapsHeard) {
        boolean isNews = mapHeard != mapsHeard;
        mapHeard = mapsHeard;
        return isNews;
    }

    /** Counts one message that the partition is lost; whether there have been enough to believe it. */
    boolean isBelieved() {
        return checks++ >= CHECKS_MAX;
    }
}
