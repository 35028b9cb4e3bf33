package io.sdds.client.internal.routing;

import io.netty.buffer.ByteBuf;
import io.sdds.core.node.Datagrams;
import io.sdds.core.protocol.DatagramFrame;
import org.jspecify.annotations.Nullable;

/** Sends requests to all bricks of a table as one datagram each, if the settings name a group of IP multicast. */
final class DatagramSender {
    /**
     * Number of unanswered datagrams after which the sender pauses. If so many datagrams in a row stay unanswered, for
     * at least {@link #UNANSWERED_NANOS}, the network has no multicast or the bricks do not listen.
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

    /** Sends a request as a datagram. Returns false when the request must go over the connections. */
    boolean send(Request<?> request, int correlation, int flags, long version) {
        int length = DatagramFrame.HEADER + request.frameLength();
        Peer any = length > DatagramFrame.BYTES_MAX || node.now() < notBeforeNanos ? null : ready(request.table);
        Datagrams to = any == null ? null : group();
        if (any == null || to == null) {
            return false;
        }
        ByteBuf out = node.env().allocate(length);
        DatagramFrame.writeHeader(out, node.token());
        request.writeTo(out, correlation, flags, 0, version);
        DatagramFrame.seal(out);
        boolean leaves = to.send(out);
        node.counters().datagrams += leaves ? 1 : 0;
        return leaves;
    }

    /** A brick of the table, if all its known bricks are connected and can take a request; else null. */
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
