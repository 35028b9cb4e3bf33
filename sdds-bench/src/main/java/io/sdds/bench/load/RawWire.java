package io.sdds.bench.load;

import io.netty.buffer.ByteBuf;
import io.sdds.client.internal.routing.CongestionWindow;
import io.sdds.core.node.Link;
import io.sdds.core.node.Node;
import io.sdds.core.protocol.ReplyFrame;
import io.sdds.core.protocol.RequestFrame;
import io.sdds.core.protocol.Status;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * One connection of raw load to one brick. Each outstanding request has a slot, whose number is the correlation id. A
 * slot is free, outstanding, or waits for the retry of a refused request.
 */
final class RawWire implements Node {
    private static final long MILLI = 1_000_000;

    private final RawLoop loop;
    private final RawFrames requests;
    private final @Nullable RawSession session;
    private final long[] begunNanos;
    private final long[] seqs;
    private final BitSet underWay = new BitSet();
    private final int[] free;
    private final CongestionWindow window;
    private int freeCount;
    private int waiting;
    private boolean waits;

    /** Whether the brick has answered a request since the last batch of refusals began. */
    private boolean answered = true;

    private @Nullable Link link;

    /** @param session session of writes; null for reads */
    RawWire(RawLoop loop, RawFrames requests, @Nullable RawSession session, int slots) {
        this.loop = loop;
        this.requests = requests;
        this.session = session;
        this.begunNanos = new long[slots];
        this.seqs = new long[slots];
        this.free = new int[slots];
        this.window = new CongestionWindow(slots);
        for (int k = 0; k < slots; k++) {
            free[freeCount++] = k;
        }
    }

    /** Sends at most so many requests. Returns the number of sent requests. */
    int begin(long now, int most) {
        Link to = link;
        int room = Math.min(most, room());
        if (to == null || !to.isUp() || to.isFull() || room <= 0) {
            return 0;
        }
        int count = 0;
        while (count < room && (session == null || session.hasRoom())) {
            count++;
            int slot = free[--freeCount];
            begunNanos[slot] = now;
            underWay.set(slot);
            ByteBuf out = to.claim(requests.frameBytes());
            int start = out.writerIndex();
            requests.writeAny(out);
            out.setIntLE(start + RequestFrame.CORRELATION, slot);
            if (session != null) {
                seqs[slot] = session.stamp(out, start);
            }
            to.commit();
        }
        loop.onBegun(count);
        to.flush();
        return count;
    }

    /** Number of further requests that the window admits. */
    private int room() {
        return Math.min(freeCount, window.limit() - unanswered());
    }

    private int unanswered() {
        return free.length - freeCount - waiting;
    }

    void close() {
        if (link != null) {
            link.close();
        }
    }

    @Override
    public void onLinkUp(Link opened) {
        link = opened;
        loop.onUp();
    }

    @Override
    public void onFrames(Link from, ByteBuf frames) {
        long now = System.nanoTime();
        int length;
        for (int at = frames.readerIndex(); at < frames.writerIndex(); at += length) {
            length = frames.getIntLE(at);
            int slot = frames.getIntLE(at + ReplyFrame.CORRELATION);
            byte status = frames.getByte(at + ReplyFrame.STATUS);
            ended(slot);
            if (status == Status.BUSY) {
                backOff(frames.getIntLE(ReplyFrame.body(frames, at)), now);
                window.onRefused(1);
                waiting++;
                free[free.length - waiting] = slot;
                loop.onRefused();
            } else {
                answered = true;
                window.onAnswer(now);
                free[freeCount++] = slot;
                loop.onAnswered(status, begunNanos[slot], now);
            }
        }
        loop.beginMore(this, now);
    }

    /** The write of a slot has ended, with any result, and is never sent again. */
    private void ended(int slot) {
        underWay.clear(slot);
        if (session != null) {
            session.ended(seqs[slot]);
        }
    }

    private void backOff(int hintMillis, long now) {
        if (!waits) {
            waits = true;
            window.onBusy(unanswered(), !answered, now);
            answered = false;
            loop.schedule(hintMillis * MILLI + loop.random().nextLong(MILLI), this::resume);
        }
    }

    /** The pause after a refusal is over: the request may be sent again. */
    private void resume() {
        waits = false;
        while (waiting > 0) {
            int slot = free[free.length - waiting--];
            free[freeCount++] = slot;
        }
    }

    @Override
    public void onLinkDown(Link down, String reason) {
        loop.onTrouble(reason);
        loop.onLost(underWay.cardinality());
        for (int slot = underWay.nextSetBit(0); slot >= 0; slot = underWay.nextSetBit(slot)) {
            ended(slot);
        }
    }
}
