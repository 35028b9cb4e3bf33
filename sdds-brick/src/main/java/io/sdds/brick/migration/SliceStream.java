package io.sdds.brick.migration;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.map.BrickMap;
import io.sdds.brick.stage.Peers;
import io.sdds.core.node.Link;
import java.util.ArrayDeque;

/**
 * One attempt's numbered slices to a target, under its credit. The slices that are not acknowledged are kept, which are
 * not much more than the credit, so that they can be sent again over another link when the link breaks.
 */
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

    /** A slice that is not acknowledged, of so many bytes. */
    private record Sent(long number, int bytes, ByteBuf entries) {}

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
        ByteBuf kept = entries.copyOf(entryBytes);
        int bytes = entries.send(entryBytes, link, stream, attempt, target, ++lastNumber);
        unacked.add(new Sent(lastNumber, bytes, kept));
        unackedBytes += bytes;
        sentBytes += bytes;
        peers.touched(link);
    }

    /** Whether all slices behind this one, up to which a target has applied them, are kept here. */
    final boolean resumesFrom(long applied) {
        return lastNumber - unacked.size() <= applied && applied <= lastNumber;
    }

    /**
     * The target has applied slices up to this one, from which the stream resumes; the slices behind it leave again.
     */
    final void resume(Link another, long applied) {
        link = another;
        drop(applied);
        for (Sent slice : unacked) {
            ByteBuf entries = slice.entries().duplicate();
            SliceBuffer.write(entries, entries.readableBytes(), link, stream, attempt, target, slice.number());
        }
        peers.touched(link);
    }

    /** The target has applied all slices up to this one. */
    public void acked(long number) {
        drop(number);
    }

    private void drop(long number) {
        while (!unacked.isEmpty() && unacked.peek().number() <= number) {
            Sent slice = unacked.remove();
            unackedBytes -= slice.bytes();
            slice.entries().release();
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

    public boolean isHalfAcked() {
        return unackedBytes < creditBytes / 2;
    }

    public boolean isAllAcked() {
        return ackedNumber == lastNumber;
    }

    /** The stream ends: what it keeps is released. */
    public void release() {
        unacked.forEach(slice -> slice.entries().release());
        unacked.clear();
    }

    long sentBytes() {
        return sentBytes;
    }
}
