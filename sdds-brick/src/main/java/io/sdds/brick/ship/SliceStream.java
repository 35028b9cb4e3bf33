package io.sdds.brick.ship;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.map.BrickMap;
import io.sdds.brick.stage.Peers;
import io.sdds.core.node.Link;
import java.util.ArrayDeque;

/** One attempt's numbered slices to a target, under its credit: how far they were sent, and how far applied. */
public class SliceStream {
    /** Of one slice, unless it has one entry: a message has a bound. */
    private static final int SLICE_BYTES_MAX = 1 << 20;

    private final Peers peers;
    private Link link;
    private final long stream;
    private final int attempt;
    private final int target;
    private final int creditBytes;
    private final ArrayDeque<Sent> unacked = new ArrayDeque<>();
    private long lastNumber;
    private long ackedNumber;
    private long targetMapVersion;
    private long unackedBytes;
    private long sentBytes;

    private record Sent(long number, int bytes) {}

    /**
     * @param target partition that receives
     * @param creditBytes that may be on their way, by the target's word
     */
    public SliceStream(Peers peers, Link link, long stream, int attempt, int target, int creditBytes) {
        this.peers = peers;
        this.link = link;
        this.stream = stream;
        this.attempt = attempt;
        this.target = target;
        this.creditBytes = creditBytes;
    }

    /** Sends what was gathered, if anything, as the next slice, or slices when it is too large for one. */
    public void send(SliceBuffer entries) {
        while (entries.entryBytes() > 0 && link.isUp()) {
            send(entries, entries.bytesWithin(SLICE_BYTES_MAX));
        }
    }

    /** Sends so many bytes of what was gathered as the next slice. */
    public final void send(SliceBuffer entries, int entryBytes) {
        if (entryBytes == 0 || !link.isUp()) {
            return;
        }
        keep(entries, entryBytes);
        int bytes = entries.send(entryBytes, link, stream, attempt, target, ++lastNumber);
        unacked.add(new Sent(lastNumber, bytes));
        unackedBytes += bytes;
        sentBytes += bytes;
        peers.touched(link);
    }

    /** So many bytes are about to leave as the next slice. */
    void keep(SliceBuffer entries, int entryBytes) {}

    /** It goes on over another link. */
    final void goOnOver(Link another) {
        link = another;
    }

    /** Sends a slice once more. */
    final void sendAgain(ByteBuf entries, long number) {
        SliceBuffer.write(entries, entries.readableBytes(), link, stream, attempt, target, number);
        peers.touched(link);
    }

    /** The target has applied all slices up to this one. */
    public void acked(long number) {
        while (!unacked.isEmpty() && unacked.peek().number() <= number) {
            unackedBytes -= unacked.remove().bytes();
        }
        ackedNumber = Math.max(ackedNumber, number);
    }

    /** The target knows the map up to this version. */
    final void targetKnows(long mapVersion) {
        targetMapVersion = Math.max(targetMapVersion, mapVersion);
    }

    /** Whether the target has heard of every session whose results this brick has forgotten, and can't ship. */
    final boolean knowsEndedSessions(BrickMap map) {
        return targetMapVersion >= map.sessionsVersion();
    }

    /** Whether another slice of the copy may leave. */
    public boolean hasCredit() {
        return link.isUp() && !link.isFull() && unackedBytes < creditBytes;
    }

    /**
     * Whether so many more bytes of changes could be kept up with; the copy converges since changes are under the same
     * credit.
     */
    public boolean keepsUpWith(long changeBytes, long most) {
        return changeBytes + unackedBytes < most + creditBytes;
    }

    /** The number of the last slice sent. */
    long lastNumber() {
        return lastNumber;
    }

    public boolean isHalfAcked() {
        return unackedBytes < creditBytes / 2;
    }

    public boolean isAllAcked() {
        return ackedNumber == lastNumber;
    }

    /** It ends. */
    public void release() {}

    long sentBytes() {
        return sentBytes;
    }
}
