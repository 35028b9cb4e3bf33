package io.sdds.brick.node;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.partition.Request;
import io.sdds.core.node.Link;
import io.sdds.core.protocol.ReplyFrame;
import io.sdds.core.protocol.RequestFrame;
import io.sdds.core.protocol.Status;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Requests that this brick has forwarded. Their replies go back over the links from which the requests came. Each
 * request has a slot in a bounded table. The correlation id of the forwarded request is the slot and the number of
 * times that the slot was used, so that a late reply is not taken for the reply to another request.
 */
final class Forwards {
    private static final int SLOTS_MAX = 1 << 16;
    private static final int SLOT_MASK = SLOTS_MAX - 1;

    private @Nullable Link[] from = new Link[256];
    private @Nullable Link[] to = new Link[256];
    private int[] fromCorrelation = new int[256];
    private int[] correlation = new int[256];
    private long[] deadlineNanos = new long[256];
    private int[] free = new int[256];
    private int freeCount;
    private int used;

    /**
     * Forwards a request with these values in its header; false if too many forwarded requests are under way.
     *
     * @param partition the partition that is to run the request
     * @param mapVersion version of the map by which the request is forwarded
     */
    boolean forward(Request request, Link next, int partition, int addressingHops, long mapVersion, long nowNanos) {
        int slot = take();
        if (slot < 0) {
            return false;
        }
        from[slot] = request.link;
        to[slot] = next;
        fromCorrelation[slot] = request.correlation;
        deadlineNanos[slot] = nowNanos + request.deadlineMillis * 1_000_000L;
        ByteBuf out = next.claim(request.length);
        int start = out.writerIndex();
        out.writeBytes(request.buffer, request.at, request.length);
        out.setByte(start + RequestFrame.ADDRESSING_HOPS, addressingHops);
        out.setByte(start + RequestFrame.HOPS, request.hops + 1);
        out.setIntLE(start + RequestFrame.CORRELATION, correlation[slot]);
        out.setIntLE(start + RequestFrame.PARTITION, partition);
        out.setLongLE(start + RequestFrame.MAP_VERSION, Math.max(mapVersion, request.mapVersion));
        next.commit();
        return true;
    }

    /** Passes a reply back. Returns the link that the reply was written to, or null if no request waits for it. */
    @Nullable
    Link answered(Link link, ByteBuf frames, int index, int length) {
        int slot = frames.getIntLE(index + ReplyFrame.CORRELATION) & SLOT_MASK;
        if (slot >= used || to[slot] != link || correlation[slot] != frames.getIntLE(index + ReplyFrame.CORRELATION)) {
            return null;
        }
        Link back = from[slot];
        int backCorrelation = fromCorrelation[slot];
        release(slot);
        if (back == null || !back.isUp()) {
            return null;
        }
        ByteBuf out = back.claim(length);
        int start = out.writerIndex();
        out.writeBytes(frames, index, length);
        out.setIntLE(start + ReplyFrame.CORRELATION, backCorrelation);
        if (out.getByte(start + ReplyFrame.STATUS) == Status.FATAL) {
            out.setByte(start + ReplyFrame.STATUS, Status.FATAL);
        }
        back.commit();
        return back;
    }

    /**
     * A link went down. The requests that were forwarded over this link are answered UNKNOWN, so that their clients
     * send them again under the same request id. They are answered FATAL if the brick failed, and one of them may be
     * the cause.
     */
    void linkDown(Link link, Consumer<Link> touched) {
        for (int slot = 0; slot < used; slot++) {
            if (to[slot] == link) {
                answer(slot, link.blamesRequests(), touched);
            } else if (from[slot] == link) {
                release(slot);
            }
        }
    }

    /**
     * Answers the requests whose deadline has passed with UNKNOWN. Their clients have given them up, but count each
     * against the window of this brick until a reply comes.
     */
    void expire(long nowNanos, Consumer<Link> touched) {
        for (int slot = 0; slot < used; slot++) {
            if (to[slot] != null && nowNanos - deadlineNanos[slot] > 0) {
                answer(slot, false, touched);
            }
        }
    }

    private void answer(int slot, boolean blamed, Consumer<Link> touched) {
        Link back = from[slot];
        int backCorrelation = fromCorrelation[slot];
        release(slot);
        if (back != null && back.isUp()) {
            byte status = blamed ? Status.FATAL : Status.UNKNOWN;
            ReplyFrame.writeHeader(back.claim(ReplyFrame.HEADER), ReplyFrame.HEADER, 0, status, 0, backCorrelation);
            back.commit();
            touched.accept(back);
        }
    }

    private int take() {
        if (freeCount > 0) {
            return free[--freeCount];
        }
        if (used == SLOTS_MAX) {
            return -1;
        }
        if (used == from.length) {
            grow(used * 2);
        }
        correlation[used] = used;
        return used++;
    }

    private void release(int slot) {
        from[slot] = null;
        to[slot] = null;
        correlation[slot] += SLOTS_MAX;
        free[freeCount++] = slot;
    }

    private void grow(int size) {
        from = Arrays.copyOf(from, size);
        to = Arrays.copyOf(to, size);
        fromCorrelation = Arrays.copyOf(fromCorrelation, size);
        correlation = Arrays.copyOf(correlation, size);
        deadlineNanos = Arrays.copyOf(deadlineNanos, size);
        free = Arrays.copyOf(free, size);
    }
}
