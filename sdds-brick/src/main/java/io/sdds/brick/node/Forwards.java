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
 * Requests that were forwarded and whose answers go back along the way they came. A slot each in a table that is
 * bounded; the correlation id on the way is the slot and how often it was used, so that a late answer meets nobody
 * else's request.
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
     * Sends the request on; false when no more can be on their way. The frame says by which map, to which partition,
     * over how many forwards.
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

    /** Passes an answer back; the link that was written to, or null when nobody waits for it any more. */
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
        back.commit();
        return back;
    }

    /**
     * A link went down: those who sent requests over it are told that the outcome is unknown, so that they try again
     * under the same id.
     */
    void linkDown(Link link, Consumer<Link> touched) {
        for (int slot = 0; slot < used; slot++) {
            if (to[slot] == link) {
                giveUp(slot, touched);
            } else if (from[slot] == link) {
                release(slot);
            }
        }
    }

    /**
     * Gives up those whose deadline has passed. Their clients have too, but count what they asked against the brick's
     * window until it is answered.
     */
    void expire(long nowNanos, Consumer<Link> touched) {
        for (int slot = 0; slot < used; slot++) {
            if (to[slot] != null && nowNanos - deadlineNanos[slot] > 0) {
                giveUp(slot, touched);
            }
        }
    }

    private void giveUp(int slot, Consumer<Link> touched) {
        Link back = from[slot];
        int backCorrelation = fromCorrelation[slot];
        release(slot);
        if (back != null && back.isUp()) {
            ReplyFrame.writeHeader(
                    back.claim(ReplyFrame.HEADER), ReplyFrame.HEADER, 0, Status.UNKNOWN, 0, backCorrelation);
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
