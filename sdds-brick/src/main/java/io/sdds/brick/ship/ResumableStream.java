package io.sdds.brick.ship;

import io.netty.buffer.ByteBuf;
import io.sdds.brick.stage.Peers;
import io.sdds.core.node.Link;
import java.util.ArrayDeque;

/**
 * Slices that can go on over another link when the one under way breaks, from where the target has come: what it has
 * not acknowledged is kept, which is not much more than its credit.
 */
final class ResumableStream extends SliceStream {
    /** Entries of the slices that are not acknowledged, the oldest first. */
    private final ArrayDeque<ByteBuf> kept = new ArrayDeque<>();

    private long keptTo;

    ResumableStream(Peers peers, Link link, long stream, int attempt, int target, int creditBytes) {
        super(peers, link, stream, attempt, target, creditBytes);
    }

    @Override
    void keep(SliceBuffer entries, int entryBytes) {
        kept.add(entries.copyOf(entryBytes));
        keptTo = lastNumber() + 1;
    }

    @Override
    public void acked(long number) {
        super.acked(number);
        while (!kept.isEmpty() && keptTo - kept.size() < number) {
            kept.remove().release();
        }
    }

    /** Whether all that a target lacks that has applied slices up to this one is kept here. */
    boolean goesOnFrom(long applied) {
        return keptTo - kept.size() <= applied && applied <= keptTo;
    }

    /** The target has applied slices up to this one, from which it {@link #goesOnFrom}; what follows is sent again. */
    void resume(Link over, long applied) {
        acked(applied);
        goOnOver(over);
        long number = keptTo - kept.size();
        for (ByteBuf entries : kept) {
            sendAgain(entries.duplicate(), ++number);
        }
    }

    @Override
    public void release() {
        kept.forEach(ByteBuf::release);
        kept.clear();
    }
}
