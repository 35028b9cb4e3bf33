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
    static final int SLICE_BYTES_MAX = 1 << 20;

    /** A slice of one long record counts with so many bytes against the changes that may be under way. */
    private static final int LONG_SHARE_BYTES = 64 << 10;

    /** Most bytes of long records under way, beyond their shares, for another long record to be written. */
    private static final int EXCESS_BYTES_MAX = 16 << 20;

    private final Peers peers;
    private Link link;
    private final long migration;
    private final int attempt;
    private final int target;
    private final int creditBytes;
    private final ArrayDeque<Sent> unacked = new ArrayDeque<>();
    private long lastNumber;
    private long ackedNumber;
    private long targetMapVersion;
    private long unackedBytes;

    /** Bytes of the long records among {@link #unackedBytes}, beyond their shares. */
    private long excessBytes;

    private long sentBytes;

    /** A slice that is not acknowledged, of so many bytes. */
    private record Sent(long number, int bytes, ByteBuf entries) {
        int excessBytes() {
            return bytes > SLICE_BYTES_MAX ? bytes - LONG_SHARE_BYTES : 0;
        }
    }

    /**
     * @param target partition that receives
     * @param creditBytes that may be on their way, by the target's word
     */
    public SliceStream(Peers peers, Link link, long migration, int attempt, int target, int creditBytes) {
        this.peers = peers;
        this.link = link;
        this.migration = migration;
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
        int bytes = entries.send(entryBytes, link, migration, attempt, target, ++lastNumber);
        Sent slice = new Sent(lastNumber, bytes, kept);
        unacked.add(slice);
        unackedBytes += bytes;
        excessBytes += slice.excessBytes();
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
            SliceBuffer.write(entries, entries.readableBytes(), link, migration, attempt, target, slice.number());
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
            excessBytes -= slice.excessBytes();
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
     * credit. A long record counts with its share, so that short writes go on beside it.
     */
    public boolean keepsUpWith(long changeBytes, long most) {
        return changeBytes + unackedBytes - excessBytes < most + creditBytes;
    }

    /**
     * Whether the long records under way leave room for another change: the copy has one of them at a time, and a write
     * of a long record may add another. A short write may have a long change, too, as a TOUCH has.
     */
    final boolean hasExcess(boolean isLong) {
        return excessBytes <= (isLong ? EXCESS_BYTES_MAX : 2 * EXCESS_BYTES_MAX);
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
