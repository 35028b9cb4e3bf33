package io.sdds.client.internal.routing;

import io.sdds.core.protocol.RequestFrame;
import io.sdds.core.protocol.Status;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Requests that went to all bricks of their range table (RP*N, RP*C; section 2.1). The brick that has the key answers;
 * the other bricks send nothing.
 */
final class Multicasts {

    /*
     * The client sends a copy over the connection of each known brick of the table. All copies carry one correlation
     * id. The id is negative, because the ids of a connection's own requests are not. The first answer ends the
     * request.
     *
     * No brick answers when the partition is on a brick that this client does not know, when the partition moved
     * between the arrivals of two copies, or when its brick is down or busy. With IP multicast a request leaves as one
     * datagram instead, if the connections for the answer are up. The datagram may be lost: then the copies follow.
     *
     * A request that is not answered within some mean answer times is sent again, once, to the brick that the map
     * names. This brick has the map looked up, forwards, and tells what is wrong. All copies of a write have one
     * request id, as the copies of any retry have.
     *
     * One window bounds the unanswered copies. A busy brick refuses its copy without looking for the key. The refusal
     * makes the window smaller, and the request waits for the answer of another brick.
     */

    private static final int MAX = InFlight.CAPACITY_MAX;
    private static final long SILENCE_MIN_NANOS = 30_000_000;
    private static final int SILENCE_ANSWERS = 8;

    /**
     * Longest wait for an answer. A brick that was paused answers late, and the next requests should not wait that
     * long.
     */
    private static final long SILENCE_MAX_NANOS = 1_000_000_000;

    private static final int MEAN_SHIFT = 3;

    /**
     * A request waits so long at most that the time left until its deadline is this many times the time that it has
     * waited.
     */
    private static final int REST_SHARE = 3;

    private final ClientNode node;

    /** The unanswered requests by correlation id, in the order in which they were sent. */
    private final Map<Integer, Request<?>> outstanding = new LinkedHashMap<>();

    private final CongestionWindow window = new CongestionWindow(MAX);
    private final DatagramSender datagrams;
    private int next;
    private long meanNanos;

    /** Number of bricks that get a copy of the last request. */
    private int copies;

    /** Whether the last request found the window full. */
    private boolean othersWait;

    /** Until when further refusals belong to the same batch. */
    private long batchEndNanos;

    Multicasts(ClientNode node) {
        this.node = node;
        this.datagrams = new DatagramSender(node);
        this.batchEndNanos = node.now();
    }

    /**
     * Sends a request to all bricks of its table whose links can take it. Returns false when no link can, or as many
     * requests as the window has room for wait for answers.
     */
    boolean send(Request<?> request) {
        RoutedTable table = request.table;
        copies = table.ranges().bricks().length;
        othersWait = outstanding.size() * copies >= window.limit();
        if (othersWait) {
            return false;
        }
        int correlation = next++ | Integer.MIN_VALUE;
        int flags = flags(request);
        request.isDatagram = datagrams.send(request, correlation, flags, table.versionOf(0));
        if (!request.isDatagram && !fanOut(request, correlation)) {
            return false;
        }
        node.counters().multicasts++;
        request.mayHaveRun |= request.isWrite();
        request.multicastNanos = node.now();
        outstanding.put(correlation, request);
        return true;
    }

    private static int flags(Request<?> request) {
        return request.flags() | RequestFrame.FLAG_MULTICAST | (request.table.learns() ? RequestFrame.FLAG_TEACH : 0);
    }

    /** Sends a copy over each connection. Returns whether there was any. */
    private boolean fanOut(Request<?> request, int correlation) {
        RoutedTable table = request.table;
        int flags = flags(request);
        int copies = 0;
        for (int brick : table.ranges().bricks()) {
            Peer peer = node.peers().ofBrick(brick);
            copies += peer != null && peer.sendCopy(request, correlation, flags, table.versionOf(0)) ? 1 : 0;
        }
        return copies > 0;
    }

    /** Dials the bricks of a table that are not connected. Returns whether all are connected. */
    boolean connect(RoutedTable table) {
        boolean all = true;
        for (int brick : table.ranges().bricks()) {
            Peer peer = node.peers().ofBrick(brick);
            if (peer != null && !peer.isUp()) {
                peer.dial(node.now());
                all = false;
            }
        }
        return all;
    }

    /**
     * The request that a reply answers; null when the reply came too late or answers nothing. BUSY answers nothing,
     * because a busy brick may not even have the key.
     */
    @Nullable
    Request<?> answered(int correlation, byte status) {
        Request<?> request = outstanding.get(correlation);
        if (status == Status.BUSY) {
            refused();
            return null;
        }
        if (request == null) {
            return null;
        }
        if (request.isForMany() && status != Status.BAD_REQUEST) {
            request.multicastNanos = node.now();
            return status == Status.OK ? request : null;
        }
        outstanding.remove(correlation);
        request.isUnicast = true;
        if (othersWait) {
            window.onAnswer(node.now());
        }
        if (request.isDatagram) {
            datagrams.answered();
        }
        meanNanos += (node.now() - request.multicastNanos - meanNanos) >> MEAN_SHIFT;
        return request;
    }

    /** A brick was too busy to look for the key of a request. */
    private void refused() {
        long now = node.now();
        if (now - batchEndNanos >= 0) {
            batchEndNanos = now + SILENCE_MIN_NANOS;
            window.onBusy(outstanding.size() * copies, false, now);
        }
        window.onRefused(1);
    }

    /**
     * Called once a tick. Removes the requests that no brick has answered for too long, while there is time to ask the
     * brick that the map names.
     */
    List<Request<?>> silent(long now) {
        List<Request<?>> silent = new ArrayList<>();
        long patience = Math.min(SILENCE_MAX_NANOS, SILENCE_MIN_NANOS + SILENCE_ANSWERS * meanNanos);
        for (Iterator<Map.Entry<Integer, Request<?>>> each =
                        outstanding.entrySet().iterator();
                each.hasNext(); ) {
            Map.Entry<Integer, Request<?>> sent = each.next();
            Request<?> request = sent.getValue();
            long waited = now - request.multicastNanos;
            if (waited > Math.min(patience, (request.deadlineNanos - now) / REST_SHARE)
                    && !isSentAgain(request, sent.getKey(), now)) {
                each.remove();
                silent.add(request);
            }
        }
        return silent;
    }

    /**
     * Sends a request again over the connections, because its datagram may be lost. The correlation id stays the same,
     * because a late answer to the datagram is as good. A range query is not sent again here: its sweep asks again for
     * the parts that no brick has answered.
     */
    private boolean isSentAgain(Request<?> request, int correlation, long now) {
        if (!request.isDatagram || request.isForMany()) {
            return false;
        }
        request.isDatagram = false;
        datagrams.unanswered();
        if (!fanOut(request, correlation)) {
            return false;
        }
        request.multicastNanos = now;
        return true;
    }

    void giveUp(Request<?> request) {
        outstanding.values().remove(request);
    }

    /**
     * Moves requests that are over to a list. Returns the earliest deadline of the remaining requests, or
     * {@code earliest} if that is earlier.
     */
    long expire(long now, List<Request<?>> expired, long earliest) {
        return Request.expire(outstanding.values(), now, expired, earliest);
    }

    /** Moves all requests to a list, when the node closes. */
    void giveUpAll(List<Request<?>> all) {
        all.addAll(outstanding.values());
        outstanding.clear();
    }

    void close() {
        datagrams.close();
    }
}
