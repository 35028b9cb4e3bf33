package io.sdds.client.internal.routing;

import java.util.random.RandomGenerator;

/**
 * Decides how many requests one brick gets at a time, by what the brick answers and refuses. A refusal slows the client
 * down; no request fails by a refusal before its deadline.
 */
final class FlowControl {

    /*
     * First requests are bounded by the congestion window. Refused requests also need the retry budget. They have it
     * apart because a brick may refuse all requests of one partition for seconds, while the partition is full or moves:
     * then the requests of the other partitions pass the refused ones. For the same reason refused requests take at
     * most a quarter of the window at a time, and a request that is refused again does not make the window smaller. A
     * quarter of a small window is less than one request. So after every other pause one new request goes first:
     * otherwise refused requests of one partition would fill a window of one again and again.
     *
     * A partition that has answered nothing since an earlier batch of refusals is busy by itself if the brick answers
     * other requests. Its refusals tell nothing about the brick, so they do not make the window smaller.
     *
     * All refusals within the time that the first of them names are one batch. Refused requests are sent again when
     * that time has passed. If the brick has answered nothing between two batches, it takes nothing at all: then the
     * pause doubles, and until the pause is over the brick gets no request.
     */

    /**
     * Lower bound for the largest window of a brick. A long value counts as several requests, so a client whose own
     * window is small would otherwise never fill that window with long values.
     */
    private static final int WINDOW_MAX_LEAST = 8192;

    private static final int RETRIES_SHARE = 4;
    private static final int CROWD_MIN = 16;
    private static final int CROWD_SHARE = 4;
    private static final int HINT_MILLIS_MAX = 1000;

    private final CongestionWindow window;
    private final RetryBudget retries;
    private final RandomGenerator random;
    private final BusyPartitions busyPartitions = new BusyPartitions();

    /** What the requests in flight take of the window. */
    private int unanswered;

    /** Whether the pause after a batch of refusals is not over. */
    private boolean pausing;

    /** Whether the brick has answered a request since the last batch of refusals began. */
    private boolean answered = true;

    /** Whether a new request goes before the refused ones after the next pause that ends: after every other one. */
    private boolean isNewNext = true;

    private boolean isTurnOfNew;

    /** Number of batches in a row before which the brick has answered nothing. */
    private int batchesInARow;

    FlowControl(int windowRequests, long nowNanos, RandomGenerator random) {
        this.window = new CongestionWindow(Math.max(WINDOW_MAX_LEAST, windowRequests));
        this.retries = new RetryBudget(nowNanos);
        this.random = random;
    }

    /** Whether a request may be sent now. */
    boolean hasRoom() {
        return unanswered < window.limit() && (answered || !pausing);
    }

    /** Whether one request that the brick has not seen goes before the refused ones. */
    boolean isTurnOfNew() {
        return isTurnOfNew;
    }

    /** The one request is being sent. */
    void onTurnOfNew() {
        isTurnOfNew = false;
    }

    /** Whether the pause after a batch of refusals is not over. */
    boolean isPausing() {
        return pausing;
    }

    /** Number of refused requests that may be sent again in a row. */
    int retriesInARow() {
        return pausing ? 0 : Math.max(1, window.limit() / RETRIES_SHARE);
    }

    /** Whether a refused request may be sent again now. */
    boolean hasRoomForRetry(long nowNanos) {
        return hasRoom() && retries.hasRoom(nowNanos);
    }

    /**
     * Whether the brick is overloaded, and enough requests wait to keep it busy. Further requests would be late. The
     * queues of the clients extend the brick's queue, so its bound helps only if these queues are bounded, too.
     */
    boolean isCrowded(int waiting, long nowNanos) {
        return waiting >= Math.max(CROWD_MIN, window.limit() / CROWD_SHARE) && window.isReduced(nowNanos);
    }

    void onSent(Request<?> request) {
        unanswered += weight(request);
        if (request.wasRefused) {
            retries.onRetry();
        }
    }

    /** A request is no longer in flight: it was answered, refused or given up. */
    void onEnded(Request<?> request) {
        unanswered -= weight(request);
    }

    /** No request is in flight any more, because the link is lost. */
    void onLost() {
        unanswered = 0;
        busyPartitions.clear();
        window.onNewLink();
    }

    /**
     * A request was answered, with another status than BUSY.
     *
     * @param othersWait whether further requests wait for room
     */
    void onAnswer(Request<?> request, boolean othersWait, long nowNanos) {
        answered = true;
        retries.onAnswer(request.wasRefused);
        request.wasRefused = false;
        busyPartitions.onAnswer(partition(request), nowNanos);
        if (othersWait) {
            window.onAnswer(nowNanos);
        }
    }

    /**
     * A request was refused.
     *
     * @return the pause in nanoseconds after which to call {@link #onPauseOver}; 0: the pause goes on
     */
    long onBusy(Request<?> request, int hintMillis, long nowNanos) {
        boolean begins = !pausing;
        if (begins) {
            beginBatch(nowNanos);
        }
        boolean isOfBusyPartition = isOfBusyPartition(request);
        if (begins && !isOfBusyPartition) {
            window.onBusy(unanswered + weight(request), batchesInARow > 0, nowNanos);
        }
        busyPartitions.onRefused(partition(request));
        if (batchesInARow > 0 || !request.wasRefused && !isOfBusyPartition) {
            window.onRefused(weight(request));
        }
        request.wasRefused = true;
        return begins ? pauseNanos(hintMillis) : 0;
    }

    /** Whether the request's partition refuses everything, and the brick answers requests of other partitions. */
    private boolean isOfBusyPartition(Request<?> request) {
        return batchesInARow == 0 && busyPartitions.isBusy(partition(request));
    }

    private void beginBatch(long nowNanos) {
        busyPartitions.onBatch(nowNanos);
        batchesInARow = answered ? 0 : batchesInARow + 1;
        pausing = true;
        answered = false;
    }

    private long pauseNanos(int hintMillis) {
        long hintNanos = Math.max(1, Math.min(HINT_MILLIS_MAX, hintMillis)) * 1_000_000L;
        long pauseNanos = hintNanos + random.nextLong(hintNanos / 2);
        return batchesInARow == 0 ? pauseNanos : Math.max(pauseNanos, Backoff.nanos(batchesInARow, random));
    }

    void onPauseOver() {
        pausing = false;
        isTurnOfNew = isNewNext;
        isNewNext = !isNewNext;
    }

    private static long partition(Request<?> request) {
        return (long) request.table.id() << Integer.SIZE | request.partition;
    }

    private static int weight(Request<?> request) {
        return CongestionWindow.weight(request.windowBytes());
    }
}
