package io.sdds.client.internal.routing;

import io.netty.buffer.ByteBuf;
import io.sdds.core.node.Datagrams;
import io.sdds.core.protocol.DatagramFrame;
import org.jspecify.annotations.Nullable;

/** Sends requests to all bricks of a table as one datagram each, where a group of IP multicast is named. */
final class DatagramSender {
    /**
     * So many that nobody answers, and none that is answered for so long, and the network has no multicast, or the
     * bricks don't listen: it is tried again after a pause.
     */
    private static final int UNANSWERED_MAX = 8;

    private static final long UNANSWERED_NANOS = 1_000_000_000;

    private static final long PAUSE_NANOS = 10_000_000_000L;

    private final ClientNode node;
    private @Nullable Datagrams group;
    private boolean opened;
    private int unanswered;
    private long unansweredSinceNanos;
    private long notBeforeNanos = Long.MIN_VALUE;

    DatagramSender(ClientNode node) {
        this.node = node;
    }

    /** Sends one; false when it has to go over the connections. */
    boolean send(Request<?> request, int correlation, int flags, long version) {
        int length = DatagramFrame.HEADER + request.frameLength();
        Peer any = length > DatagramFrame.BYTES_MAX || node.now() < notBeforeNanos ? null : ready(request.table);
        Datagrams to = any == null ? null : group();
        if (any == null || to == null) {
            return false;
        }
        ByteBuf out = node.env().allocate(length);
        DatagramFrame.writeHeader(out, node.token());
        any.writeFrame(out, request, correlation, flags, 0, version);
        DatagramFrame.seal(out);
        boolean leaves = to.send(out);
        node.counters().datagrams += leaves ? 1 : 0;
        return leaves;
    }

    /**
     * One of a table's bricks, when all that are known can answer and none has said that it has too much to do; else
     * null.
     */
    private @Nullable Peer ready(RoutedTable table) {
        Peer any = null;
        for (int brick : node.settings().multicastGroup() == null
                ? new int[0]
                : table.ranges().bricks()) {
            any = node.peers().ofBrick(brick);
            if (any == null || !any.canSend()) {
                return null;
            }
        }
        return any;
    }

    private @Nullable Datagrams group() {
        String name = node.settings().multicastGroup();
        if (!opened && name != null) {
            opened = true;
            group = node.env().datagrams(name);
        }
        return group;
    }

    void answered() {
        unanswered = 0;
    }

    void unanswered() {
        node.counters().datagramsUnanswered++;
        long now = node.now();
        if (unanswered++ == 0) {
            unansweredSinceNanos = now;
        }
        if (unanswered >= UNANSWERED_MAX && now - unansweredSinceNanos >= UNANSWERED_NANOS) {
            unanswered = 0;
            notBeforeNanos = now + PAUSE_NANOS;
        }
    }

    void close() {
        if (group != null) {
            group.close();
        }
    }
}
