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
 * Requests that went to all bricks of their range table (RP*N, RP*C; section 2.1): the brick that has the key answers,
 * the others say nothing.
 */
final class Multicasts {

    /*
     * A copy goes over the connection of each brick that the table is known to be on; all carry one correlation id,
     * negative, so that it meets none of a connection's own. The first answer ends the request.
     *
     * Nobody answers when the partition is on a brick that this client has not heard of, or has moved between the
     * arrival of two copies, or when its brick is down or busy. Where there is IP multicast a request leaves as one
     * datagram instead, if all those connections are there for the answer. It may be lost: then the copies follow.
     *
     * So what is not answered for some times as long as answers take is sent again, once, to the brick that the map
     * names, which has the map looked up, forwards, and says what is wrong. Copies of writes have one request id, as
     * those of any retry.
     */

    private static final int MAX = InFlight.CAPACITY_MAX;
    private static final long SILENCE_MIN_NANOS = 30_000_000;
    private static final int SILENCE_ANSWERS = 8;

    /** A brick that was paused answers late, and nobody should wait for the next answer as long as for its. */
    private static final long SILENCE_MAX_NANOS = 1_000_000_000;

    private static final int MEAN_SHIFT = 3;

    /** The time left until its deadline is at least so many times what a request has waited. */
    private static final int REST_SHARE = 3;

    private final ClientNode node;

    /** In the order in which they were sent. */
    private final Map<Integer, Request<?>> outstanding = new LinkedHashMap<>();

    private final DatagramSender datagrams;
    private int next;
    private long meanNanos;

    Multicasts(ClientNode node) {
        this.node = node;
        this.datagrams = new DatagramSender(node);
    }

    /**
     * Sends a request to all bricks of its table that can be sent to; false when there is none, or too many wait for
     * answers.
     */
    boolean send(Request<?> request) {
        if (outstanding.size() >= MAX) {
            return false;
        }
        int correlation = next++ | Integer.MIN_VALUE;
        RoutedTable table = request.table;
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

    /** Sends a copy over each connection; whether there was any. */
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

    /** Dials the bricks of a table that are not connected; whether all are. */
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
     * The request that a reply answers; null when it says nothing, or has come too late. A brick that is busy may not
     * even have the key.
     */
    @Nullable
    Request<?> answered(int correlation, byte status) {
        Request<?> request = outstanding.get(correlation);
        if (request == null || status == Status.BUSY) {
            return null;
        }
        if (request.isForMany() && status != Status.BAD_REQUEST) {
            request.multicastNanos = node.now();
            return status == Status.OK ? request : null;
        }
        outstanding.remove(correlation);
        request.isUnicast = true;
        if (request.isDatagram) {
            datagrams.answered();
        }
        meanNanos += (node.now() - request.multicastNanos - meanNanos) >> MEAN_SHIFT;
        return request;
    }

    /**
     * Once a tick: takes out those that nobody has answered for too long, while there is time to ask whom the map
     * names.
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
     * A datagram may be lost: the request goes over the connections, under the same correlation id, since a late answer
     * is as good. What nobody answered of a range query is asked again by itself.
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

    /** Takes out requests that are over; the earliest deadline of the others, or of what was known before. */
    long expire(long now, List<Request<?>> expired, long earliest) {
        return Request.expire(outstanding.values(), now, expired, earliest);
    }

    /** Takes out everything, at the node's end. */
    void giveUpAll(List<Request<?>> all) {
        all.addAll(outstanding.values());
        outstanding.clear();
        datagrams.close();
    }
}
