package io.sdds.brick.experiment;

import io.sdds.brick.migration.SliceBuffer;
import io.sdds.brick.migration.SliceStream;
import io.sdds.brick.stage.Peers;
import io.sdds.core.node.Link;

/**
 * Sends slices of one record each, as in a rendezvous (LH*LH, sections 4.4 and 4.5.4). A slice also has the removals
 * and results that come before the next record. A slice is sent when the target has applied the slice before. Records
 * and changes keep their order.
 */
public final class IndividualStream extends SliceStream {
    /** Bytes of entries that may wait while writes go on. More would take longer to send than a switch may take. */
    private static final int WAITING_BYTES_MAX = 8 << 10;

    private final SliceBuffer waiting;

    /** @param waiting an empty buffer, which {@link #release} releases */
    public IndividualStream(Peers peers, Link link, long migration, int attempt, int target, SliceBuffer waiting) {
        super(peers, link, migration, attempt, target, 1);
        this.waiting = waiting;
    }

    @Override
    public void send(SliceBuffer entries) {
        entries.moveTo(waiting);
        sendNext();
    }

    @Override
    public void acked(long number) {
        super.acked(number);
        sendNext();
    }

    private void sendNext() {
        if (super.isAllAcked()) {
            send(waiting, waiting.bytesOfOneRecord());
        }
    }

    @Override
    public boolean hasCredit() {
        return super.hasCredit() && waiting.entryBytes() == 0;
    }

    @Override
    public boolean keepsUpWith(long changeBytes, long most) {
        return changeBytes + waiting.entryBytes() < WAITING_BYTES_MAX;
    }

    @Override
    public boolean isHalfAcked() {
        return waiting.entryBytes() < WAITING_BYTES_MAX;
    }

    @Override
    public boolean isAllAcked() {
        return super.isAllAcked() && waiting.entryBytes() == 0;
    }

    @Override
    public void release() {
        super.release();
        waiting.release();
    }
}
